package search

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// formsOf writes what the analyzer makes of a text: positions apart by spaces,
// the forms at one position by bars.
func formsOf(text string) string {
	var b strings.Builder
	at := 0
	for _, t := range pageAnalyzer.Analyze([]byte(text)) {
		switch {
		case at == 0:
		case t.Position == at:
			b.WriteByte('|')
		default:
			b.WriteByte(' ')
		}
		at = t.Position
		b.Write(t.Term)
	}
	return b.String()
}

func TestAnalyzer(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, want string }{
		{"", ""},
		{"The links", "the links|link"},
		{"the page's title", "the page titl|title"},
		{"RenderOptions", "renderoptions|renderopt|render|options|option"},
		{"HTTPServer", "httpserver|http|server"},
		{"parse_links", "parse_links|parse|pars|links|link"},
		{"x.Y_z", "x.y_z"},
		{"foo.Bar", "foo.bar|foo|bar"},
		{"v1.2", "v1.2|v1"},
		{"ERR-2041", "err 2041"},
		{"site/search", "site search"},
		{"Café naïve", "cafe naive|naiv"},
		{"Й йод", "й йод"},
		{"がぎ", "がぎ"},
		{"知識は力", "知識 識は は力"},
		{"知", "知"},
		{"ﾊﾟｲ", "パイ"},
		{"Ｗｉｄｅ", "wide"},
		{"Go で書く", "go で書 書く"},
	} {
		if got := formsOf(tc.text); got != tc.want && !sameForms(got, tc.want) {
			t.Errorf("%q: got %q, want %q", tc.text, got, tc.want)
		}
	}
}

// sameForms compares without regard to the order of the forms of a position,
// which carries no meaning.
func sameForms(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		set := make(map[string]bool)
		for _, f := range strings.Split(x[i], "|") {
			set[f] = true
		}
		n := 0
		for _, f := range strings.Split(y[i], "|") {
			if !set[f] {
				return false
			}
			n++
		}
		if n != len(set) {
			return false
		}
	}
	return true
}

func TestFold(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 500)
	for _, tc := range []struct{ in, want string }{
		{"ÉCOLE", "ecole"},
		{"Ελλάδα", "ελλαδα"},
		{"が", "が"},
		{"한국", "한국"},
		{"don't", "don't"},
		{"wiki’s", "wiki"},
		{"a\xffb", "a\ufffdb"},
		{long, strings.Repeat("e", maxTerm/2)},
	} {
		if got := fold([]byte(tc.in)); got != tc.want {
			t.Errorf("fold(%q) = %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	words := []string{"", "a", "ab", "ba", "abc", "abd", "xabc", "abcx", "acb", "consensus", "consnesus", "konsensus", "consens", "straße"}
	for _, a := range words {
		for _, b := range words {
			for k := 0; k <= 2; k++ {
				if got, want := within(a, b, k), distance(a, b) <= k; got != want {
					t.Errorf("within(%q, %q, %d) = %v, distance is %d", a, b, k, got, distance(a, b))
				}
			}
		}
	}
}

// distance is the edit distance by its definition.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		for j := range d[i] {
			switch {
			case i == 0:
				d[i][j] = j
			case j == 0:
				d[i][j] = i
			default:
				change := d[i-1][j-1]
				if x[i-1] != y[j-1] {
					change++
				}
				d[i][j] = min(change, d[i-1][j]+1, d[i][j-1]+1)
			}
		}
	}
	return d[len(x)][len(y)]
}

func FuzzWithin(f *testing.F) {
	f.Add("consensus", "consnesus")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 100 || len(b) > 100 {
			return
		}
		for k := 0; k <= 2; k++ {
			if within(a, b, k) != (distance(a, b) <= k) {
				t.Errorf("within(%q, %q, %d)", a, b, k)
			}
		}
	})
}

func FuzzAnalyzer(f *testing.F) {
	f.Add("RenderOptions parse_links 知識コンパイラ ｺﾝﾊﾟｲﾗ page's")
	f.Add("\xff\xfe a\u0301")
	f.Add(strings.Repeat("aB", 300))
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, tok := range pageAnalyzer.Analyze([]byte(text)) {
			if tok.Position < at || len(tok.Term) > 4*maxTerm {
				t.Fatalf("%v after position %d", tok, at)
			}
			at = tok.Position
			if utf8.ValidString(text) && !utf8.Valid(tok.Term) {
				t.Fatalf("%q is not valid", tok.Term)
			}
		}
	})
}
