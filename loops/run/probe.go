package run

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
)

// Probe is what came of calling an agent before there is work for it.
type Probe struct {
	Level  loops.Level
	Usage  loops.Usage
	Ran    bool   // it ran the command
	Broken bool   // it can't be used as it is
	Detail string // why not, or why nothing is known
}

// probeWall is how long a probe may take.
const probeWall = 90 * time.Second

// probeFile is what the command of a probe writes.
const probeFile = "probe.txt"

// Probe calls an agent once, as a maker is called but in an empty folder, with the task to
// run one command.
func (d *Driver) Probe(ctx context.Context, cast loops.Casting) (p Probe, err error) {
	agent, err := d.Agents(cast)
	if err != nil {
		return p, err
	}
	if d.logins == nil {
		l, err := d.Login(cast.Agent)
		if err != nil {
			return p, err
		}
		d.logins, d.Redact = map[string]loops.Login{cast.Agent: l}, append(d.Redact, l.Secrets...)
	}
	private, done, err := d.Scratch()
	if err != nil {
		return p, err
	}
	defer done() // what can't be removed now is when nobody holds it
	home, gone, err := d.home(agent.ID())
	if err != nil {
		return p, err
	}
	defer gone()
	nonce := newUUID()
	call := loops.Call{
		Role: loops.Maker, Model: cast.Model, Dir: filepath.Join(private, "work"), Home: home, Session: newUUID(), USD: d.left(loops.Command{}),
		Prompt:     fmt.Sprintf("Run this command once with your shell tool, then answer with what it printed and nothing else:\n\n    echo %s | tee %s\n", nonce, probeFile),
		PromptFile: filepath.Join(private, "prompt.md"), ResultFile: filepath.Join(private, "result.json"),
	}
	p.Level, _ = d.Container.Level()
	call.Sandboxed = p.Level != loops.Bare
	if err := makeFolders(private, []string{"work"}); err != nil {
		return p, err
	}
	if err := files.ReplacePath(call.PromptFile, []byte(call.Prompt), 0o600); err != nil {
		return p, err
	}
	r, err := d.probe(ctx, agent, call, private)
	if err != nil {
		return p, err
	}
	text, _ := files.ReadPath(filepath.Join(call.Dir, probeFile), files.Run)
	p.Usage, p.Ran = r.Usage, strings.TrimSpace(string(text)) == nonce
	p.judge(r)
	return p, nil
}

// probe runs the program of a call outside of any worktree, and reads what it says.
func (d *Driver) probe(ctx context.Context, agent loops.Agent, call loops.Call, private string) (loops.Report, error) {
	inv, err := agent.Invoke(call)
	if err != nil {
		return loops.Report{}, err
	}
	if err := makeFolders(call.Home, inv.Folders); err != nil {
		return loops.Report{}, err
	}
	process := d.process(call, inv, private, private)
	process.Wall, process.Mark = probeWall, d.state.Start.Run
	exit, err := d.Container.Run(ctx, process)
	if err != nil {
		return loops.Report{}, err
	}
	t := loops.Transcript{Exit: exit, At: d.Now(), Stdout: readEnds(process.Stdout), Stderr: readEnds(process.Stderr)}
	t.Last, _ = readRegular(inv.Last)
	t.Usage, _ = readRegular(newest(inv.Usage))
	return d.correct(agent.Read(call, t), exit), ctx.Err()
}

// judge decides whether an agent can be used. What its vendor may mend by itself is for
// the run to wait for, and a model that runs nothing says nothing of its program.
func (p *Probe) judge(r loops.Report) {
	p.Detail = r.Detail
	switch o := r.Outcome; {
	case p.Ran:
		p.Detail = ""
	case o.Refused(), o == loops.Failed:
		p.Broken, p.Detail = true, cmp.Or(p.Detail, string(o))
	case r.ToolsFailed > 0:
		p.Broken, p.Detail = true, "its command failed: "+r.Summary
	case o == loops.OK:
		p.Detail = "it answered without running the command"
	case p.Detail == "":
		p.Detail = string(o)
	}
}

// probes calls each agent of a run that makes a change once, before the base is judged: an
// agent that can't work costs no attempt.
func (d *Driver) probes(ctx context.Context) ([]loops.Usage, error) {
	roles := d.state.Start.Roles
	if _, makes := roles[loops.Maker]; !makes {
		return nil, nil // the first call tells as much
	}
	var used []loops.Usage
	seen := make(map[string]bool)
	for _, role := range loops.Roles() {
		c, plays := roles[role]
		key := c.Agent + " " + c.Model
		if !plays || c.Agent == "command" || seen[key] { // that one is the repository's own
			continue
		}
		seen[key] = true
		p, err := d.Probe(ctx, c)
		if err != nil {
			return used, err
		}
		if p.Broken {
			return used, &MissingError{What: fmt.Sprintf("the %s (%s) can't work here: %s", role, c.Agent, p.Detail), Hint: "see 'wiki doctor --agents --probe'"}
		}
		used = append(used, p.Usage)
	}
	return used, nil
}
