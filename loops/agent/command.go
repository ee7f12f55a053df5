package agent

import "github.com/loopwiki/wiki/loops"

// commandID names the agent that is any program: the prompt on standard input
// and in a file, the answer in a file or as the last JSON object of its output.
const commandID = "command"

var _ = register(record{
	id:   commandID,
	read: readCommand,
	can:  loops.Capabilities{Cost: true, Tokens: true},
})

// readText reads a program whose output is for people. Its words are not
// searched for failures: harmless text speaks of rate limits too.
func readText(c loops.Call, t loops.Transcript) loops.Report {
	r := loops.Report{Outcome: ended(t.Exit)}
	fromText(&r, c.Role, string(t.Stdout))
	if r.Outcome == loops.Failed && r.Detail == "" {
		r.Detail = errorLine(t.Stderr, t.Stdout)
	}
	return r
}

// readCommand reads any program. It may count what it consumed in its output.
func readCommand(c loops.Call, t loops.Transcript) loops.Report {
	r := readText(c, t)
	if a, ok := lastObject(string(t.Stdout)); ok {
		a.spent(&r)
	}
	return r
}
