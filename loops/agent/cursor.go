package agent

import "github.com/loopwiki/wiki/loops"

// Cursor's agent, by its documentation. Its events are those of Claude Code
// without the usage.
var _ = register(record{
	id: "cursor",
	argv: func(c loops.Call) []string {
		argv := []string{"-p", "--output-format", "stream-json"}
		if c.Model != "" {
			argv = append(argv, "--model", c.Model)
		}
		if !c.ReadOnly {
			argv = append(argv, "--force")
		}
		return append(argv, "--")
	},
	asWord: true,
	state:  []folder{{path: ".cursor"}, xdgConfig.holding("cursor")},
	login:  []credential{{in: xdgConfig.holding("cursor"), name: "auth.json"}},
	read: func(c loops.Call, t loops.Transcript) loops.Report {
		r := readClaude(c, t)
		r.Usage.ToolCalls = 0 // its events of tools are others
		return r
	},
	can: loops.Capabilities{Documented: true},
})
