package contain

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// DefaultMaxOutput is how many bytes of a stream are kept if a process says
// nothing.
const DefaultMaxOutput = 16 << 20

// Options are how a container works.
type Options struct {
	// Bubblewrap is the program bwrap. Without one it is looked for in PATH.
	Bubblewrap string
	// AtMost is the most that is tried, the best there is if it is empty.
	AtMost loops.Level
	// Place tells runs of one name apart: those of several repositories that were
	// begun in one second. It has no spaces.
	Place string
}

// placeVariable is set beside schema.RunVariable in every process of a run.
const placeVariable = "WIKI_LOOP_PLACE"

// marks returns the variables by which the processes of a run are known.
func (c *container) marks(run string) []string {
	marks := []string{schema.RunVariable + "=" + run}
	if c.options.Place != "" {
		marks = append(marks, placeVariable+"="+c.options.Place)
	}
	return marks
}

// New returns a container. Self is how this binary is executed again so that it
// calls Supervise; its first element is an absolute path.
func New(self []string, o Options) loops.Container {
	c := &container{self: slices.Clone(self), options: o}
	c.probe = sync.OnceValue(func() reach { return probe(o) })
	return c
}

type container struct {
	self    []string
	options Options
	probe   func() reach
}

// reach is what a machine allows.
type reach struct {
	level      loops.Level
	bubblewrap string   // the program
	open       []string // what is not contained
	lost       []Loss
}

// Loss is a sandbox that does not work here.
type Loss struct {
	Level loops.Level
	// Why it does not, and what is open without it, for people.
	Why  string
	Open []string
}

// Losses returns the sandboxes that don't work on this machine and would keep agents in
// better than what does, the best first.
func Losses(o Options) []Loss { return probe(o).lost }

// Level returns what Run will reach here, and what is not contained, for people.
func (c *container) Level() (loops.Level, []string) {
	r := c.probe()
	return r.level, slices.Clone(r.open)
}

// request is what a supervisor, and below it a launcher, is told. It is never
// written but to a pipe.
type request struct {
	Stage      stage         `json:"stage"`
	Self       []string      `json:"self"`
	Process    loops.Process `json:"process"`
	Env        []string      `json:"env"`
	Redact     []string      `json:"redact"`
	Level      loops.Level   `json:"level"`
	Bubblewrap string        `json:"bubblewrap,omitempty"`
	Program    string        `json:"program,omitempty"` // found in PATH, for a launcher
}

type stage string

const (
	stageSupervise stage = "supervise"
	stageLaunch    stage = "launch"
)

// reply is what the supervisor says at the end.
type reply struct {
	Exit  loops.Exit `json:"exit"`
	Error string     `json:"error,omitempty"`
}

// control is what the runner says on the way.
type control struct {
	Stop bool `json:"stop"`
}

// newRequest checks a process, and fills in what it leaves open.
func (c *container) newRequest(p loops.Process) (request, error) {
	switch {
	case len(p.Argv) == 0 || p.Argv[0] == "":
		return request{}, errors.New("run a program: no name")
	case len(c.self) == 0 || !filepath.IsAbs(c.self[0]):
		return request{}, fmt.Errorf("run %s: the path of the supervisor %q is not absolute", p.Argv[0], c.self)
	case !filepath.IsAbs(p.Dir):
		return request{}, fmt.Errorf("run %s: working directory %q is not absolute", p.Argv[0], p.Dir)
	case p.Stdout == "" || p.Stderr == "":
		return request{}, fmt.Errorf("run %s: no output file", p.Argv[0])
	case p.Wall <= 0:
		return request{}, fmt.Errorf("run %s: no time limit", p.Argv[0])
	}
	r := c.probe()
	if p.Require && r.level == loops.Bare {
		return request{}, fmt.Errorf("run %s: a sandbox is required but not available: %s; install bubblewrap, or use a Linux with landlock",
			p.Argv[0], strings.Join(r.open, "; "))
	}
	if p.MaxOutput <= 0 {
		p.MaxOutput = DefaultMaxOutput
	}
	p.Writable, p.Hidden = resolved(p.Writable), resolved(p.Hidden)
	return request{
		Stage: stageSupervise, Self: c.self, Process: p, Env: c.environment(p), Redact: p.Redact,
		Level: r.level, Bubblewrap: r.bubblewrap,
	}, nil
}

// environment is everything that a program finds: what is given, the mark of the
// run, and what keeps programs from waiting for a person or drawing on a
// terminal. The last of equal names counts.
func (c *container) environment(p loops.Process) []string {
	all := append(slices.Clone(p.Env), "TERM=dumb", "NO_COLOR=1", "CI=1")
	if p.Mark != "" {
		all = append(all, c.marks(p.Mark)...)
	}
	at := map[string]int{}
	var env []string
	for _, kv := range all {
		name, _, ok := strings.Cut(kv, "=")
		if !ok || name == "" {
			continue
		}
		if i, again := at[name]; again {
			env[i] = kv
			continue
		}
		at[name] = len(env)
		env = append(env, kv)
	}
	return env
}

// resolved returns the paths that exist, without symbolic links, sorted. Rules of
// a kernel are about what is there.
func resolved(paths []string) []string {
	var out []string
	for _, p := range paths {
		if real, err := filepath.EvalSymlinks(p); err == nil && filepath.IsAbs(real) {
			out = append(out, real)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// below reports whether a path is a folder or lies in it. Both are clean.
func below(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+string(filepath.Separator))
}

// lateness is how long beyond its own limits a supervisor is waited for.
const lateness = 30 * time.Second
