package rules

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "uncited-claim",
	Group:    linter.Gaps,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A paragraph states figures without a source, on a page that cites sources elsewhere.",
	Doc: `If other paragraphs cite their sources, readers take an uncited one as common knowledge. Its figure comes from
a source that was left out, or from nowhere.

Only wikis with a habit of citing are checked. A claim is a paragraph with a figure that could be wrong: a
percentage (` + "`45 %`" + `), an amount (` + "`$3 million`" + `), or a year after "in" or "since". A citation is a footnote,
` + "`^[file.md]`" + `, or a link to a raw source or the web. The wiki must have at least four cited claims; three in
four of the claims on pages with citations must be cited; and on the page itself at least two others, and at
least as many as are not. Pages with one list of sources at the end are not checked.

Cite the source, or remove the figure.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d claims on this page have no source, unlike the others; cite one, or remove the figures. First: %s", n, first.Message)
	},
	Check: uncitedClaim,
	// Each page is read while it is at hand, and all of them at the same time.
	CheckPage: func(p *linter.Pass, page *schema.Page) { figureFact.Of(p, page) },
})

// figureClaim is a paragraph of a page that states a figure.
type figureClaim struct {
	figure schema.Span
	block  schema.Span
	cited  bool  // by a footnote, a citation or a link into the web
	links  []int // that stand in it, as indexes into the page's Links
}

// figureFact lists the claims of a page in order.
var figureFact = linter.NewPageFact(func(page *schema.Page) []figureClaim {
	if page.Layer == schema.LayerSource || page.Reserved() || template(page) || !cites(page) {
		return nil
	}
	if _, any := nextFigure(page.Source, schema.Span{Start: page.Body, End: len(page.Source)}); !any {
		return nil
	}
	var out []figureClaim
	last := schema.Span{}
	for _, s := range prose(page) {
		for at := s.Start; at < s.End; {
			figure, ok := nextFigure(page.Source, schema.Span{Start: at, End: s.End})
			if !ok {
				break
			}
			at = figure.End
			if !last.Contains(figure.Start) {
				last = paragraphAt(page.Source, figure.Start, page.Body)
				out = append(out, figureClaim{figure: figure, block: last})
			}
		}
	}
	findSources(page, out)
	return out
})

// cites reports whether a page gives a source in its text at all.
func cites(page *schema.Page) bool {
	return len(page.Footnotes) > 0 || len(page.Citations) > 0 ||
		slices.ContainsFunc(page.Links, func(l schema.Link) bool { return l.Field == "" })
}

// findSources finds what the paragraphs of claims, which are in order, give as
// their sources.
func findSources(page *schema.Page, claims []figureClaim) {
	at := func(place int) *figureClaim {
		i, found := slices.BinarySearchFunc(claims, place, func(c figureClaim, place int) int { return c.block.Start - place })
		if !found {
			i--
		}
		if i < 0 || !claims[i].block.Contains(place) {
			return nil
		}
		return &claims[i]
	}
	for _, f := range page.Footnotes {
		if c := at(f.Span.Start); c != nil {
			c.cited = true
		}
	}
	for _, x := range page.Citations {
		if c := at(x.Span.Start); c != nil {
			c.cited = true
		}
	}
	for i := range page.Links {
		l := &page.Links[i]
		if c := at(l.Span.Start); c != nil && l.Field == "" {
			c.links = append(c.links, i)
			c.cited = c.cited || l.External
		}
	}
}

// paragraphAt returns the lines around an offset up to the blank lines before
// and after it.
func paragraphAt(src []byte, at, body int) schema.Span {
	start, end := body, len(src)
	for i := at; i > body; {
		j := bytes.LastIndexByte(src[body:i], '\n')
		if j < 0 {
			break
		}
		i = body + j
		k := bytes.LastIndexByte(src[body:i], '\n')
		if len(bytes.TrimSpace(src[body+k+1:i])) == 0 {
			start = i + 1
			break
		}
	}
	for i := at; i < len(src); {
		j := bytes.IndexByte(src[i:], '\n')
		if j < 0 {
			break
		}
		i += j + 1
		k := bytes.IndexByte(src[i:], '\n')
		if k < 0 {
			k = len(src) - i
		}
		if len(bytes.TrimSpace(src[i:i+k])) == 0 {
			end = i
			break
		}
	}
	return schema.Span{Start: start, End: end}
}

// nextFigure returns the first figure of a part of a page that could be wrong.
func nextFigure(src []byte, part schema.Span) (schema.Span, bool) {
	for i := part.Start; i < part.End; i++ {
		if src[i] < '0' || src[i] > '9' || i > 0 && joins(src[i-1]) && !currency(src[max(0, i-3):i]) {
			continue
		}
		end := i
		for end < part.End && ('0' <= src[end] && src[end] <= '9' || (src[end] == '.' || src[end] == ',') && end+1 < part.End && '0' <= src[end+1] && src[end+1] <= '9') {
			end++
		}
		if states(src, i, end, part.End) {
			return schema.Span{Start: i, End: end}, true
		}
		i = end
	}
	return schema.Span{}, false
}

// joins reports whether a number that follows the byte is part of a name, a
// version, a date or a path.
func joins(c byte) bool {
	return c >= 0x80 || asciiWord[c] || c == '.' || c == '-' || c == '/' || c == '_' || c == '#'
}

// currency reports whether text ends in the sign of a currency.
func currency(text []byte) bool {
	return slices.ContainsFunc([]string{"$", "€", "£", "¥"}, func(sign string) bool { return bytes.HasSuffix(text, []byte(sign)) })
}

// states reports whether the number from i to end is a share, an amount, or a
// year that something happened in.
func states(src []byte, i, end, limit int) bool {
	after := bytes.TrimLeft(src[end:min(limit, end+16)], " ")
	before := src[max(0, i-8):i]
	for _, unit := range []string{"%", "percent", "per cent", "million", "billion", "trillion", "thousand"} {
		if bytes.HasPrefix(bytes.ToLower(after), []byte(unit)) {
			return true
		}
	}
	if currency(before) {
		return end-i > 1
	}
	year := end-i == 4 && (src[i] == '1' && src[i+1] >= '5' || src[i] == '2' && src[i+1] == '0')
	lower := bytes.ToLower(before)
	return year && (bytes.HasSuffix(lower, []byte(" in ")) || bytes.HasSuffix(lower, []byte(" since ")) || bytes.Equal(lower, []byte("in ")) ||
		bytes.HasSuffix(lower, []byte("\nin ")) || bytes.HasSuffix(lower, []byte("since ")))
}

const (
	fewestCited     = 4 // claims of a wiki that have a source, from which on that is a habit
	fewestPageCited = 2 // those of one page
)

func uncitedClaim(p *linter.Pass) {
	type lack struct {
		page   *schema.Page
		claims []figureClaim
	}
	var lacks []lack
	cited, all := 0, 0
	for _, page := range p.Wiki.Pages() {
		var bare []figureClaim
		claims := figureFact.Of(p, page)
		for _, c := range claims {
			if !c.cited && !citesSource(p, page, c) {
				bare = append(bare, c)
			}
		}
		if len(bare) == len(claims) {
			continue // it has no figures, or gives its sources in another way
		}
		all += len(claims)
		cited += len(claims) - len(bare)
		if len(bare) > 0 && len(claims)-len(bare) >= max(fewestPageCited, len(bare)) {
			lacks = append(lacks, lack{page, bare})
		}
	}
	if cited < fewestCited || 4*cited < 3*all {
		return
	}
	for _, l := range lacks {
		for _, c := range l.claims {
			p.ReportCause("page:"+l.page.Path, l.page.Path, c.figure, "the paragraph states figures without a source, unlike the others on the page; cite one, or remove the figures")
		}
	}
}

// citesSource reports whether the paragraph of a claim links to a raw source.
func citesSource(p *linter.Pass, page *schema.Page, c figureClaim) bool {
	return slices.ContainsFunc(c.links, func(n int) bool {
		res := p.Wiki.Resolution(page, n)
		to := p.Wiki.Page(res.Page)
		return res.Kind == schema.TargetPage && to != nil && to.Layer == schema.LayerSource || res.Kind == schema.TargetOutside
	})
}
