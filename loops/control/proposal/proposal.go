// Package proposal turns answers of planners and auditors into plans: it prompts the agents,
// judges their answers, writes the plans that pass, and removes them if a person rejects them.
// Rejected findings are recorded, and not proposed again.
package proposal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
)

// Proposals asks planners and auditors, judges what they propose, and writes or removes it.
type Proposals struct{ *repo.Repo }

// New returns those of a repository.
func New(r *repo.Repo) *Proposals { return &Proposals{r} }

// The files of a run that plans: the specification in its folder, and what was
// accepted of an answer in that of the call.
const (
	SpecFile     = "spec.md"
	AcceptedFile = "accepted.json"
)

// request returns what a run that plans asks for.
func (p *Proposals) request(s *loops.Start, feedback []loops.Feedback) (plan.Request, error) {
	if s.Spec == nil {
		return plan.Request{}, fmt.Errorf("run %s has no planning request", s.Run)
	}
	src, err := files.ReadPath(filepath.Join(p.Store.Folder(s.Run), SpecFile), files.Run)
	if err != nil {
		return plan.Request{}, err
	}
	g := p.Commands()
	r := plan.Request{As: plan.Kind(s.Spec.As), Spec: src, Path: s.Plan.Path, Month: s.Spec.Month, Commands: slices.Concat(g.Build, g.Test, g.Lint)}
	r.Refused = refused(feedback)
	return r, nil
}

// refused returns what was said about earlier answers, a line each.
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

// PlanPrompt returns what a planner is asked.
func (p *Proposals) PlanPrompt(ctx context.Context, r loops.PromptRequest) (loops.Prompt, error) {
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

// accepted is a file of a proposal that nothing is wrong with.
type accepted struct {
	Path string `json:"path"` // relative to the repository's root
	Src  []byte `json:"src"`
}

// Judge implements [run.Proposals].
func (p *Proposals) Judge(ctx context.Context, s *loops.State, folder string) ([]loops.GateResult, error) {
	if s.Auditing() {
		return p.judgeAudit(ctx, s, folder)
	}
	req, err := p.request(&s.Start, nil)
	if err != nil {
		return nil, err
	}
	answer, err := files.ReadPath(filepath.Join(folder, run.AnswerFile), files.Run)
	if err != nil {
		return nil, err
	}
	b, err := p.Book(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	found := req.Judge(plan.ReadAnswer(answer), b.Around(p.Getenv("PATH")))
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
	return files.ReplacePath(filepath.Join(folder, AcceptedFile), text, 0o644)
}

// refusals returns the errors in a proposal, with what to do about them.
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
	text, err := files.ReadPath(filepath.Join(folder, AcceptedFile), files.Run)
	if err != nil {
		return nil, err
	}
	var list []accepted
	return list, json.Unmarshal(text, &list)
}

// Write implements [run.Proposals].
func (p *Proposals) Write(_ context.Context, _ *loops.State, folder string) ([]string, error) {
	list, err := readAccepted(folder)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range list {
		name := filepath.FromSlash(f.Path)
		have, err := files.Read(p.Root, name, files.State)
		if errors.Is(err, fs.ErrNotExist) {
			have, err = f.Src, files.Replace(p.Root, name, f.Src, 0o666)
		}
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(have, f.Src) {
			return nil, fmt.Errorf("%s was created meanwhile, and is not overwritten", f.Path)
		}
		out = append(out, f.Path)
	}
	return out, nil
}

// Withdraw implements [run.Proposals].
func (p *Proposals) Withdraw(ctx context.Context, s *loops.State, folder string) (kept []string, err error) {
	list, err := readAccepted(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	root, err := files.Open(p.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var gone []accepted
	for _, f := range list {
		have, err := files.Read(p.Root, filepath.FromSlash(f.Path), files.State)
		if errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, f) // by somebody's hand, or by a runner that died
			continue
		}
		tracked, gitErr := p.Git(ctx, "ls-files", "--", ":(literal)"+f.Path)
		if err != nil || gitErr != nil || tracked != "" || !bytes.Equal(have, f.Src) {
			kept = append(kept, f.Path)
			continue
		}
		gone = append(gone, f)
	}
	if s.Auditing() {
		if err := p.remember(s, gone); err != nil {
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
