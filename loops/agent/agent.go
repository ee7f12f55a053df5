// Package agent translates between roles and agent programs: it builds the command line for
// a role's call, and parses the program's output into a result that is the same for all
// programs.
//
// A program is a record in one file: how it is called, where the prompt goes, which paths
// hold its own state, and which parser reads its output. What an agent may do is not decided
// here, and its words are never evidence: they serve people, verdicts and cost.
package agent

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
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
	// state are the folders where the program keeps its own, and login what of a person's
	// there it needs to reach its vendor.
	state []folder
	login []credential
	// complete adds what a login lacks; it may be nil.
	complete func(l *loops.Login, getenv func(string) string)
	// confined is true if the program is told to use no sandbox of its own where a
	// sandbox holds it.
	confined bool
	// last is true if the program leaves its last message in a file.
	last bool
	// usage is a pattern of the file in which it leaves what it used: below the home, or
	// beside the result if it has no folder.
	usage string
	read  func(c loops.Call, t loops.Transcript) loops.Report
	// follow reads its events while it prints them, for one that prints events. at is
	// what "try again in 20s" counts from.
	follow func(at time.Time) stream
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

// Program returns the program that a casting calls, "" if it names none.
func Program(c loops.Casting) string {
	r := find(c.Agent)
	if r == nil {
		return ""
	}
	return (&agent{record: r, words: c.Argv}).program()
}

func (a *agent) program() string {
	switch {
	case a.id == "cursor":
		return "cursor-agent"
	case a.id != commandID:
		return a.id
	case len(a.words) > 0:
		return a.words[0]
	}
	return ""
}

func (a *agent) Invoke(c loops.Call) (loops.Invocation, error) {
	inv := loops.Invocation{Env: slices.Clone(a.env), Stdin: !a.asWord, Confined: a.confined && c.Sandboxed}
	if a.id == commandID {
		inv.Argv = slices.Clone(a.words)
	} else {
		inv.Argv = append([]string{a.program()}, a.argv(c)...)
	}
	if len(a.state) > 0 {
		inv.Tools, inv.Env = true, append(inv.Env, a.environment(c.Home)...)
	}
	for _, f := range a.state {
		inv.Folders = append(inv.Folders, path.Join(f.path, f.below))
	}
	switch {
	case strings.Contains(a.usage, "/"):
		inv.Usage = filepath.Join(c.Home, filepath.FromSlash(a.usage))
	case a.usage != "":
		inv.Usage = besideResult(c, a.usage)
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
func lastFile(c loops.Call) string { return besideResult(c, "last.txt") }

// besideResult returns the path of a file in the folder of the result.
func besideResult(c loops.Call, name string) string {
	return filepath.Join(filepath.Dir(c.ResultFile), name)
}

func (a *agent) Read(c loops.Call, t loops.Transcript) loops.Report {
	r := a.read(c, t)
	overlay(&r, c, t.Result, a.id == commandID)
	blind(&r, c.Role)
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
