package site

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// How much the page about the state of the wiki shows of each kind.
const (
	healthPages  = 60
	healthPlaces = 20
	healthMonths = 24 // bars of its chart
)

// healthOutput is the page about the state of the wiki.
type healthOutput struct{}

// makeHealth puts the page if there is something to say. A preview always has one: what
// rules find is not known yet when it is laid out first.
func (s *Site) makeHealth(n *names) {
	if s.opt.Live || len(s.coverage()) > 0 || len(s.contradictions) > 0 || len(s.outdated()) > 0 || len(s.orphans()) > 0 {
		s.healthFile = s.put(n, healthName, healthOutput{})
	}
}

// HealthFile returns the file about the state of the wiki, empty if there is none.
func (s *Site) HealthFile() string { return s.healthFile }

func (healthOutput) render(s *Site, name string) ([]byte, error) {
	w := &s.words.Health
	h := theme.Health{Frame: s.frame(name, w.Title, nil, nil), W: w, Intro: s.words.Plural(len(s.pages)), Shares: s.coverage()}
	for i := range s.contradictions[:min(len(s.contradictions), maxContradictions)] {
		h.Disputes = append(h.Disputes, s.contradiction(name, &s.contradictions[i], nil))
	}
	if len(h.Disputes) > 0 {
		h.DisputesHref = relative(name, s.disputesFile)
	}
	h.Rules = s.findingsByRule(name)
	group := func(title string, pages []*schema.Page, note func(*schema.Page) string) {
		if len(pages) == 0 {
			return
		}
		g := theme.Group{Title: title, Note: fmt.Sprint(len(pages)), Links: s.pageLinks(name, pages[:min(len(pages), healthPages)], note)}
		if hidden := len(pages) - len(g.Links); hidden > 0 {
			g.More = s.words.Format(s.words.MoreBacklinks, hidden)
		}
		h.Groups = append(h.Groups, g)
	}
	group(w.Outdated, s.outdated(), func(p *schema.Page) string {
		f := s.freshness(p)
		return clip(f.Label+": "+f.Detail, 200)
	})
	group(w.Orphans, s.orphans(), folderOf)
	h.Chart = s.ageChart()
	return s.execute("health", h)
}

// coverage says how many pages there are of each kind that keeps a wiki right, as far as
// the wiki has such pages.
func (s *Site) coverage() []theme.Share {
	var verified, cited, written int
	for _, p := range s.pages {
		if p.Reserved() || p.Layer == schema.LayerSource {
			continue
		}
		written++
		if s.fresh[p.ID].State == schema.FreshVerified {
			verified++
		}
		if len(p.Meta.Sources) > 0 || len(p.Citations) > 0 {
			cited++
		}
	}
	var out []theme.Share
	add := func(name string, n int) {
		out = append(out, theme.Share{Name: name, Of: fmt.Sprintf("%d / %d", n, written), Share: float64(n) / float64(max(written, 1))})
	}
	if s.verifies {
		add(s.words.Verified, verified)
	}
	if cited > 0 {
		add(s.words.Health.Cited, cited)
	}
	return out
}

// outdated are the pages that say, or of which the code says, that they no longer hold.
func (s *Site) outdated() []*schema.Page {
	return slices.DeleteFunc(slices.Clone(s.pages), func(p *schema.Page) bool {
		state := s.fresh[p.ID].State
		return state != schema.FreshStale && state != schema.FreshContested
	})
}

// orphans are the pages that no other page leads to, in a wiki of linked pages.
func (s *Site) orphans() []*schema.Page {
	n := s.net()
	if n.edges() == 0 {
		return nil
	}
	linked := make([]bool, len(s.pages))
	for _, out := range n.out {
		for _, to := range out {
			linked[to] = true
		}
	}
	var list []*schema.Page
	for i, p := range s.pages {
		if !linked[i] && !p.Reserved() && p.Layer != schema.LayerSource && s.place[p.ID] != homeName {
			list = append(list, p)
		}
	}
	return list
}

// findingsByRule are the findings of a preview, those of the rule with the most first
// among rules of one severity.
func (s *Site) findingsByRule(from string) []theme.RuleFindings {
	at := map[string]int{}
	var out []theme.RuleFindings
	for _, p := range s.pages {
		for _, d := range s.findings[p.Path] {
			i, ok := at[d.Rule]
			if !ok {
				i = len(out)
				at[d.Rule] = i
				out = append(out, theme.RuleFindings{Rule: d.Rule})
			}
			r := &out[i]
			r.Count++
			r.Level = max(r.Level, int(d.Severity))
			if len(r.Places) < healthPlaces {
				r.Places = append(r.Places, theme.Link{Title: s.titles[p.ID], Href: relative(from, s.place[p.ID]), Note: clip(d.Message, 160)})
			}
		}
	}
	for i := range out {
		out[i].Severity = schema.Severity(out[i].Level).String()
		if hidden := out[i].Count - len(out[i].Places); hidden > 0 {
			out[i].More = s.words.Format(s.words.MoreSources, hidden)
		}
	}
	slices.SortStableFunc(out, func(a, b theme.RuleFindings) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Rule, b.Rule))
	})
	return out
}

// ageChart shows in which months pages were last changed; nil if fewer than two of them
// are known.
func (s *Site) ageChart() *theme.Chart {
	count := map[string]int{}
	var last time.Time
	for _, p := range s.pages {
		if at := s.fresh[p.ID].Updated.Time; !at.IsZero() {
			count[at.Format("2006-01")]++
			if at.After(last) {
				last = at
			}
		}
	}
	if len(count) < 2 {
		return nil
	}
	var months []string
	first := slices.Min(sortedKeys(count))
	for at := time.Date(last.Year(), last.Month(), 1, 0, 0, 0, 0, time.UTC); len(months) < healthMonths && at.Format("2006-01") >= first; at = at.AddDate(0, -1, 0) {
		months = append(months, at.Format("2006-01"))
	}
	slices.Reverse(months)
	w := &s.words.Health
	c := newChart("wiki.ages", w.Ages, w.AgesText, nil)
	most := 1
	for _, m := range months {
		most = max(most, count[m])
	}
	top := roundUp(float64(most))
	for _, share := range []float64{0, .5, 1} {
		c.Ticks = append(c.Ticks, theme.ChartTick{Y: height(share), Label: fmt.Sprintf("%g", share*top)})
	}
	wide := round(min(60, .6*(chartRight-chartLeft)/float64(len(months))))
	for i, m := range months {
		if n := count[m]; n > 0 {
			y := height(float64(n) / top)
			c.Bars = append(c.Bars, theme.ChartBar{X: round(across(i, len(months)) - wide/2), Y: y, Width: wide, Height: round(max(1, chartBottom-y)), Says: m + ": " + s.words.Plural(n)})
		}
	}
	c.Labels = []theme.ChartLabel{{X: across(0, len(months)), Anchor: "middle", Text: months[0]}, {X: across(len(months)-1, len(months)), Anchor: "middle", Text: months[len(months)-1]}}
	return &c
}
