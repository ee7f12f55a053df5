package mode

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

var day = time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC)

// runsOf makes runs of a letter each: a accepted, r rejected, f failed, o open,
// e without what it needs, s with an incident of scope, w waiting.
func runsOf(m loops.Mode, letters string) []Run {
	var out []Run
	for i, l := range letters {
		r := Run{ID: fmt.Sprint("r", i), Loop: "execution", Mode: m, Status: loops.GoalMet, Began: day.Add(time.Duration(i+1) * time.Hour), USD: 0.5}
		switch l {
		case 'a':
			r.Word = Accepted
		case 'r':
			r.Word = Rejected
		case 'f':
			r.Status = loops.GoalNotMet
		case 'e':
			r.Status = loops.NoGround
		case 's':
			r.Status, r.Classes = loops.Stopped, []string{loops.ClassScope}
		case 'w':
			r.Status = loops.Waiting
		}
		out = append(out, r)
	}
	return out
}

func TestScore(t *testing.T) {
	t.Parallel()
	got := Score("execution", loops.Draft, append(runsOf(loops.Draft, "aaarfoesw"), runsOf(loops.Shadow, "aa")...))
	want := schema.LoopScore{
		Loop: "execution", Mode: "draft", Runs: 7, Accepted: 3, Rejected: 1, Failed: 2, Open: 1, AcceptRate: 0.5, USD: 3.5, USDPerAccepted: 1, Incidents: 1,
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	both := Scores(append(runsOf(loops.Draft, "a"), runsOf(loops.Shadow, "rw")...))
	if len(both) != 2 || both[0].Mode != "shadow" || both[0].Rejected != 1 || both[1].Accepted != 1 {
		t.Errorf("%+v", both)
	}
}

// TestMissingForPromotion is the table of what is granted on which runs.
func TestMissingForPromotion(t *testing.T) {
	t.Parallel()
	granted := func(m loops.Mode) State { return State{Loop: "execution", Mode: m, Granted: true, Since: day} }
	never := State{Loop: "execution", Mode: loops.Draft}
	for _, row := range []struct {
		name  string
		st    State
		to    loops.Mode
		in    loops.Mode
		runs  string
		limit float64
		want  string // missing, joined; "" is earned
	}{
		{"shadow for the asking", never, loops.Shadow, loops.Shadow, "", 0, ""},
		{"autonomous out of nothing", never, loops.Autonomous, loops.Draft, "aaaaa", 0, "draft must be granted first"},
		{"draft on no run", never, loops.Draft, loops.Shadow, "", 0, "5 judged runs in shadow: there are 0"},
		{"draft on four", never, loops.Draft, loops.Shadow, "aaaao", 0, "5 judged runs in shadow: there are 4, and 1 not judged"},
		{"draft on five", never, loops.Draft, loops.Shadow, "aaaaa", 0, ""},
		{"draft on four of five", never, loops.Draft, loops.Shadow, "aaaar", 0, ""},
		{"draft on three of five", never, loops.Draft, loops.Shadow, "aaarf", 0, "80 % of them accepted: it is 60 %"},
		{"a failure counts", never, loops.Draft, loops.Shadow, "aaaff", 0, "80 % of them accepted: it is 60 %"},
		{"an incident", never, loops.Draft, loops.Shadow, "aaaaas", 0, "no incident of scope, tampering, containment among the last 10: there are 1"},
		{"the window forgets", never, loops.Draft, loops.Shadow, "s" + "aaaaaaaaaa", 0, ""},
		{"runs in another mode", granted(loops.Draft), loops.Autonomous, loops.Shadow, "aaaaa", 0, "5 judged runs in draft: there are 0"},
		{"autonomous", granted(loops.Draft), loops.Autonomous, loops.Draft, "aaaaa", 0, ""},
		{"a step is not left out", granted(loops.Shadow), loops.Autonomous, loops.Shadow, "aaaaa", 0, "draft must be granted first"},
		{"too dear", granted(loops.Draft), loops.Autonomous, loops.Draft, "aaaaa", 0.4, "an accepted change costs $0.50; the limit is $0.40"},
		{"down needs nothing", granted(loops.Autonomous), loops.Draft, loops.Draft, "", 0, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(Missing(row.st, row.to, runsOf(row.in, row.runs), row.limit), "; "); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

// TestTheWayBack is the table of what takes a step back.
func TestTheWayBack(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		in    loops.Mode
		runs  string
		limit float64
		due   bool
	}{
		{"nothing happened", loops.Draft, "aaaaaaaaaa", 0, false},
		{"one of ten", loops.Draft, "aaaraaaaaa", 0, false},
		{"two of ten", loops.Autonomous, "raaaaaaaar", 0, true},
		{"two of eleven", loops.Draft, "raaaaaaaaar", 0, false},
		{"failures are Andon's", loops.Draft, "ffff", 0, false},
		{"an incident", loops.Autonomous, "as", 0, true},
		{"an incident in shadow", loops.Shadow, "s", 0, true},
		{"rejected in shadow", loops.Shadow, "rrrr", 0, false},
		{"below shadow there is nothing", loops.Manual, "ssrr", 0, false},
		{"too dear", loops.Draft, "aaafff", 0.5, true},
		{"dear, on too few", loops.Draft, "afff", 0.5, false},
		{"within its limit", loops.Draft, "aaaaa", 0.5, false},
		{"nothing accepted for the money", loops.Draft, "fffff", 0.5, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			st := State{Loop: "execution", Mode: row.in, Granted: true, Since: day}
			if why := Due(st, runsOf(row.in, row.runs), row.limit); (why != "") != row.due {
				t.Errorf("got %q", why)
			}
			st.Since = day.Add(100 * time.Hour)
			if why := Due(st, runsOf(row.in, row.runs), row.limit); why != "" {
				t.Errorf("runs from before the last step count: %q", why)
			}
		})
	}
}

func at(h int) string { return day.Add(time.Duration(h) * time.Hour).Format(time.RFC3339Nano) }

func TestOf(t *testing.T) {
	t.Parallel()
	shadow := Record{Loop: "e", Mode: "shadow", By: "ada", Reason: "x", At: at(1)}
	draft := Record{Loop: "e", Mode: "draft", By: "ada", Reason: "x", At: at(2)}
	auto := Record{Loop: "e", Mode: "autonomous", By: "ada", Reason: "x", At: at(4)}
	back := Record{Loop: "e", Mode: "shadow", Back: true, Reason: "x", At: at(3)}
	up := Record{Loop: "e", Mode: "autonomous", Back: true, Reason: "x", At: at(3)}
	for _, row := range []struct {
		name            string
		committed, here []Record
		want            loops.Mode
		granted, wait   bool
	}{
		{"nothing", nil, nil, loops.Draft, false, false},
		{"of another loop", []Record{{Loop: "docs", Mode: "manual", By: "b", Reason: "x", At: at(1)}}, nil, loops.Draft, false, false},
		{"not committed", nil, []Record{auto}, loops.Draft, false, true},
		{"committed", []Record{shadow, draft}, []Record{shadow, draft}, loops.Draft, true, false},
		{"a step back counts at once", []Record{shadow, draft}, []Record{shadow, draft, back}, loops.Shadow, true, false},
		{"a step back that was taken out again", []Record{shadow, draft, back}, []Record{shadow, draft}, loops.Shadow, true, false},
		{"a later grant", []Record{shadow, draft, back, auto}, nil, loops.Autonomous, true, false},
		{"by time, not by place", []Record{auto, shadow}, nil, loops.Autonomous, true, false},
		{"a step back that leads up", []Record{shadow}, []Record{up}, loops.Shadow, true, false},
		{"back from nothing", nil, []Record{back}, loops.Draft, false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			st := Of("e", row.committed, row.here)
			if st.Mode != row.want || st.Granted != row.granted || st.Pending != row.wait {
				t.Errorf("got %+v", st)
			}
		})
	}
}

func TestAppendAndParse(t *testing.T) {
	t.Parallel()
	var src []byte
	want := []Record{
		{Loop: "execution", Mode: "shadow", By: `Ada "the" Lovelace`, Reason: "a: b # c\nd", Score: "5 of 5", At: at(1)},
		{Loop: "weiß", Mode: "manual", Back: true, Reason: "2 of 10", At: at(2)},
	}
	for _, r := range want {
		var err error
		if src, err = Append(src, r); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Parse(src)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\n%s\n%+v", err, src, got)
	}
	for _, bad := range []Record{{Loop: "e", Mode: "draft", Reason: "x", At: at(1)}, {Loop: "e", Mode: "all", By: "a", Reason: "x", At: at(1)}, {Loop: "e", Mode: "draft", By: "a", At: at(1)}} {
		if _, err := Append(nil, bad); err == nil {
			t.Errorf("%+v is written", bad)
		}
	}
}

func TestBadFiles(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ src, want string }{
		{"version: 2\n", ".loopwiki/modes.yaml:1:10: version 2, this program reads up to 1: upgrade wiki"},
		{"records: []\n", ".loopwiki/modes.yaml:1:1: no version: expected version: 1"},
		{"version: 1\nrecords:\n  - loop: e\n    mode: all\n", `.loopwiki/modes.yaml:3:5: unknown mode "all": expected manual, shadow, draft or autonomous`},
		{"version: 1\nrecords:\n  - loop: e\n    mode: draft\n    at: 2026-07-04T08:00:00Z\n    reason: x\n", ".loopwiki/modes.yaml:3:5: grant without by"},
	} {
		if _, err := Parse([]byte(row.src)); err == nil || err.Error() != row.want {
			t.Errorf("%q: got %v, want %s", row.src, err, row.want)
		}
	}
	if _, err := Parse([]byte("version: 1\ngrants: []\n")); err == nil || !strings.Contains(err.Error(), "grants") {
		t.Errorf("an unknown key: %v", err)
	}
}

func TestAgreement(t *testing.T) {
	t.Parallel()
	patch := func(lines string) string {
		return "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n" + strings.ReplaceAll(lines, "|", "\n") + "\n"
	}
	for _, row := range []struct {
		would, did string
		want       float64
	}{
		{patch("-a|+b"), patch("-a|+b"), 1},
		{patch("-a|+b"), patch("-a|+c"), 0.5},
		{patch("-a|+b"), "", 0},
		{"", patch("-a"), 0},
		{patch("-- a|+b"), patch("-- a|+b"), 1}, // a removed line that looks like a header
		{patch("+b"), strings.ReplaceAll(patch("+b"), "x", "y"), 0},
	} {
		if got := Agreement(ReadPatch(row.would), ReadPatch(row.did)); got != row.want {
			t.Errorf("%q and %q agree by %v, want %v", row.would, row.did, got, row.want)
		}
	}
	gone := ReadPatch("diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
	if gone["x"]["-a"] != 1 {
		t.Errorf("%v", gone)
	}
}

// FuzzParse checks that no file makes Parse panic, and that what it reads can be
// written.
func FuzzParse(f *testing.F) {
	src, err := Append(nil, Record{Loop: "execution", Mode: "draft", By: "ada", Reason: "x", At: at(1)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src)
	f.Add([]byte("version: 1\nrecords: [{loop: e}]\n"))
	f.Add([]byte("version: 1\nrecords:\n  - null\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		list, err := Parse(src)
		if err != nil {
			return
		}
		for _, r := range list {
			if _, err := Append(nil, r); err != nil {
				t.Errorf("%+v: %v", r, err)
			}
		}
	})
}

// FuzzReadPatch checks that a change agrees with itself, or has no lines.
func FuzzReadPatch(f *testing.F) {
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")
	f.Add("+++ b/x\n@@ -1 +1 @@\n+\n")
	f.Fuzz(func(t *testing.T, text string) {
		c := ReadPatch(text)
		if got := Agreement(c, c); got != 1 && (got != 0 || len(c) > 0) {
			t.Errorf("%v of %v", got, c)
		}
	})
}
