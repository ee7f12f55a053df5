package site

import (
	"fmt"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/secret"
	"github.com/loopwiki/wiki/site/theme"
)

// Of what changed the list of recent changes has at most this much; it counts the rest.
const (
	maxChangedPages = 200
	maxChangedParts = 12
	maxChangedLines = 8
	maxChangedText  = 400 // bytes of one line
)

// since is what changed since a revision, nil if nobody asked for it.
func (s *Site) since(name string) *theme.Since {
	d := s.opt.Since
	if d == nil {
		return nil
	}
	out := &theme.Since{Title: fmt.Sprintf(s.words.Change.Since, d.Name, d.Date)}
	for i := range d.Pages {
		p := &d.Pages[i]
		page := s.byPath(p.Path)
		if p.Kind != schema.ChangeRemoved && (page == nil || page.Layer == schema.LayerSource) {
			continue
		}
		if len(out.Pages) == maxChangedPages {
			out.More = fmt.Sprintf(s.words.Change.More, len(d.Pages)-i)
			break
		}
		c := theme.ChangedPage{Link: theme.Link{Title: p.Title, Note: p.Path}, Kind: string(p.Kind), Label: s.changeLabel(p.Kind), Was: p.Was}
		if page != nil && p.Kind != schema.ChangeRemoved {
			c.Title, c.Href = s.titles[page.ID], relative(name, s.place[page.ID])
		}
		if len(p.Fields) > 0 {
			c.Parts = append(c.Parts, s.changedPart(theme.ChangedPart{Title: s.words.Change.FrontMatter}, p.Fields))
		}
		for j := range p.Sections {
			sec := &p.Sections[j]
			if len(c.Parts) == maxChangedParts {
				c.More = fmt.Sprintf(s.words.Change.More, len(p.Sections)-j)
				break
			}
			part := theme.ChangedPart{Title: sec.Heading, Was: sec.Was}
			if sec.Kind != schema.ChangeChanged {
				part.Label = s.changeLabel(sec.Kind)
			}
			c.Parts = append(c.Parts, s.changedPart(part, sec.Lines))
		}
		out.Pages = append(out.Pages, c)
	}
	return out
}

// changedPart adds lines to a part. What looks like a secret is left out, above all where
// somebody removed it.
func (s *Site) changedPart(part theme.ChangedPart, lines []schema.LineChange) theme.ChangedPart {
	more := 0
	for _, l := range lines {
		if hasSecret(l.Was) || hasSecret(l.Now) || len(part.Lines) == maxChangedLines {
			more++
			continue
		}
		part.Lines = append(part.Lines, theme.ChangedLine{Name: l.Name, Was: shortLine(l.Was), Now: shortLine(l.Now)})
	}
	if more > 0 {
		part.More = fmt.Sprintf(s.words.Change.More, more)
	}
	return part
}

func hasSecret(line string) bool {
	found, _, _ := secret.Find([]byte(line), 0)
	return found != nil
}

func shortLine(line string) string { return clip(line, maxChangedText) }

func (s *Site) changeLabel(k schema.ChangeKind) string {
	switch k {
	case schema.ChangeAdded:
		return s.words.Change.Added
	case schema.ChangeRemoved:
		return s.words.Change.Removed
	}
	return s.words.Change.Changed
}

// byPath returns the page of the site at a path, or nil.
func (s *Site) byPath(name string) *schema.Page {
	for _, p := range s.pages {
		if p.Path == name {
			return p
		}
	}
	return nil
}
