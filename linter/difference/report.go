package difference

import (
	"fmt"
	"io"
	"strings"

	"github.com/loopwiki/wiki/schema/text"
)

// mostLines is how many lines of a section the text report shows.
const mostLines = 20

// Text writes the document for a terminal; with all, nothing is cut.
func Text(to io.Writer, d *Document, all bool) {
	r := &printer{w: to, all: all}
	r.pages(d)
	r.findings("contradictions opened", d.Contradictions.Opened)
	r.findings("contradictions closed", d.Contradictions.Closed)
	r.findings("links broken", d.Links.Broken)
	r.findings("links mended", d.Links.Mended)
	r.states(d.Freshness.Changed)
	r.findings("became stale", d.Freshness.Stale)
	r.findings("no longer reported as stale", d.Freshness.Resolved)
	r.printf("%s\n", Summary(d))
}

// Summary is the document in one line.
func Summary(d *Document) string {
	if d.Empty() {
		return "no changes"
	}
	var parts []string
	count := func(n int, noun, what string) {
		if n > 0 {
			parts = append(parts, text.Count(n, noun)+" "+what)
		}
	}
	count(len(d.Pages.Added), "page", "added")
	count(len(d.Pages.Removed), "page", "removed")
	moved, changed := 0, 0
	for _, p := range d.Pages.Changed {
		if p.Was != "" {
			moved++
		}
		if p.Was == "" || len(p.Fields)+len(p.Sections) > 0 {
			changed++
		}
	}
	count(moved, "page", "moved")
	count(changed, "page", "changed")
	count(len(d.Claims.Changed), "value", "changed")
	count(len(d.Contradictions.Opened), "contradiction", "opened")
	count(len(d.Contradictions.Closed), "contradiction", "closed")
	count(len(d.Links.Broken), "link", "broken")
	count(len(d.Links.Mended), "link", "mended")
	count(len(d.Freshness.Stale), "stale finding", "opened")
	count(len(d.Freshness.Resolved), "stale finding", "resolved")
	return strings.Join(parts, ", ")
}

// printer writes lines; the writer below keeps its first error.
type printer struct {
	w   io.Writer
	all bool // nothing is cut
}

func (r *printer) short(s string) string {
	if r.all {
		return s
	}
	return short(s)
}

func (r *printer) printf(format string, args ...any) { text.Fprintf(r.w, format, args...) }

func (r *printer) pages(d *Document) {
	for _, p := range d.Pages.Added {
		r.printf("added    %s  %s (%s, %s)\n", p.Path, p.Title, text.Count(p.Words, "word"), text.Count(p.Claims, "claim"))
	}
	for _, p := range d.Pages.Removed {
		r.printf("removed  %s  %s (%s, %s)\n", p.Path, p.Title, text.Count(p.Words, "word"), text.Count(p.Claims, "claim"))
	}
	for i := range d.Pages.Changed {
		r.page(d, &d.Pages.Changed[i])
	}
}

func (r *printer) page(d *Document, c *PageChange) {
	if c.Was != "" {
		r.printf("moved    %s -> %s  %s\n", c.Was, c.Path, c.Title)
	} else {
		r.printf("changed  %s  %s\n", c.Path, c.Title)
	}
	for _, f := range c.Fields {
		was, now := differing(f.Was, f.Now)
		r.printf("  %s: %s -> %s\n", f.Name, orNone(was), orNone(now))
	}
	r.some(values(d, c), "value")
	for _, s := range c.Sections {
		name := strings.Join(s.Heading, " / ")
		if name == "" {
			name = "(top)"
		}
		if s.Change == SectionRenamed {
			r.printf("  section %q was %q\n", name, s.Was)
		} else {
			r.printf("  section %q %s%s\n", name, s.Change, lineAt(s))
		}
		var changed []string
		for _, c := range s.Changed {
			was, now := c.Was, c.Now
			if !r.all {
				was, now = differing(was, now)
			}
			changed = append(changed, "  - "+was, "  + "+now)
		}
		for _, t := range s.Removed {
			changed = append(changed, "  - "+r.short(t))
		}
		for _, t := range s.Added {
			changed = append(changed, "  + "+r.short(t))
		}
		r.some(changed, "line")
	}
}

// lineAt is where a section is; of a removed one there is no place now.
func lineAt(s SectionChange) string {
	if s.Change == SectionRemoved {
		return ""
	}
	return fmt.Sprintf(" (line %d)", s.Line)
}

// values are the claims of a page that have another value now.
func values(d *Document, p *PageChange) (out []string) {
	for _, c := range d.Claims.Changed {
		if c.Now.Path == p.Path && c.Now.Attr != statement { // sentences are among the lines of their sections
			out = append(out, fmt.Sprintf("%s: %s -> %s (line %d)", about(c.Now), short(c.Was.Text), short(c.Now.Text), c.Now.Line))
		}
	}
	return out
}

// statement is the attribute of a sentence.
const statement = "statement"

// about names what a claim is about.
func about(c Claim) string {
	if c.Attr == statement || c.Attr == "" {
		return c.Subject
	}
	return c.Attr + " of " + c.Subject
}

// InWords is a claim in one line.
func InWords(c Claim) string {
	if c.Attr == statement {
		return short(c.Text)
	}
	return about(c) + ": " + short(c.Text)
}

func (r *printer) some(lines []string, noun string) {
	for i, l := range lines {
		if i == mostLines && !r.all {
			r.printf("    and %s\n", text.Count(len(lines)-i, "more "+noun))
			return
		}
		r.printf("  %s\n", l)
	}
}

func (r *printer) findings(title string, list []Finding) {
	if len(list) == 0 {
		return
	}
	r.printf("%s\n", title)
	for _, f := range list {
		r.printf("  %s:%d:%d: %s [%s]\n", f.Path, f.Line, f.Column, f.Message, f.Rule)
	}
}

func (r *printer) states(list []StateChange) {
	if len(list) == 0 {
		return
	}
	r.printf("freshness\n")
	for _, s := range list {
		reason := ""
		if s.Reason != "" {
			reason = ": " + s.Reason
		}
		r.printf("  %s: %s -> %s%s\n", s.Path, s.Was, s.Now, reason)
	}
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return short(s)
}

// mostRunes is the length at which a text is cut in reports.
const mostRunes = 100

func short(s string) string {
	runes := []rune(s)
	if len(runes) <= mostRunes {
		return s
	}
	return strings.TrimSpace(string(runes[:mostRunes])) + "…"
}

// kept is how much of what two texts share is shown before the place where they differ.
const kept = 30

// differing are two texts from shortly before the place where they begin to differ.
func differing(was, now string) (string, string) {
	a, b := []rune(was), []rune(now)
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	cut := same - kept
	if max(len(a), len(b)) <= mostRunes || cut <= 0 {
		return short(was), short(now)
	}
	for cut < same && a[cut-1] != ' ' {
		cut++
	}
	return "…" + short(string(a[cut:])), "…" + short(string(b[cut:]))
}
