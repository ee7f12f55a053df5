package agent

import (
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// Aider, by its source. It prints text, with the cost in it.
var _ = register(record{
	id: "aider",
	argv: func(c loops.Call) []string {
		argv := []string{
			"--message-file", c.PromptFile, "--yes-always", "--no-stream", "--no-auto-commits", "--no-dirty-commits", "--no-analytics", "--no-check-update",
			// What it keeps for itself would lie in the repository's root: outside of every scope.
			"--no-gitignore", "--map-tokens", "0", "--chat-history-file", besideResult(c, "chat.md"), "--input-history-file", besideResult(c, "input.txt"),
		}
		if c.Model != "" {
			argv = append(argv, "--model", c.Model)
		}
		if c.ReadOnly {
			argv = append(argv, "--dry-run")
		}
		return argv
	},
	state: []folder{{path: ".aider"}},
	login: []credential{{in: folder{path: ".aider"}, name: "oauth-keys.env"}},
	read:  readAider,
	can:   loops.Capabilities{Cost: true, Tokens: true, ReadOnly: true, Documented: true},
})

var aiderCost = schema.Expression(`Tokens: ([\d.,]+)(k|M)? sent, (?:[\d.,]+(?:k|M)? cache \w+, )*([\d.,]+)(k|M)? received\.(?: Cost: \$([\d.]+) message)?`)

func readAider(c loops.Call, t loops.Transcript) loops.Report {
	r := readVendorText(c, t)
	for _, m := range aiderCost().FindAllStringSubmatch(string(t.Stdout), -1) {
		r.Usage.InputTokens += tokens(m[1], m[2])
		r.Usage.OutputTokens += tokens(m[3], m[4])
		if usd, err := strconv.ParseFloat(m[5], 64); err == nil {
			r.Usage.USD += usd
			r.Usage.Cost = loops.CostReported
		}
	}
	return r
}

// tokens reads "1.2" and "k".
func tokens(number, unit string) int64 {
	n, _ := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
	switch unit {
	case "k":
		n *= 1e3
	case "M":
		n *= 1e6
	}
	return int64(n)
}
