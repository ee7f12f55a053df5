package linter

import (
	"maps"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Term is a word, or a few, that a wiki does not use.
type Term struct {
	Avoid string
	Use   []string // what is written in its place, empty when nothing is
	By    string   // who says so: wiki.yaml, or a page and line
}

// Terms are all terms of a wiki, those of wiki.yaml first, and where others
// were read from.
type Terms struct {
	List       []Term
	Understood []Understood
}

// mostTerms bounds how many terms a wiki can have.
const mostTerms = 10_000

var termFact = NewFact(func(w *compiler.Wiki) *Terms { return ReadTerms(w, ReadConventions(w)) })

// TermsOf returns the terms of the wiki of p. They are shared and must not be
// changed.
func TermsOf(p *Pass) *Terms { return termFact.Of(p) }

// LanguagePage reports whether a page is one that says which words a wiki
// uses: LANGUAGE.md at its top or in agents/.
func LanguagePage(page *schema.Page) bool { return slices.Contains(languagePages, page.Path) }

// languagePages are looked for below the wiki's root and below its repository.
var languagePages = []string{"LANGUAGE.md", "agents/LANGUAGE.md"}

// ReadTerms returns the terms of a wiki: of wiki.yaml, of the blocks of its
// schema page, and of its LANGUAGE.md. Of two that avoid the same the first
// counts.
func ReadTerms(w *compiler.Wiki, c *Conventions) *Terms {
	t := &Terms{}
	seen := map[string]bool{}
	t.block(w.Config().Terms, fromConfig, seen)
	for _, b := range c.terms {
		t.block(b.Terms, b.page.Path+":"+itoa(b.page.Lines.Position(b.at.Start).Line), seen)
	}
	for _, page := range w.Pages() {
		if LanguagePage(page) {
			t.page(page, seen)
		}
	}
	for _, p := range languagePages {
		if page := w.ReadOutside(p); page != nil {
			t.page(page, seen)
		}
	}
	return t
}

func (t *Terms) block(terms map[string]string, by string, seen map[string]bool) {
	for _, avoid := range slices.Sorted(maps.Keys(terms)) {
		var use []string
		if u := strings.TrimSpace(terms[avoid]); u != "" {
			use = []string{u}
		}
		t.add(Term{strings.TrimSpace(avoid), use, by}, seen)
	}
}

func (t *Terms) add(term Term, seen map[string]bool) {
	key := strings.ToLower(term.Avoid)
	if term.Avoid == "" || seen[key] || slices.Contains(term.Use, term.Avoid) || len(t.List) >= mostTerms {
		return
	}
	seen[key] = true
	t.List = append(t.List, term)
}

// page reads a LANGUAGE.md: its tables and lists. Sentences are not guessed at.
func (t *Terms) page(page *schema.Page, seen map[string]bool) {
	first, before := 0, len(t.List)
	add := func(avoid, use []string, offset int) {
		line := page.Lines.Position(offset).Line
		if first == 0 || line < first {
			first = line
		}
		for _, a := range avoid {
			t.add(Term{a, use, strings.ReplaceAll(page.Path, "../", "") + ":" + itoa(line)}, seen)
		}
	}
	for i := range page.Tables {
		termTable(page, &page.Tables[i], add)
	}
	termList(page, add)
	var says []string
	for _, term := range t.List[before:] {
		says = append(says, term.Avoid+" → "+strings.Join(term.Use, " or "))
	}
	if n := len(says); n > 0 {
		what := strings.Join(says[:min(n, 5)], ", ")
		if n > 5 {
			what += " and " + itoa(n-5) + " more"
		}
		t.Understood = append(t.Understood, Understood{page.Path, first, "terms: " + what})
	}
}

// termColumns are the headings of tables of terms, in lower case.
var termColumns = map[string][]string{
	"avoid": {"avoid", "don't say", "do not say", "don't use", "do not use", "don't write", "do not write", "instead of", "not", "forbidden", "never", "never say", "deprecated", "banned", "wrong"},
	"use":   {"use", "say", "write", "preferred", "preferred term", "term", "canonical", "canonical term", "use instead", "say instead", "write instead", "right"},
}

func termTable(page *schema.Page, t *schema.Table, add func(avoid, use []string, offset int)) {
	names := columnNames(t, termColumns)
	for i := range names {
		if names[i] == "" && slices.Contains(termColumns["avoid"], strings.ReplaceAll(strings.ToLower(strings.TrimSpace(t.Head[i].Text)), "’", "'")) {
			names[i] = "avoid"
		}
	}
	a, u := slices.Index(names, "avoid"), slices.Index(names, "use")
	if a < 0 || u < 0 {
		return
	}
	for _, row := range t.Rows {
		if a >= len(row) || u >= len(row) {
			continue
		}
		avoid := termsIn(string(row[a].Span.In(page.Source)))
		use := termsIn(string(row[u].Span.In(page.Source)))
		if len(avoid) > 0 && len(use) > 0 {
			add(avoid, use, row[a].Span.Start)
		}
	}
}

var (
	struckTerm  = schema.Expression(`^~~([^~]+)~~\s*(?:→|->|=>|:|—|–|-)\s*(.+)$`)
	boldTerm    = schema.Expression(`^(?:\*\*|__)([^*_]+)(?:\*\*|__):?\s*\((?i:not|avoid|never|instead of|don't say|do not say)(?::|\s)\s*([^()]+)\)`)
	insteadTerm = schema.Expression(`^(?i:don['’]t|do not|never) (?i:say|use|write):? (.+?)\s*(?:—|–|--|;|,|:|→|->|\.)\s*(?i:say|use|write):? (.+)$`)
	arrowTerm   = schema.Expression(`^(.+?)\s*(?:→|->|=>)\s*(.+)$`)
	onlyTerm    = schema.Expression("^(?:~~([^~]+)~~|`([^`]+)`|\"([^\"]+)\"|“([^”]+)”)$")
)

// avoidHeadings are those of sections that list words not to use.
var avoidHeadings = []string{"avoid", "words to avoid", "terms to avoid", "forbidden", "forbidden terms", "forbidden words", "banned words", "banned terms", "don't say", "do not say", "don't use", "never say"}

// termList reads the items of a page's lists that are of a form that can mean
// one thing only.
func termList(page *schema.Page, add func(avoid, use []string, offset int)) {
	heading := 0
	for at, item := range listItems(page, schema.Span{Start: page.Body, End: len(page.Source)}) {
		for heading < len(page.Headings) && page.Headings[heading].Span.Start < at {
			heading++
		}
		avoiding := heading > 0 && slices.Contains(avoidHeadings, strings.ReplaceAll(strings.ToLower(strings.Trim(page.Headings[heading-1].Text, " :.")), "’", "'"))
		var avoid, use string
		if m := struckTerm().FindStringSubmatch(item); m != nil {
			avoid, use = m[1], m[2]
		} else if m := boldTerm().FindStringSubmatch(item); m != nil {
			avoid, use = m[2], m[1]
		} else if m := insteadTerm().FindStringSubmatch(item); m != nil {
			avoid, use = m[1], m[2]
		} else if m := arrowTerm().FindStringSubmatch(item); m != nil && avoiding {
			avoid, use = m[1], m[2]
		} else if m := onlyTerm().FindStringSubmatch(item); m != nil && avoiding {
			if terms := termsIn(strings.Join(m[1:], "")); len(terms) > 0 {
				add(terms, nil, at)
			}
			continue
		}
		avoids, uses := termsIn(avoid), termsIn(use)
		if len(avoids) > 0 && len(uses) > 0 {
			add(avoids, uses, at)
		}
	}
}

var or = schema.Expression(`\s+(?:or|/)\s+`)

// termsIn returns the words that a cell or half of an item lists, or nil when
// it reads like a sentence.
func termsIn(text string) []string {
	var out []string
	text = strings.TrimSuffix(strings.TrimSpace(lineBreak().ReplaceAllString(text, ",")), ".")
	for _, item := range strings.FieldsFunc(or().ReplaceAllString(text, ","), func(r rune) bool { return r == ',' || r == ';' }) {
		item = strings.TrimSpace(strings.Trim(strings.TrimSpace(item), "*_`~\"“”‘’'"))
		switch {
		case item == "" || strings.Trim(item, "-–—") == "", len(item) > 60, len(strings.Fields(item)) > 5,
			strings.ContainsAny(item, "()[]{}<>|!?:→\"`*~\n"):
			return nil
		}
		if !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}
