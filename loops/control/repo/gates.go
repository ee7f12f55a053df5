package repo

import (
	"strconv"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/loops/gate"
)

// Commands returns the configured commands of gates, or those that the repository
// has by the look of it. A list that is given and empty is none of its kind; as long as
// no command is given, the other kinds are detected.
func (r *Repo) Commands() loops.GateCommands {
	g := r.Config.Gates
	given := loops.GateCommands{Setup: g.Setup, Build: g.Build, Test: g.Test, Lint: g.Lint, Given: true}
	if len(g.Setup)+len(g.Build)+len(g.Test)+len(g.Lint) > 0 {
		return given
	}
	found, _ := gate.Detect(files.DirFS(r.Root, files.Text))
	for _, kind := range []struct{ given, found *[]string }{{&g.Setup, &found.Setup}, {&g.Build, &found.Build}, {&g.Test, &found.Test}, {&g.Lint, &found.Lint}} {
		if *kind.given != nil {
			*kind.found, found.Given = nil, true
		}
	}
	return found
}

// Andon returns what stops the line of this repository.
func (r *Repo) Andon() *andon.Store {
	_, redact := r.Environment()
	s := andon.NewStore(r.Root, redact...)
	s.MetaAfter = MetaAfter(r.Getenv)
	return s
}

// MetaAfter returns how many failed runs in a row are a Meta-Andon by the environment, 0
// if it does not say.
func MetaAfter(getenv func(string) string) int {
	if n, err := strconv.Atoi(getenv("META_ANDON_FAILURE_THRESHOLD")); err == nil && n > 0 {
		return n
	}
	return 0
}
