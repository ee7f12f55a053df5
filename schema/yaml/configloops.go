package yaml

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// loopRoles are the roles that an agent can be given.
var loopRoles = []string{"planner", "auditor", "maker", "checker", "goal-checker", "writer", "classifier", "reader"}

// loops checks what the types of loops: do not say.
func (c *configCheck) loops(n *schema.Node) {
	c.oneOf(n.Get("mode"), "loops.mode", []string{"manual", "shadow", "draft", "autonomous"})
	c.oneOf(n.Get("sandbox"), "loops.sandbox", []string{"required", "best-effort", "none"})
	c.globs(n.Get("protect"), "loops.protect")
	if roles := n.Get("roles"); roles != nil {
		for _, p := range roles.Pairs {
			c.role(p)
		}
	}
	for _, of := range []string{"budget", "estimate"} {
		if n := n.Get(of); n != nil {
			for _, p := range n.Pairs {
				if strings.HasPrefix(p.Value.Text, "-") {
					c.wrong(p.Value, "loops."+of+"."+p.Key, "a number that is not below 0")
				}
			}
		}
	}
}

func (c *configCheck) role(p schema.Pair) {
	at := "loops.roles." + p.Key
	c.oneOf(&schema.Node{Kind: schema.KindString, Text: p.Key, Span: p.KeySpan}, "loops.roles", loopRoles)
	agent, argv := p.Value.Get("agent"), p.Value.Get("argv")
	switch {
	case agent == nil:
		c.fault(p.KeySpan, "%s names no agent: expected agent: claude, codex, …, or agent: command with argv:", at)
	case agent.Text == "command" && (argv == nil || len(argv.Items) == 0):
		c.fault(agent.Span, "%s: the agent command needs a program: argv: [./tools/agent.sh]", at)
	case agent.Text != "command" && argv != nil:
		c.fault(argv.Span, "%s: argv is of the agent command; this is %q", at, agent.Text)
	}
}
