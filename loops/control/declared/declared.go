// Package declared turns a loop specification into what the kernel runs: a file of the
// standard, the inputs of its caller and the roles of wiki.yaml go in, a [loops.Declared]
// comes out, or every reason why the file can't be run as it says, with its line.
//
// Nothing that a file asks of safety, tools, limits, cost or memory is left out silently:
// what can't be enforced is refused before the run starts, and what only the vendor of a
// model can hold (temperature, top_p, max_tokens) is listed as advisory.
package declared

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/schema"
)

// Request is what a loop is declared with.
type Request struct {
	Path   string // of the file, relative to the repository's root
	Src    []byte
	Inputs []string // NAME=VALUE
	Roles  cast.Roles
	Given  cast.Given
	// Gates are the commands of the repository.
	Gates loops.GateCommands
	// Files are those of the repository: children of a composition are read from it.
	Files fs.FS
}

// RefusedError is a file that can't be run as it says.
type RefusedError struct {
	Path    string
	Reasons []string // with line, column and remedy
}

func (e *RefusedError) Error() string { return strings.Join(e.Reasons, "\n") }

// Lines returns the lines of the message.
func (e *RefusedError) Lines() []string { return e.Reasons }

// Hint returns what to do.
func (e *RefusedError) Hint() string {
	return "do as each line says; nothing was run. 'wiki loop spec validate " + e.Path + "' checks the rest"
}

// Read returns the loop that a file declares. The error is a *[RefusedError] if the file is
// valid and can't be run.
func Read(r Request) (*loops.Declared, *spec.Spec, error) {
	doc, err := spec.Read(r.Path, r.Src)
	if err != nil {
		return nil, nil, err
	}
	s, err := doc.Spec()
	if err != nil {
		return nil, nil, err
	}
	c := &converter{Request: r, doc: doc, spec: s}
	d := c.convert()
	if err := c.refused(); err != nil {
		return nil, s, err
	}
	d.Runs, d.Advisory = unique(c.runs), unique(c.advisory)
	return d, s, nil
}

// unique drops what is said again.
func unique(all []string) []string {
	var out []string
	for _, s := range all {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// reason is why a file is refused, at its place.
type reason struct {
	at   schema.Position
	text string
}

type converter struct {
	Request
	doc      *spec.Document
	spec     *spec.Spec
	out      loops.Declared
	reasons  []reason
	lines    []string // of children
	advisory []string
	runs     []string
	sources  [][]byte // of children
	// gets are the inputs of a child that others hand over.
	gets  map[string]bool
	depth int // of children
}

// refuse notes what can't be run, with the remedy, at a place of the file: keys and indexes.
func (c *converter) refuse(at []any, format string, args ...any) {
	keys := make([]string, len(at))
	for i, k := range at {
		keys[i] = fmt.Sprint(k)
	}
	c.reasons = append(c.reasons, reason{c.doc.Position(keys), fmt.Sprintf(format, args...)})
}

func at(keys ...any) []any { return keys }

// refused returns the reasons in the order of their places.
func (c *converter) refused() error {
	if len(c.reasons)+len(c.lines) == 0 {
		return nil
	}
	slices.SortStableFunc(c.reasons, func(a, b reason) int {
		if a.at.Line != b.at.Line {
			return a.at.Line - b.at.Line
		}
		return a.at.Column - b.at.Column
	})
	e := &RefusedError{Path: c.Path}
	for _, r := range c.reasons {
		if line := fmt.Sprintf("%s:%d:%d: %s", c.Path, r.at.Line, r.at.Column, r.text); !slices.Contains(e.Reasons, line) {
			e.Reasons = append(e.Reasons, line)
		}
	}
	e.Reasons = append(e.Reasons, c.lines...)
	return e
}

// Hash returns the hash by which a file is approved, with the files of its children.
func Hash(src []byte, children ...[]byte) string {
	h := sha256.New()
	h.Write(src)
	for _, c := range children {
		fmt.Fprintf(h, "\x00%d\x00", len(c))
		h.Write(c)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

func (c *converter) convert() *loops.Declared {
	d := &c.out
	d.Path = c.Path
	for _, f := range c.doc.Semantic(nil) {
		if f.Severity >= schema.Error {
			c.reasons = append(c.reasons, reason{f.At, f.Message})
		}
	}
	c.inputs()
	c.memory()
	c.workers()
	c.evaluators()
	c.channels()
	c.metrics()
	c.termination()
	c.optimisation()
	c.safety()
	c.cost()
	c.composition()
	d.Hash = Hash(c.Src, c.sources...)
	return d
}

// model notes what a model's vendor alone can hold, and returns who plays the part.
func (c *converter) model(place []any, m spec.Model, id, fallback string, role loops.Role, given string) loops.Casting {
	for _, p := range []struct {
		name string
		set  bool
	}{{"temperature", m.Temperature != nil}, {"top_p", m.TopP != nil}, {"max_tokens", m.MaxTokens != nil}} {
		if p.set {
			c.advise("%s of %s is left to the vendor of the model", p.name, id)
		}
	}
	chosen, err := c.play(m, id, fallback, role, given)
	if err != nil {
		c.refuse(place, "%s: %v", id, err)
	}
	return chosen
}

func (c *converter) advise(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.advisory, text) {
		c.advisory = append(c.advisory, text)
	}
}

// play casts a worker or a judge: by its id, by the name of its model, by the role that the
// model names, or as the maker or checker of the repository.
func (c *converter) play(m spec.Model, id, fallback string, role loops.Role, given string) (loops.Casting, error) {
	names := []string{id, m.Name, m.Role(fallback), fallback}
	if fallback == string(loops.Checker) {
		if maker, ok := c.Roles[string(loops.Maker)]; ok && maker.Agent != "command" {
			names = append(names, string(loops.Maker))
		}
	}
	var found loops.Casting
	for _, n := range names {
		if r, ok := c.Roles[n]; ok {
			found = loops.Casting{Agent: r.Agent, Model: r.Model, Argv: r.Argv, As: loops.Role(n)}
			break
		}
	}
	if given != "" {
		as := found.As
		found = cast.Named(given, found)
		found.As = as
	}
	if found.Agent == "" || found.Agent == "command" && len(found.Argv) == 0 {
		return found, fmt.Errorf("no agent is configured for it; set loops: {roles: {%s: {agent: claude}}} in wiki.yaml, or use --agent", m.Role(fallback))
	}
	all := map[loops.Role]loops.Casting{role: found, loops.Maker: found}
	err := cast.Complete(all)
	return all[role], err
}

// workers puts the workers in the order in which they work.
func (c *converter) workers() {
	placed := make(map[string]bool)
	for len(placed) < len(c.spec.Workers) {
		before := len(placed)
		for i := range c.spec.Workers {
			w := &c.spec.Workers[i]
			ready := !slices.ContainsFunc(w.DependsOn, func(id string) bool { return !placed[id] })
			if placed[w.ID] || !ready {
				continue
			}
			placed[w.ID] = true
			c.worker(i, w)
			break // the first of the file that is ready
		}
		if len(placed) == before {
			return // a cycle, or one that waits for none: the semantic checks say it
		}
	}
}

func (c *converter) worker(i int, w *spec.Worker) {
	given := c.Given.Agent
	if c.Given.Maker != "" {
		given = c.Given.Maker
	}
	out := loops.DeclaredWorker{
		ID: w.ID, Role: w.Role, Cast: c.model(at("workers", i, "model"), w.Model, w.ID, string(loops.Maker), loops.Worker, given), Output: w.Outputs.Name, Format: w.Outputs.Format,
		Wall: seconds(w.TimeoutSeconds), Retries: w.Retries,
	}
	if w.BudgetUSD != nil {
		out.USD = *w.BudgetUSD
	}
	if w.Tools != nil {
		c.refuse(at("workers", i, "tools"), "the tools of agent %s can't be limited; remove tools of worker %s, and say in its role what it is to use", out.Cast.Agent, w.ID)
	}
	if w.Outputs.SchemaRef != "" {
		c.refuse(at("workers", i, "outputs", "schema_ref"), "an output can't be checked against a schema; remove schema_ref, and add a safety constraint of the type schema_enforce with config: {required: [KEY]}")
	}
	if w.Outputs.Format == "binary" {
		c.refuse(at("workers", i, "outputs", "format"), "an output is text; let worker %s write the file into the repository, with format: text", w.ID)
	}
	for k, in := range w.Inputs {
		out.Reads = append(out.Reads, in.From)
		kind, name, _ := strings.Cut(in.From, ".")
		switch kind {
		case "memory":
			c.mayRead(at("workers", i, "inputs", k), w.ID, name)
		case "inputs":
			if strings.Contains(name, ".") {
				c.refuse(at("workers", i, "inputs", k), "%s reads a part of an input; read inputs.%s", in.From, strings.Split(name, ".")[0])
			}
		}
	}
	c.out.Workers = append(c.out.Workers, out)
}

func (c *converter) evaluators() {
	for i := range c.spec.Evaluators {
		e := &c.spec.Evaluators[i]
		out := loops.Evaluation{ID: e.ID, Combine: e.Aggregation}
		switch e.Type {
		case spec.Deterministic:
			out.Kind = loops.ByCommand
			c.command(i, e, &out)
		case spec.LLMRubric:
			out.Kind, out.Pass = loops.ByRubric, e.Rubric.PassThreshold
			given := c.Given.Agent
			if c.Given.Checker != "" {
				given = c.Given.Checker
			}
			out.Cast = c.model(at("evaluators", i, "model"), *e.Model, e.ID, string(loops.Checker), loops.Evaluator, given)
			for _, d := range e.Rubric.Dimensions {
				out.Rubric = append(out.Rubric, loops.Dimension{Name: d.Name, Weight: d.Weight, Low: d.Scale[0], High: d.Scale[1], Criteria: d.Criteria})
			}
		case spec.Human:
			out.Kind, out.Wall, out.Ask = loops.ByPerson, seconds(e.TimeoutSeconds), e.Instructions
			if out.Ask == "" {
				out.Ask = "judge the result"
			}
			if e.Queue != "" {
				c.advise("the queue of %s: the question stands in 'wiki loop status'", e.ID)
			}
		}
		c.out.Evaluators = append(c.out.Evaluators, out)
	}
}

// command binds a deterministic evaluator to a gate of the repository, or to a command.
func (c *converter) command(i int, e *spec.Evaluator, out *loops.Evaluation) {
	gate, own := e.Gate()
	if short, ok := strings.CutPrefix(e.Implementation, "x_wiki:"); ok {
		gate, own = short, true
	}
	if !own {
		out.Command = strings.TrimSpace(e.Implementation)
		c.runs = append(c.runs, out.Command)
		switch {
		case out.Command == "":
			c.refuse(at("evaluators", i, "implementation"), "the command is empty; name one, or x_wiki for the tests of the repository")
		case strings.HasPrefix(out.Command, "evaluators."):
			c.refuse(at("evaluators", i, "implementation"), "%s is a function of another runner; name a command, or x_wiki for the tests of the repository", out.Command)
		}
		return
	}
	out.Gate = gate
	commands := map[string][]string{"test": c.Gates.Test, "build": c.Gates.Build, "lint": c.Gates.Lint, "wiki": {"wiki lint"}}
	of, known := commands[gate]
	switch {
	case !known:
		c.refuse(at("evaluators", i, "implementation"), "unknown gate %q; use x_wiki for the tests, x_wiki:build, x_wiki:lint or x_wiki:wiki", gate)
	case len(of) == 0:
		c.refuse(at("evaluators", i, "implementation"), "no %s command was found in the repository; set loops: {gates: {%s: [COMMAND]}} in wiki.yaml", gate, gate)
	}
	c.runs = append(c.runs, of...)
}

func (c *converter) channels() {
	for i := range c.spec.Channels {
		ch := &c.spec.Channels[i]
		_, from, _ := strings.Cut(ch.Source, ".")
		out := loops.Channel{ID: ch.ID, From: from, Fields: ch.Fields, Bytes: ch.MaxTokens * bytesPerToken, Person: ch.Format == "human_queue"}
		kind, to, _ := strings.Cut(ch.Destination, ".")
		switch {
		case kind == "workers":
			out.To = to
		case to != "" && to != c.spec.Strategy.Type:
			c.refuse(at("feedback_channels", i, "destination"), "channel %s feeds %s, but the strategy is %s; use optimization_strategy", ch.ID, to, c.spec.Strategy.Type)
		}
		if ch.Format == "template" || ch.TemplateRef != "" {
			c.refuse(at("feedback_channels", i), "channel %s: templates are not rendered; use format: structured and fields", ch.ID)
		}
		when, err := loops.ParseWhen(ch.When)
		if err != nil {
			c.refuse(at("feedback_channels", i, "when"), "channel %s: when: %v", ch.ID, err)
		}
		out.When = when
		c.out.Channels = append(c.out.Channels, out)
	}
}

// bytesPerToken turns a limit of tokens into one of bytes, as estimates of the standard do.
const bytesPerToken = 4

func (c *converter) cost() {
	l := &c.spec.Cost
	out := loops.CostRule{Iteration: l.PerIterationUSD, All: l.CumulativeUSD, OnExceed: loops.Consequence(l.OnExceed.Action), Tokens: l.TokenSoftCap}
	if l.OnExceed.Action == "throttle" {
		c.refuse(at("cost_limits", "on_exceed"), "throttle is not possible: one agent is called at a time; use halt or warn")
	}
	if a := l.OnApproach; a != nil {
		out.Near, out.OnNear = a.ThresholdPercent, loops.Consequence(a.Action)
		if a.Action == "throttle" {
			c.refuse(at("cost_limits", "on_approach"), "throttle is not possible: one agent is called at a time; use halt or warn")
		}
	}
	if l.PriceTableRef != "" {
		c.refuse(at("cost_limits", "price_table_ref"), "prices are not read from here; set loops: {prices: …} in wiki.yaml and remove it")
	}
	c.out.Cost = out
}

// number writes a number as people do.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
