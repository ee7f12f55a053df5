package run

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/text"
)

// maxOutput is how much of each stream of an agent is kept, in bytes.
const maxOutput = 8 << 20

// maxPatch is how much of a change a judge is shown, in bytes.
const maxPatch = 256 << 10

// maxRead is how much of a result or a last message is read.
const maxRead = 1 << 20

// role calls an agent, and finds out what it did.
func (d *Driver) role(ctx context.Context, c loops.Command) (*loops.RoleResult, error) {
	cast, ok := d.state.Start.Cast(c)
	if !ok {
		return nil, &MissingError{What: fmt.Sprintf("no agent is configured for the role %s", c.Role), Hint: "set one under loops: roles: in wiki.yaml"}
	}
	if d.Idle != nil {
		why, err := d.Idle(ctx, &d.state, c)
		if err != nil {
			return nil, err
		}
		if why != "" {
			return &loops.RoleResult{Tree: d.state.Before.Tree, Report: loops.Report{Outcome: loops.NoChange, Summary: why, Usage: loops.Usage{Cost: loops.CostNone}}}, nil
		}
	}
	agent, err := d.Agents(cast)
	if err != nil {
		return nil, err
	}
	dir, err := d.evidence(c)
	if err != nil {
		return nil, err
	}
	if d.Calls != nil {
		d.Calls(dir)
	}
	// What the agent may write to lies outside the repository: its own
	// temporary folder, with the prompt and the place for its answer.
	private, done, err := d.Scratch()
	if err != nil {
		return nil, err
	}
	defer done() // what can't be removed now is when nobody holds it
	home, gone, err := d.home(agent.ID())
	if err != nil {
		return nil, err
	}
	defer gone()
	call, err := d.call(ctx, c, cast, dir, private)
	if err != nil {
		return nil, err
	}
	call.Home = home
	unmask, err := d.mask(c.Role)
	if err != nil {
		return nil, err
	}
	exit, waiting, inv, err := d.start(ctx, c, agent, call, dir, private)
	if err != nil {
		return nil, err
	}
	if err := unmask(); err != nil {
		return nil, err
	}
	return d.found(ctx, agent, call, inv, loops.Transcript{Exit: exit, Waiting: waiting, At: d.Now()}, dir)
}

// call makes the prompt, and what the agent's program is started with.
func (d *Driver) call(ctx context.Context, c loops.Command, cast loops.Casting, dir, private string) (loops.Call, error) {
	level, _ := d.Container.Level()
	call := loops.Call{
		Role: c.Role, Model: cast.Model, Dir: d.place.Path(), ReadOnly: c.Role.ReadOnly(), Sandboxed: level != loops.Bare, Session: newUUID(),
		PromptFile: filepath.Join(private, "prompt.md"), ResultFile: filepath.Join(private, "result.json"),
		USD: d.left(c),
	}
	req := loops.PromptRequest{Start: d.state.Work(), Page: d.state.Page(), Command: c, Worktree: d.place.Path(), ResultFile: call.ResultFile, Results: d.results, Failures: d.state.Failures, Progress: d.progress}
	if d.state.Declares() {
		req.Rounds, req.Memory = d.state.Rounds, d.state.Remembered()
	}
	if c.Role.Judges() || c.Role == loops.Evaluator {
		from := d.state.Tree
		if c.Role == loops.GoalChecker {
			from = d.state.Start.Base
		}
		patch, err := d.place.Patch(ctx, from, c.Tree, maxPatch)
		if err != nil {
			return call, err
		}
		req.Diff = patch
	}
	p, err := d.Prompts.Prompt(ctx, req)
	if err != nil {
		return call, err
	}
	p.Text = text.ForModel(p.Text)
	call.Prompt = p.Text
	parts, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return call, err
	}
	for name, src := range map[string][]byte{
		call.PromptFile: []byte(p.Text), filepath.Join(dir, "prompt.md"): []byte(p.Text), filepath.Join(dir, "prompt.json"): parts,
	} {
		if err := files.ReplacePath(name, src, 0o600); err != nil {
			return call, err
		}
	}
	return call, nil
}

// left returns what may still be spent, for agents that can be told; 0 is no limit.
func (d *Driver) left(c loops.Command) float64 {
	s := &d.state
	var most []float64
	if b := s.Start.Limits.Budget.USD; b > 0 {
		most = append(most, b-s.Spend.USD)
	}
	if l := s.Start.Declared; l != nil {
		most = append(most, l.Cost.All-s.Spend.USD)
		if w := l.Worker(c.Part); w != nil && w.USD > 0 {
			most = append(most, w.USD)
		}
	}
	if len(most) == 0 {
		return 0
	}
	return max(0.01, slices.Min(most))
}

// start runs the agent's program to its end.
func (d *Driver) start(ctx context.Context, c loops.Command, agent loops.Agent, call loops.Call, dir, private string) (exit loops.Exit, waiting bool, inv loops.Invocation, err error) {
	inv, err = agent.Invoke(call)
	if err != nil {
		return loops.Exit{Why: loops.NotStarted, Error: err.Error()}, false, inv, nil
	}
	if err := makeFolders(call.Home, inv.Folders); err != nil {
		return exit, false, inv, err
	}
	s := &d.state
	env := []string{
		"WIKI_LOOP_RUN=" + s.Start.Run, "WIKI_LOOP_ROLE=" + string(c.Role), "WIKI_LOOP_PLAN=" + s.Start.Plan.Name,
		"WIKI_LOOP_CHUNK=" + s.Start.Plan.Work(c.Chunk).ID, "WIKI_LOOP_ATTEMPT=" + strconv.Itoa(c.Attempt),
		"WIKI_LOOP_PROMPT=" + call.PromptFile, "WIKI_LOOP_RESULT=" + call.ResultFile,
	}
	if c.Part != "" {
		env = append(env, "WIKI_LOOP_PART="+c.Part)
	}
	p := d.process(call, inv, dir, private)
	p.Env, p.Mark, p.Silence = append(p.Env, env...), s.Start.Run, time.Duration(d.Timeouts.Silence)
	cast, _ := s.Start.Cast(c)
	if t := d.RoleTimeouts[cmp.Or(cast.As, c.Role)]; t > 0 {
		p.Wall = t
	}
	if l := s.Start.Declared; l != nil {
		if w := l.Worker(c.Part); w != nil && w.Wall > 0 {
			p.Wall = min(p.Wall, time.Duration(w.Wall))
		}
	}
	if b := s.Start.Limits.Budget.Clock; b > 0 { // no call outlives the run's own time
		if left := max(time.Duration(b-s.Worked), time.Millisecond); p.Wall <= 0 || left < p.Wall {
			p.Wall = left
		}
	}
	if !call.ReadOnly {
		p.Writable = append(p.Writable, call.Dir)
		p.Watch, p.Progress = call.Dir, time.Duration(d.Timeouts.Progress)
	}
	exit, waiting, err = d.follow(ctx, agent, p)
	return exit, waiting, inv, err
}

// process is how an agent's program is run, whatever it is called for.
func (d *Driver) process(call loops.Call, inv loops.Invocation, dir, private string) loops.Process {
	env := slices.Concat(d.Env, d.Tools, inv.Env)
	p := loops.Process{
		Argv: inv.Argv, Dir: call.Dir, Env: append(setDefault(env, "HOME", call.Home), "TMPDIR="+private),
		Stdout: filepath.Join(dir, "stdout"), Stderr: filepath.Join(dir, "stderr"),
		Redact: d.Redact, Writable: []string{private, call.Home}, Hidden: d.Hidden, Require: d.Require || inv.Confined,
		Wall: time.Duration(d.Timeouts.Wall), Grace: time.Duration(d.Timeouts.Grace), MaxOutput: maxOutput, Tools: inv.Tools,
	}
	if inv.Stdin {
		p.Stdin = call.PromptFile
	}
	return p
}

// found reads what the agent says, and looks at what it did.
func (d *Driver) found(ctx context.Context, agent loops.Agent, call loops.Call, inv loops.Invocation, t loops.Transcript, dir string) (*loops.RoleResult, error) {
	exit := t.Exit
	t.Stdout = readEnds(filepath.Join(dir, "stdout"))
	t.Stderr = readEnds(filepath.Join(dir, "stderr"))
	var secrets int
	for _, f := range []struct {
		from, to string
		into     *[]byte
	}{{call.ResultFile, "result.json", &t.Result}, {inv.Last, "last.txt", &t.Last}, {newest(inv.Usage), "usage.txt", &t.Usage}} {
		if f.from == "" {
			continue
		}
		src, ok := readRegular(f.from)
		if !ok {
			continue
		}
		clean, n := loops.Redact(src, d.Redact)
		secrets += n
		*f.into = clean
		if err := files.ReplacePath(filepath.Join(dir, f.to), clean, 0o600); err != nil {
			return nil, err
		}
	}
	report := agent.Read(call, t)
	report = d.correct(report, exit)
	if loops.Answers(call.Role) {
		clean, n := loops.Redact([]byte(report.Text), d.Redact)
		secrets += n
		if call.Role == loops.Worker {
			report.Answer = loops.FactsOf(string(clean))
		}
		if err := files.ReplacePath(filepath.Join(dir, AnswerFile), clean, 0o600); err != nil {
			return nil, err
		}
	}
	tree, changes, breaches, err := d.place.Compare(ctx, d.state.Before)
	if err != nil {
		return nil, err
	}
	if is, err := d.journal.Mend(); err != nil {
		return nil, fmt.Errorf("an agent changed the journal: %w", err)
	} else if is != "" {
		breaches = append(breaches, loops.Breach{What: "journal of the run", Was: "as written", Is: is, Restored: true})
	}
	secrets += d.clean(changes, breaches)
	r := &loops.RoleResult{
		Report: report, Exit: exit, Tree: tree, Changes: changes, Breaches: breaches, Evidence: d.relative(dir), Secrets: exit.Redacted + secrets,
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, err
	}
	return r, files.ReplacePath(filepath.Join(dir, "call.json"), append(text, '\n'), 0o600)
}

// clean takes secrets out of the names of what was changed, which go into the
// journal, and counts them.
func (d *Driver) clean(changes []loops.Change, breaches []loops.Breach) (found int) {
	redact := func(texts ...*string) {
		for _, t := range texts {
			clean, n := loops.Redact([]byte(*t), d.Redact)
			*t, found = string(clean), found+n
		}
	}
	for i := range changes {
		redact(&changes[i].Path, &changes[i].From)
	}
	for i := range breaches {
		redact(&breaches[i].What, &breaches[i].Was, &breaches[i].Is)
	}
	return found
}

// correct corrects a report by what the runner saw: a call that nobody priced is charged
// an estimate.
func (d *Driver) correct(r loops.Report, exit loops.Exit) loops.Report {
	if exit.Error != "" {
		r.Detail = exit.Error
	}
	if r.Usage.Cost == "" && exit.Why != loops.NotStarted {
		r.Usage.Cost, r.Usage.USD = loops.CostEstimated, d.state.Start.Limits.EstimateUSD
	}
	return r
}

// mask puts the maker's rendering of the plan in the place of its file, and
// returns what puts the plan back, unless the agent wrote something else there.
func (d *Driver) mask(r loops.Role) (func() error, error) {
	nothing := func() error { return nil }
	if r != loops.Maker || d.Plan == nil || d.state.Start.Plan.Path == "" {
		return nothing, nil
	}
	root, err := files.Open(d.place.Path())
	if err != nil {
		return nothing, err
	}
	defer root.Close()
	name := filepath.FromSlash(d.state.Start.Plan.Path)
	src, err := root.ReadFile(name, files.Text)
	if err != nil {
		return nothing, nil // the plan is not committed: there is nothing to hide
	}
	shown := d.Plan(&d.state.Start.Plan, src)
	if shown == nil || bytes.Equal(shown, src) {
		return nothing, nil
	}
	if err := root.Replace(name, shown, 0o644); err != nil {
		return nothing, err
	}
	return func() error {
		root, err := files.Open(d.place.Path())
		if err != nil {
			return err
		}
		defer root.Close()
		if now, err := root.ReadFile(name, files.Text); err != nil || !bytes.Equal(now, shown) {
			return nil // it was touched: the gates will see it
		}
		return root.Replace(name, src, 0o644)
	}, nil
}

// setDefault adds a variable that is not given.
func setDefault(env []string, name, value string) []string {
	if slices.ContainsFunc(env, func(e string) bool { return len(e) > len(name) && e[:len(name)+1] == name+"=" }) {
		return env
	}
	return append(env, name+"="+value)
}

// readRegular reads a file that an agent left, if it is one: no link, no device,
// and not without end.
func readRegular(path string) ([]byte, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	f, _, err := files.OpenPath(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxRead))
	return src, err == nil
}

// readEnds reads a transcript. Of a very long one the end says how it went.
func readEnds(path string) []byte {
	f, _, err := files.OpenPath(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > 2*maxOutput {
		if _, err := f.Seek(-2*maxOutput, io.SeekEnd); err != nil {
			return nil
		}
	}
	src, _ := io.ReadAll(f)
	return src
}

// newUUID returns a random UUID (RFC 9562, version 4).
func newUUID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
