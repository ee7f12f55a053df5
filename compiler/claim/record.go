package claim

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Records says which parts of a page describe a moment on purpose: an audit, a decision, a
// plan, evidence. What they say of the code isn't a claim about the code as it is now.
//
// It is narrower than [Mute]: such a page may state facts that hold, but its pointers into
// the code are those of its day.
type Records struct {
	reason string        // of the whole page
	parts  []recordPart  // the page and then each heading up to the next, in order
	lines  []schema.Span // that are records by themselves, in order
}

// recordPart is a part of a page without headings in it. What a section says holds for the
// sections in it too.
type recordPart struct {
	start  int
	reason string // why the part is a record, empty for none
	commit string // that the part says it describes: its id or the first digits of it
}

// NewRecords reads what a page says of its own time.
func NewRecords(page *schema.Page) *Records {
	body := schema.Span{Start: page.Body, End: len(page.Source)}
	first := slices.IndexFunc(page.Headings, func(h schema.Heading) bool { return h.Level > 1 })
	lead, opening := headLines(page, body, mostHead), []headLine(nil)
	head := lead
	if first >= 0 {
		lead = headLines(page, schema.Span{Start: body.Start, End: page.Headings[first].Span.Start}, mostHead)
		opening = headLines(page, belowHeading(page, first), mostSectionHead)
	}
	whole := recordPart{commit: commitIn(lead, auditedAt)}
	r := &Records{reason: pageReason(page, head, lead, opening), parts: []recordPart{whole}}
	var within [7]recordPart // by level of heading, the part that is around those of the next
	for level := range within {
		within[level] = whole
	}
	for i := range page.Headings {
		h := &page.Headings[i]
		level := min(max(h.Level, 1), len(within)-1)
		part := within[level-1]
		part.start = h.Span.Start
		if level > 1 {
			head := headLines(page, belowHeading(page, i), mostSectionHead)
			part.reason = cmp.Or(part.reason, sectionReason(h.Text, head))
			part.commit = cmp.Or(commitIn(head, checkedAt), part.commit)
		}
		for inner := level; inner < len(within); inner++ {
			within[inner] = part
		}
		r.parts = append(r.parts, part)
	}
	r.lines = evidenceLines(page, body)
	return r
}

// belowHeading returns what stands between a heading and the next.
func belowHeading(page *schema.Page, i int) schema.Span {
	own := schema.Span{Start: page.Headings[i].Span.End, End: len(page.Source)}
	if i+1 < len(page.Headings) {
		own.End = page.Headings[i+1].Span.Start
	}
	return own
}

// Page reports whether the whole page is a record.
func (r *Records) Page() bool { return r.reason != "" }

// At reports whether the page, a section around an offset, or its line is a record.
func (r *Records) At(offset int) bool { return r.Reason(offset) != "" }

// Reason says why the page, a section around an offset, or its line is a record; empty when
// it is none.
func (r *Records) Reason(offset int) string {
	if why := cmp.Or(r.reason, r.part(offset).reason); why != "" {
		return why
	}
	i, _ := slices.BinarySearchFunc(r.lines, offset, func(line schema.Span, at int) int { return cmp.Compare(line.End, at+1) })
	if i < len(r.lines) && r.lines[i].Contains(offset) {
		return "the line says what was found at the time"
	}
	return ""
}

// Commit returns the commit that the innermost section around an offset, or the page, says
// it describes; empty for none.
func (r *Records) Commit(offset int) string { return r.part(offset).commit }

// part returns the part that an offset is in.
func (r *Records) part(offset int) *recordPart {
	i, _ := slices.BinarySearchFunc(r.parts, offset, func(p recordPart, at int) int { return cmp.Compare(p.start, at+1) })
	return &r.parts[max(i-1, 0)]
}

// sectionReason says why a section is a record; empty when it is none.
func sectionReason(heading string, head []headLine) string {
	switch {
	case anyLine(head, evidence):
		return "the section says what was found at the time"
	case maintained().MatchString(strings.ToLower(heading)) || anyLine(head, maintained):
		return ""
	case holdsDay(heading):
		return "the section's heading has a day"
	case slices.ContainsFunc(head, headLine.dated):
		return "the section begins with a date"
	}
	return ""
}

// evidenceLines returns the lines that say that they are about what was found then.
func evidenceLines(page *schema.Page, body schema.Span) []schema.Span {
	text := body.In(page.Source)
	lower := bytes.ToLower(text)
	if !slices.ContainsFunc(evidenceWords, func(w []byte) bool { return bytes.Contains(lower, w) }) {
		return nil // nearly always, and cheaper to know than by an expression
	}
	var out []schema.Span
	for _, at := range evidence().FindAllIndex(text, -1) {
		start := body.Start + at[0]
		if len(out) == 0 || out[len(out)-1].End <= start {
			out = append(out, page.Lines.Line(page.Lines.Position(start).Line))
		}
	}
	return out
}

func commitIn(head []headLine, by expression) string {
	for _, line := range head {
		if m := by().FindStringSubmatch(line.text); m != nil && strings.ContainsAny(m[1], "0123456789") && strings.ContainsAny(m[1], "abcdef") {
			return m[1]
		}
	}
	return ""
}
