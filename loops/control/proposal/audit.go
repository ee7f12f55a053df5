package proposal

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/audit"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// The gates of an auditor's answer.
const (
	findingsGate = "findings" // the list can be read
	plansGate    = "plans"    // what is worth it is a plan
	pagesGate    = "pages"    // what is asked for as a page
	droppedGate  = "dropped"
)

// judgeAudit reads an auditor's answer, and keeps what a person is to read.
func (p *Proposals) judgeAudit(ctx context.Context, s *loops.State, folder string) ([]loops.GateResult, error) {
	answer, err := files.ReadPath(filepath.Join(folder, run.AnswerFile), files.Run)
	if err != nil {
		return nil, err
	}
	a := readAudit(answer)
	if len(a.faults) > 0 {
		return []loops.GateResult{{Gate: findingsGate, Effect: loops.Red, Class: loops.ClassRejected, Reason: a.faults}}, nil
	}
	b, err := p.Book(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	tree, done, err := treeOf(ctx, s.Place.Path)
	if err != nil {
		return nil, err
	}
	defer done()
	j := planJudge{request: plan.Request{As: plan.AsPlans, Month: s.Start.Audit.Month}, around: b.Around(p.Getenv("PATH")), src: make(map[string][]byte)}
	c := audit.Chooser{Tree: tree, Most: s.Start.Audit.Plans, Plans: j.files(a.files), Ask: mayAsk(s), Judge: j.judge}
	if c.Rejected, c.Planned, err = p.knownFindings(b); err != nil {
		return nil, err
	}
	if err := p.hold(ctx, &c, s, &j); err != nil {
		return nil, err
	}
	o := c.Choose(ctx, a.findings)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(o.Refused) > 0 {
		return []loops.GateResult{{Gate: plansGate, Effect: loops.Red, Class: loops.ClassRejected, Reason: o.Refused}}, nil
	}
	w, err := wikiFor(ctx, s.Place.Path)
	if err != nil {
		return nil, err
	}
	if err := p.holdPages(s, w); err != nil {
		return nil, err
	}
	pages, dropped := tree.Pages(ctx, a.list, a.root, w, s.Start.Audit.Pages)
	o.Dropped = append(o.Dropped, dropped...)
	out, err := j.accept(o, folder)
	if len(pages) > 0 {
		out = append(out, loops.GateResult{Gate: pagesGate, Pages: pages})
	}
	return out, err
}

// wikiFor returns the wiki of a checkout as pages are added to it, nil if there is none.
func wikiFor(ctx context.Context, dir string) (*audit.Wiki, error) {
	w, err := repo.Wiki(ctx, dir)
	if w == nil || err != nil {
		return nil, err
	}
	names := make(map[string]bool)
	for _, page := range w.Pages() {
		names[strings.ToLower(page.Title)] = true
		for _, a := range page.Meta.Aliases {
			names[strings.ToLower(a.Name)] = true
		}
	}
	ws := w.Workspace()
	return &audit.Wiki{Root: ws.RootPath, Named: func(title string) bool { return names[strings.ToLower(title)] }, Sources: ws.Config.Sources}, nil
}

// mayAsk reports whether a plan that is refused may be asked for once more: it is
// once, and only where an answer is left to give.
func mayAsk(s *loops.State) bool {
	asked := slices.ContainsFunc(s.Feedback, func(f loops.Feedback) bool { return f.From == "gate "+plansGate })
	return !asked && s.Charged+1 < s.Start.Limits.Attempts
}

// auditAnswer is an auditor's answer, read.
type auditAnswer struct {
	findings []audit.Finding
	files    []plan.Proposed // beside the list
	list     []byte
	root     *schema.Node // of the list
	faults   []loops.Reason
}

// readAudit reads the list of findings and the other files of an answer.
func readAudit(answer []byte) auditAnswer {
	var a auditAnswer
	var lists []plan.Proposed
	for _, f := range plan.ReadAnswer(answer) {
		if path.Base(f.Path) == audit.FindingsFile {
			lists = append(lists, f)
		} else {
			a.files = append(a.files, f)
		}
	}
	if len(lists) != 1 {
		a.faults = []loops.Reason{{Path: audit.FindingsFile, Message: fmt.Sprintf("the answer has %d lists of findings; expected exactly one, in a code block whose first line is ````json %s", len(lists), audit.FindingsFile)}}
		return a
	}
	var faults []plan.Fault
	a.list = lists[0].Src
	if a.root, faults = plan.ReadJSON(a.list); plan.Refused(faults) {
		for _, f := range faults {
			a.faults = append(a.faults, loops.Reason{Path: audit.FindingsFile, Line: f.At.Line, Message: f.Message})
		}
		return a
	}
	a.findings, a.faults = audit.Findings(a.list, a.root)
	return a
}

// planJudge judges the plans of an answer.
type planJudge struct {
	request plan.Request
	around  plan.Surroundings
	src     map[string][]byte // by path
	stray   []loops.Reason    // files that are not plans
}

// files takes the files of an answer, and returns the paths of those that may be
// plans, sorted.
func (j *planJudge) files(files []plan.Proposed) []string {
	if len(files) == 0 {
		return nil
	}
	found := j.request.Judge(files, j.around)
	var out []string
	for _, f := range found.Files {
		j.src[f.Path] = f.Src
		out = append(out, f.Path)
	}
	for _, f := range found.Faults {
		j.stray = append(j.stray, loops.Reason{Message: f.Message + "; " + f.Hint})
	}
	return out
}

// noted returns a plan that says of which findings it is.
func (j *planJudge) noted(p audit.Proposal) ([]byte, error) {
	if len(audit.Notes(j.src[p.Plan])) > 0 {
		return nil, errors.New("the plan names the finding that it fixes; leave that to the runner")
	}
	return plan.AddNotes(j.src[p.Plan], p.Notes())
}

// judge returns what is wrong with plans beside each other and those that are there.
func (j *planJudge) judge(all []audit.Proposal) map[string][]loops.Reason {
	out := make(map[string][]loops.Reason)
	var files []plan.Proposed
	for _, p := range all {
		src, err := j.noted(p)
		if err != nil {
			src = j.src[p.Plan]
			out[p.Plan] = []loops.Reason{{Path: p.Plan, Message: err.Error()}}
		}
		files = append(files, plan.Proposed{Path: p.Plan, Src: src})
	}
	if len(files) == 0 {
		return out
	}
	for _, f := range j.request.Judge(files, j.around).Files {
		if why := refusals(&plan.Proposal{Files: []plan.Proposed{f}}); len(why) > 0 {
			out[f.Path] = append(out[f.Path], why...)
		}
	}
	return out
}

// accept keeps what was chosen in the folder, and says what was not.
func (j *planJudge) accept(o *audit.Outcome, folder string) ([]loops.GateResult, error) {
	kept := loops.GateResult{Gate: plansGate, Files: len(o.Kept)}
	var files []accepted
	for _, p := range o.Kept {
		src, err := j.noted(p)
		if err != nil {
			return nil, err
		}
		files = append(files, accepted{p.Plan, src})
		for i := range p.Findings {
			f := &p.Findings[i]
			kept.Reason = append(kept.Reason, f.Reason("(%s, impact %d, effort %s, risk %s, confidence %.2f): %s", f.Category, f.Impact, f.Effort, f.Risk, f.Confidence, p.Plan))
		}
	}
	out := []loops.GateResult{kept}
	if dropped := append(slices.Clone(o.Dropped), j.stray...); len(dropped) > 0 {
		out = append(out, loops.GateResult{Gate: droppedGate, Effect: loops.Note, Reason: dropped})
	}
	return out, writeAccepted(folder, files)
}
