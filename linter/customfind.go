package linter

import (
	"bytes"
	"iter"
	"net/url"
	"path"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

var (
	textFact = NewPageFact(Text)
	codeFact = NewPageFact(Code)
)

// textBlock is a piece of a page that a pattern is matched against on its own.
type textBlock struct {
	at   int    // offset of its first byte
	text []byte // what is not to be read is zero bytes; lines end with \n
}

// passages yields what a pattern is looked for in. A passage is valid until
// the next one.
func passages(p *Pass, page *schema.Page, in string) iter.Seq[textBlock] {
	switch in {
	case "code":
		return wholeSpans(page, codeFact.Of(p, page))
	case "heading":
		spans := make([]schema.Span, len(page.Headings))
		for i := range page.Headings {
			spans[i] = HeadingText(page, &page.Headings[i])
		}
		return wholeSpans(page, spans)
	case "frontmatter":
		if page.Front == nil {
			return wholeSpans(page, nil)
		}
		return wholeSpans(page, []schema.Span{page.Front.Span})
	case "source":
		return wholeSpans(page, []schema.Span{{End: len(page.Source)}})
	}
	return paragraphs(page, textFact.Of(p, page))
}

// wholeSpans yields spans unchanged.
func wholeSpans(page *schema.Page, spans []schema.Span) iter.Seq[textBlock] {
	return func(yield func(textBlock) bool) {
		for _, s := range spans {
			text := s.In(page.Source)
			if bytes.IndexByte(text, '\r') >= 0 {
				text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n\n"))
			}
			if !yield(textBlock{s.Start, text}) {
				return
			}
		}
	}
}

// paragraphs yields the body's paragraphs, with everything outside spans blanked.
func paragraphs(page *schema.Page, spans []schema.Span) iter.Seq[textBlock] {
	return func(yield func(textBlock) bool) {
		var buf []byte
		src := page.Source
		for start := page.Body; start < len(src); {
			end := paragraphEnd(src, start)
			for len(spans) > 0 && spans[0].End <= start {
				spans = spans[1:]
			}
			if len(spans) > 0 && spans[0].Start < end {
				buf = append(buf[:0], make([]byte, end-start)...)
				for _, s := range spans {
					if s.Start >= end {
						break
					}
					from, to := max(s.Start, start), min(s.End, end)
					copy(buf[from-start:], src[from:to])
				}
				for i, c := range src[start:end] {
					if c == '\n' || c == '\r' {
						buf[i] = '\n'
					}
				}
				if !yield(textBlock{start, buf}) {
					return
				}
			}
			start = end
		}
	}
}

// paragraphEnd returns where the lines that begin at start end: behind the
// next blank line.
func paragraphEnd(src []byte, start int) int {
	for at := start; ; {
		i := bytes.IndexByte(src[at:], '\n')
		if i < 0 {
			return len(src)
		}
		line := src[at : at+i]
		at += i + 1
		if len(bytes.TrimSpace(line)) == 0 {
			return at
		}
	}
}

// patterns returns where the pattern matches, at most n places.
func (c *custom) patterns(p *Pass, page *schema.Page, n int) []hit {
	var out []hit
	for part := range passages(p, page, c.cond.In) {
		for _, m := range c.pattern.FindAllSubmatchIndex(part.text, n-len(out)) {
			if m[0] == m[1] {
				continue
			}
			h := hit{at: schema.Span{Start: part.at + m[0], End: part.at + m[1]}}
			h.match = string(h.at.In(page.Source))
			if c.Fix != nil && bytes.IndexByte(part.text[m[0]:m[1]], 0) < 0 {
				text := string(c.pattern.Expand(nil, []byte(c.Fix.Replace), part.text, m))
				if text != h.match {
					h.fix = []schema.Edit{{Path: page.Path, Span: h.at, Text: text}}
				}
			}
			out = append(out, h)
		}
		if len(out) >= n {
			break
		}
	}
	return out
}

// headings returns the headings that meet the condition.
func (c *custom) headings(page *schema.Page, n int) []hit {
	var out []hit
	want := c.cond.Heading
	for i := range page.Headings {
		h := &page.Headings[i]
		switch {
		case want.Level > 0 && h.Level != want.Level,
			want.Text != "" && !strings.EqualFold(strings.TrimSpace(want.Text), h.Text),
			c.pattern != nil && !c.pattern.MatchString(h.Text):
			continue
		}
		if out = append(out, hit{at: h.Span, match: h.Text}); len(out) == n {
			break
		}
	}
	return out
}

// links returns the links that meet the condition.
func (c *custom) links(page *schema.Page, n int) []hit {
	var out []hit
	want := c.cond.Link
	for i := range page.Links {
		l := &page.Links[i]
		if want.Kind != "" && !ofKind(l, want.Kind) || want.Host != "" && !onHost(l, want.Host) ||
			c.pattern != nil && !c.pattern.MatchString(l.Raw) {
			continue
		}
		if out = append(out, hit{at: l.Span, match: l.Raw}); len(out) == n {
			break
		}
	}
	return out
}

// pictures are the extensions of files that an embed shows as a picture.
var pictures = map[string]bool{".png": true, ".jpg": true, ".jpeg": true, ".gif": true, ".svg": true, ".webp": true, ".avif": true, ".bmp": true}

// ofKind reports whether a link is of one of [schema.ConditionLinks]. An image
// of the web is both image and external.
func ofKind(l *schema.Link, kind string) bool {
	image := l.Embed && (l.Markdown() || pictures[strings.ToLower(path.Ext(l.Target))])
	switch kind {
	case "external":
		return l.External
	case "image":
		return image
	case "embed":
		return l.Embed && !image
	case "wikilink":
		return l.Syntax == schema.SyntaxWikilink && !l.Embed
	}
	return l.Markdown() && !l.External && !l.Embed
}

// onHost reports whether a link leads to a host or one below it.
func onHost(l *schema.Link, host string) bool {
	if !l.External {
		return false
	}
	u, err := url.Parse(strings.TrimSpace(l.Raw))
	if err != nil {
		return false
	}
	got, host := strings.ToLower(u.Hostname()), strings.ToLower(host)
	return got == host || strings.HasSuffix(got, "."+host)
}

// pairs returns the fields of the front matter with the condition's name.
func (c *custom) pairs(page *schema.Page) []schema.Pair {
	if page.Front == nil || page.Front.Root == nil {
		return nil
	}
	var out []schema.Pair
	for _, pair := range page.Front.Root.Pairs {
		if schema.SameKey(pair.Key, c.cond.Field.Name) {
			out = append(out, pair)
		}
	}
	return out
}

// fields returns the fields that meet the condition.
func (c *custom) fields(page *schema.Page) []hit {
	var out []hit
	for _, pair := range c.pairs(page) {
		if c.pattern == nil {
			out = append(out, hit{at: pair.KeySpan, match: pair.Key, field: pair.Key, value: scalars(pair.Value)})
			continue
		}
		for _, v := range pair.Value.Scalars() {
			if c.pattern.MatchString(v.Text) {
				out = append(out, hit{at: v.Span, match: v.Text, field: pair.Key, value: v.Text})
			}
		}
	}
	return out
}

// fieldLacks returns the fault of a required field. A page with invalid front matter has
// none.
func (c *custom) fieldLacks(page *schema.Page) []hit {
	for _, f := range page.Faults {
		switch f.Kind {
		case schema.FaultFrontmatterInvalid, schema.FaultFrontmatterUnclosed, schema.FaultUnreadable, schema.FaultTooComplex:
			return nil
		}
	}
	var out []hit
	there := false
	for _, pair := range c.pairs(page) {
		if pair.Value == nil || pair.Value.Kind == schema.KindNull {
			continue
		}
		there = true
		values := pair.Value.Scalars()
		if c.pattern != nil && len(values) == 0 {
			out = append(out, hit{at: pair.KeySpan, match: pair.Key, field: pair.Key})
		}
		for _, v := range values {
			if c.pattern != nil && !c.pattern.MatchString(v.Text) {
				out = append(out, hit{at: v.Span, match: v.Text, field: pair.Key, value: v.Text})
			}
		}
	}
	if there {
		return out
	}
	at := headOf(page)
	if page.Front != nil {
		at = page.Lines.Line(page.Lines.Position(page.Front.Span.Start).Line)
	}
	return []hit{{at: at, field: c.cond.Field.Name}}
}

// scalars returns the values below a node as one text.
func scalars(n *schema.Node) string {
	var out []string
	for _, v := range n.Scalars() {
		out = append(out, v.Text)
	}
	return strings.Join(out, ", ")
}
