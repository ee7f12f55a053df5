package gate

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
)

// Options say how trees are judged.
type Options struct {
	// Container runs the commands.
	Container loops.Container
	// Path is the PATH of commands: the runner's, never an agent's.
	Path string
	// Env are variables beside PATH, HOME and TMPDIR, as NAME=value; see
	// [Toolchains]. A later one replaces one that the gates set themselves.
	Env []string
	// Timeouts bound a command: Gate and Grace are read.
	Timeouts loops.Timeouts
	// Protect are globs of what agents may not change, beside the defaults.
	Protect []string
	// Redact are values that must appear in no output and in no tree.
	Redact []string
	// Rules are those of the linter.
	Rules []*linter.Rule
	// Today is the present day, for the linter.
	Today time.Time
	// Cache is a folder for what outlives a candidate: the outputs of setup, the
	// caches of tools, what is known of a tree's tests. The candidate's own folder
	// if empty.
	Cache string
	// Tools is a folder for what compilers keep, which repositories share; below Cache
	// if empty. Only commands that run no code of a tree write there.
	Tools string
	// Exports is a folder for exports: best outside the repository, as tools
	// look for their configuration in the folders above. The candidate's own
	// folder if empty.
	Exports string
	// Objects is where the repository keeps its objects, absolute: an export reads
	// them there. Without it every export gets objects of its own.
	Objects string
	// Repeat is how often the tests of the base are run to know those that are
	// not steady; 0 means 2.
	Repeat int
}

// Gate is one thing that a tree must be like.
type Gate struct {
	ID     string
	Stages []loops.Stage
	// Doc is one sentence: what the gate asks of a tree.
	Doc   string
	phase phase
	// judge returns nothing if the gate has nothing to judge.
	judge func(context.Context, *judge) ([]loops.GateResult, error)
}

// phase is when in a judgement a gate is asked. A result of Unscoped or worse
// ends the judgement after its phase, as does a red one of setup.
type phase int

const (
	phaseChange  phase = iota // the change, before anything of it is run
	phaseSetup                // what commands need
	phaseCommand              // the repository's commands
	phaseProof                // what only a tree with green tests is asked
)

var registry = map[string]*Gate{}

// register adds a gate. It panics if the gate is incomplete or its id taken, so
// that a mistake shows in every test.
func register(g Gate) *Gate {
	if registry[g.ID] != nil || g.ID == "" || g.Doc == "" || len(g.Stages) == 0 || g.judge == nil {
		panic("gate: " + g.ID + " is registered twice, or lacks stages, doc or judge")
	}
	registry[g.ID] = &g
	return &g
}

// All returns every gate, in order of id.
func All() []*Gate {
	var out []*Gate
	for _, g := range registry {
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b *Gate) int { return strings.Compare(a.ID, b.ID) })
	return out
}

type gates struct {
	Options
	redactor *loops.Redactor
}

// New returns the gates.
func New(o Options) loops.Gates {
	def := loops.DefaultTimeouts()
	if o.Timeouts.Gate <= 0 {
		o.Timeouts.Gate = def.Gate
	}
	if o.Timeouts.Grace <= 0 {
		o.Timeouts.Grace = def.Grace
	}
	if o.Repeat <= 0 {
		o.Repeat = 2
	}
	return &gates{Options: o, redactor: loops.NewRedactor(o.Redact)}
}

// Judge asks the gates of the candidate's stage. An error is of the disk, of git
// or of the container: it says nothing about the tree.
func (g *gates) Judge(ctx context.Context, c loops.Candidate) (results []loops.GateResult, err error) {
	j, err := g.prepare(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("prepare tree %s for the gates: %w", c.Tree, err)
	}
	defer func() { j.close() }()
	all := All()
	for p := phaseChange; p <= phaseProof; p++ {
		for _, gate := range all {
			if gate.phase != p || !slices.Contains(gate.Stages, c.Stage) {
				continue
			}
			began := time.Now()
			found, err := gate.judge(ctx, j)
			if err != nil {
				return nil, fmt.Errorf("gate %s on tree %s: %w", gate.ID, c.Tree, err)
			}
			for _, r := range found {
				r.Gate = gate.ID
				if r.Duration == 0 {
					r.Duration = loops.Duration(time.Since(began).Round(time.Millisecond))
				}
				results = append(results, g.clean(r))
			}
		}
		worst := loops.Worst(results)
		if worst >= loops.Environment || p >= phaseSetup && worst >= loops.Red {
			break
		}
	}
	return results, nil
}

// clean takes secrets out of what a result says.
func (g *gates) clean(r loops.GateResult) loops.GateResult {
	r.Output = g.redact(r.Output)
	r.Reason = slices.Clone(r.Reason)
	for i := range r.Reason {
		r.Reason[i].Message = g.redact(r.Reason[i].Message)
		r.Reason[i].Path = g.redact(filepath.ToSlash(r.Reason[i].Path))
	}
	return r
}

func (g *gates) redact(text string) string {
	clean, _ := g.redactor.Text(text)
	return clean
}

// passed returns the result of a gate that has nothing to say.
func passed() []loops.GateResult { return []loops.GateResult{{Effect: loops.Passed}} }

// mostReasons is how many reasons a result holds.
const mostReasons = 50

// because returns a result with reasons, or one that passed if there are none.
func because(e loops.Effect, class string, reasons []loops.Reason) []loops.GateResult {
	if len(reasons) == 0 {
		return passed()
	}
	slices.SortStableFunc(reasons, func(a, b loops.Reason) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	files := map[string]bool{}
	for _, r := range reasons {
		if r.Path != "" {
			files[r.Path] = true
		}
	}
	r := loops.GateResult{Effect: e, Reason: reasons, Files: len(files)}
	if e >= loops.Red {
		r.Class = class
		r.Same = sameReasons(reasons)
	}
	if n := len(reasons); n > mostReasons {
		r.Reason = append(slices.Clip(reasons[:mostReasons]), loops.Reason{Message: fmt.Sprintf("and %d more", n-mostReasons)})
	}
	return []loops.GateResult{r}
}

func sameReasons(reasons []loops.Reason) string {
	var b strings.Builder
	for _, r := range reasons {
		b.WriteString(r.Path + ": " + r.Message + "\n")
	}
	return loops.SameFailure(b.String())
}
