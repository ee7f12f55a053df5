package control

import (
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/schema"
)

// Flags are what a command line says over wiki.yaml. Zero values say nothing.
type Flags struct {
	cast.Given
	Mode       string
	Iterations int
	USD        float64
	Timeout    schema.Timespan
	Notify     string
	// Repair lets the run start on a red base.
	Repair bool
	// Opened counts pull requests of the runs before it that this one goes on from.
	Opened int
}
