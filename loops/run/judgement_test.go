package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestJudgements(t *testing.T) {
	t.Parallel()
	s := NewStore(t.TempDir())
	id, err := s.Create("p", time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	if j, err := s.Judgement(id); j != nil || err != nil || j.Text() != "" {
		t.Errorf("a run that nobody judged: %+v, %v", j, err)
	}
	for _, accept := range []bool{true, false} {
		if err := s.Judge(id, Judgement{Accept: accept, By: "ada", Reason: "a\x1b[31m\nb", PullRequest: "https://example.org/1"}); err != nil {
			t.Fatal(err)
		}
		j, err := s.Judgement(id)
		if err != nil || j.Accept != accept || j.V != judgementFormat {
			t.Errorf("%+v, %v", j, err)
		}
		if text := j.Text(); strings.Contains(text, "\x1b") || strings.Count(text, "\n- ") != 2 {
			t.Errorf("%q", text)
		}
	}
	for text, want := range map[string]string{`{"v": 2}`: "upgrade wiki", `{`: "read judgement.json of run"} {
		if err := os.WriteFile(filepath.Join(s.Folder(id), JudgementFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Judgement(id); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestAPatchFromElsewhere checks that no link leaves a run's folder, and that
// a patch that is too long is none.
func TestAPatchFromElsewhere(t *testing.T) {
	t.Parallel()
	s := NewStore(t.TempDir())
	id, err := s.Create("p", time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := s.Patch(id, 10); text != "" || err != nil {
		t.Errorf("no patch: %q, %v", text, err)
	}
	file := filepath.Join(s.Folder(id), ShadowFile)
	if err := os.WriteFile(file, []byte("0123456789"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := s.Patch(id, 10); text != "0123456789" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := s.Patch(id, 9); text != "" || err != nil {
		t.Errorf("too long: %q, %v", text, err)
	}
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, file); err != nil {
		t.Skip("no symbolic links here")
	}
	if text, err := s.Patch(id, 1000); strings.Contains(text, "secret") {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := s.Patch("../p", 10); err == nil {
		t.Error("a path is taken for a run")
	}
}
