package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/loopwiki/wiki/loops/andon"
	"github.com/spf13/cobra"
)

// maxToolCall is how many bytes of a call are read.
const maxToolCall = 8 << 20

func newAndonGuard(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "guard",
		Short: "Allow or deny an agent's tool call, as a hook",
		Long: `Guard reads a tool call as JSON from standard input, as hooks hand it over:
{"tool_name": "Bash", "tool_input": {"command": "git push"}}, or
{"command": "git push"}. It says nothing if the call is allowed. If not, it ends
with status 2, says why on standard error, and prints the decision as JSON.

A quote that is not closed is always denied. While the line is stopped, so are
git push, merge, rebase, cherry-pick and tag, gh pr create and merge, what
deploys and publishes, and git commit unless its message says kaizen: — whatever
shell, wrapper or spelling they come in, and what can not be told from them.

It keeps agents that mean well from going on. Programs that they write and run
are held by the worktree and the sandbox.`,
		Example:     `  echo '{"command": "git push"}' | wiki andon guard`,
		Annotations: exits("0  the call is allowed", "2  it is denied, or can not be read"),
		Args:        takes(0, false),
		RunE:        func(*cobra.Command, []string) error { return runAndonGuard(p) },
	}
}

// hookDecision is what Claude Code, and those who follow it, read of a hook.
type hookDecision struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Specific struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	} `json:"hookSpecificOutput"`
}

func runAndonGuard(p *program) error {
	src, err := io.ReadAll(io.LimitReader(p.in, maxToolCall+1))
	if err == nil && len(src) > maxToolCall {
		err = errors.New("the call is too long to be judged")
	}
	if err != nil {
		return p.deny(err)
	}
	call, err := andon.ReadToolCall(src)
	if err != nil {
		return p.deny(err)
	}
	line, broken := p.incidents().Line()
	if broken != nil { // what stops the line can not be read, so it is taken for stopped
		line.Open = &andon.OpenState{IncidentID: "an incident that can not be read"}
	}
	err = line.Guard(call)
	if err == nil {
		return nil
	}
	return p.deny(errors.Join(err, broken))
}

// deny prints a decision. Nothing is printed for calls that are allowed: that
// would take the place of the agent's own questions.
func (p *program) deny(why error) error {
	d := hookDecision{Decision: "block", Reason: why.Error()}
	d.Specific.Event, d.Specific.Decision, d.Specific.Reason = "PreToolUse", "deny", why.Error()
	if err := p.json(d); err != nil {
		return err
	}
	return &fault{code: exitUsage, err: fmt.Errorf("%w", why), hint: "'wiki andon status' says how the line stands"}
}
