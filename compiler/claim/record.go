package claim

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// Records says which parts of a page describe a moment on purpose: an audit, a decision, a
// plan, evidence. What they say of the code isn't a claim about the code as it is now.
//
// It is narrower than [Mute]: such a page may state facts that hold, but its pointers into
// the code are those of its day.
type Records struct {
	page     *schema.Page
	whole    bool
	sections []schema.Span
	pins     []pin
}

// pin is a part of a page that names the commit which it describes.
type pin struct {
	span   schema.Span
	commit string // its id or the first digits of it
}

// NewRecords reads what a page says of its own time.
func NewRecords(page *schema.Page) *Records {
	r := &Records{page: page}
	body := schema.Span{Start: page.Body, End: len(page.Source)}
	head, before := headLines(page, body, mostHead), body
	if i := slices.IndexFunc(page.Headings, func(h schema.Heading) bool { return h.Level > 1 }); i >= 0 {
		before.End = page.Headings[i].Span.Start
	}
	lead := headLines(page, before, mostHead)
	r.whole = Decision(page) || datedName(page) || planned(page) || historic(page, head) || dated(page, head) || anyLine(lead, evidence)
	r.pin(body, lead, auditedAt)
	for i := range page.Headings {
		h := &page.Headings[i]
		if h.Level < 2 {
			continue
		}
		section := schema.Span{Start: h.Span.Start, End: len(page.Source)}
		if k := slices.IndexFunc(page.Headings[i+1:], func(next schema.Heading) bool { return next.Level <= h.Level }); k >= 0 {
			section.End = page.Headings[i+1+k].Span.Start
		}
		body := schema.Span{Start: h.Span.End, End: section.End}
		if i+1 < len(page.Headings) {
			body.End = min(body.End, page.Headings[i+1].Span.Start)
		}
		head := headLines(page, body, mostSectionHead)
		if HoldsDay(h.Text) || anyLine(head, datedField) && anyLine(head, day) || anyLine(head, evidence) {
			r.sections = append(r.sections, section)
		}
		r.pin(section, head, checkedAt)
	}
	return r
}

// Page reports whether the whole page is a record.
func (r *Records) Page() bool { return r.whole }

// At reports whether the page, a section around an offset, or its line is a record.
func (r *Records) At(offset int) bool {
	if r.whole || slices.ContainsFunc(r.sections, func(s schema.Span) bool { return s.Contains(offset) }) {
		return true
	}
	line := r.page.Lines.Line(r.page.Lines.Position(offset).Line)
	return evidence().MatchString(strings.ToLower(string(line.In(r.page.Source))))
}

// Commit returns the commit that the innermost section around an offset, or the page, says
// it describes; empty for none.
func (r *Records) Commit(offset int) string {
	commit := ""
	for _, p := range r.pins {
		if p.span.Contains(offset) {
			commit = p.commit
		}
	}
	return commit
}

func (r *Records) pin(span schema.Span, head []string, by expression) {
	for _, line := range head {
		if m := by().FindStringSubmatch(line); m != nil && strings.ContainsAny(m[1], "0123456789") && strings.ContainsAny(m[1], "abcdef") {
			r.pins = append(r.pins, pin{span, m[1]})
			return
		}
	}
}

// Decision reports whether a page records a decision, which was made about the code of its
// day.
func Decision(page *schema.Page) bool {
	kind := strings.ToLower(page.Meta.Type)
	file := strings.ToLower(strings.TrimSuffix(page.Path, path.Ext(page.Path)))
	return kind == "decision" || kind == "adr" || decisionTitle().MatchString(page.Title) || decisionTitle().MatchString(path.Base(file)) ||
		slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(dir string) bool {
			return oneOf(strings.TrimLeft(dir, "_0123456789-."), decisionFolders)
		})
}

// datedName reports whether a day stands in a page's path or title, or a month in its path.
func datedName(page *schema.Page) bool {
	return HoldsDay(page.Path) || HoldsDay(page.Title) || month().MatchString(page.Path)
}

// planned reports whether a page's path says that it is about what is to be done. A page
// called plans tells what one can buy.
func planned(page *schema.Page) bool {
	file := strings.TrimSuffix(page.Path, path.Ext(page.Path))
	if strings.EqualFold(path.Base(file), "plans") {
		file = path.Dir(file)
	}
	return slices.ContainsFunc(strings.Split(file, "/"), func(part string) bool {
		words := split(strings.TrimRight(part, "-_. 0123456789"))
		for i, w := range words {
			w = singular(w)
			outer := i+1 == len(words) || i == 0 && strings.HasPrefix(part, "PLAN") // plan-mode is a feature
			if planWords[w] && (w != "plan" || outer) {
				return true
			}
		}
		return false
	})
}

// historic reports whether the head of a page says that the page is history.
func historic(page *schema.Page, head []string) bool {
	title := strings.ToLower(page.Title) // what a page about a feature is called says nothing
	return slices.ContainsFunc(head, func(line string) bool {
		return line != title && (historicAnywhere().MatchString(line) || historicFirst().MatchString(label().ReplaceAllString(line, "")) ||
			ofThisPage().MatchString(line) && historicHere().MatchString(line))
	})
}

// dated reports whether a page is a report of a review, an audit or alike: its path or title
// has the word, and its head a field with a day, a reviewer or a status. A page that is kept
// up to date says so there.
func dated(page *schema.Page, head []string) bool {
	words := append(split(strings.TrimSuffix(page.Path, path.Ext(page.Path))), split(page.Title)...)
	for i, w := range words {
		words[i] = singular(w)
	}
	if strings.Contains(strings.Join(words, " "), "fix summary") {
		return true
	}
	if !slices.ContainsFunc(words, func(w string) bool { return recordWords[w] }) || anyLine(head, maintained) {
		return false
	}
	front := !page.Meta.Created.IsZero() && page.Meta.Updated.IsZero() && len(page.Meta.Verified) == 0
	return front || anyLine(head, datedField)
}

// mostHead and mostSectionHead are how many lines that hold anything tell what a page and a
// section are.
const (
	mostHead        = 12
	mostSectionHead = 5
)

// headLines returns the first lines of a part of a page that hold anything, in lower case
// and without marks of emphasis, headings and quotations.
func headLines(page *schema.Page, of schema.Span, most int) []string {
	var out []string
	for line := range strings.Lines(string(of.In(page.Source))) {
		line = strings.Trim(emphasis.Replace(line), " \t\r\n\ufeff-|")
		if line == "" {
			continue
		}
		if out = append(out, strings.ToLower(line)); len(out) == most {
			break
		}
	}
	return out
}

func anyLine(lines []string, of expression) bool {
	return slices.ContainsFunc(lines, of().MatchString)
}

// HoldsDay reports whether a text holds a day as 2026-07-01, 2026_07_01, 2026/07/01 or
// 20260701.
func HoldsDay(text string) bool {
	for i := 0; i+8 <= len(text); i++ {
		if text[i] != '1' && text[i] != '2' || i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
			continue
		}
		digits := make([]byte, 0, 9)
		for k := i; k < len(text) && len(digits) < 9; k++ {
			c := text[k]
			separates := (len(digits) == 4 || len(digits) == 6) && strings.IndexByte("-_./", c) >= 0
			if c < '0' || c > '9' {
				if separates && k+1 < len(text) && text[k+1] >= '0' && text[k+1] <= '9' && text[k-1] >= '0' && text[k-1] <= '9' {
					continue
				}
				break
			}
			digits = append(digits, c)
		}
		if len(digits) == 8 {
			if _, err := time.Parse("20060102", string(digits)); err == nil {
				return true
			}
		}
	}
	return false
}
