package agent

import "github.com/loopwiki/wiki/loops"

// Amp, by its documentation. Its threads lie on its vendor's servers.
var _ = register(record{
	id: "amp",
	argv: func(c loops.Call) []string {
		argv := []string{"--stream-json"}
		if !c.ReadOnly {
			argv = append(argv, "--dangerously-allow-all")
		}
		return append(argv, "-x")
	},
	asWord: true,
	state:  []folder{xdgConfig.holding("amp"), xdgData.holding("amp"), xdgCache.holding("amp")},
	login:  []credential{{in: xdgData.holding("amp"), name: "secrets.json"}},
	read: func(c loops.Call, t loops.Transcript) loops.Report {
		r := readClaude(c, t)
		r.Usage.ToolCalls = 0
		return r
	},
	can: loops.Capabilities{Documented: true},
})
