// Package diagnose checks whether loops can run on a machine: which agents are installed and
// which roles they have, which commands check a change, how far agents are contained, and
// what is missing. It logs in nowhere and changes nothing.
package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/scaffold"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/control/modes"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/gate"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// Doctor looks for what the loops of a repository need.
type Doctor struct{ *repo.Repo }

// New returns the doctor of a repository.
func New(r *repo.Repo) *Doctor { return &Doctor{r} }

// Diagnosis is what loops find on this machine.
type Diagnosis struct {
	Version     int               `json:"version" jsonschema:"version of this document, 1"`
	Repository  string            `json:"repository"`
	Agents      []KnownAgent      `json:"agents" jsonschema:"every supported agent"`
	Roles       []KnownRole       `json:"roles" jsonschema:"the agent of each role, from wiki.yaml"`
	Gates       KnownGates        `json:"gates" jsonschema:"the repository's build, test and lint commands"`
	Containment KnownContainer    `json:"containment"`
	Modes       []schema.LoopMode `json:"modes" jsonschema:"the mode of each loop, and why"`
	// AgentFiles are filled in by who knows what would be written today.
	AgentFiles []scaffold.FileState `json:"agent_files" jsonschema:"roles and skills for agent tools; empty if none were created"`
	Missing    []Missing            `json:"missing" jsonschema:"what loops need that is missing here"`
}

// KnownAgent is a record of an agent, and what of it is here.
type KnownAgent struct {
	ID           string   `json:"id"`
	Program      string   `json:"program,omitempty" jsonschema:"absent for the agent command, which runs any program"`
	Path         string   `json:"path,omitempty" jsonschema:"its path; absent if not on PATH"`
	Version      string   `json:"program_version,omitempty" jsonschema:"first line of --version"`
	Problem      string   `json:"problem,omitempty" jsonschema:"why there is no version"`
	Documented   bool     `json:"documented_only" jsonschema:"based on documentation, not tested with the program"`
	Capabilities []string `json:"capabilities"`
	State        []string `json:"state" jsonschema:"folders of the person's own that its login is read from, and nothing else"`
	Refused      string   `json:"state_refused,omitempty" jsonschema:"why no login is read"`
	Probe        *Probe   `json:"probe,omitempty" jsonschema:"what came of calling it; absent without --probe, or if it is not installed"`
}

// Probe is what came of calling an agent once.
type Probe struct {
	State   string  `json:"state" jsonschema:"ok: it ran a command; broken: it can't be used; unknown: neither is sure"`
	Sandbox string  `json:"sandbox" jsonschema:"bubblewrap, landlock or none"`
	Detail  string  `json:"detail,omitempty" jsonschema:"why it is not ok"`
	Tokens  int64   `json:"tokens,omitempty" jsonschema:"what the call used"`
	USD     float64 `json:"usd,omitempty"`
}

// Probe calls each installed agent once, by means of call, with the model that its roles
// have. This costs what a short call costs.
func (d *Diagnosis) Probe(ctx context.Context, call func(context.Context, loops.Casting) (run.Probe, error)) error {
	for i := range d.Agents {
		a := &d.Agents[i]
		if a.Path == "" {
			continue
		}
		cast := loops.Casting{Agent: a.ID}
		if at := slices.IndexFunc(d.Roles, func(r KnownRole) bool { return r.Agent == a.ID }); at >= 0 {
			cast.Model = d.Roles[at].Model
		}
		p, err := call(ctx, cast)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			p = run.Probe{Broken: true, Detail: err.Error()}
		}
		a.Probe = &Probe{State: "unknown", Sandbox: string(p.Level), Detail: firstLine(p.Detail), Tokens: p.Usage.Tokens(), USD: p.Usage.USD}
		switch {
		case p.Broken:
			a.Probe.State = "broken"
			d.Missing = append(d.Missing, Missing{a.ID + " can't work here: " + a.Probe.Detail, "mend what it says, then probe it again"})
		case p.Ran:
			a.Probe.State = "ok"
		}
	}
	return nil
}

// KnownRole is who plays a role.
type KnownRole struct {
	Role       string   `json:"role"`
	Agent      string   `json:"agent"`
	Model      string   `json:"model,omitempty"`
	Argv       []string `json:"argv,omitempty"`
	SameVendor bool     `json:"same_vendor" jsonschema:"a judging role with a model of the maker's vendor"`
	Found      bool     `json:"found" jsonschema:"its program is installed"`
}

// KnownGates are commands, and why they are the ones.
type KnownGates struct {
	Setup []string `json:"setup"`
	Build []string `json:"build"`
	Test  []string `json:"test"`
	Lint  []string `json:"lint"`
	Why   []string `json:"why"`
}

// KnownContainer is how far agents are kept from what is not theirs.
type KnownContainer struct {
	Level string   `json:"level" jsonschema:"bubblewrap, landlock or none"`
	Open  []string `json:"not_contained"`
	Lost  []Lost   `json:"without" jsonschema:"sandboxes that don't work here; empty with bubblewrap"`
}

// Lost is a sandbox that does not work here.
type Lost struct {
	Level string   `json:"level" jsonschema:"bubblewrap or landlock"`
	Why   string   `json:"why"`
	Open  []string `json:"not_contained" jsonschema:"what agents can do for lack of it"`
}

// Missing is a requirement of loops that is not met.
type Missing struct {
	What   string `json:"what"`
	Remedy string `json:"remedy"`
}

// Diagnose looks for everything that loops need. It logs in nowhere: a program
// that is found is asked for its version, with its input closed and a home that
// is empty.
func (dr *Doctor) Diagnose(ctx context.Context) (*Diagnosis, error) {
	level, open := dr.Container().Level()
	d := &Diagnosis{
		Version: 1, Repository: dr.Root, Missing: []Missing{}, Roles: []KnownRole{}, AgentFiles: []scaffold.FileState{},
		Containment: KnownContainer{string(level), append([]string{}, open...), []Lost{}},
	}
	for _, l := range dr.Losses() {
		d.Containment.Lost = append(d.Containment.Lost, Lost{string(l.Level), l.Why, l.Open})
	}
	agents, err := dr.agents(ctx)
	if err != nil {
		return nil, err
	}
	d.Agents = agents
	if d.Modes, err = modes.New(dr.Repo).Modes(ctx); err != nil {
		return nil, err
	}
	for _, a := range agents {
		if a.Path != "" {
			d.Missing = append(d.Missing, dr.login(a.ID)...)
		}
	}
	dr.gates(d)
	dr.roles(d)
	d.Missing = append(d.Missing, dr.lacks(ctx)...)
	switch {
	case level != loops.Bare:
	case dr.Config.Sandbox == "required":
		d.Missing = append(d.Missing, noSandbox("a sandbox, which wiki.yaml requires"))
	default:
		d.Missing = append(d.Missing, noSandbox("a sandbox: without one, writes elsewhere are only detected afterwards"))
	}
	return d, nil
}

// agents looks for the programs of all records.
func (dr *Doctor) agents(ctx context.Context) ([]KnownAgent, error) {
	home, done, err := contain.Scratch()
	if err != nil {
		return nil, err
	}
	defer done()
	ids := agent.IDs()
	out := make([]KnownAgent, len(ids))
	var asked sync.WaitGroup
	for i, id := range ids {
		a, err := agent.Find(loops.Casting{Agent: id}, nil)
		if err != nil {
			return nil, err
		}
		can := a.Capabilities()
		out[i] = KnownAgent{ID: id, Documented: can.Documented, Capabilities: capabilities(can)}
		inv, err := a.Invoke(loops.Call{Home: home, ResultFile: filepath.Join(home, "result.json")})
		if err != nil {
			return nil, err
		}
		if out[i].State, err = agent.State(id, dr.Settings()); err != nil {
			out[i].State, out[i].Refused = []string{}, err.Error()
		}
		if len(inv.Argv) == 0 || inv.Argv[0] == "" {
			continue
		}
		out[i].Program = inv.Argv[0]
		if out[i].Path = dr.LookPath(inv.Argv[0]); out[i].Path != "" {
			asked.Go(func() { out[i].Version, out[i].Problem = dr.version(ctx, out[i].Path, filepath.Join(home, id)) })
		}
	}
	asked.Wait()
	return out, nil
}

func capabilities(c loops.Capabilities) []string {
	out := []string{}
	for _, f := range []struct {
		has  bool
		name string
	}{
		{c.Cost, "cost"}, {c.Tokens, "tokens"}, {c.ToolCalls, "tool-calls"}, {c.Session, "session"}, {c.BudgetFlag, "budget"}, {c.ReadOnly, "read-only"}, {c.Schema, "schema"},
	} {
		if f.has {
			out = append(out, f.name)
		}
	}
	return out
}

// versionWall is how long a program may take to say its version.
const versionWall = 5 * time.Second

// version asks a program for its version, contained as an agent is.
func (dr *Doctor) version(ctx context.Context, path, dir string) (version, problem string) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err.Error()
	}
	out, errs := filepath.Join(dir, "stdout"), filepath.Join(dir, "stderr")
	exit, err := dr.Container().Run(ctx, loops.Process{
		Argv: []string{path, "--version"}, Dir: dir, Env: []string{"PATH=" + dr.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir},
		Stdout: out, Stderr: errs, Writable: []string{dir}, Wall: versionWall, Grace: time.Second, MaxOutput: 64 << 10, Mark: "doctor",
	})
	switch {
	case err != nil:
		return "", err.Error()
	case exit.Why != loops.Exited:
		return "", "--version did not exit: " + string(exit.Why)
	case exit.Code != 0:
		return "", "--version exited with status " + strconv.Itoa(exit.Code)
	}
	for _, name := range []string{out, errs} {
		text, _ := files.ReadPath(name, files.Run)
		if line := firstLine(string(text)); line != "" {
			return line, ""
		}
	}
	return "", "--version printed nothing"
}

// firstLine returns the first line with text, without what a terminal would act on.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return -1
			}
			return r
		}, strings.ToValidUTF8(line, "")))
		if line != "" {
			return line[:min(len(line), 200)]
		}
	}
	return ""
}

func (dr *Doctor) gates(d *Diagnosis) {
	_, why := gate.Detect(dr.FS())
	found, g := dr.Commands(), dr.Config.Gates
	switch {
	case len(g.Setup)+len(g.Build)+len(g.Test)+len(g.Lint) > 0:
		why = []string{"set in wiki.yaml"}
	case found.Given:
		why = append(why, "wiki.yaml: an empty list of commands is none of its kind")
	}
	list := func(s []string) []string { return append([]string{}, s...) }
	d.Gates = KnownGates{list(found.Setup), list(found.Build), list(found.Test), list(found.Lint), list(why)}
	if len(found.Build)+len(found.Test)+len(found.Lint) == 0 {
		d.Missing = append(d.Missing, Missing{"commands that check a change", "set them in wiki.yaml: loops: {gates: {test: [COMMAND]}}"})
	}
}

// roles adds which agent has which role, and which agents are missing.
func (dr *Doctor) roles(d *Diagnosis) {
	roles, err := cast.Roles(dr.Config.Roles).Execution(cast.Given{})
	var nobody *cast.NobodyError
	switch {
	case errors.As(err, &nobody):
		d.Missing = append(d.Missing, Missing{nobody.Error(), nobody.Hint()})
	case err != nil:
		d.Missing = append(d.Missing, Missing{err.Error(), "fix loops: roles: in wiki.yaml"})
	}
	if roles == nil {
		roles = make(map[loops.Role]loops.Casting)
	}
	for role, r := range dr.Config.Roles { // those that an execution does not need
		if _, ok := roles[loops.Role(role)]; !ok {
			roles[loops.Role(role)] = loops.Casting{Agent: r.Agent, Model: r.Model, Argv: r.Argv}
		}
	}
	for _, role := range loops.Roles() {
		c, ok := roles[role]
		if !ok {
			continue
		}
		missing := dr.program(role, c)
		d.Missing = append(d.Missing, missing...)
		d.Roles = append(d.Roles, KnownRole{Role: string(role), Agent: c.Agent, Model: c.Model, Argv: c.Argv, SameVendor: c.SameVendor, Found: len(missing) == 0})
	}
}

// program returns a missing program of a role.
func (dr *Doctor) program(role loops.Role, c loops.Casting) []Missing {
	program := agent.Program(c)
	if program != "" && dr.LookPath(program) != "" {
		return nil
	}
	return []Missing{{fmt.Sprintf("the program for the role %s: %s", role, cmp.Or(program, c.Agent)), "install it, or configure another agent for the role"}}
}

// login returns why an agent's login can't be read.
func (dr *Doctor) login(id string) []Missing {
	if _, err := agent.State(id, dr.Settings()); err != nil {
		return []Missing{{"a login of " + id + ": " + err.Error(), "set the variable that names it to a folder of the program's own"}}
	}
	return nil
}

// Required returns what a run with these agents can't do without, and is missing.
func (dr *Doctor) Required(ctx context.Context, agents map[loops.Role]loops.Casting) []Missing {
	out := dr.lacks(ctx)
	for _, role := range loops.Roles() {
		if c, ok := agents[role]; ok {
			out = slices.Concat(out, dr.program(role, c), dr.login(c.Agent))
		}
	}
	if level, _ := dr.Container().Level(); level == loops.Bare && dr.Config.Sandbox == "required" {
		out = append(out, noSandbox("a sandbox, which wiki.yaml requires"))
	}
	return out
}

func noSandbox(what string) Missing {
	return Missing{what, "install bubblewrap, or use a Linux kernel from 6.2 with landlock"}
}

// gitNeeded is the first version of git that prints absolute paths, which loops
// ask it for.
var gitNeeded = [2]int{2, 31}

// lacks looks for what every run needs beside agents.
func (dr *Doctor) lacks(ctx context.Context) (out []Missing) {
	add := func(what, remedy string) { out = append(out, Missing{what, remedy}) }
	if err := repo.Supported(); err != nil {
		add(err.Error(), "run loops on Linux or macOS")
	}
	if text, err := dr.Git(ctx, "version"); err != nil {
		add("git: "+err.Error(), "install git")
	} else if v := gitVersion(text); v[0] < gitNeeded[0] || v[0] == gitNeeded[0] && v[1] < gitNeeded[1] {
		add(text+" is older than 2.31", "upgrade git")
	}
	if _, err := dr.Git(ctx, "rev-parse", "--verify", "HEAD^{commit}"); err != nil {
		add("a commit to start from", "commit the files: git add -A && git commit")
	}
	parent := filepath.FromSlash(cmp.Or(dr.Config.Worktrees, ".."))
	if !filepath.IsAbs(parent) {
		parent = filepath.Join(dr.Root, parent)
	}
	for !repo.IsFolder(parent) && parent != filepath.Dir(parent) { // it is made when it is needed
		parent = filepath.Dir(parent)
	}
	if dir, err := os.MkdirTemp(parent, ".wiki-doctor-*"); err != nil {
		add("a writable directory for worktrees: "+parent, "set another in wiki.yaml: loops: {worktrees: FOLDER}")
	} else {
		os.Remove(dir)
	}
	return out
}

// gitVersion reads "git version 2.43.0".
func gitVersion(text string) (v [2]int) {
	fields := strings.Fields(text)
	if len(fields) < 3 {
		return v
	}
	for i, part := range strings.SplitN(fields[2], ".", 3) {
		if i < len(v) {
			v[i], _ = strconv.Atoi(part)
		}
	}
	return v
}
