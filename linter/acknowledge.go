package linter

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// acknowledged matches contradictions with acknowledgements.
type acknowledged struct {
	file *Acknowledgements
	void []VoidAcknowledgement
	used []bool              // entries that a contradiction was found for
	now  []AcknowledgedEntry // the entries, their pages by their present names
	same map[string][]int    // entries by their sides
	all  bool                // everything was looked at
}

// acknowledge removes acknowledged contradictions, after all rules but those that judge
// others have run.
func (o *Outcome) acknowledge(cfg Config) {
	o.completeSides()
	if cfg.Acknowledged == nil {
		return
	}
	a := &acknowledged{file: cfg.Acknowledged, used: make([]bool, len(cfg.Acknowledged.Entries)), same: map[string][]int{}, all: o.whole && len(cfg.Only) == 0}
	o.acknowledged = a
	if p := a.file.Path; p != "" && o.where[p] == nil { // so that places in it are known
		o.where[p] = &schema.Page{Path: p, Source: a.file.Source, Lines: schema.NewLineIndex(a.file.Source)}
	}
	moved := newMoves(o)
	for _, e := range a.file.Entries {
		e.Sides = slices.Clone(e.Sides)
		for i := range e.Sides {
			e.Sides[i].Page = moved.now(e.Sides[i].Page)
		}
		slices.SortFunc(e.Sides, compareSides)
		a.same[sidesKey(e.Sides)] = append(a.same[sidesKey(e.Sides)], len(a.now))
		a.now = append(a.now, e)
	}
	a.exact(o, cfg)
	a.changed(o)
}

// completeSides gives every contradiction its sides: a rule that names none
// means the places that it reports.
func (o *Outcome) completeSides() {
	for i := range o.judged {
		j := &o.judged[i]
		if !j.pass.Rule.contradicts() {
			continue
		}
		for k := range j.kept {
			o.completeSide(&j.kept[k].Diagnostic)
		}
		for k := range j.suppressed {
			o.completeSide(&j.suppressed[k].Diagnostic)
		}
	}
}

func (o *Outcome) completeSide(d *schema.Diagnostic) {
	if len(d.Sides) > 0 {
		return
	}
	add := func(path string, span schema.Span) {
		text := ""
		if page := o.where.page(path); page != nil {
			text = string(span.In(page.Source))
		}
		d.Sides = append(d.Sides, schema.Side{Path: path, Span: span, Text: text, Key: "place\x00" + text})
	}
	add(d.Path, d.Span)
	for _, r := range d.Related {
		add(r.Path, r.Span)
	}
}

// sidesOf returns the recorded sides of a contradiction, in order.
func sidesOf(d *schema.Diagnostic) []AcknowledgedSide {
	e, _ := Acknowledge(d, schema.Acknowledgement{})
	return e.Sides
}

// exact removes contradictions that are unchanged since their acknowledgement.
func (a *acknowledged) exact(o *Outcome, cfg Config) {
	for i := range o.judged {
		j := &o.judged[i]
		if !j.pass.Rule.contradicts() {
			continue
		}
		for k := range j.suppressed { // suppressed findings exist too
			a.find(&j.suppressed[k].Diagnostic)
		}
		j.kept = slices.DeleteFunc(j.kept, func(f finding) bool {
			e := a.find(&f.Diagnostic)
			switch {
			case e == nil:
				return false
			case e.expired(cfg.Today):
				a.void = append(a.void, VoidAcknowledgement{Entry: e, Finding: &f.Diagnostic, Expired: true})
				return false
			}
			j.suppressed = append(j.suppressed, suppressed{finding: f, by: ByAcknowledgement, reason: e.Reason, acknowledged: e.Acknowledgement()})
			return true
		})
	}
}

// find returns the entry of a contradiction, or nil. Of several, which two
// branches added, the one that holds longest counts.
func (a *acknowledged) find(d *schema.Diagnostic) *AcknowledgedEntry {
	var best *AcknowledgedEntry
	for _, i := range a.same[sidesKey(sidesOf(d))] {
		a.used[i] = true
		if e := &a.file.Entries[i]; best == nil || best.Until != "" && (e.Until == "" || e.Until > best.Until) {
			best = e
		}
	}
	return best
}

// changed finds acknowledged contradictions that changed: at least one side is the same,
// or everything but the text.
func (a *acknowledged) changed(o *Outcome) {
	bySide, byPages := map[string]int{}, map[string]int{}
	for i := range a.now {
		if a.used[i] {
			continue
		}
		for _, s := range a.now[i].Sides {
			bySide[sidesKey([]AcknowledgedSide{s})] = i
		}
		byPages[pagesKey(&a.now[i])] = i
	}
	for i := range o.judged {
		j := &o.judged[i]
		if !j.pass.Rule.contradicts() {
			continue
		}
		for k := range j.kept {
			d := j.kept[k].Diagnostic
			e, _ := Acknowledge(&d, schema.Acknowledgement{})
			at, ok := byPages[pagesKey(&e)]
			for _, s := range e.Sides {
				if n, found := bySide[sidesKey([]AcknowledgedSide{s})]; found {
					at, ok = n, true
					break
				}
			}
			if !ok || a.used[at] {
				continue
			}
			a.used[at] = true
			a.void = append(a.void, VoidAcknowledgement{Entry: &a.file.Entries[at], Finding: &d, Changed: differences(a.now[at].Sides, d.Sides)})
		}
	}
}

// differences pairs the sides that are not the same, those of one page with each
// other.
func differences(was []AcknowledgedSide, is []schema.Side) []ChangedSide {
	var out []ChangedSide
	old := slices.Clone(was)
	var fresh []*schema.Side
	for i := range is {
		now := sideOf(&is[i])
		if at := slices.IndexFunc(old, func(s AcknowledgedSide) bool { return compareSides(s, now) == 0 }); at >= 0 {
			old = slices.Delete(old, at, at+1)
		} else {
			fresh = append(fresh, &is[i])
		}
	}
	for _, now := range fresh {
		c := ChangedSide{Now: now}
		if at := slices.IndexFunc(old, func(s AcknowledgedSide) bool { return s.Page == now.Path }); at >= 0 {
			was := old[at]
			c.Was = &was
			old = slices.Delete(old, at, at+1)
		}
		out = append(out, c)
	}
	for _, s := range old {
		out = append(out, ChangedSide{Was: &s})
	}
	return out
}

// result reports the result of the acknowledgements.
func (a *acknowledged) result(o *Outcome) *AcknowledgedUse {
	if a == nil {
		return nil
	}
	u := &AcknowledgedUse{Void: a.void}
	for i, e := range a.file.Entries {
		if !a.used[i] && a.all && o.settled(e.Rule) {
			u.Resolved = append(u.Resolved, e)
		}
	}
	return u
}

// VoidAcknowledgements returns the acknowledgements that no longer hold, and
// the file that they are in.
func (o *Outcome) VoidAcknowledgements() (file string, void []VoidAcknowledgement) {
	if o.acknowledged == nil {
		return "", nil
	}
	return o.acknowledged.file.Path, o.acknowledged.void
}

// Contradictions returns the open and acknowledged contradictions. Those in the baseline
// are open too; those suppressed with a reason are not included.
func (r *Result) Contradictions() []schema.Contradiction {
	var out []schema.Contradiction
	judged := map[string]bool{}
	for _, rule := range r.Ran {
		judged[rule.ID] = rule.NeedsJudge
	}
	add := func(d *schema.Diagnostic, a *schema.Acknowledgement) {
		if len(d.Sides) > 0 {
			out = append(out, schema.Contradiction{
				Rule: d.Rule, Fingerprint: d.Fingerprint, Severity: d.Severity, Judged: judged[d.Rule], About: d.About, Sides: d.Sides, Acknowledged: a,
			})
		}
	}
	for i := range r.Findings {
		add(&r.Findings[i], nil)
	}
	for i := range r.Suppressed {
		if s := &r.Suppressed[i]; s.By == ByBaseline || s.By == ByAcknowledgement {
			add(&s.Diagnostic, s.Acknowledged)
		}
	}
	slices.SortStableFunc(out, func(a, b schema.Contradiction) int {
		return compareFindings(schema.Diagnostic{Path: a.Sides[0].Path, Span: a.Sides[0].Span, Rule: a.Rule},
			schema.Diagnostic{Path: b.Sides[0].Path, Span: b.Sides[0].Span, Rule: b.Rule})
	})
	return out
}
