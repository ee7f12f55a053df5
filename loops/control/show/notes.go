package show

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// shelf opens the plans with the last run of each, which are read once.
func (v *Viewer) shelf(ctx context.Context) (*plan.Book, plan.LastRuns, error) {
	all, err := v.Summaries()
	if err != nil {
		return nil, nil, err
	}
	last := make(plan.LastRuns)
	for _, r := range all {
		last[r.Plan] = r
	}
	b, err := plan.OpenBook(ctx, v.Root, func(string) (plan.Runs, error) { return last, nil })
	return b, last, err
}

// Plans returns all plans in the order in which they are taken, without their texts.
func (v *Viewer) Plans(ctx context.Context) ([]schema.LoopPlan, error) {
	b, last, err := v.shelf(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	files := make(map[string]plan.File)
	var known []plan.Known
	for _, f := range b.Files {
		files[f.Plan.Name] = f
		known = append(known, plan.Known{Plan: f.Plan})
	}
	plan.Order(known)
	var out []schema.LoopPlan
	for _, k := range known {
		out = append(out, shownPlan(b, last, files[k.Plan.Name]))
	}
	return out, nil
}

// Plan is one plan with its text. The error is fs.ErrNotExist if there is none of
// that name.
func (v *Viewer) Plan(ctx context.Context, name string) (*schema.LoopPlan, error) {
	b, last, err := v.shelf(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	for _, f := range b.Files {
		if f.Plan.Name == name {
			shown := shownPlan(b, last, f)
			shown.Text = string(f.Src)
			return &shown, nil
		}
	}
	return nil, fmt.Errorf("plan %s: %w", name, fs.ErrNotExist)
}

func shownPlan(b *plan.Book, last plan.LastRuns, f plan.File) schema.LoopPlan {
	status, why := b.Status(f)
	return schema.LoopPlan{
		Name: f.Plan.Name, Path: f.Path, Title: cmp.Or(f.Plan.Title, f.Plan.Name), Status: string(status), Why: why,
		Priority: f.Plan.Priority, Chunks: len(f.Plan.Chunks), Run: last[f.Path].ID,
	}
}

// Incidents returns all incidents, the oldest first, without their documents.
func (v *Viewer) Incidents() ([]schema.LoopIncident, error) {
	all, err := v.Andon().Incidents()
	if err != nil {
		return nil, err
	}
	var out []schema.LoopIncident
	for _, i := range all {
		out = append(out, shownIncident(i))
	}
	return out, nil
}

// Incident is one incident with its documents. The error is fs.ErrNotExist if there
// is none of that id.
func (v *Viewer) Incident(id string) (*schema.LoopIncident, error) {
	s := v.Andon()
	i, err := s.Find(id)
	var unknown *andon.UnknownIncidentError
	if errors.As(err, &unknown) || err == nil && i.ID != id {
		return nil, fmt.Errorf("incident %s: %w", id, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	out := shownIncident(i)
	names, texts, err := s.Documents(i)
	if err != nil {
		return nil, err
	}
	for k, name := range names {
		out.Parts = append(out.Parts, schema.LoopPart{Name: name, Text: texts[k]})
	}
	events, err := s.History(i)
	if err != nil {
		return nil, err
	}
	var since strings.Builder
	for _, e := range events {
		fmt.Fprintf(&since, "%s %s: %s\n", e.At.UTC().Format("2006-01-02 15:04"), e.Kind, repo.OneLine(e.Text))
	}
	out.Parts = append(out.Parts, schema.LoopPart{Name: "events.json", Text: since.String()})
	return &out, nil
}

func shownIncident(i *andon.Incident) schema.LoopIncident {
	out := schema.LoopIncident{ID: i.ID, Status: "noted", Cause: i.Analysis.CauseID, Confidence: i.Analysis.Confidence, Opened: i.Evidence.OpenedAt}
	switch {
	case i.Closed:
		out.Status = "closed"
	case i.Stops:
		out.Status = "stops"
	}
	if f := i.Evidence.Failures; len(f) > 0 {
		out.Why, out.Run = f[0].Why, f[0].Run
	}
	return out
}
