package difference

import (
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// ByPage returns what changed in pages, page by page and without markup: the pages that
// are new first, then those that changed, then those that are gone.
func ByPage(d *Document) *schema.SinceRevision {
	out := &schema.SinceRevision{Name: d.From.Name, Date: d.From.Date}
	whole := func(pages []Page, kind schema.ChangeKind) {
		for _, p := range pages {
			out.Pages = append(out.Pages, schema.PageChange{Path: p.Path, Title: p.Title, Kind: kind})
		}
	}
	whole(d.Pages.Added, schema.ChangeAdded)
	for i := range d.Pages.Changed {
		p := &d.Pages.Changed[i]
		c := schema.PageChange{Path: p.Path, Title: p.Title, Kind: schema.ChangeChanged, Was: p.Was}
		for _, f := range p.Fields {
			if schema.FieldOf(f.Name) != schema.FieldUpdated {
				c.Fields = append(c.Fields, schema.LineChange{Name: f.Name, Was: f.Was, Now: f.Now})
			}
		}
		for j := range p.Sections {
			c.Sections = append(c.Sections, bySection(&p.Sections[j]))
		}
		if c.Was != "" || len(c.Fields)+len(c.Sections) > 0 {
			out.Pages = append(out.Pages, c)
		}
	}
	whole(d.Pages.Removed, schema.ChangeRemoved)
	return out
}

func bySection(s *SectionChange) schema.SectionChange {
	out := schema.SectionChange{Was: s.Was, Kind: schema.ChangeChanged}
	if n := len(s.Heading); n > 0 {
		out.Heading = s.Heading[n-1]
	}
	switch s.Change {
	case SectionAdded:
		out.Kind = schema.ChangeAdded
	case SectionRemoved:
		out.Kind = schema.ChangeRemoved
	}
	for _, c := range s.Changed {
		if was, now := unmarked(c.Was), unmarked(c.Now); was != now {
			out.Lines = append(out.Lines, schema.LineChange{Was: was, Now: now})
		}
	}
	for _, line := range s.Removed {
		out.Lines = append(out.Lines, schema.LineChange{Was: unmarked(line)})
	}
	for _, line := range s.Added {
		out.Lines = append(out.Lines, schema.LineChange{Now: unmarked(line)})
	}
	return out
}

// inlineMarks are those within a line that its text can do without.
var inlineMarks = strings.NewReplacer("**", "", "`", "")

// unmarked returns a line of markdown as it reads: without markup, and the cells of a row
// with commas between them.
func unmarked(line string) string {
	row, ok := strings.CutPrefix(strings.TrimSpace(line), "|")
	if !ok {
		return plain(line)
	}
	var cells []string
	for cell := range strings.SplitSeq(strings.ReplaceAll(strings.TrimSuffix(row, "|"), `\|`, "\x00"), "|") {
		cells = append(cells, plain(strings.ReplaceAll(cell, "\x00", "|")))
	}
	return strings.Join(cells, ", ")
}

func plain(line string) string {
	return text.Collapse(inlineMarks.Replace(claim.PlainText([]byte(line))))
}
