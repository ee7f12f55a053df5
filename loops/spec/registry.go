package spec

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
)

// Registry is what all specs have in common: the standard's lists, and what the
// builders know.
type Registry struct {
	Levels       []Level           `json:"levels"`   // the six levels, from 1 on
	Patterns     []Pattern         `json:"patterns"` // the 14 design patterns
	KnownLoops   map[string]string `json:"known_loops"`
	FailureCodes []FailureCode     `json:"failure_codes"` // the 12 failure codes
	Metrics      []CommonMetric    `json:"metrics"`
	Builders     []Builder         `json:"builders"` // the seven builder patterns
	Recipes      []Recipe          `json:"recipes"`
}

// Level is one of the six levels of loops.
type Level struct {
	Number   int    `json:"level"`
	Name     string `json:"name"`
	Question string `json:"question"` // what the loop asks after each iteration
	Stop     string `json:"stop"`     // how it usually ends
}

// Pattern is one of the 14 design patterns of loops.
type Pattern struct {
	Name  string `json:"pattern"`
	Range string `json:"levels"` // at which it is used
	Gist  string `json:"gist"`
	Level int    `json:"level"` // of most recorded loops of the pattern
}

// FailureCode is one of the 12 ways in which loops fail.
type FailureCode struct {
	Code     string `json:"code"` // F1 to F12
	Slug     string `json:"slug"` // as records name it
	Critical bool   `json:"critical"`
	Meaning  string `json:"meaning"`
}

// CommonMetric is a metric whose name has one meaning in all specs.
type CommonMetric struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

//go:embed registry.json
var registryText []byte

// Common is the registry. Callers must not change it.
var Common = sync.OnceValue(func() *Registry {
	r := &Registry{}
	if err := json.Unmarshal(registryText, r); err != nil {
		panic(err) // it is embedded
	}
	return r
})

// FindPattern returns the pattern of a name.
func FindPattern(name string) (Pattern, bool) {
	i := slices.Index(PatternNames(), name)
	if i < 0 {
		return Pattern{}, false
	}
	return Common().Patterns[i], true
}

// Recorded is the level of most recorded loops of the pattern. The number of
// iterations and workers of a loop does not change it.
func (p Pattern) Recorded(workers int) Hint {
	return Hint{strconv.Itoa(p.Level), p.Name, workers, "loopnet-v0.2"}
}

// PatternNames are the names of the design patterns.
func PatternNames() (out []string) {
	for _, p := range Common().Patterns {
		out = append(out, p.Name)
	}
	return out
}
