package site

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/public"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

const (
	maxContradictions = 30 // shown on one page
	maxSides          = 8  // shown of one contradiction
)

// The states of a contradiction, in the order of their lists.
const (
	judged       = iota // a model read both sides
	doubtful            // a rule compared values, and nobody has looked
	acknowledged        // a person knows of it
)

func stateOf(c *schema.Contradiction) int {
	switch {
	case c.Acknowledged != nil:
		return acknowledged
	case c.Judged:
		return judged
	}
	return doubtful
}

// takeContradictions keeps what readers may see. A published page is accused only of
// what was acknowledged or judged. A side on a page that is not published is left out,
// and the contradiction with it when nothing is left that it could contradict.
func (s *Site) takeContradictions(all []schema.Contradiction) {
	if len(all) == 0 {
		return
	}
	public := make(map[string]*schema.Page, len(s.pages))
	for _, p := range s.pages {
		public[p.Path] = p
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b schema.Contradiction) int { return stateOf(&a) - stateOf(&b) })
	for _, c := range all {
		sides := slices.DeleteFunc(slices.Clone(c.Sides), func(side schema.Side) bool { return public[side.Path] == nil })
		if len(sides) < min(2, len(c.Sides)) || len(sides) == 0 || !s.opt.Live && stateOf(&c) == doubtful {
			continue
		}
		c.Sides = sides
		n := len(s.contradictions)
		s.contradictions = append(s.contradictions, c)
		for _, side := range sides {
			p := public[side.Path]
			s.disputants[p.Path] = p
			if of := s.disputed[p.ID]; len(of) == 0 || of[len(of)-1] != n {
				s.disputed[p.ID] = append(of, n)
			}
		}
	}
}

// makeContradictions puts the list of all contradictions, when there are any.
func (s *Site) makeContradictions(n *names) {
	if len(s.contradictions) > 0 {
		s.disputesFile = s.putParts(n, contradictionsName, len(s.contradictions), func(part int) output { return contradictionsOutput{part} })
	}
}

// ContradictionFiles returns the files that show all contradictions or lead to
// them.
func (s *Site) ContradictionFiles() []string {
	return slices.Concat(s.lists[s.disputesFile], s.lists[s.pagesFile])
}

// contradictionsOutput lists the contradictions of the whole wiki.
type contradictionsOutput struct{ part int }

func (o contradictionsOutput) render(s *Site, name string) ([]byte, error) {
	l := theme.List{Frame: s.frame(name, s.words.Contradictions, nil, nil), Kind: "contradictions", Intro: s.contradictionsIntro(),
		Jump: s.jump(name, s.disputesFile, o.part)}
	l.Crumbs = []theme.Link{{Title: s.words.Home, Href: relative(name, homeName)}, {Title: s.words.AllPages, Href: relative(name, s.pagesFile)}}
	list := part(s.contradictions, o.part)
	for i := range list {
		c := s.contradiction(name, &list[i], nil)
		if g := len(l.Disputes); g == 0 || l.Disputes[g-1].Title != c.Label {
			l.Disputes = append(l.Disputes, theme.Disputes{Title: c.Label})
		}
		g := &l.Disputes[len(l.Disputes)-1]
		c.Label = "" // the title says it
		g.List = append(g.List, c)
	}
	return s.execute("list", l)
}

func (s *Site) contradictionsIntro() string {
	if s.opt.Live {
		return s.words.ContradictionsLive
	}
	return s.words.ContradictionsText
}

// disputeLink leads to the list of all contradictions, when there is one.
func (s *Site) disputeLink(from string) []theme.Link {
	if s.disputesFile == "" {
		return nil
	}
	return []theme.Link{{Title: s.words.Contradictions, Href: relative(from, s.disputesFile)}}
}

// disputeOf is the chip of a page that is part of an open contradiction: one that was
// judged, or the gravest of those that rules found.
func (s *Site) disputeOf(p *schema.Page) theme.Dispute {
	var out theme.Dispute
	var gravest schema.Severity
	for _, n := range s.disputed[p.ID] {
		c := &s.contradictions[n]
		switch stateOf(c) {
		case judged:
			return theme.Dispute{Label: s.words.Contradicted, Kind: "contested"}
		case doubtful:
			if out.Label == "" || c.Severity > gravest {
				gravest, out = c.Severity, theme.Dispute{Label: s.words.MayDisagree, Kind: c.Severity.String()}
			}
		}
	}
	return out
}

// disputeMarks are the places of a page that rules found to disagree with others. Only a
// preview has them.
func (s *Site) disputeMarks(p *schema.Page) []compiler.Mark {
	if !s.opt.Live {
		return nil
	}
	var out []compiler.Mark
	for _, n := range s.disputed[p.ID] {
		c := &s.contradictions[n]
		if stateOf(c) == acknowledged {
			continue
		}
		view := s.contradiction("", c, nil)
		for i := range c.Sides {
			if c.Sides[i].Path != p.Path {
				continue
			}
			out = append(out, compiler.Mark{
				Span: c.Sides[i].Span, Class: "doubt " + c.Severity.String(), Href: "#wiki.contradictions-of-page",
				Why: view.Label + " (" + c.Severity.String() + "): " + view.About,
			})
		}
	}
	slices.SortStableFunc(out, func(a, b compiler.Mark) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return out
}

// contradictionsBlock shows on a page what it is contradicted in.
var contradictionsBlock = block{name: "contradictions", data: func(s *Site, p *schema.Page, from string) any {
	all := s.disputed[p.ID]
	if len(all) == 0 {
		return nil
	}
	out := theme.Contradictions{Title: s.words.Contradicted, Href: relative(from, s.disputesFile)}
	if !slices.ContainsFunc(all, func(n int) bool { return stateOf(&s.contradictions[n]) != doubtful }) {
		out.Title = s.words.MayDisagree
	}
	for _, n := range all[:min(len(all), maxContradictions)] {
		out.List = append(out.List, s.contradiction(from, &s.contradictions[n], p))
	}
	return out
}}

// contradiction words one for readers of the file from; current is the page
// that it shows, whose side comes first, or nil.
func (s *Site) contradiction(from string, c *schema.Contradiction, current *schema.Page) theme.Contradiction {
	out := theme.Contradiction{About: clip(oneLine(c.About), 160), State: "contested", Label: s.words.ContradictionOpen}
	switch stateOf(c) {
	case acknowledged:
		out.State, out.Label, out.Detail = "", s.words.Acknowledged, s.acknowledged(c.Acknowledged)
	case doubtful:
		out.State, out.Label = c.Severity.String(), s.words.MayDisagree
	}
	sides := slices.Clone(c.Sides)
	if current != nil {
		slices.SortStableFunc(sides, func(a, b schema.Side) int {
			switch {
			case a.Path == current.Path && b.Path != current.Path:
				return -1
			case b.Path == current.Path && a.Path != current.Path:
				return 1
			}
			return 0
		})
	}
	var said []string
	for i := range sides {
		if i == maxSides {
			out.MoreSides = s.words.Format(s.words.MoreSources, len(sides)-maxSides)
			break
		}
		side := s.side(from, &sides[i], current)
		out.Sides = append(out.Sides, side)
		said = append(said, clip(oneLine(sides[i].Text), 60))
	}
	if out.About == "" { // declared by pages that do not say about what
		out.About = strings.Join(slices.Compact(said), " – ")
	}
	return out
}

// side quotes one side of a contradiction.
func (s *Site) side(from string, side *schema.Side, current *schema.Page) theme.Side {
	p := s.disputants[side.Path]
	out := theme.Side{Updated: day(s.fresh[p.ID].Updated)}
	anchor := ""
	for _, h := range p.Headings {
		if h.Span.Start > side.Span.Start {
			break
		}
		if h.Level > 1 {
			anchor, out.Under = h.ID, clip(h.Text, 80)
		} else {
			anchor, out.Under = "", ""
		}
	}
	out.Title, out.Href = s.titles[p.ID], s.pageHref(from, s.place[p.ID], anchor)
	if p == current {
		out.Title = s.words.ThisPage
		if anchor == "" {
			out.Href = "#wiki.content"
		}
	}
	out.Before, out.Marked, out.After = s.quote(p, side)
	return out
}

// quote returns the line of a side as readers see it, with its value marked.
func (s *Site) quote(p *schema.Page, side *schema.Side) (before, marked, after string) {
	line := p.Lines.Line(p.Lines.LineOf(side.Span.Start))
	span := side.Span
	span.End = max(span.Start, min(span.End, line.End))
	label := strings.TrimLeft(stripMarkup(private(strings.ToValidUTF8(clip(string(public.WithoutComments(p, span)), 300), ""))), "#> ")
	if row := line.In(p.Source); bytes.HasPrefix(bytes.TrimSpace(row), []byte("|")) {
		before = cells(public.WithoutComments(p, schema.Span{Start: line.Start, End: span.Start}))
		after = cells(public.WithoutComments(p, schema.Span{Start: span.End, End: line.End}))
		return lastSentence([]byte(strings.TrimLeft(before, "· "))), oneLine(label), firstSentence([]byte(strings.TrimRight(after, "· ")))
	}
	if title := strings.TrimLeft(string(line.In(p.Source)), "> \t"); strings.HasPrefix(title, "#") || strings.HasPrefix(title, "[!") {
		return "", oneLine(stripCallout(label)), below(p, line.End)
	}
	before, marked, after = sentence(p, span, line, label)
	before = strings.TrimLeft(before, "-*+> ")
	if key, ok := strings.CutSuffix(strings.TrimRight(before, " "), "::"); ok { // an inline field
		before = key + ": "
	}
	return before, marked, after
}

// stripCallout takes the kind off the title of a callout.
func stripCallout(title string) string {
	if _, rest, ok := strings.Cut(title, "]"); ok && strings.HasPrefix(title, "[!") {
		return strings.TrimLeft(rest, "+- ")
	}
	return title
}

// below returns what begins below a title, as far as one sentence of it.
func below(p *schema.Page, from int) string {
	end := len(p.Source)
	part := public.WithoutComments(p, schema.Span{Start: min(from, end), End: min(from+4*maxSentence, end)})
	var said []string
	for line := range bytes.Lines(part) {
		text := strings.TrimLeft(string(line), ">-*+|# \t\r\n")
		if text == "" && len(said) > 0 {
			break
		}
		if text != "" {
			said = append(said, text)
		}
	}
	if len(said) == 0 {
		return ""
	}
	return " " + firstSentence([]byte(strings.TrimSpace(oneLine(stripMarkup(private(strings.ToValidUTF8(strings.Join(said, " "), "")))))))
}

// bars replaces the pipes between a table's cells, not the escaped ones.
var bars = strings.NewReplacer(`\|`, "|", "|", " · ")

// cells returns a part of a table's row as a reader sees it.
func cells(row []byte) string {
	row = row[:min(len(row), 8*maxSentence)]
	return oneLine(stripMarkup(bars.Replace(private(strings.ToValidUTF8(string(row), "")))))
}

// acknowledged says who knows of a contradiction, and why it stays.
func (s *Site) acknowledged(a *schema.Acknowledgement) string {
	w := s.words
	said := w.Acknowledged
	if a.By != "" {
		said += " " + w.VerifiedBy + " " + clip(oneLine(a.By), 80)
	}
	if a.Since != "" {
		said += " " + w.VerifiedOn + " " + a.Since
	}
	if a.Until != "" {
		said += ", " + w.Until + " " + a.Until
	}
	return said + ": " + clip(oneLine(a.Reason), 400)
}
