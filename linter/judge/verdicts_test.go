package judge

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

func doubt(a, b string) schema.Doubt {
	return schema.Doubt{A: schema.Claim{Page: "a", Text: a}, B: schema.Claim{Page: "b", Text: b}}
}

func questions(doubts ...schema.Doubt) []question {
	out := make([]question, len(doubts))
	for i := range doubts {
		out[i] = questionOf(&doubts[i], titles)
	}
	return out
}

func TestVerdictsAreKept(t *testing.T) {
	t.Parallel()
	qs := questions(doubt("It is open.", "It is closed."), doubt("It is red.", "It is small."), doubt("It is old.", "It has doors."), doubt("It is new.", "It has doors."))
	given := []linter.Verdict{
		{Ruling: linter.Contradictory, By: "example-1", Quotes: [2]string{"is open", "is closed"}, Reason: "<both>"},
		{Ruling: linter.Compatible, By: "example-1"}, {Ruling: linter.Unclear, By: "example-1"}, {},
	}
	if qs[0].swapped {
		given[0].Quotes = [2]string{"is closed", "is open"}
	}
	var none *Verdicts
	file := none.next(qs, given).JSONL()
	if lines := bytes.Count(file, []byte("\n")); lines != 4 || !bytes.HasPrefix(file, []byte("{\"version\":1}\n")) || !bytes.Contains(file, []byte(`"reason":"<both>"`)) {
		t.Errorf("the file is\n%s", file)
	}
	v, err := ReadVerdicts("v", file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range qs {
		got, ok := v.find(&qs[i])
		if ok != (i < 3) {
			t.Errorf("%d is known: %v", i, ok)
		}
		if diff := cmp.Diff(given[i], got); diff != "" {
			t.Error(diff)
		}
	}
	if again := v.next(qs, given).JSONL(); !bytes.Equal(again, file) {
		t.Errorf("read and written again it is\n%s", again)
	}
	if left := v.next(qs[1:2], given[1:2]); left.Len() != 1 {
		t.Errorf("%d verdicts are left of statements that are gone", left.Len())
	}
	mixed := questions(doubt("It is old.", "It is small."), doubt("It is red.", "It has doors."))
	if left := v.next(mixed, make([]linter.Verdict, 2)); left.Len() != 2 {
		t.Errorf("%d verdicts are left of statements that are still there", left.Len())
	}
}

// A verdict is about what the statements say, under which titles and headings,
// and about nothing else.
func TestWhatVerdictsAreKnownBy(t *testing.T) {
	t.Parallel()
	base := doubt("It is open.", "It is closed.")
	of := func(change func(*schema.Doubt)) string {
		d := base
		change(&d)
		q := questionOf(&d, func(id schema.PageID) string { return strings.TrimPrefix(string(id), "moved/") })
		return q.pair()
	}
	same := of(func(*schema.Doubt) {})
	for name, change := range map[string]func(*schema.Doubt){
		"lines":       func(d *schema.Doubt) { d.A.Span = schema.Span{Start: 400, End: 410} },
		"paths":       func(d *schema.Doubt) { d.A.Page, d.A.Path = "moved/a", "moved/a.md" },
		"order":       func(d *schema.Doubt) { d.A, d.B = d.B, d.A },
		"white space": func(d *schema.Doubt) { d.A.Text = "It is\n  open." },
		"rank":        func(d *schema.Doubt) { d.Score, d.About = 0.1, "Door" },
	} {
		if of(change) != same {
			t.Errorf("with other %s it is another", name)
		}
	}
	for name, change := range map[string]func(*schema.Doubt){
		"text":    func(d *schema.Doubt) { d.A.Text = "It is shut." },
		"title":   func(d *schema.Doubt) { d.A.Page = "c" },
		"section": func(d *schema.Doubt) { d.B.Section = []string{"At night"} },
		"columns": func(d *schema.Doubt) { d.B.From, d.B.Attr.Name = schema.OriginTable, "Door | State" },
	} {
		if of(change) == same {
			t.Errorf("with another %s it is the same", name)
		}
	}
}

const (
	pairA = "0123456789abcdef0123456789abcdef"
	line  = `{"pair":"` + pairA + `","sides":["` + pairA + `","` + pairA + `"],"ruling":`
)

func TestVerdictsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ src, want string }{
		{"", "v:1:1: this is no file of verdicts: it is empty; expected one that wiki lint --judge=on wrote"},
		{"{}", `v:1:1: this is no file of verdicts: "version" is missing`},
		{`{"version": 2}`, "v:1:1: the verdicts have version 2, this program reads up to 1; upgrade wiki to a newer release"},
		{`{"version": 0}`, "v:1:1: the verdicts have version 0; expected 1"},
		{`{"version": "1"}`, `v:1:1: "version": a JSON string is given; expected int`},
		{"{\"version\": 1}\n\n<<<<<<< HEAD", "v:3:1: this line is no JSON"},
		{"{\"version\": 1}\n{}", `v:2:1: "sides": 0 are given; expected 2`},
		{"{\"version\": 1}\n" + strings.Replace(line, pairA, "x", 1) + `"unclear"}`, `v:2:1: "x" is given for a hash; expected 32 hexadecimal digits`},
		{"{\"version\": 1}\n" + line + `"maybe"}`, `v:2:1: "ruling": "maybe" is given; expected contradiction, compatible or unclear`},
		{"{\"version\": 1}\n" + line + `"contradiction","quotes":["a"]}`, `v:2:1: "quotes": a contradiction with 1 is given; expected 2`},
	} {
		if _, err := ReadVerdicts("v", []byte(c.src)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.src, err, c.want)
		}
	}
	v, err := ReadVerdicts("v", []byte("\xef\xbb\xbf{\"version\": 1, \"later\": {}}\r\n"+line+"\"compatible\",\"later\":1}\r\n"+line+`"unclear"}`))
	if err != nil || v.Len() != 1 || v.entries[0].Ruling != "unclear" {
		t.Errorf("of one pair that has two rulings: %+v, %v", v, err)
	}
}

// A verdict that was changed by hand so that its quotes are nowhere is none.
func TestVerdictsThatQuoteWhatIsNotThere(t *testing.T) {
	t.Parallel()
	qs := questions(doubt("It is open.", "It is closed."))
	e := entryOf(&qs[0], &linter.Verdict{Ruling: linter.Contradictory, Quotes: [2]string{"is ajar", "is closed"}})
	if v, ok := (&Verdicts{entries: []Entry{e}}).find(&qs[0]); ok {
		t.Errorf("it counts: %+v", v)
	}
}

// What is read can be written, and is then the same.
func FuzzReadVerdicts(f *testing.F) {
	f.Add([]byte("{\"version\":1}\n" + line + "\"compatible\"}\n"))
	f.Add([]byte("{\"version\":1}\n" + line + "\"contradiction\",\"quotes\":[\"a\",\"b\"],\"reason\":\"\\u2028\"}\n" + line + "\"unclear\"}\n"))
	f.Add([]byte("{\"version\":2}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := ReadVerdicts("v", src)
		if err != nil {
			return
		}
		file := v.JSONL()
		again, err := ReadVerdicts("v", file)
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		if got := again.JSONL(); !bytes.Equal(got, file) {
			t.Fatalf("written again it is\n%s\nand was\n%s", got, file)
		}
		qs := questions(doubt("It is open.", "It is closed."))
		v.find(&qs[0])
	})
}
