package compiler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// PathMark separates the headings in the path of a part, as in "Limits > Burst".
const PathMark = " > "

// Part is a section of a page as it is in the file. The first one of a page may have no
// heading.
type Part struct {
	// Headings are the texts of its heading and of those above it, outermost first.
	Headings []string
	ID       string      // the heading's anchor
	Span     schema.Span // with the heading, up to the next heading of any level
	Whole    schema.Span // with the parts below it
}

// Heading returns the text of its heading, "" if it has none.
func (p *Part) Heading() string {
	if len(p.Headings) == 0 {
		return ""
	}
	return p.Headings[len(p.Headings)-1]
}

// Path returns the headings as one text.
func (p *Part) Path() string { return strings.Join(p.Headings, PathMark) }

// Parts returns the sections of a page in order. Together they are its body.
func Parts(p *schema.Page) []Part {
	out := []Part{{Span: schema.Span{Start: p.Body, End: len(p.Source)}, Whole: schema.Span{Start: p.Body, End: len(p.Source)}}}
	var open []int // headings above, by number
	for i, h := range p.Headings {
		if h.Span.Start < out[len(out)-1].Span.Start {
			continue
		}
		for len(open) > 0 && p.Headings[open[len(open)-1]].Level >= h.Level {
			open = open[:len(open)-1]
		}
		open = append(open, i)
		part := Part{ID: h.ID, Span: schema.Span{Start: h.Span.Start, End: len(p.Source)}, Whole: schema.Span{Start: h.Span.Start, End: len(p.Source)}}
		for _, at := range open {
			part.Headings = append(part.Headings, strings.Join(strings.Fields(p.Headings[at].Text), " "))
		}
		if next := slices.IndexFunc(p.Headings[i+1:], func(n schema.Heading) bool { return n.Level <= h.Level && n.Span.Start >= h.Span.End }); next >= 0 {
			part.Whole.End = p.Headings[i+1+next].Span.Start
		}
		out[len(out)-1].Span.End = h.Span.Start
		out = append(out, part)
	}
	out[0].Whole.End = out[0].Span.End
	if strings.TrimSpace(string(out[0].Span.In(p.Source))) == "" && len(out) > 1 {
		return out[1:]
	}
	return out
}

// PartError is the name of a part that fits none, or several, of a page.
type PartError struct {
	Page, Name string
	Fit        []string // what the name fits, with the line of each; empty for none
	Known      []string // the paths of the page's parts
}

func (e *PartError) Error() string {
	if len(e.Fit) > 0 {
		return fmt.Sprintf("%s: %d sections are called %q", e.Page, len(e.Fit), e.Name)
	}
	return fmt.Sprintf("%s: section %q not found", e.Page, e.Name)
}

// Hint lists what may be meant.
func (e *PartError) Hint() string {
	if len(e.Fit) > 0 {
		return "use the anchor or the full heading path: " + strings.Join(e.Fit, ", ")
	}
	if near, ok := schema.Nearest(e.Name, e.Known); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(e.Known) == 0 {
		return "the page has no headings"
	}
	return "the sections are " + strings.Join(e.Known[:min(len(e.Known), 12)], ", ")
}

// FindPart returns the part of a page with this name: the full path of its headings, its
// anchor with or without #, or, unless full is set, the end of its path. The name of
// several parts is a [*PartError], as is that of none.
func FindPart(p *schema.Page, name string, full bool) (Part, error) {
	var all []Part
	for _, part := range Parts(p) {
		if len(part.Headings) > 0 {
			all = append(all, part)
		}
	}
	want := strings.Split(name, strings.TrimSpace(PathMark))
	for i, w := range want {
		want[i] = strings.Join(strings.Fields(strings.TrimLeft(strings.TrimSpace(w), "#")), " ")
	}
	fits := []func(*Part) bool{
		func(q *Part) bool { return slices.Equal(q.Headings, want) || q.Path() == name },
		func(q *Part) bool { return q.ID == strings.TrimPrefix(name, "#") },
	}
	if !full {
		fits = append(fits, func(q *Part) bool {
			return len(want) <= len(q.Headings) && slices.EqualFunc(q.Headings[len(q.Headings)-len(want):], want, strings.EqualFold)
		})
	}
	e := &PartError{Page: p.Path, Name: name}
	for _, fit := range fits {
		var found []Part
		for i := range all {
			if fit(&all[i]) {
				found = append(found, all[i])
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			for _, f := range found {
				e.Fit = append(e.Fit, fmt.Sprintf("#%s (line %d)", f.ID, p.Lines.Position(f.Span.Start).Line))
			}
			return Part{}, e
		}
	}
	for i := range all {
		e.Known = append(e.Known, all[i].Path())
	}
	return Part{}, e
}
