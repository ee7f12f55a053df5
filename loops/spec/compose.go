package spec

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ChildSpec is a loop that a composition joins.
type ChildSpec struct {
	ID, Ref string
	// Lens is the point of view of a branch, for the loop that it runs.
	Lens string
	// Loop is the child's document; nil reads it from the library.
	Loop *Document
}

// ComposeOptions are what [Compose] makes a composition of.
type ComposeOptions struct {
	Type      string // sequential, parallel or nested
	Name      string
	Objective string
	Quality   float64 // default 0.8
	Children  []ChildSpec
}

//go:embed compose.yaml.tmpl
var composeText string

var composeTemplate = Template(composeText)

// The cost of an orchestrator, and how often the outer loop of a nested composition
// may call the inner ones: its bound is outer + repairs * inner.
const (
	orchestratorUSD = 0.50
	nestedRepairs   = 3
)

// Compose joins loops to one. The first child of a nested composition is the outer
// loop. Its budget is the sum of the children's and the orchestrator's.
func Compose(o ComposeOptions) (*Document, error) {
	roles := map[string]string{Sequential: "stage", Parallel: "branch", Nested: "inner"}
	if roles[o.Type] == "" {
		return nil, fmt.Errorf("unknown composition %q; use sequential, parallel or nested", o.Type)
	}
	if len(o.Children) < 2 {
		return nil, fmt.Errorf("a composition joins at least two loops, found %d; use --children ID:FILE for each", len(o.Children))
	}
	if o.Quality == 0 {
		o.Quality = 0.8
	}
	type child struct{ ID, Ref, Role, Lens string }
	var children []child
	var adapters []Adapter
	one, all := orchestratorUSD, orchestratorUSD
	for i, c := range o.Children {
		if c.Loop == nil {
			loop, err := FromLibrary(c.Ref)
			if err != nil {
				return nil, err
			}
			o.Children[i].Loop, c.Loop = loop, loop
		}
		role, times := roles[o.Type], 1.0
		if o.Type == Nested && i == 0 {
			role = "outer"
		} else if o.Type == Nested {
			times = nestedRepairs
		}
		children = append(children, child{c.ID, c.Ref, role, c.Lens})
		limits := c.Loop.Root.Get("cost_limits")
		one += times * numberOf(limits.Get("per_iteration_usd"))
		all += times * numberOf(limits.Get("cumulative_usd"))
		if i > 0 && o.Type != Parallel {
			from := o.Children[i-1]
			if o.Type == Nested {
				from = o.Children[0]
			}
			adapters = append(adapters, Adapter{From: from.output(), To: c.input()})
		}
	}
	return Render("loop.yaml", composeTemplate(), map[string]any{
		"Name": o.Name, "Objective": o.Objective, "Type": o.Type, "Quality": dollars(o.Quality), "Children": children, "Adapters": adapters,
		"Role":         map[string]string{Sequential: "Run the stages in order, and hand each result on", Parallel: "Run the branches side by side, and merge their results", Nested: "Run the outer loop, and the inner one where it fails"}[o.Type],
		"PerIteration": dollars(one), "Cumulative": dollars(all), "Least": len(children)/2 + 1,
	})
}

func dollars(f float64) string {
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// output is the end of an adapter at which the child's last worker leaves its result.
func (c ChildSpec) output() string {
	workers := items(c.Loop.Root, "workers")
	if len(workers) == 0 {
		return "children." + c.ID + ".outputs"
	}
	return "children." + c.ID + ".outputs." + workers[len(workers)-1].Get("id").ScalarText()
}

// input is the end of an adapter at which the child takes its first input.
func (c ChildSpec) input() string {
	fields := fieldsOf(c.Loop.Root)
	if len(fields) == 0 {
		return "children." + c.ID + ".inputs"
	}
	return "children." + c.ID + ".inputs." + fields[0].Key
}

// Recipe is a composition of builder patterns that is often asked for.
type Recipe struct {
	Name     string   `json:"name"`
	Patterns []string `json:"patterns"`
	Type     string   `json:"type"`
	Suite    string   `json:"suite,omitempty"` // the benchmark suite that it is measured by
}

// FindRecipe finds a recipe by its name.
func FindRecipe(name string) (Recipe, error) {
	var names []string
	for _, r := range Common().Recipes {
		names = append(names, r.Name)
	}
	i := slices.Index(names, name)
	if i < 0 {
		return Recipe{}, fmt.Errorf("unknown recipe %q; use %s", name, strings.Join(names, ", "))
	}
	return Common().Recipes[i], nil
}

// Make builds the recipe's children and the composition that joins them. The
// children's files, by the names in Ref, belong beside the composition's.
func (r Recipe) Make(name, objective string) (*Document, []ChildSpec, error) {
	var children []ChildSpec
	for i, pattern := range r.Patterns {
		id := pattern
		if slices.Contains(r.Patterns[:i], pattern) {
			id += "-" + strconv.Itoa(i+1)
		}
		loop, err := Build(New{Pattern: pattern, Name: name + "-" + id, Objective: objective})
		if err != nil {
			return nil, nil, err
		}
		children = append(children, ChildSpec{ID: id, Ref: name + "-" + id + ".yaml", Loop: loop})
	}
	whole, err := Compose(ComposeOptions{Type: r.Type, Name: name, Objective: objective, Children: children})
	return whole, children, err
}
