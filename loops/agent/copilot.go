package agent

import "github.com/loopwiki/wiki/loops"

// GitHub Copilot CLI, as version 1.0 prints it: text for people. What it costs
// is counted in credits, which are not money.
var _ = register(record{
	id: "copilot", vendor: "github",
	argv: func(c loops.Call) []string {
		argv := []string{"-s", "--no-ask-user", "--no-auto-update", "-C", c.Dir}
		if c.Model != "" {
			argv = append(argv, "--model", c.Model)
		}
		if c.Session != "" {
			argv = append(argv, "--session-id", c.Session)
		}
		if c.ReadOnly {
			argv = append(argv, "--deny-tool", "write")
		} else {
			argv = append(argv, "--allow-all-tools")
		}
		return append(argv, "-p")
	},
	asWord: true,
	state:  []string{".copilot", ".config/github-copilot"},
	read:   readVendorText,
	can:    loops.Capabilities{Session: true, ReadOnly: true},
	answers: &Answerer{
		// No tool is called none; an empty list would allow all of them.
		Args: []string{"-s", "--no-color", "--no-ask-user", "--no-auto-update", "--available-tools", "none", "--disable-builtin-mcps", "--no-custom-instructions"},
		Variables: []string{
			"COPILOT_GITHUB_TOKEN", "COPILOT_HOME", "COPILOT_MODEL", "COPILOT_OFFLINE", "COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BASE_URL",
			"COPILOT_PROVIDER_TYPE", "COPILOT_PROVIDER_WIRE_API", "GH_HOST", "GH_TOKEN", "GITHUB_TOKEN",
		},
	},
})

// readVendorText reads a program that prints text and says why it failed on
// standard error.
func readVendorText(c loops.Call, t loops.Transcript) loops.Report {
	r := readText(c, t)
	if r.Outcome == loops.Failed {
		vendorFault(&r, string(t.Stderr), t)
	}
	return r
}
