// Package agent translates between roles and agent programs: it builds the command line for
// a role's call, and parses the program's output into a result that is the same for all
// programs.
//
// A program is a record in one file: how it is called, where the prompt goes, which paths
// hold its own state, and which parser reads its output. What an agent may do is not decided
// here, and its words are never evidence: they serve people, verdicts and cost.
package agent

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// record is how one program is called and read.
type record struct {
	id     string
	vendor string // "" if the model decides
	// argv is the command line. prompt says whether its last word is the prompt;
	// otherwise the prompt goes in by standard input.
	argv   func(c loops.Call) []string
	asWord bool
	env    []string
	// state are the paths below the home folder where the program keeps its own.
	state []string
	// last is true if the program leaves its last message in a file.
	last bool
	read func(c loops.Call, t loops.Transcript) loops.Report
	// follow reads its events while it prints them, for one that prints events. at is
	// what "try again in 20s" counts from.
	follow func(at time.Time) stream
	// resume is the command line that goes on with a session.
	resume func(session string) string
	can    loops.Capabilities
	// answers is how it answers one prompt with its tools off, nil if it can't.
	answers *Answerer
}

var records []*record

// register adds a record from its file.
func register(r record) *record {
	at, _ := slices.BinarySearchFunc(records, r.id, func(r *record, id string) int { return strings.Compare(r.id, id) })
	records = slices.Insert(records, at, &r)
	return &r
}

// IDs lists the records by name.
func IDs() []string {
	var ids []string
	for _, r := range records {
		ids = append(ids, r.id)
	}
	return ids
}

// Find returns the agent of a casting, with a table of prices for those that do
// not say what they cost.
func Find(c loops.Casting, prices Prices) (loops.Agent, error) {
	if r := find(c.Agent); r != nil {
		return &agent{r, c.Argv, prices}, nil
	}
	return nil, &UnknownError{c.Agent}
}

// UnknownError is a name that no record has.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return `unknown agent "` + e.Name + `"; want one of ` + strings.Join(IDs(), ", ")
}

// agent is a record as it is cast.
type agent struct {
	*record
	words  []string // of the agent command
	prices Prices
}

func (a *agent) ID() string { return a.id }

func (a *agent) Capabilities() loops.Capabilities { return a.can }

func (a *agent) Vendor(model string) string {
	if a.vendor != "" {
		return a.vendor
	}
	if v := vendorOf(model); v != "" {
		return v
	}
	if len(a.words) > 0 {
		return "command " + filepath.Base(a.words[0])
	}
	return a.id
}

// vendorOf tells who makes a model, by its name.
func vendorOf(model string) string {
	m := strings.ToLower(model)
	for _, v := range [][2]string{
		{"claude", "anthropic"}, {"haiku", "anthropic"}, {"sonnet", "anthropic"}, {"opus", "anthropic"},
		{"gpt", "openai"}, {"codex", "openai"}, {"gemini", "google"}, {"mistral", "mistral"}, {"grok", "xai"}, {"llama", "meta"},
		{"deepseek", "deepseek"}, {"qwen", "alibaba"},
	} {
		if strings.Contains(m, v[0]) {
			return v[1]
		}
	}
	return ""
}

func (a *agent) Invoke(c loops.Call) (loops.Invocation, error) {
	inv := loops.Invocation{Env: a.env, Stdin: !a.asWord}
	if a.id == commandID {
		inv.Argv = slices.Clone(a.words)
	} else {
		inv.Argv = append([]string{a.id}, a.argv(c)...)
	}
	if a.id == "cursor" {
		inv.Argv[0] = "cursor-agent"
	}
	for _, s := range a.state {
		inv.State = append(inv.State, filepath.Join(c.Home, filepath.FromSlash(s)))
	}
	if a.last {
		inv.Last = lastFile(c)
	}
	if a.asWord {
		inv.Argv = append(inv.Argv, c.Prompt)
	}
	return inv, nil
}

// lastFile returns where a program leaves its last message.
func lastFile(c loops.Call) string { return filepath.Join(filepath.Dir(c.ResultFile), "last.txt") }

func (a *agent) Read(c loops.Call, t loops.Transcript) loops.Report {
	r := a.read(c, t)
	overlay(&r, c, t.Result, a.id == commandID)
	a.prices.apply(&r, c.Model)
	return r
}

func (a *agent) Follow() loops.Follower {
	if a.follow == nil {
		return nil
	}
	return follower{a.follow(time.Time{})}
}

// follower is a stream that is read while it is written.
type follower struct{ stream }

func (f follower) Line(line []byte, stderr bool) {
	switch {
	case stderr:
		f.logged(line)
	case len(line) > 0 && line[0] == '{':
		f.line(line)
	}
}

func (f follower) Ends() string { return f.of().repeats() }

func (f follower) Failing() bool { return f.of().failed != nil }

func (f follower) Waiting() bool { return f.of().waits() }

func (a *agent) Resume(session string) string {
	if a.resume == nil || !plainSession().MatchString(session) {
		return ""
	}
	return a.resume(session)
}

// plainSession is what a person may paste into a shell: the program said it, and
// nothing that it says is trusted.
var plainSession = schema.Expression(`^[A-Za-z0-9_][A-Za-z0-9._:-]{0,199}$`)

// endings are the outcomes of programs that did not end by themselves.
var endings = map[loops.Ended]loops.Outcome{
	loops.NotStarted: loops.NotFound, loops.EndedOutput: loops.BadOutput, loops.EndedWall: loops.WallTimeout, loops.EndedSilence: loops.SilenceTimeout,
	loops.EndedProgress: loops.ProgressTimeout, loops.EndedStopped: loops.Killed, loops.EndedRepeats: loops.Repeating,
}

// ended returns the outcome that follows from how a program ended, before anything
// that it said.
func ended(e loops.Exit) loops.Outcome {
	if o, ok := endings[e.Why]; ok {
		return o
	}
	switch {
	case e.Code == 143 || e.Code == 137 || e.Code < 0:
		return loops.Killed
	case e.Code != 0:
		return loops.Failed
	}
	return loops.OK
}
