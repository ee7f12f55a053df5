package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "declared-contradiction",
	Group:    linter.Contradiction,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A page declares a contradiction with another page, and nobody has resolved it.",
	Doc: `The author saw that two claims can't both be true and left the decision open. Until it is resolved, every
reader has to choose.

A page declares a contradiction with ` + "`contradicts`, `contradictedBy`, `contested_by` or `contradictions`" + ` in
front matter, with a non-empty section ` + "`## Contradictions`" + `, or with a callout ` + "`> [!contradiction]`" + `. If two
pages name each other, that is one finding with both places. If only one page names the other, that is
reported too, because readers of the other page are not warned.

It is resolved when one of the pages is superseded, archived or retracted; a callout or a list entry is
resolved when it says *resolved*, is struck out or ticked off. Find out which claim is right, correct the
other page, and remove the declaration.`,
	Check: func(p *linter.Pass) {
		declared := declaredPairs(p)
		for _, page := range kept(p) {
			if page.Meta.Status.Class == schema.StatusDeprecated || template(page) {
				continue
			}
			declaredInWords(p, page)
			for i := range page.Callouts {
				if c := &page.Callouts[i]; (c.Type == "contradiction" || c.Type == "contradicts" || c.Type == "contradicted") && !isResolved(c.Title) {
					declaredInCallout(p, page, c)
				}
			}
			if !declared[page] {
				declaredUnderHeading(p, page)
			}
		}
	},
})

// declaredPairs reports every pair of pages of which one says that it
// contradicts the other, and returns the pages that do.
func declaredPairs(p *linter.Pass) map[*schema.Page]bool {
	type pair struct{ a, b *schema.Page }
	said := map[pair][]relation{}
	var order []pair
	pages := map[*schema.Page]bool{}
	for _, r := range relationFact.Of(p).all {
		if r.kind != schema.FieldContradicts || r.page == r.to || r.page.Layer == schema.LayerSource || over(r.page) || over(r.to) {
			continue
		}
		k := pair{r.page, r.to}
		if r.to.Path < r.page.Path {
			k = pair{r.to, r.page}
		}
		if said[k] == nil {
			order = append(order, k)
		}
		said[k] = append(said[k], r)
		pages[r.page] = true
	}
	for _, k := range order {
		rs := said[k]
		first := rs[0]
		back := slices.IndexFunc(rs, func(r relation) bool { return r.page == first.to })
		if back < 0 {
			d := p.Report(first.page.Path, first.at, "this page declares that it contradicts %s, which does not declare it; find out which is right, and correct the other", first.to.Path)
			d.Related = []schema.Related{{Path: first.to.Path, Span: first.to.H1, Message: "does not declare the contradiction"}}
			d.Sides = []schema.Side{pageSide(first.page, first.at), pageSide(first.to, first.to.H1)}
			continue
		}
		d := p.Report(first.page.Path, first.at, "this page and %s declare that they contradict each other; find out which is right, and correct the other", first.to.Path)
		d.Related = []schema.Related{{Path: rs[back].page.Path, Span: rs[back].at, Message: "declared here too"}}
		d.Sides = []schema.Side{pageSide(first.page, first.at), pageSide(rs[back].page, rs[back].at)}
	}
	return pages
}

// pageSide is a page as a side of a contradiction. It is unknown which claim is meant,
// so any change of the text makes it another side.
func pageSide(page *schema.Page, at schema.Span) schema.Side {
	return schema.Side{Path: page.Path, Span: at, Text: page.Title, Key: "page\x00" + string(page.Source[min(page.Body, len(page.Source)):])}
}

// noteSide is a contradiction that is noted in words.
func noteSide(page *schema.Page, at schema.Span, title string, note []byte) []schema.Side {
	return []schema.Side{{Path: page.Path, Span: at, Text: title, Key: "note\x00" + string(note)}}
}

// over reports whether a page makes no claim any more.
func over(page *schema.Page) bool {
	return page.Meta.Status.Class == schema.StatusDeprecated ||
		slices.ContainsFunc(page.Meta.Relations, func(r schema.Relation) bool { return r.Kind == schema.RelationSupersededBy })
}

// declaredInWords reports contradictions of the front matter that name no page.
func declaredInWords(p *linter.Pass, page *schema.Page) {
	for _, r := range page.Meta.Relations {
		if r.Kind != schema.RelationContradicts || !strings.Contains(strings.TrimSpace(r.Target), " ") || isResolved(r.Target) || saysNone(r.Target) {
			continue // a single word is the name of a page that is missing
		}
		if res := p.Wiki.Resolve(page, valueLink(r.Target)); res.OK() {
			continue
		}
		d := p.Report(page.Path, r.Span, "declared contradiction: %s; resolve it, and remove the entry", short(r.Target))
		d.Sides = noteSide(page, r.Span, r.Target, []byte(r.Target))
	}
}

func declaredInCallout(p *linter.Pass, page *schema.Page, c *schema.Callout) {
	text := string(c.Span.In(page.Source))
	if isResolved(text) {
		return
	}
	first, _, _ := strings.Cut(text, "\n")
	span := schema.Span{Start: c.Span.Start, End: c.Span.Start + len(strings.TrimRight(first, "\r"))}
	d := p.Report(page.Path, span, "open contradiction; resolve it, or mark it as resolved")
	d.Sides = noteSide(page, span, cmp.Or(c.Title, page.Title), c.Span.In(page.Source))
	d.Related = linkedFrom(p, page, c.Span)
}

// declaredUnderHeading reports entries under a heading about contradictions. A page
// about contradictions, or an index of such pages, may have such a heading too.
func declaredUnderHeading(p *linter.Pass, page *schema.Page) {
	if page.Reserved() {
		return
	}
	for i, h := range page.Headings {
		if h.Level < 2 || len(h.Text) > longestTitle || !strings.Contains(strings.ToLower(h.Text), "contradiction") {
			continue
		}
		words := wordsOf(h.Text)
		if slices.Contains(words, "by") { // a proof
			continue
		}
		if len(words) > 3 || !slices.ContainsFunc(words, contradiction) || isResolved(h.Text) || saysNone(h.Text) ||
			slices.ContainsFunc(wordsOf(page.Title), contradiction) {
			continue
		}
		body := schema.Span{Start: h.Span.End, End: len(page.Source)}
		for _, next := range page.Headings[i+1:] {
			if next.Level <= h.Level {
				body.End = next.Span.Start
				break
			}
		}
		n := openEntries(string(body.In(page.Source)))
		if n == 0 || slices.ContainsFunc(page.Callouts, func(c schema.Callout) bool { return c.Span.Overlaps(body) && contradiction(c.Type) }) {
			continue
		}
		d := p.Report(page.Path, h.Span, "%s in this section; resolve each, or mark it as resolved", text.Count(n, "open contradiction"))
		d.Sides = noteSide(page, h.Span, h.Text, body.In(page.Source))
		d.Related = linkedFrom(p, page, body)
	}
}

func contradiction(word string) bool { return word == "contradiction" || word == "contradictions" }

// openEntries counts the list items and table rows of a section that are not
// settled; a section without any is one entry.
func openEntries(text string) int {
	items, open, prose, head := 0, 0, false, 2 // lines of a table's head
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "<!--") || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ "):
			items++
			if item := strings.TrimSpace(line[2:]); !isResolved(item) && !saysNone(item) {
				open++
			}
		case line[0] == '|':
			if items++; head > 0 {
				head--
			} else if !isResolved(line) {
				open++
			}
		case items == 0 && !isResolved(line) && !saysNone(line):
			prose = true
		}
	}
	if items == 0 && prose {
		return 1
	}
	return open
}

// isResolved reports whether a text describes something finished: resolved, struck out
// or ticked off.
func isResolved(text string) bool {
	if strings.HasPrefix(text, "[x]") || strings.HasPrefix(text, "[X]") || strings.HasPrefix(text, "~~") {
		return true
	}
	words := wordsOf(text)
	for i, w := range words {
		if (w == "resolved" || w == "settled" || w == "reconciled") && (i == 0 || words[i-1] != "not" && words[i-1] != "un") {
			return true
		}
	}
	return false
}

// saysNone reports whether a text says that there is saysNone to say.
func saysNone(text string) bool {
	words := wordsOf(text)
	if len(words) == 0 {
		return true
	}
	return len(words) <= 6 && (words[0] == "none" || words[0] == "no" || words[0] == "nothing" || words[0] == "n" && len(words) == 2)
}

// mostLinked is how many pages a contradiction in words is shown with.
const mostLinked = 5

// linkedFrom returns the pages that a part of a page links to.
func linkedFrom(p *linter.Pass, page *schema.Page, part schema.Span) []schema.Related {
	var out []schema.Related
	seen := map[schema.PageID]bool{page.ID: true}
	for l, res := range p.Wiki.Links(page) {
		if l.Field != "" || !part.Overlaps(l.Span) || res.Kind != schema.TargetPage || seen[res.Page] || len(out) == mostLinked {
			continue
		}
		seen[res.Page] = true
		if to := p.Wiki.Page(res.Page); to != nil {
			out = append(out, schema.Related{Path: to.Path, Span: to.H1, Message: "the other side"})
		}
	}
	return out
}
