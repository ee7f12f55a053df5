package site

import (
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// watched describes the code that a page was verified against; chip is set next to the
// word verified.
func (s *Site) watched(w schema.Watched, chip bool) string {
	if w.Symbols == 0 {
		return ""
	}
	t := s.words
	by := ""
	if len(w.By) > 0 {
		by = " " + t.VerifiedBy + " " + clip(oneLine(strings.Join(w.By, ", ")), 80)
	}
	text := t.VerifiedOn + " " + w.Since.String() + by + " " + t.Against + " " + t.Count(w.Symbols, t.SymbolOne, t.SymbolMany)
	if !chip {
		text = t.Verified + " " + text
	}
	if w.Changed > 0 {
		text += "; " + t.Count(w.Changed, t.ChangedOne, t.ChangedMany)
	}
	return text
}

// mostNotes bounds the notes that a page begins with.
const mostNotes = 8

// watchedBlock shows where a page and the code do not agree.
var watchedBlock = block{name: "watched", above: true, data: func(s *Site, p *schema.Page, _ string) any {
	if notes := s.watchNotes(s.fresh[p.ID].Watched.Notes); len(notes) > 0 {
		return notes
	}
	return nil
}}

func (s *Site) watchNotes(notes []schema.WatchNote) []theme.Note {
	var out []theme.Note
	for _, n := range notes[:min(len(notes), mostNotes)] {
		v := theme.Note{Name: n.Name, Says: clip(n.Says, 80), Was: clip(n.Was, 200), Code: clip(n.Code, 200), Place: n.Path, Href: s.codeURL(path.Clean(n.Path), n.Line, 0)}
		if !n.Since.Time.IsZero() {
			v.Since = n.Since.String()
		}
		out = append(out, v)
	}
	return out
}

// stale returns a function that says why a citation is outdated, nil if none on the page
// is.
func (s *Site) stale(p *schema.Page) func(at schema.Span) string {
	marks := s.opt.Watched[p.Path].Stale
	if len(marks) == 0 {
		return nil
	}
	return func(at schema.Span) string {
		i := slices.IndexFunc(marks, func(m schema.StaleMark) bool { return m.Span.Overlaps(at) })
		if i < 0 {
			return ""
		}
		t := s.words
		switch m := &marks[i]; {
		case m.Says != "":
			return t.CitedLack + " " + clip(m.Says, 80)
		case m.Moved != "":
			return t.CitedMoved + " " + m.Moved
		case m.Now != "":
			return t.CitedChanged + ": " + clip(m.Now, 200)
		}
		return t.CitedChanged
	}
}
