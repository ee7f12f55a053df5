package site

import (
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// Limits on long lists.
const (
	runsShown  = 300
	filesShown = 300
	notesShown = 300
)

// The folders, below that of runs, in which plans and incidents are shown.
const (
	PlansAt     = "plans/"
	IncidentsAt = "incidents/"
)

// RunsAt is the folder in which a server shows runs of loops. They are not files
// of the site, so that no build has them: transcripts may hold private text. A
// wiki that has a folder of this name keeps it.
func (s *Site) RunsAt() string { return s.runsAt() }

func (s *Site) findRunsAt() string {
	const folder = "loops/"
	for _, f := range s.files {
		if strings.HasPrefix(foldPath(f), folder) {
			return own + folder
		}
	}
	return folder
}

// runFrame is the common part of the pages about runs. name is below the folder of runs.
func (s *Site) runFrame(name, title string, crumbs ...theme.Link) theme.Frame {
	full := s.RunsAt() + name
	f := s.frame(full, title, nil, nil)
	f.Description = ""
	if s.opt.Live {
		f.Canonical = ""
	}
	if name != homeName {
		f.Crumbs = append([]theme.Link{
			{Title: s.words.Home, Href: relative(full, homeName)}, {Title: s.loopsTitle(), Href: relative(full, s.RunsAt()+homeName)},
		}, crumbs...)
	}
	return f
}

// loopsTitle names the section about loops. A build has only their specifications.
func (s *Site) loopsTitle() string {
	if s.opt.Live {
		return s.words.Runs.Title
	}
	return s.words.Specs.Title
}

// RenderRuns lists runs of loops, the newest first, incidents likewise, and plans
// and specifications in their order. runs and incidents come with the oldest first.
func (s *Site) RenderRuns(runs []schema.RunSummary, plans []schema.LoopPlan, incidents []schema.LoopIncident, specs schema.LoopSpecs) ([]byte, error) {
	v := theme.Runs{Frame: s.runFrame(homeName, s.words.Runs.Title), W: &s.words.Runs, Intro: s.words.Runs.Intro, ChartsHref: RunChartsName}
	if s.opt.Fleet {
		v.FleetHref = FleetName
	}
	s.listSpecs(&v, specs)
	for _, p := range plans[:min(len(plans), notesShown)] {
		v.Plans = append(v.Plans, theme.PlanRow{LoopPlan: p, Href: PlansAt + escapePath(p.Name) + "/"})
	}
	for _, i := range slices.Backward(incidents[max(0, len(incidents)-notesShown):]) {
		v.Incidents = append(v.Incidents, theme.IncidentRow{LoopIncident: i, Href: IncidentsAt + escapePath(i.ID) + "/"})
	}
	v.Older = max(0, len(runs)-runsShown)
	for _, r := range slices.Backward(runs[v.Older:]) {
		v.Rows = append(v.Rows, runRow(r))
	}
	return s.execute("runs", v)
}

// FleetName is the file next to the list of runs with the plans of many repositories.
const FleetName = "fleet.html"

// RenderFleet shows how the plans of many repositories stand.
func (s *Site) RenderFleet(r *schema.FleetReport) ([]byte, error) {
	return s.execute("fleet", theme.Fleet{Frame: s.runFrame(FleetName, s.words.Runs.Fleet), W: &s.words.Runs, FleetReport: r})
}

func runRow(r schema.RunSummary) theme.RunRow {
	row := theme.RunRow{RunSummary: r, Href: escapePath(r.ID) + "/", Plan: planName(r)}
	for _, c := range r.Chunks {
		if c.Status == "done" {
			row.Done++
		}
	}
	return row
}

// planName is the name of a run in a list.
func planName(r schema.RunSummary) string {
	base := path.Base(r.Plan)
	if base == "." || base == "/" {
		return r.ID
	}
	return strings.TrimSuffix(base, ".md")
}

// RenderRun shows a run.
func (s *Site) RenderRun(d *schema.RunDetail) ([]byte, error) {
	v := theme.Run{Frame: s.runFrame(d.ID+"/"+homeName, theme.Visible(d.Name)), W: &s.words.Runs, RunDetail: d, Decisions: decisions(d.RunSummary)}
	if n := len(d.Files); n > filesShown {
		short := *d
		short.Files, v.MoreFiles = d.Files[:filesShown], n-filesShown
		v.RunDetail = &short
	}
	return s.execute("run", v)
}

// decisions are the commands by which a person continues with a run. Its id is the
// name of a folder; what a shell would not take as one word is not shown.
func decisions(r schema.RunSummary) []string {
	if strings.Trim(r.ID, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._") != "" {
		return nil
	}
	switch {
	case r.Status == "waiting" && r.WaitingFor == "person":
		return []string{"wiki loop approve " + r.ID + " --by NAME", "wiki loop reject " + r.ID + " --by NAME"}
	case r.Status == "waiting", r.Status == "interrupted":
		return []string{"wiki loop resume " + r.ID}
	case r.Status == "running":
		return []string{"wiki loop logs " + r.ID + " -f", "wiki loop stop " + r.ID}
	}
	return nil
}

// RenderLoopPlan shows a plan.
func (s *Site) RenderLoopPlan(p *schema.LoopPlan) ([]byte, error) {
	v := theme.LoopNote{
		Frame: s.runFrame(PlansAt+p.Name+"/"+homeName, theme.Visible(p.Title)), W: &s.words.Runs, Status: p.Status, Why: p.Why, Path: p.Path,
		Parts: []schema.LoopPart{{Text: p.Text}},
	}
	return s.execute("loopnote", v.Of(p.Run, "../../"+escapePath(p.Run)+"/"))
}

// RenderIncident shows an incident.
func (s *Site) RenderIncident(i *schema.LoopIncident) ([]byte, error) {
	v := theme.LoopNote{
		Frame: s.runFrame(IncidentsAt+i.ID+"/"+homeName, theme.Visible(i.ID)), W: &s.words.Runs, Status: i.Status, Why: i.Why,
		Cause: i.Cause, Confidence: i.Confidence, At: i.Opened, Parts: i.Parts,
	}
	return s.execute("loopnote", v.Of(i.Run, "../../"+escapePath(i.Run)+"/"))
}

// RenderRunText shows a file of a run as text.
func (s *Site) RenderRunText(id string, t *schema.RunText) ([]byte, error) {
	name := id + "/files/" + t.Path
	back := strings.Repeat("../", strings.Count(t.Path, "/")+1)
	v := theme.RunText{
		Frame: s.runFrame(name, theme.Visible(t.Path), theme.Link{Title: id, Href: back}), W: &s.words.Runs, RunText: t, BackHref: back,
	}
	return s.execute("runtext", v)
}
