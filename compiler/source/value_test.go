package source

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// symbolOf reads a constant of a language.
func symbolOf(t *testing.T, file, code string) *Symbol {
	t.Helper()
	f, err := Parse(t.Context(), file, []byte(code))
	if err != nil || len(f.Symbols) == 0 {
		t.Fatalf("%s: %q has no symbol: %v", file, code, err)
	}
	return &f.Symbols[0]
}

func saying(text string) (*schema.Page, []statement) {
	page := &schema.Page{Source: []byte(text), Lines: schema.NewLineIndex([]byte(text))}
	return page, statements(page, schema.Span{End: len(text)})
}

// TestStates holds what a section may state of a value, in which words, and what
// is written in its place.
func TestStates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, old, now string
		page           string
		want           string // old -> text, of each finding
	}{
		{"a.go", "const Limit = 4096", "const Limit = 8192", "At most 4,096 bytes.", "4,096 -> 8,192"},
		{"a.go", "const Limit = 10 << 20", "const Limit = 20 << 20", "At most 10 MB.", "10 MB -> 20 MB"},
		{"a.go", "const Limit = 10 << 20", "const Limit = 20 << 20", "At most 10 MiB.", "10 MiB -> 20 MiB"},
		{"a.go", "const Limit = 10 << 20", "const Limit = 20 << 20", "At most 10MB.", "10MB -> 20MB"},
		{"a.go", "const Limit = 10 << 20", "const Limit = 1 << 30", "At most 10 MiB.", "10 MiB -> 1024 MiB"},
		{"a.go", "const Limit = 10 << 20", "const Limit = 20 << 20", "At most 10 MB, and in future 20 MB.", ""},
		{"a.go", "const Limit = 10 << 20", "const Limit = 10485760", "At most 10 MB.", ""},
		{"a.go", "const Limit = 10 << 20", "const Limit = 20 << 20", "The pages have 20 tests of 10 kinds.", ""},
		{"a.go", "const Wait = 30 * time.Second", "const Wait = time.Minute", "It waits for 30 seconds.", "30 seconds -> 60 seconds"},
		{"a.go", "const Wait = 30 * time.Second", "const Wait = 45 * time.Second", "It waits for half a minute.", "half a minute -> 45 seconds"},
		{"a.go", "const Wait = 30 * time.Second", "const Wait = 30 * time.Minute", "It waits for 30s.", "30s -> 1800s"},
		{"a.go", "const Wait = 30 * time.Second", "const Wait = 60 * time.Second", "It waits for a while, 1 minute, not 30 seconds.", ""},
		{"a.go", "const Wait = 30 * time.Second", "const Wait = 60 * time.Second", "Of 30 kinds.", ""},
		{"a.go", "const Wait = 30 * time.Second", "const Wait = 60 * time.Second", "| Wait (s) | 30 |", "30 -> 60"},
		{"a.go", "const Wait = 1 * time.Hour", "const Wait = 90 * time.Minute", "After 1 hour 30 minutes it ends.", ""},
		{"a.go", "const Wait = 90 * time.Minute", "const Wait = 2 * time.Hour", "After 1 hour and 30 minutes it ends.", "1 hour and 30 minutes -> 2 hours"},
		{"a.go", "const Wait = time.Minute", "const Wait = time.Hour", "Wait is 1 minute.", "1 minute -> 60 minutes"},
		{"a.ts", "const wait = 5 * 60 * 1000;", "const wait = 10 * 60 * 1000;", "Sessions end after 5 minutes.", "5 minutes -> 10 minutes"},
		{"a.ts", "const wait = 300000;", "const wait = 600000;", "Sessions end after five minutes.", "five minutes -> 10 minutes"},
		{"a.ts", "const wait = 300000;", "const wait = 5 * 60 * 1000;", "Sessions end after 5 minutes.", ""},
		{"a.ts", "const waitMs = 500;", "const waitMs = 1000;", "It waits half a second.", "half a second -> 1 second"},
		{"a.ts", "const waitMs: number = 500;", "const waitMs: number = 250;", "It waits for 0.5 seconds.", "0.5 seconds -> 0.25 seconds"},
		{"a.ts", "const waitMs = 500;", "const waitMs = 1000;", "It tries 500 times.", ""},
		{"a.py", "LIMIT = 1_000_000", "LIMIT = 2_000_000", "LIMIT is 1,000,000 rows.", "1,000,000 -> 2,000,000"},
		{"a.py", "LIMIT = 1_000_000", "LIMIT = 2_000_000", "The LIMIT is one million rows.", "one million -> 2,000,000"},
		{"a.py", "LIMIT = 1_500_000", "LIMIT = 2_000_000", "At most 1.5 million rows.", "1.5 million -> 2,000,000"},
		{"a.py", "LIMIT = 1_000_000", "LIMIT = 1000000", "LIMIT is 1,000,000 rows.", ""},
		{"a.py", "LIMIT = 2 * 1024 ** 2", "LIMIT = 4 * 1024 ** 2", "At most 2 MiB.", "2 MiB -> 4 MiB"},
		{"a.py", "TTL = timedelta(minutes=5)", "TTL = timedelta(minutes=15)", "Kept for 5 minutes.", "5 minutes -> 15 minutes"},
		{"a.c", "#define LIMIT (16 * 1024)\n", "#define LIMIT (32 * 1024)\n", "At most 16 KiB.", "16 KiB -> 32 KiB"},
		{"a.c", "#define WORKERS 0x10\n", "#define WORKERS 0x20\n", "There are 16 workers.", "16 -> 32"},
		{"a.cpp", "constexpr auto Wait = std::chrono::seconds(30);", "constexpr auto Wait = std::chrono::seconds(20);", "It waits 30 s.", "30 s -> 20 s"},
		{"a.cpp", "const int Limit = 1'000'000;", "const int Limit = 3'000'000;", "Limit: 1 million.", "1 million -> 3,000,000"},
		{"A.java", "class A { static final Duration WAIT = Duration.ofSeconds(30); }", "class A { static final Duration WAIT = Duration.ofSeconds(40); }", "It waits 30 seconds.", "30 seconds -> 40 seconds"},
		{"A.java", "class A { long w = TimeUnit.MINUTES.toMillis(5); }", "class A { long w = TimeUnit.MINUTES.toMillis(6); }", "It waits 5 minutes.", "5 minutes -> 6 minutes"},
		{"a.rs", "const WAIT: Duration = Duration::from_millis(250);", "const WAIT: Duration = Duration::from_millis(500);", "It waits a quarter of a second, 250 ms.", "250 ms -> 500 ms"},
		{"a.rs", "const LIMIT: usize = 64_usize * 1024;", "const LIMIT: usize = 128_usize * 1024;", "Blocks of 64 KiB.", "64 KiB -> 128 KiB"},
		{"a.yaml", "wait: 30s", "wait: 1m", "It waits for 30 seconds.", "30 seconds -> 60 seconds"},
		{"a.yaml", "memory: 512Mi", "memory: 1Gi", "It has 512 MiB.", "512 MiB -> 1024 MiB"},
		{"a.json", `{"wait_seconds": 30}`, `{"wait_seconds": 90}`, "It waits for half a minute.", "half a minute -> 90 seconds"},
		{"a.toml", "size = \"10MB\"", "size = \"20MB\"", "At most 10 MB.", "10 MB -> 20 MB"},
		{"a.yaml", "share: 0.15", "share: 0.25", "A share of 15 % goes.", "15 % -> 25 %"},
		{"a.yaml", "zone: quay", "zone: pier", "It lies at the quay.", "quay -> pier"},
		{"a.yaml", "zone: quay", "zone: the pier", "It lies at the quay.", "quay -> "},
		{"a.go", "const Retries = 3", "const Retries = 5", "It has three kinds. Retries is one of them.", ""},
		{"a.go", "const Retries = 3", "const Retries = 5", "Retries is 3.", "3 -> 5"},
		{"a.go", "const Size = x * 60 * 1000", "const Size = x * 60 * 2000", "After 1 minute.", ""},
		{"a.go", "const A = 10", "const A = 20", "- A is 10\n- MB is a unit", "10 -> 20"},
	} {
		page, _ := saying(c.page)
		old, now := symbolOf(t, c.file, prefixed(c.file, c.old)), symbolOf(t, c.file, prefixed(c.file, c.now))
		v := &Verdict{Old: old, Bound: Bound{Symbol: now}}
		v.Page, v.Section, v.Anchor = page, Section{Heading: "h", Span: schema.Span{End: len(c.page)}}, schema.Anchor{Symbol: lastPart(now.Name)}
		var got []string
		for _, s := range staleValues(v, nil, now.Values) {
			got = append(got, s.Old+" -> "+s.Text)
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%q to %q, of which the page says %q: got %q, want %q", c.old, c.now, c.page, text, c.want)
		}
	}
}

// TestConstantsInLinearTime holds that no expression, however long, is read again for
// each of its parts.
func TestConstantsInLinearTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ first, part, last string }{
		{"x = 1", " * 1", " * x"}, {"x = 1", " + 1", " * x"}, {"x = 1 << 2", " + 1", ""}, {"x = ", "(", "1"}, {"x = ", "(1 * ", "x"}, {"x = 1", " ** 1", ""},
	} {
		text := c.first + strings.Repeat(c.part, 20_000) + c.last
		var tokens []lexeme
		for at := 0; at < len(text); {
			end := at + 1
			if strings.HasPrefix(text[at:], "**") || strings.HasPrefix(text[at:], "<<") {
				end++
			}
			if text[at] != ' ' {
				tokens = append(tokens, lexeme{span: schema.Span{Start: at, End: end}, literal: text[at] == '1' || text[at] == '2'})
			}
			at = end
		}
		if got := constants([]byte(text), tokens); len(got) > len(tokens)/2 {
			t.Errorf("%q: %d constants of %d tokens", c.part, len(got), len(tokens))
		}
	}
}

// prefixed makes a file of a declaration.
func prefixed(file, code string) string {
	if strings.HasSuffix(file, ".go") {
		return "package p\n" + code + "\n"
	}
	return code
}

func TestBeside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []bool // of each 3 in it
	}{
		{"Retries is 3.", []bool{true}},
		{"There are 3 kinds.", []bool{false}},
		{"Retries matter. There are 3 kinds.", []bool{false}},
		{"It is sent 3 times (Retries), of 3 kinds.", []bool{true, false}},
		{"Retries, by default, is 3.", []bool{true}},
		{"Retries is 3 or 3 again.", []bool{false, false}},
		{"| Retries | 3 |\n| Kinds | 3 |", []bool{true, false}},
		{"- retries: 3\n- kinds: 3", []bool{true, false}},
		{"max_retries and Retries\nare 3 at most", []bool{true}},
	} {
		page, all := saying(c.text)
		three := &Value{Text: "3"}
		n := 0
		for _, w := range all {
			if w.states(three) == unstated {
				continue
			}
			if got := beside(page.Source, w, all, three, "Retries"); n >= len(c.want) || got != c.want[n] {
				t.Errorf("%q: the %d. is beside the name: %v", c.text, n+1, got)
			}
			n++
		}
		if n != len(c.want) {
			t.Errorf("%q: found %d of %d", c.text, n, len(c.want))
		}
	}
}

func TestInformative(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code, said           string
		section, page, large bool
	}{
		{"3", "3", false, false, false}, {"10", "10", false, false, false}, {"30", "30", true, false, false}, {"100", "100", false, false, false},
		{"250", "250", true, true, true}, {"1000", "1,000", false, false, false}, {"4_096", "4096", true, true, true},
		{`"quay"`, "quay", true, true, true}, {`"a"`, "a", false, false, false},
		{`"5m"`, "5 minutes", true, true, false}, {`"1m"`, "1 minute", false, false, false}, {`"30s"`, "30 seconds", true, true, true},
		{"300000", "5 minutes", true, true, true}, {"60", "1 minute", false, false, false},
	} {
		_, all := saying(c.said)
		v := &Value{Text: c.code}
		how := all[0].states(v)
		if how == unstated {
			t.Errorf("%s does not state %s", c.said, c.code)
			continue
		}
		for _, x := range []struct {
			where             string
			page, large, want bool
		}{{"in a section", false, false, c.section}, {"on a page", true, false, c.page}, {"on a large page", true, true, c.large}} {
			if got := all[0].informative(v, how, x.page, x.large); got != x.want {
				t.Errorf("%s for %s %s: %v", c.said, c.code, x.where, got)
			}
		}
	}
}

// FuzzStatements holds that what reads pages ends, and stays within them.
func FuzzStatements(f *testing.F) {
	for _, s := range schematest.Vary(300, "Retries is 3.", "a\n\n> 4\n\n- 5", "8,192 é 漢 _a_", strings.Repeat("1.", 9), "| Key | Value |\n|---|---|\n| `Retries` | 1_000 ms |\n") {
		f.Add(s, "Retries")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		page, all := saying(text)
		for _, w := range all[:min(len(all), 50)] {
			if w.at.Start < 0 || w.at.End > len(text) || !strings.HasPrefix(text[w.at.Start:w.at.End], w.text) || !w.at.Contains(w.figure.Start) && w.figure.Len() > 0 {
				t.Fatalf("%+v in %q", w, text)
			}
			old, now := &Value{Text: w.text}, &Value{Text: name}
			beside(page.Source, w, all, old, name)
			if got := w.restyled(page.Source, w.at, change{old, now}); strings.ContainsAny(got, "\n|`") {
				t.Fatalf("%q for %q in %q", got, name, text)
			}
		}
	})
}

// A value that is computed of what was written before has not gone.
func TestReplaced(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, after string
		gone          int
	}{
		{"var a = []int{40, 7}", "var a = []int{40<<4 | 7}", 0},
		{"var a = []int{40, 7}", "var a = []int{50, 7}", 1},
		{"var a = []int{40, 7}", "var a = []int{50<<4 | 7}", 1},
	} {
		if gone, _ := replaced(symbolOf(t, "a.go", prefixed("a.go", c.before)), symbolOf(t, "a.go", prefixed("a.go", c.after))); len(gone) != c.gone {
			t.Errorf("%s, %s: %d values are gone, want %d", c.before, c.after, len(gone), c.gone)
		}
	}
}
