package agent

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"
)

// Harness is a program that runs agents, and what of it is which part of a spec.
type Harness struct {
	Name  string   `json:"name"`
	Title string   `json:"title"`
	Agent string   `json:"agent" jsonschema:"the agent of loops.roles"`
	Argv  []string `json:"argv,omitempty" jsonschema:"of the agent command"`
	Level int      `json:"level" jsonschema:"of the deepest layer that runs within an iteration"`
	Layer string   `json:"layer" jsonschema:"that layer"`

	Roles       string `json:"roles"`
	Memory      string `json:"memory"`
	Evaluators  string `json:"evaluators"`
	Termination string `json:"termination"`

	Recipe  string `json:"default_recipe" jsonschema:"of wiki loop spec compose --recipe"`
	Package string `json:"package,omitempty" jsonschema:"of npm, with which the mapping is tested; absent if it is by documentation"`
}

//go:embed harnesses.json
var harnessText []byte

// Harnesses are the harnesses whose mapping is known. Callers must not change them.
var Harnesses = sync.OnceValue(func() (all []Harness) {
	if err := json.Unmarshal(harnessText, &all); err != nil {
		panic(err) // it is embedded
	}
	return all
})

// FindHarness finds a harness by its name or title.
func FindHarness(name string) (Harness, bool) {
	i := slices.IndexFunc(Harnesses(), func(h Harness) bool { return h.Name == name || h.Title == name })
	if i < 0 {
		return Harness{}, false
	}
	return Harnesses()[i], true
}
