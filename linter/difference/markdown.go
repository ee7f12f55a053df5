package difference

import (
	"fmt"
	"io"
	"strings"

	"github.com/loopwiki/wiki/schema/text"
)

// mostRows is how many rows of a table or items of a list the markdown report shows.
const mostRows = 50

// Markdown writes the document for the comment of a pull request.
func Markdown(to io.Writer, d *Document) {
	r := &printer{w: to}
	r.printf("### Wiki changes\n\n%s.\n", Summary(d))
	r.conflicts(d)
	r.values(d.Claims.Changed)
	var items []string
	for _, f := range d.Links.Broken {
		items = append(items, findingItem("broken", f))
	}
	for _, f := range d.Links.Mended {
		items = append(items, findingItem("mended", f))
	}
	r.list("Links", items)
	items = nil
	for _, f := range d.Freshness.Stale {
		items = append(items, findingItem("stale", f))
	}
	for _, f := range d.Freshness.Resolved {
		items = append(items, findingItem("resolved", f))
	}
	for _, s := range d.Freshness.Changed {
		items = append(items, fmt.Sprintf("%s: %s → %s", code(s.Path), s.Was, s.Now))
	}
	r.list("Freshness", items)
	r.list("Pages", pageItems(d))
}

func (r *printer) conflicts(d *Document) {
	var items []string
	for _, f := range d.Contradictions.Opened {
		items = append(items, findingItem("opened", f))
	}
	for _, f := range d.Contradictions.Closed {
		items = append(items, findingItem("closed", f))
	}
	r.list("Contradictions", items)
}

// values is a table of the claims that have another value now.
func (r *printer) values(list []ClaimChange) {
	if len(list) == 0 {
		return
	}
	r.printf("\n#### Values\n\n| claim | before | now | place |\n| --- | --- | --- | --- |\n")
	for i, c := range list {
		if i == mostRows {
			r.printf("\n%s\n", text.Count(len(list)-i, "more claim"))
			break
		}
		r.printf("| %s | %s | %s | %s |\n", inert(about(c.Now)), inert(short(c.Was.Text)), inert(short(c.Now.Text)), code(fmt.Sprintf("%s:%d", c.Now.Path, c.Now.Line)))
	}
}

func pageItems(d *Document) (items []string) {
	for _, p := range d.Pages.Added {
		items = append(items, fmt.Sprintf("added %s: %s, %s", code(p.Path), inert(p.Title), text.Count(p.Claims, "claim")))
	}
	for _, p := range d.Pages.Removed {
		items = append(items, fmt.Sprintf("removed %s: %s", code(p.Path), inert(p.Title)))
	}
	for _, c := range d.Pages.Changed {
		what := "changed"
		if c.Was != "" {
			what = "moved from " + code(c.Was) + " to"
		}
		var parts []string
		for _, f := range c.Fields {
			parts = append(parts, fmt.Sprintf("%s: %s → %s", inert(f.Name), inert(orNone(f.Was)), inert(orNone(f.Now))))
		}
		for _, s := range c.Sections {
			name := "the top"
			if len(s.Heading) > 0 {
				name = "“" + inert(strings.Join(s.Heading, " / ")) + "”"
			}
			parts = append(parts, name+" "+s.Change+counts(s))
		}
		items = append(items, strings.TrimSuffix(what+" "+code(c.Path)+": "+strings.Join(parts, "; "), ": "))
	}
	return items
}

func (r *printer) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	r.printf("\n#### %s\n\n", title)
	for i, s := range items {
		if i == mostRows {
			r.printf("- and %s\n", text.Count(len(items)-i, "more"))
			return
		}
		r.printf("- %s\n", s)
	}
}

func findingItem(what string, f Finding) string {
	return fmt.Sprintf("%s: %s: %s (%s)", what, code(fmt.Sprintf("%s:%d", f.Path, f.Line)), inert(f.Message), f.Rule)
}

// markup is what makes a text of a page more than text in markdown, mentions of people
// included.
var markup = strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "<", "&lt;", ">", "&gt;", "|", "\\|", "@", "@\u200b", "#", "\\#", "!", "\\!", "\n", " ")

// inert is a text of a page that markdown shows as it is.
func inert(s string) string { return markup.Replace(text.Collapse(s)) }

// code is a text in a span of code, longer marks than any in it around it.
func code(s string) string {
	s = strings.ReplaceAll(text.Collapse(s), "|", "\\|")
	marks := "`"
	for strings.Contains(s, marks) {
		marks += "`"
	}
	if len(marks) > 1 {
		return marks + " " + s + " " + marks
	}
	return marks + s + marks
}

// counts are the numbers of a section's texts that changed.
func counts(s SectionChange) string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{len(s.Changed), "reworded"}, {len(s.Added), "added"}, {len(s.Removed), "removed"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
