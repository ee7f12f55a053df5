package andon

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestDraftNeedsAPersonsName(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	i := mustOpen(t, s, aFailure("r1"))
	if err := s.Draft(i, "# Five whys\n\nIt was the test.\n", "claude"); err == nil || !strings.Contains(err.Error(), "0 of 5 whys") {
		t.Fatalf("half a draft is written: %v", err)
	}
	for range 2 { // a draft may be drafted again as long as nobody edited it
		if err := s.Draft(i, "Here it is:\n\n"+goodWhys+"\n", "claude (opus)"); err != nil {
			t.Fatal(err)
		}
	}
	src, err := os.ReadFile(s.Path(i.Whys()))
	if err != nil || !strings.Contains(string(src), "> Draft by claude (opus), 2026-07-04.") || strings.Contains(string(src), "Here it is") {
		t.Errorf("%s, %v", src, err)
	}
	if lacks := lacksOf(t, s, CloseRequest{Reason: "fixed"}); lacks != "the name of who checked the five whys that claude (opus) drafted (--by NAME)" {
		t.Error(lacks)
	}
	write(t, s, i.Whys(), string(src)+"\nChecked.\n")
	var edited *EditedError
	if err := s.Draft(i, goodWhys, "claude"); !errors.As(err, &edited) {
		t.Errorf("what a person wrote is replaced: %v", err)
	}
	closed, err := s.Close(CloseRequest{Reason: "fixed", By: "Ana"})
	if err != nil {
		t.Fatal(err)
	}
	final, err := os.ReadFile(s.Path(closed.Dir + "/final-report.md"))
	if err != nil || !strings.Contains(string(final), "by Ana\n") || !strings.Contains(string(final), "- five whys: drafted by claude (opus)\n") {
		t.Errorf("%s, %v", final, err)
	}
	if _, _, err := s.Draftable(closed); err == nil {
		t.Error("a closed incident can be drafted")
	}
}

func TestNoDraftForTheEnvironment(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	f := aFailure("r1")
	f.Command, f.Output, f.ExitCode = "pnpm test", "sh: pnpm: command not found", 127
	if _, _, err := s.Draftable(mustOpen(t, s, f)); err == nil || !strings.Contains(err.Error(), "its cause is the environment") {
		t.Error(err)
	}
}
