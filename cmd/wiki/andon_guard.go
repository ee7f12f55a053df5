package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/loopwiki/wiki/loops/andon"
	"github.com/spf13/cobra"
)

// maxToolCall is the longest call that is read, in bytes.
const maxToolCall = 8 << 20

func newAndonGuard(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "guard",
		Short: "Allow or deny an agent's tool call, as a hook",
		Long: `Allow or deny an agent's tool call, as a hook. The call is read from standard
input as JSON: {"tool_name": "Bash", "tool_input": {"command": "git push"}}, or
{"command": "git push"}. An allowed call prints nothing. A denied call exits
with status 2, the reason on standard error and the decision as JSON.

A command with an unclosed quote is always denied. While the line is stopped,
also denied are git push, merge, rebase, cherry-pick and tag, gh pr create and
merge, commands that deploy or publish, and git commit unless its message
contains kaizen:. This holds for any shell, wrapper or spelling; a command that
can't be told apart from these is denied too.

The guard stops well-meaning agents. For programs that agents write and run,
there are the worktree and the sandbox.`,
		Example:     `  echo '{"command": "git push"}' | wiki andon guard`,
		Annotations: exits("0  the call is allowed", "2  the call is denied, or can't be read"),
		Args:        takes(0, false),
		RunE:        func(*cobra.Command, []string) error { return runAndonGuard(p) },
	}
}

// hookDecision is the output that Claude Code and compatible tools expect from a hook.
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
		err = errors.New("the tool call is longer than 8 MiB")
	}
	if err != nil {
		return p.deny(err)
	}
	call, err := andon.ReadToolCall(src)
	if err != nil {
		return p.deny(err)
	}
	line, broken := p.incidents().Line()
	if broken != nil { // an unreadable incident may stop the line, so it does
		line.Open = &andon.OpenState{IncidentID: "an unreadable incident"}
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
	return &fault{code: exitUsage, err: fmt.Errorf("%w", why), hint: "'wiki andon status' shows why"}
}
