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
	state:  []string{".config/goose", ".local/share/goose", ".local/state/goose"},
	read:   readVendorText,
	can:    loops.Capabilities{Documented: true},
})
