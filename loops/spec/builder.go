package spec

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"github.com/loopwiki/wiki/schema"
)

// New is what [Build] makes a spec of. Fields that are empty have a default.
type New struct {
	Pattern       string // of [BuilderPatterns], or an alias
	Name          string
	Objective     string
	Input         string // name of the one input, default task
	Example       string // of that input
	Quality       float64
	MaxIterations int
}

// Builder is a pattern that [Build] knows.
type Builder struct {
	Name    string
	Aliases []string
	Design  string // the design pattern of [Patterns]
	Gist    string

	criteria  string
	retention int // iterations that memory is kept, 0 is none
	workers   []builderWorker
}

type builderWorker struct {
	ID, Role, Output, After, Tools string
	Inputs                         []string // but the loop's own
}

// Builders are the seven patterns, in the order of their complexity.
var Builders = []Builder{
	{"simple", []string{"echo"}, "reflection-loop", "one worker, judged by a rubric", "The result meets the objective", 0,
		[]builderWorker{{ID: "worker", Role: "Carry out the objective", Output: "Result"}}},
	{"reflection", []string{"reflect", "reflection-loop"}, "reflection-loop", "a writer, and a reflector whose notes go back to it", "The result meets the objective", 0,
		[]builderWorker{{ID: "writer", Role: "Write the result, and improve it by the notes", Output: "Draft"},
			{ID: "reflector", Role: "Name what is missing or wrong in the draft", Output: "Notes", After: "writer", Inputs: []string{"workers.writer"}}}},
	{"verification", []string{"verify", "verification-loop"}, "verification-loop", "a worker, and a command that must pass", "The change does what was asked and nothing else", 0,
		[]builderWorker{{ID: "implementer", Role: "Make the smallest change that passes the check", Output: "Change"}}},
	{"research", []string{"research-loop"}, "research-loop", "gather sources until the question is covered", "Every claim has a source that supports it", 0,
		[]builderWorker{{ID: "researcher", Role: "Answer the question from sources, and cite each", Output: "Brief"}}},
	{"react", []string{"tool", "tool-loop", "react-loop"}, "memory-augmented-loop", "think, use a tool, observe", "The answer follows from what the tools returned", 1,
		[]builderWorker{{ID: "actor", Role: "Choose the next tool call, or answer", Output: "Step", Tools: "search, read", Inputs: []string{"memory.observations"}}}},
	{"crew", []string{"crew-loop", "sequential-crew-loop"}, "multi-agent-coordination", "specialists one after the other", "The result meets the objective and reads as if one person wrote it", 0,
		[]builderWorker{{ID: "researcher", Role: "Gather what the others need", Output: "Notes"},
			{ID: "writer", Role: "Write the result from the notes", Output: "Draft", After: "researcher", Inputs: []string{"workers.researcher"}},
			{ID: "editor", Role: "Correct the draft, and finish it", Output: "Result", After: "writer", Inputs: []string{"workers.writer"}}}},
	{"plan", []string{"plan-execute-loop", "autogpt"}, "planning-loop", "plan, execute, plan again", "Every step of the plan is done, or was dropped for a reason", 8,
		[]builderWorker{{ID: "planner", Role: "Plan the next steps from what is done", Output: "Plan", Inputs: []string{"memory.plan"}},
			{ID: "executor", Role: "Carry out the first open step", Output: "Result", After: "planner", Inputs: []string{"workers.planner"}}}},
}

// FindBuilder finds a pattern by its name or an alias.
func FindBuilder(name string) (Builder, bool) {
	i := slices.IndexFunc(Builders, func(b Builder) bool { return b.Name == name || slices.Contains(b.Aliases, name) })
	if i < 0 {
		return Builder{}, false
	}
	return Builders[i], true
}

//go:embed builder.yaml.tmpl
var builderText string

var builderTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("builder").Funcs(template.FuncMap{"q": Quote}).Parse(builderText))
})

// Build makes a spec from a pattern. The error says which value no spec can have.
func Build(n New) (*Document, error) {
	b, ok := FindBuilder(n.Pattern)
	if !ok {
		return nil, fmt.Errorf("unknown pattern %q; use %s", n.Pattern, strings.Join(builderNames(), ", "))
	}
	if n.Input == "" {
		n.Input = "task"
	}
	if n.Example == "" {
		n.Example = "Complete the objective of this loop."
	}
	if n.Quality == 0 {
		n.Quality = 0.8
	}
	if n.MaxIterations == 0 {
		n.MaxIterations = 8
	}
	workers := slices.Clone(b.workers)
	for i, w := range workers {
		workers[i].Inputs = append([]string{"inputs." + n.Input}, w.Inputs...)
	}
	var text bytes.Buffer
	err := builderTemplate().Execute(&text, map[string]any{
		"Pattern": b.Name, "Design": b.Design, "Criteria": b.criteria, "Retention": b.retention, "Workers": workers,
		"Worker": workers[0].ID, "Last": workers[len(workers)-1].ID,
		"Name": n.Name, "Objective": n.Objective, "Input": n.Input, "Example": n.Example,
		"Quality": strconv.FormatFloat(n.Quality, 'g', -1, 64), "MaxIterations": n.MaxIterations,
	})
	if err != nil {
		return nil, err
	}
	d, err := Read("loop.yaml", text.Bytes())
	if err != nil {
		return nil, err
	}
	return made(d.Root)
}

func builderNames() []string {
	var out []string
	for _, b := range Builders {
		out = append(out, b.Name)
	}
	return out
}

// made is the document of a root that was put together, read from the text that is
// written; the error says what no spec can have.
func made(root *schema.Node) (*Document, error) {
	d, err := Read("loop.yaml", Format(root))
	if err != nil {
		return nil, err
	}
	if faults := d.Validate(LSS10); len(faults) > 0 {
		return nil, fmt.Errorf("no spec can have %s", faults[0])
	}
	return d, nil
}

// Text is the document as YAML.
func (d *Document) Text() []byte { return Format(d.Root) }

// WithLevel is the document with the level that its form suggests, as a hint and,
// if it states none, in its metadata.
func (d *Document) WithLevel() (*Document, error) {
	h := d.SuggestLevel()
	hint := mapNode(
		schema.Pair{Key: "taxonomy_level", Value: textNode(h.TaxonomyLevel)}, schema.Pair{Key: "pattern", Value: textNode(h.Pattern)},
		schema.Pair{Key: "workers", Value: intNode(h.Workers)}, schema.Pair{Key: "confidence", Value: textNode(h.Confidence)},
	)
	root := with(d.Root, "x_loopforge", with(d.Root.Get("x_loopforge"), "level_hint", hint))
	if stated, _ := d.TaxonomyLevel(); stated == 0 {
		level, _ := strconv.Atoi(h.TaxonomyLevel)
		root = with(root, "metadata", with(root.Get("metadata"), "taxonomy_level", intNode(level)))
	}
	return made(root)
}

// String is the line that --suggest-level prints.
func (h Hint) String() string {
	return fmt.Sprintf("Level hint: L%s (pattern=%s, workers=%d, confidence=%s)", h.TaxonomyLevel, h.Pattern, h.Workers, h.Confidence)
}
