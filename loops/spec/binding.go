package spec

import "strings"

// own is the vendor extension of this program: as the implementation of an
// evaluator it names a gate, as the provider of a model a role.
const own = "x_wiki"

// Gate is the gate of the repository that a deterministic evaluator runs: x_wiki is
// the tests, x_wiki.build, x_wiki.lint and x_wiki.wiki are the others. ok is false
// for the implementation of another program.
func (e Evaluator) Gate() (gate string, ok bool) {
	if e.Type != Deterministic {
		return "", false
	}
	if e.Implementation == own {
		return "test", true
	}
	return strings.CutPrefix(e.Implementation, own+".")
}

// Role is the role of loops.roles whose agent a model is: the one that it names
// with the provider x_wiki, or fallback.
func (m Model) Role(fallback string) string {
	if m.Provider == own {
		return m.Name
	}
	return fallback
}
