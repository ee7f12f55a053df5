package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// The files of a run that plans: the specification in its folder, and what was
// accepted of an answer in that of the call.
const (
	specFile     = "spec.md"
	acceptedFile = "accepted.json"
)

// PlanFrom has a planner turn a specification into plans. The run that does
// waits for a person when they are written.
func (p *Place) PlanFrom(ctx context.Context, r plan.Request, f Flags, live *Live) (loops.State, error) {
	var none loops.State
	if err := supported(); err != nil {
		return none, err
	}
	start, err := p.beginPlanning(ctx, r, f)
	if err != nil {
		return none, err
	}
	return p.advise(ctx, start, f, "", live, func(folder string) error {
		return files.ReplacePath(filepath.Join(folder, specFile), r.Spec, 0o644)
	})
}

// advise begins a run that makes plans. id is that of a run whose folder was made
// already, or ""; keep leaves in the folder what the run needs.
func (p *Place) advise(ctx context.Context, start loops.Start, f Flags, id string, live *Live, keep func(folder string) error) (loops.State, error) {
	var none loops.State
	if err := p.Store.Make(); err != nil {
		return none, err
	}
	release, note, err := p.lock(start.Plan.Name)
	if err != nil {
		return none, err
	}
	defer release()
	if last, ok := p.Latest(start.Plan.Path); ok && last.ID != id && !loops.Status(last.Status).Over() {
		return none, unfinished(last)
	}
	if start.Run = id; id == "" {
		name := start.Plan.Name
		if start.Audit != nil {
			name = start.Loop // by which a person finds it; the day is in the id
		}
		if start.Run, err = p.Store.Create(name, p.Now()); err != nil {
			return none, err
		}
	}
	if err := keep(p.Store.Folder(start.Run)); err != nil {
		return none, err
	}
	start.Wall = loops.Duration(f.Timeout)
	d := p.Driver()
	live.attach(d)
	d.Timeouts.Wall = or(start.Wall, d.Timeouts.Wall)
	p.hook(d, f.Notify, &Work{Plan: &start.Plan})
	if note != "" {
		live.Say("note: the lock is " + note)
	}
	s, err := d.Begin(ctx, start)
	return s, errors.Join(err, p.leave(ctx, s))
}

// beginPlanning is what a run that plans is decided by.
func (p *Place) beginPlanning(ctx context.Context, r plan.Request, f Flags) (loops.Start, error) {
	cast, err := p.adviser(loops.Planner, f)
	if err != nil {
		return loops.Start{}, err
	}
	path := r.Path
	if rel, inside := p.Relative(path); inside {
		path = rel
	}
	pl := loops.Plan{Name: "from-" + slugOf(path), Path: path, Title: "Plans from " + path}
	start, err := p.begin(ctx, loops.PlanLoop, &pl, map[loops.Role]loops.Casting{loops.Planner: cast}, f)
	start.Gates = loops.GateCommands{}
	start.Spec = &loops.SpecRequest{As: string(r.As), Month: r.Month}
	return start, err
}

var notSlug = schema.Expression(`[^a-z0-9]+`)

// slugOf makes a name of a file's.
func slugOf(path string) string {
	base := strings.ToLower(filepath.Base(path))
	base = strings.Trim(notSlug().ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), "-"), "-")
	return or(base[:min(len(base), 60)], "spec")
}

// adviser says who plays a role that makes plans: who is asked for, who is cast, or
// the maker's agent if that is a whole program. A command plays the roles that it
// is named for.
func (p *Place) adviser(role loops.Role, f Flags) (loops.Casting, error) {
	cast := make(map[loops.Role]loops.Casting)
	if r, ok := p.Config.Roles[string(role)]; ok {
		cast[role] = loops.Casting{Agent: r.Agent, Model: r.Model, Argv: r.Argv}
	} else if r, ok := p.Config.Roles[string(loops.Maker)]; ok && r.Agent != "command" {
		cast[role] = loops.Casting{Agent: r.Agent, Model: r.Model}
	}
	if f.Agent != "" {
		name, model, _ := strings.Cut(f.Agent, ":")
		c := loops.Casting{Agent: name, Model: model}
		if name == "command" {
			c.Argv = cast[role].Argv
		}
		cast[role] = c
	}
	c, ok := cast[role]
	if !ok || c.Agent == "command" && len(c.Argv) == 0 {
		return c, &NobodyError{role}
	}
	cast[loops.Maker] = c // whose vendor judges are compared with; there is none here
	if err := p.know(cast); err != nil {
		return c, err
	}
	return cast[role], nil
}

// leave removes the worktree of a run that plans, answers or reports, once it has
// read what it needed. What an audit committed there stays, as that of other runs.
func (p *Place) leave(ctx context.Context, s loops.State) error {
	waits := s.Status == loops.Waiting && s.WaitingFor == loops.ForPerson
	if !s.Planning() && !s.Querying() && !s.Reading() || s.Place.Path == "" || !waits && !s.Status.Over() {
		return nil
	}
	return p.discard(context.WithoutCancel(ctx), s.Start.Run)
}

// Approved is the work that a person has approved with a run that plans, in its
// order, and what has to wait until a plan before it is merged.
func (p *Place) Approved(ctx context.Context, s *loops.State) (work []*Work, later []string, err error) {
	b, err := p.Book(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer b.Close()
	if s.Start.Spec != nil && s.Start.Spec.As == string(plan.AsPRD) {
		for _, path := range s.Proposed {
			if filepath.Ext(path) == ".json" {
				_, w, err := OpenTask(ctx, b.Path(path), "", p.Getenv)
				return []*Work{w}, nil, err
			}
		}
	}
	known := b.Around(p.Getenv("PATH")).Plans
	plan.Order(known)
	done := make(map[string]bool)
	for _, k := range known {
		done[k.Plan.Name] = k.Status == plan.Done
	}
	for _, k := range known {
		if !slices.Contains(s.Proposed, k.Plan.Path) || k.Plan.Rejected != "" {
			continue
		}
		if slices.ContainsFunc(k.Plan.DependsOn, func(d string) bool { return !done[plan.NameOf(d)] }) {
			later = append(later, k.Plan.Path)
			continue
		}
		f, _ := b.Find(p.Root, k.Plan.Path)
		w, err := p.read(b, f)
		if err != nil {
			return nil, nil, err
		}
		work = append(work, w)
	}
	return work, later, nil
}

// proposed are the paths that no person has approved yet, by the run that wrote them.
func (p *Place) proposed() (map[string]string, error) {
	all, err := p.Summaries()
	if err != nil {
		return nil, err
	}
	out := make(map[string]string)
	for _, r := range all {
		if !loops.Proposes(r) || r.WaitingFor != string(loops.ForPerson) {
			continue
		}
		s, _, err := p.Store.Read(r.ID)
		if err != nil {
			return nil, err
		}
		for _, path := range s.Proposed {
			out[path] = r.ID
		}
	}
	return out, nil
}

// request is what a run that plans asks for.
func (p *Place) request(s *loops.Start, feedback []loops.Feedback) (plan.Request, error) {
	if s.Spec == nil {
		return plan.Request{}, fmt.Errorf("run %s does not say what is to be planned", s.Run)
	}
	src, err := files.ReadPath(filepath.Join(p.Store.Folder(s.Run), specFile), files.Run)
	if err != nil {
		return plan.Request{}, err
	}
	g := p.Commands()
	r := plan.Request{As: plan.Kind(s.Spec.As), Spec: src, Path: s.Plan.Path, Month: s.Spec.Month, Commands: slices.Concat(g.Build, g.Test, g.Lint)}
	r.Refused = refused(feedback)
	return r, nil
}

// refused is what was said of earlier answers, a line each.
func refused(feedback []loops.Feedback) []string {
	var out []string
	for _, f := range feedback {
		if f.Text != "" {
			out = append(out, f.Text)
		}
		for _, reason := range f.Reasons {
			out = append(out, reason.String())
		}
	}
	return out
}

// planPrompt is what a planner is asked.
func (p *Place) planPrompt(ctx context.Context, r loops.PromptRequest) (loops.Prompt, error) {
	req, err := p.request(r.Start, r.Command.Feedback)
	if err != nil {
		return loops.Prompt{}, err
	}
	b, err := p.Book(ctx)
	if err != nil {
		return loops.Prompt{}, err
	}
	defer b.Close()
	text := req.Prompt(b.Around(p.Getenv("PATH")))
	return loops.Prompt{Text: text, Parts: []loops.PromptPart{{Name: "request", Size: len(text)}}}, nil
}

// proposals judges, writes and removes what planners propose.
type proposals struct{ place *Place }

var _ run.Proposals = proposals{}

// accepted is a file of a proposal that nothing is wrong with.
type accepted struct {
	Path string `json:"path"` // relative to the repository's root
	Src  []byte `json:"src"`
}

func (q proposals) Judge(ctx context.Context, s *loops.State, folder string) ([]loops.GateResult, error) {
	if s.Auditing() {
		return q.judgeAudit(ctx, s, folder)
	}
	req, err := q.place.request(&s.Start, nil)
	if err != nil {
		return nil, err
	}
	answer, err := files.ReadPath(filepath.Join(folder, run.AnswerFile), files.Run)
	if err != nil {
		return nil, err
	}
	b, err := q.place.Book(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	found := req.Judge(plan.ReadAnswer(answer), b.Around(q.place.Getenv("PATH")))
	if found.Refused() {
		return []loops.GateResult{{Gate: "plan", Effect: loops.Red, Class: loops.ClassRejected, Reason: refusals(found)}}, nil
	}
	var list []accepted
	for _, f := range found.Files {
		list = append(list, accepted{f.Path, f.Src})
	}
	return []loops.GateResult{{Gate: "plan", Effect: loops.Passed}}, writeAccepted(folder, list)
}

func writeAccepted(folder string, list []accepted) error {
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return files.ReplacePath(filepath.Join(folder, acceptedFile), text, 0o644)
}

// refusals are the errors in a proposal, with what to do about them.
func refusals(found *plan.Proposal) []loops.Reason {
	var out []loops.Reason
	add := func(path string, faults []plan.Fault) {
		for _, f := range faults {
			if plan.Refused([]plan.Fault{f}) {
				out = append(out, loops.Reason{Path: path, Line: f.At.Line, Message: fmt.Sprintf("%s; %s [%s]", f.Message, f.Hint, f.Code)})
			}
		}
	}
	add("", found.Faults)
	for _, f := range found.Files {
		add(f.Path, f.Faults)
	}
	return out
}

func readAccepted(folder string) ([]accepted, error) {
	text, err := files.ReadPath(filepath.Join(folder, acceptedFile), files.Run)
	if err != nil {
		return nil, err
	}
	var list []accepted
	return list, json.Unmarshal(text, &list)
}

func (q proposals) Write(_ context.Context, _ *loops.State, folder string) ([]string, error) {
	list, err := readAccepted(folder)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range list {
		name := filepath.FromSlash(f.Path)
		have, err := files.Read(q.place.Root, name, files.State)
		if errors.Is(err, fs.ErrNotExist) {
			have, err = f.Src, files.Replace(q.place.Root, name, f.Src, 0o666)
		}
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(have, f.Src) {
			return nil, fmt.Errorf("%s was made by somebody else meanwhile, and is not overwritten", f.Path)
		}
		out = append(out, f.Path)
	}
	return out, nil
}

func (q proposals) Withdraw(ctx context.Context, s *loops.State, folder string) (kept []string, err error) {
	list, err := readAccepted(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	root, err := files.Open(q.place.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var gone []accepted
	for _, f := range list {
		have, err := files.Read(q.place.Root, filepath.FromSlash(f.Path), files.State)
		if errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, f) // by somebody's hand, or by a runner that died
			continue
		}
		tracked, gitErr := q.place.Git(ctx, "ls-files", "--", ":(literal)"+f.Path)
		if err != nil || gitErr != nil || tracked != "" || !bytes.Equal(have, f.Src) {
			kept = append(kept, f.Path)
			continue
		}
		gone = append(gone, f)
	}
	if s.Auditing() {
		if err := q.place.remember(s, gone); err != nil {
			return kept, err
		}
	}
	for _, f := range gone {
		if err := root.Remove(filepath.FromSlash(f.Path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return kept, err
		}
	}
	return kept, nil
}
