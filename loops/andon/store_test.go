package andon

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
)

var noon = time.Date(2026, 7, 4, 12, 0, 0, 0, time.UTC)

// newStore returns a store in its own folder whose clock goes on by a minute
// each time that it is looked at.
func newStore(t *testing.T, secrets ...string) *Store {
	t.Helper()
	s := NewStore(t.TempDir(), secrets...)
	var mu sync.Mutex
	at := noon
	s.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Minute)
		return at
	}
	return s
}

// aFailure returns a run that ends with a failing test.
func aFailure(run string) Failure {
	return Failure{
		At: noon, Run: run, Loop: "execution", Plan: "pricing", Status: loops.Stopped, Command: "go test ./...", ExitCode: 1,
		Output: "--- FAIL: TestPrice (0.00s)\n    price_test.go:9: got -1\nFAIL", Why: "the gate test is red", Git: Git{"shop", "loop/pricing", "0123456789abcdef", " M price.go"},
	}
}

func mustOpen(t *testing.T, s *Store, f Failure) *Incident {
	t.Helper()
	i, err := s.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// object reads a JSON file as it lies on the disk.
func object(t *testing.T, s *Store, name string) map[string]any {
	t.Helper()
	src, err := os.ReadFile(s.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(src, &m); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

func wantKeys(t *testing.T, name string, m map[string]any, keys string) {
	t.Helper()
	for _, k := range strings.Fields(keys) {
		if _, ok := m[k]; !ok {
			t.Errorf("%s has no %s: %v", name, k, m)
		}
	}
}

func TestFilesOfAnIncident(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	i := mustOpen(t, s, aFailure("r1"))
	if !regexp.MustCompile(`^INC-20260704-120000-[0-9a-f]{8}$`).MatchString(i.ID) {
		t.Errorf("id %s", i.ID)
	}
	for name, keys := range map[string]string{
		"evidence.json":       "version incident_id opened_at last_updated_at workspace command exit_code output_snippet git failures",
		"analysis.json":       "version cause_id cause_label confidence matched_pattern details prevention_actions standardization_actions action_level proposed_fix",
		"actions.json":        "version prevention_actions standardization_actions standardization_result manual_review_required action_level",
		"events.json":         "version events",
		"payload-latest.json": "version command exit_code output_snippet run plan",
	} {
		wantKeys(t, name, object(t, s, i.Dir+"/"+name), keys)
	}
	wantKeys(t, "git", object(t, s, i.Dir+"/evidence.json")["git"].(map[string]any), "repo branch head status")
	wantKeys(t, "result", object(t, s, i.Dir+"/actions.json")["standardization_result"].(map[string]any), "applied applied_count rollback_ready backup_file")
	wantKeys(t, "state", object(t, s, Folder+"/andon-open.json"), "version status incident_id opened_at updated_at command exit_code report_path incident_dir action_level rollback_command")
	report, err := os.ReadFile(s.Path(i.Report()))
	if err != nil || countSections(string(report)) < 2 || !strings.Contains(string(report), "TestPrice") {
		t.Errorf("report: %v\n%s", err, report)
	}
	left, err := filepath.Glob(s.Path(i.Dir + "/*.new"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestSecretsAndSizeOfEvidence(t *testing.T) {
	t.Parallel()
	s := newStore(t, "hunter-two-two")
	f := aFailure("r1")
	f.Command = "deploy --password hunter-two-two"
	f.Output = strings.Repeat("é line\n", 2000) + "Authorization: Bearer abcdef0123456789abcdef\nhunter-two-two\nTHE END"
	f.Why = "it said hunter-two-two"
	f.Git.Status = "?? hunter-two-two"
	i := mustOpen(t, s, f)
	if n := len([]rune(i.Evidence.OutputSnippet)); n != 2400 || !strings.HasSuffix(i.Evidence.OutputSnippet, "THE END") {
		t.Errorf("%d characters, ending %q", n, i.Evidence.OutputSnippet[len(i.Evidence.OutputSnippet)-10:])
	}
	err := filepath.WalkDir(s.Path(".loopwiki"), func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		src, err := os.ReadFile(name)
		for _, secret := range []string{"hunter-two-two", "abcdef0123456789abcdef"} {
			if strings.Contains(string(src), secret) {
				t.Errorf("%s holds %s", name, secret)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAFurtherFailureJoins(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	first := mustOpen(t, s, aFailure("r1"))
	f := aFailure("r2")
	f.At, f.Class, f.Confidence, f.Why = noon.Add(time.Hour), loops.ClassSecret, 1, "a secret"
	second := mustOpen(t, s, f)
	if second.ID != first.ID || !second.Joined || len(second.Evidence.Failures) != 2 || second.Analysis.CauseID != loops.ClassAssertion {
		t.Errorf("%s joined %v: %+v", second.ID, second.Joined, second.Evidence.Failures)
	}
	if second.Analysis.ActionLevel != LevelApprove || !second.Analysis.NeedsApproval || !second.Evidence.LastUpdatedAt.Equal(f.At) {
		t.Errorf("the worse failure did not raise it: %+v", second.Analysis)
	}
	if again := mustOpen(t, s, f); len(again.Evidence.Failures) != 2 {
		t.Errorf("a failure recorded twice is there %d times", len(again.Evidence.Failures))
	}
	if got, err := s.Find(second.Evidence.Failures[1].ID); err != nil || got.ID != first.ID {
		t.Errorf("the joined failure's id finds %v, %v", got, err)
	}
	if got, err := s.Find("r2"); err != nil || got.ID != first.ID {
		t.Errorf("the joined run's id finds %v, %v", got, err)
	}
}

func TestJoiningAtOnceLosesNothing(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			f := aFailure("r" + string(rune('a'+n)))
			f.At = noon.Add(time.Duration(n) * time.Second)
			if _, err := s.Open(f); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	i, err := s.Find("latest")
	if err != nil || len(i.Evidence.Failures) != 8 {
		t.Errorf("%d failures, %v", len(i.Evidence.Failures), err)
	}
}

func TestTheSameFailureTwiceHasFoldersOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	f := aFailure("")
	f.Class, f.Confidence = loops.ClassEnvironment, 0.9
	one, two := mustOpen(t, s, f), mustOpen(t, s, f)
	if one.ID == two.ID || two.Joined {
		t.Errorf("%s and %s", one.ID, two.ID)
	}
}

func TestNoLinkLeadsOut(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	for _, link := range []string{".loopwiki", ".loopwiki/incidents", ".loopwiki/cache"} {
		s := newStore(t)
		if err := os.MkdirAll(filepath.Dir(s.Path(link)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, s.Path(link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
		if _, err := s.Open(aFailure("r1")); err == nil {
			t.Errorf("%s: an incident was written", link)
		}
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("written outside: %v, %v", left, err)
	}
}

func TestNewerAndBrokenFilesStopTheLine(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"newer":      `{"version": 2, "status": "open"}`,
		"torn":       `{"version": 1, "sta`,
		"leads away": `{"version": 1, "incident_id": "INC-/../../x"}`,
	} {
		s := newStore(t)
		if err := os.MkdirAll(s.Path(Folder), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.Path(openFile), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var fe *FileError
		if _, err := s.Line(); !errors.As(err, &fe) || fe.Path != openFile {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := s.Open(aFailure("r1")); err == nil {
			t.Errorf("%s: an incident was opened over it", name)
		}
		if err := s.MayStart(nil); err == nil {
			t.Errorf("%s: a run may start", name)
		}
	}
}

func TestARepositoryWithoutIncidents(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	if l, err := s.Line(); err != nil || l.Stopped() || l.Err() != nil {
		t.Errorf("%+v, %v", l, err)
	}
	if err := s.MayStart(nil); err != nil {
		t.Error(err)
	}
	if _, err := s.Find("latest"); err == nil || err.Error() != "no incidents" {
		t.Error(err)
	}
	if got := s.Lessons("anything"); len(got) > 0 {
		t.Error(got)
	}
	if left, err := os.ReadDir(s.root); err != nil || len(left) > 0 {
		t.Errorf("looking wrote %v, %v", left, err)
	}
}
