package run

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// TestForgedJournalIsMended changes a journal behind the back of who writes it: it is
// said, and is as it was, and goes on.
func TestForgedJournalIsMended(t *testing.T) {
	t.Parallel()
	forge := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for what, c := range map[string]struct {
		forge func(t *testing.T, path string, text []byte)
		is    bool
	}{
		"nothing": {func(*testing.T, string, []byte) {}, false},
		"an answer more": {func(t *testing.T, path string, text []byte) {
			forge(t, os.WriteFile(path, append(text, `{"v":1,"seq":3,"kind":"answered"}`+"\n"...), 0o644))
		}, true},
		"other bytes":  {func(t *testing.T, path string, text []byte) { text[9]++; forge(t, os.WriteFile(path, text, 0o644)) }, true},
		"another file": {func(t *testing.T, path string, text []byte) { forge(t, os.Rename(path, path+"2")) }, true},
		"a link": {func(t *testing.T, path string, _ []byte) {
			forge(t, os.Remove(path))
			forge(t, os.Symlink("/dev/zero", path))
		}, true},
		"a folder": {func(t *testing.T, path string, _ []byte) {
			forge(t, os.Remove(path))
			forge(t, os.MkdirAll(path+"/x", 0o755))
		}, true},
		"an empty file": {func(t *testing.T, path string, _ []byte) { forge(t, os.Truncate(path, 0)) }, true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			j, err := CreateJournal(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := j.Append(loops.Event{Kind: loops.Noted, Why: "first"}); err != nil {
				t.Fatal(err)
			}
			j.Close()
			if j, _, err = OpenJournal(dir); err != nil {
				t.Fatal(err)
			}
			defer func() { j.Close() }()
			if err := j.Append(loops.Event{Kind: loops.Noted, Why: "second"}); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, JournalFile)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c.forge(t, path, text)
			if is, err := j.Mend(); err != nil || (is != "") != c.is {
				t.Errorf("it is %q, %v", is, err)
			}
			if err := j.Append(loops.Event{Kind: loops.Noted, Why: "third"}); err != nil {
				t.Fatal(err)
			}
			events, _, err := ReadJournal(path)
			if err != nil || len(events) != 3 || events[1].Why != "second" || events[2].Why != "third" {
				t.Errorf("events %+v, %v", events, err)
			}
		})
	}
}
