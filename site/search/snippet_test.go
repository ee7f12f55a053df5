package search

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
)

// marked writes a snippet with its matches in brackets.
func marked(s snippet) string {
	var b strings.Builder
	at := 0
	for _, m := range s.matches {
		b.WriteString(s.text[at:m[0]] + "[" + s.text[m[0]:m[1]] + "]")
		at = m[1]
	}
	return b.String() + s.text[at:]
}

// cutOf searches one page.
func cutOf(query string, p *page) snippet {
	x := NewCollector()
	table := x.invert([]*Analyzed{x.Analyze(Document{Summary: p.Summary, Sections: p.Sections})})
	q := parse(query)
	return cutOut(q, table.marks(q.words, table.rank(q.words)), p)
}

func TestSnippet(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("lorem ipsum dolor sit amet ", 40)
	for _, tc := range []struct {
		name, query, summary string
		text                 []compiler.Section
		want, anchor         string
	}{
		{
			name: "short text is shown whole", query: "queue",
			text: []compiler.Section{{Text: "The queue\n is bounded."}},
			want: "The [queue] is bounded.",
		},
		{
			name: "all words together win over the first of them", query: "clock skew",
			text: []compiler.Section{
				{Text: "The clock. " + filler},
				{Heading: "Skew", ID: "skew", Text: filler + "Mind the skew of every clock in the fleet. " + filler},
			},
			want:   "…ipsum dolor sit amet lorem ipsum dolor sit amet Mind the [skew] of every [clock] in the fleet. lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet…",
			anchor: "skew",
		},
		{
			name: "stems, beginnings and typos are marked", query: "refreshing expiery tok",
			text: []compiler.Section{{Text: "It refreshed the tokens."}},
			want: "It [refreshed] the [tokens].",
		},
		{
			name: "a phrase wins over its words", query: `"bounded queue"`,
			text: []compiler.Section{{Text: "A queue is bounded. " + filler + "A bounded queue blocks."}},
			want: "…amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet A [bounded queue] blocks.",
		},
		{
			name: "no match shows the summary", query: "title", summary: "What it is about.",
			text: []compiler.Section{{Text: "Something."}},
			want: "What it is about.",
		},
		{
			name: "no match and no summary shows the beginning", query: "title",
			text: []compiler.Section{{}, {Text: "Something."}},
			want: "Something.",
		},
		{
			name: "pairs of characters are one mark", query: "コンパイラ",
			text: []compiler.Section{{Text: "知識コンパイラは変える。"}},
			want: "知識[コンパイラ]は変える。",
		},
		{name: "an empty page", query: "x", want: ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := cutOf(tc.query, &page{Summary: tc.summary, Sections: tc.text})
			if marked(got) != tc.want || got.anchor != tc.anchor {
				t.Errorf("got  %q at %q\nwant %q at %q", marked(got), got.anchor, tc.want, tc.anchor)
			}
		})
	}
}

// checkSnippet reports what no snippet may be.
func checkSnippet(t *testing.T, text string, matches [][2]int) {
	t.Helper()
	if !utf8.ValidString(text) || strings.ContainsAny(text, "\n\r\t") {
		t.Errorf("not one line of text: %q", text)
	}
	if len(text) > snippetWidth+2*len(ellipsis) {
		t.Errorf("%d bytes long: %q", len(text), text)
	}
	at := 0
	for _, m := range matches {
		if m[0] < at || m[1] <= m[0] || m[1] > len(text) || !utf8.ValidString(text[m[0]:m[1]]) {
			t.Fatalf("matches %v of %q", matches, text)
		}
		at = m[1]
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("queue", "The queue is bounded.")
	f.Add("コンパイラ x", strings.Repeat("知識コンパイラ", 100))
	f.Add("ｺﾝﾊﾟｲﾗ", "a ｺﾝﾊﾟｲﾗ b")
	f.Add(`"a b" a`, strings.Repeat("a b \xff", 200))
	f.Add("aaaa", strings.Repeat("a", 5000))
	f.Add("\u0301e", "e\u0301 ﬁ İ ǅ")
	f.Fuzz(func(t *testing.T, query, text string) {
		s := cutOf(query, &page{Sections: []compiler.Section{{Text: text}}})
		checkSnippet(t, s.text, s.matches)
	})
}
