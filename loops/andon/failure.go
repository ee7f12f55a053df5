package andon

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// Failure is something that went wrong.
type Failure struct {
	At time.Time
	// Run is the run that ended in it, with its loop and plan; "" if no run did.
	Run, Loop, Plan string
	Status          loops.Status
	Chunk, Attempt  int
	// Workspace is where it happened, relative to the repository's root.
	Workspace string

	// Command is what failed, ExitCode its exit status, Output what it printed.
	Command  string
	ExitCode int
	Output   string
	Git      Git

	// ID names the failure; "" is loops.IncidentID of its time and command.
	ID string
	// Class and Confidence are derived from command and output if Class is "".
	Class      string
	Confidence float64
	// Why is the failure in one sentence, for people.
	Why string
	// Meta says that the run failed too often at one thing.
	Meta bool
	// Counts is true for a run that carried out a plan: several that fail in a row are
	// a Meta-Andon.
	Counts bool
}

// Git is the state of the repository that a failure happened in.
type Git struct {
	Repo   string `json:"repo"`
	Branch string `json:"branch"`
	Head   string `json:"head"`
	Status string `json:"status"`
}

// EndOf returns the failure that a run ended in; ok is false if it left no incident.
// Results are what the gates found last. root is the main checkout.
func EndOf(st *loops.State, results []loops.GateResult, root string) (f Failure, ok bool) {
	if len(st.Incidents) == 0 {
		return f, false
	}
	status := st.Status
	if !status.Over() && st.End.Status != "" {
		status = st.End.Status // the report is still to be written
	}
	i := st.Incidents[len(st.Incidents)-1]
	f = Failure{
		At: i.At, ID: i.ID, Class: i.Class, Confidence: i.Confidence, Run: st.Start.Run, Loop: st.Start.Loop, Plan: st.Start.Plan.Name, Status: status, Chunk: st.Chunk, Attempt: st.Attempt,
		Command: "wiki loop run " + st.Start.Plan.Name, ExitCode: status.Exit(), Why: st.End.Why, Output: st.End.Why, Meta: st.End.Meta || i.Meta, Counts: st.Executing(),
		Workspace: ".", Git: Git{Repo: filepath.Base(root), Branch: st.Place.Branch, Head: st.Head},
	}
	if rel, err := filepath.Rel(root, st.Place.Path); st.Place.Path != "" && err == nil {
		f.Workspace = filepath.ToSlash(rel)
	}
	f.fromGates(st, results)
	return f, true
}

// fromGates takes command and output from the gate whose result is the worst.
func (f *Failure) fromGates(st *loops.State, results []loops.GateResult) {
	worst := loops.Worst(results)
	if worst <= loops.Note {
		return
	}
	for _, r := range results {
		if r.Effect != worst {
			continue
		}
		f.ExitCode = 1 // a gate keeps no other
		f.Command = gateCommand(st, r.Gate)
		var b strings.Builder
		for _, why := range r.Reason {
			if why.Path != "" {
				b.WriteString(why.Path + ": ")
			}
			b.WriteString(why.Message + "\n")
		}
		if text := b.String() + r.Output; strings.TrimSpace(text) != "" {
			f.Output = text
		}
		return
	}
}

// gateCommand returns what a gate ran.
func gateCommand(st *loops.State, gate string) string {
	g := st.Start.Gates
	commands := map[string][]string{"setup": g.Setup, "build": g.Build, "test": g.Test, "lint": g.Lint, "verify": st.Start.Plan.Work(st.Chunk).Verify}
	if st.Start.Plan.Goal != "" {
		commands["goal"] = []string{st.Start.Plan.Goal}
	}
	if c := commands[gate]; len(c) > 0 {
		return strings.Join(c, " && ")
	}
	return "gate " + gate
}

// complete fills in what was not given, and takes secrets out.
func (s *Store) complete(f Failure) (Failure, map[string]string) {
	if f.At.IsZero() {
		f.At = s.Now()
	}
	f.At = f.At.UTC().Truncate(time.Second)
	class, sure, details := loops.Classify(f.Command, f.Output, f.ExitCode)
	switch {
	case f.Class == "" && class == "":
		f.Class, f.Confidence = loops.ClassUnknown, 0.35
	case f.Class == "":
		f.Class, f.Confidence = class, sure
	case f.Class != class:
		details = nil
	}
	if f.ID == "" {
		f.ID = loops.IncidentID(f.At, f.Command)
	}
	if f.Workspace == "" {
		f.Workspace = "."
	}
	if f.Why == "" {
		f.Why = treat(f.Class).label
	}
	clean := make(map[string]string, len(details))
	for k, v := range details {
		clean[k] = s.Redact(v)
	}
	f.Command, f.Why, f.Git.Status = s.Redact(f.Command), s.Redact(f.Why), s.Redact(f.Git.Status)
	if f.Output = s.Redact(f.Output); strings.TrimSpace(f.Output) == "" {
		f.Output = "(it printed nothing)"
	}
	f.Output, f.Git.Status = snippet(f.Output), snippet(f.Git.Status)
	return f, clean
}

// snippetSize is the number of characters kept from the end of an output.
const snippetSize = 2400

func snippet(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	if r := []rune(text); len(r) > snippetSize {
		return string(r[len(r)-snippetSize:])
	}
	return text
}
