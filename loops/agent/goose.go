package agent

import "github.com/loopwiki/wiki/loops"

// Goose, by its documentation.
var _ = register(record{
	id: "goose",
	argv: func(c loops.Call) []string {
		argv := []string{"run", "--no-session", "--quiet"}
		if c.Model != "" {
			argv = append(argv, "--model", c.Model)
		}
		return append(argv, "-t")
	},
	asWord: true,
	env:    []string{"GOOSE_MODE=auto"},
	state:  []folder{xdgConfig.holding("goose"), xdgData.holding("goose"), xdgState.holding("goose")},
	login:  []credential{{in: xdgConfig.holding("goose"), name: "secrets.yaml"}},
	read:   readVendorText,
	can:    loops.Capabilities{Documented: true},
})
