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
		out[i] = newJudge(nil).questionOf(&doubts[i])
	}
	return out
}

func TestVerdictsAreKept(t *testing.T) {
	t.Parallel()
	qs := questions(doubt("It is open.", "It is closed."), doubt("It is red.", "It is small."), doubt("It is old.", "It has doors."), doubt("It is new.", "It has doors."))
	given := []linter.Verdict{
		{Ruling: linter.Contradictory, By: "example-1", Quotes: [2]string{"is open", "is closed"}, Reason: "<both>"},
		{Ruling: linter.Compatible, By: "example-1", Quotes: [2]string{"It is", "It is"}},
		{Ruling: linter.Unrelated, By: "example-1", Quotes: [2]string{"It", "It"}}, {},
	}
	if qs[0].swapped {
		given[0].Quotes = [2]string{"is closed", "is open"}
	}
	var none *Verdicts
	file := none.next(qs, given).JSONL()
	if lines := bytes.Count(file, []byte("\n")); lines != 4 || !bytes.HasPrefix(file, []byte("{\"version\":2}\n")) || !bytes.Contains(file, []byte(`"reason":"<both>"`)) {
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
func TestVerdictKey(t *testing.T) {
	t.Parallel()
	base := doubt("It is open.", "It is closed.")
	of := func(change func(*schema.Doubt)) string {
		d := base
		change(&d)
		c := &Judge{
			Title: func(id schema.PageID) string {
				title, _, _ := strings.Cut(strings.TrimPrefix(string(id), "moved/"), " ")
				return title
			},
			Date: func(id schema.PageID) string { _, date, _ := strings.Cut(string(id), " "); return date },
		}
		q := c.questionOf(&d)
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
		"date":    func(d *schema.Doubt) { d.A.Page = "a 2026-03-01" },
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

func TestReadVerdictsRefusesInvalidFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ src, want string }{
		{"", "v:1:1: the file is empty; expected one written by wiki lint --judge"},
		{"{}", `v:1:1: not a file of verdicts ("version" is missing)`},
		{`{"version": 3}`, "v:1:1: the verdicts have version 3, this program reads up to 2; upgrade wiki to a newer release"},
		{`{"version": 0}`, "v:1:1: the verdicts have version 0; expected 2"},
		{`{"version": "1"}`, `v:1:1: "version" is a JSON string; expected int`},
		{"{\"version\": 2}\n\n<<<<<<< HEAD", "v:3:1: invalid JSON"},
		{"{\"version\": 2}\n{}", `v:2:1: 0 "sides"; expected 2`},
		{"{\"version\": 2}\n" + strings.Replace(line, pairA, "x", 1) + `"cannot-tell"}`, `v:2:1: invalid hash "x"; expected 32 hexadecimal digits`},
		{"{\"version\": 2}\n" + line + `"maybe"}`, `v:2:1: invalid "ruling" "maybe"; expected contradicts, both-hold, not-the-same or cannot-tell`},
		{"{\"version\": 2}\n" + line + `"both-hold","quotes":["a"]}`, `v:2:1: 1 "quotes"; expected 2`},
	} {
		if _, err := ReadVerdicts("v", []byte(c.src)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.src, err, c.want)
		}
	}
	v, err := ReadVerdicts("v", []byte("\xef\xbb\xbf{\"version\": 2, \"later\": {}}\r\n"+line+"\"both-hold\",\"quotes\":[\"a\",\"b\"],\"later\":1}\r\n"+line+`"not-the-same","quotes":["a","b"]}`))
	if err != nil || v.Len() != 1 || v.entries[0].Ruling != "cannot-tell" {
		t.Errorf("of one pair that has two rulings: %+v, %v", v, err)
	}
}

// Verdicts of an earlier version answer another question: they are read, so that
// nobody has to delete the file, and none is known.
func TestVerdictsOfVersion1AreDropped(t *testing.T) {
	t.Parallel()
	v, err := ReadVerdicts("v", []byte("{\"version\":1}\n"+line+`"contradiction","quotes":["a","b"]}`+"\n"+line+"\"compatible\"}\n"))
	if err != nil || v.Len() != 0 || string(v.JSONL()) != "{\"version\":2}\n" {
		t.Errorf("%d verdicts, %v", v.Len(), err)
	}
}

// A verdict that was changed by hand so that its quotes are nowhere is none.
func TestVerdictsWithInventedQuotesAreDropped(t *testing.T) {
	t.Parallel()
	qs := questions(doubt("It is open.", "It is closed."))
	for _, r := range rulings {
		e := entryOf(&qs[0], &linter.Verdict{Ruling: r, Quotes: [2]string{"is ajar", "is closed"}})
		if v, ok := (&Verdicts{entries: []Entry{e}}).find(&qs[0]); ok {
			t.Errorf("it counts: %+v", v)
		}
	}
}

// Verdicts that were read and written again are the same.
func FuzzReadVerdicts(f *testing.F) {
	f.Add([]byte("{\"version\":2}\n" + line + "\"both-hold\",\"quotes\":[\"a\",\"b\"]}\n"))
	f.Add([]byte("{\"version\":2}\n" + line + "\"contradicts\",\"quotes\":[\"a\",\"b\"],\"reason\":\"\\u2028\"}\n" + line + "\"cannot-tell\",\"quotes\":[\"a\",\"c\"]}\n"))
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
