package rules

import (
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "title-mismatch",
	Group:    linter.Front,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "The front matter title and the first heading are about different things.",
	Doc: `Lists, search results and links show the front matter title, but the page opens with another one. Usually the
page was copied and only one of the two was changed.

Titles that share a significant word or its stem, or where one is short for the other, are not reported. Correct the wrong
one, or drop one of them: the heading alone is a good title.`,
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		value := page.Front.Get("title")
		heading := firstTitle(page)
		if page.Layer == schema.LayerSource || !value.IsScalar() || heading == nil || page.Reserved() || alike(value.Text, heading.Text) {
			return
		}
		d := p.Report(page.Path, value.Span, "the title %q and the first heading %q are about different things; correct one of them", value.Text, heading.Text)
		d.Related = []schema.Related{{Path: page.Path, Span: heading.Span, Message: "the heading"}}
	},
})

// firstTitle returns the first heading, if it is the page's title: of level 1.
func firstTitle(page *schema.Page) *schema.Heading {
	for i := range page.Headings {
		if page.Headings[i].Level == 1 {
			return &page.Headings[i]
		}
	}
	return nil
}

// alike reports whether two titles may be for one page: they share a word of at least
// three letters, the beginning of one, or a letter of a name; or one abbreviates the
// other; or one has no words.
func alike(a, b string) bool {
	wa, wb := weighty(a), weighty(b)
	if len(wa) == 0 || len(wb) == 0 || abbreviates(a, b) || abbreviates(b, a) {
		return true
	}
	for _, x := range wa {
		for _, y := range wb {
			if strings.HasPrefix(x, y) || strings.HasPrefix(y, x) || oneEdit(x, y) || oneStem(x, y) {
				return true
			}
		}
	}
	joinedA, joinedB := strings.Join(wa, ""), strings.Join(wb, "")
	return strings.Contains(joinedA, joinedB) || strings.Contains(joinedB, joinedA)
}

// oneStem reports whether two words share most of the shorter one's letters at the
// beginning: utility and utilities.
func oneStem(a, b string) bool {
	ra, rb := []rune(a), []rune(b)
	n, short := 0, min(len(ra), len(rb))
	for n < short && ra[n] == rb[n] {
		n++
	}
	return n >= fewestStem && 3*n >= 2*short
}

// fewestStem is the length of the shortest beginning that is taken for a stem.
const fewestStem = 5

// longestTitle bounds how much of a title is compared, in bytes.
const longestTitle = 300

// weighty returns the words of a title that say what it is about.
func weighty(s string) []string {
	var out []string
	for _, word := range wordsOf(s[:min(len(s), longestTitle)]) {
		if strings.Trim(word, "0123456789") == "" {
			continue
		}
		if (len(word) >= 3 || word != "" && word[0] >= 0x80) && !filler[word] {
			out = append(out, word)
		}
	}
	return out
}

var filler = map[string]bool{"the": true, "and": true, "for": true, "with": true, "from": true, "into": true, "how": true, "what": true, "not": true, "you": true, "your": true}

// abbreviates reports whether short is made of the first letters of long's words.
func abbreviates(short, long string) bool {
	var initials strings.Builder
	for _, word := range wordsOf(long[:min(len(long), longestTitle)]) {
		initials.WriteString(string([]rune(word)[:1]))
	}
	s := slug(short)
	return len(s) >= 2 && strings.Contains(initials.String(), s)
}
