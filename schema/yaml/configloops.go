package yaml

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// loopRoles are the roles that an agent can be given.
var loopRoles = []string{"planner", "auditor", "maker", "checker", "goal-checker", "writer", "classifier", "reader"}

// loops checks what the types of loops: do not say.
func (c *configCheck) loops(n *schema.Node) {
	c.oneOf(n.Get("mode"), "loops.mode", []string{"manual", "shadow", "draft", "autonomous"})
	c.oneOf(n.Get("sandbox"), "loops.sandbox", []string{"required", "best-effort", "none"})
	c.engine(n)
	c.globs(n.Get("protect"), "loops.protect")
	if roles := n.Get("roles"); roles != nil {
		for _, p := range roles.Pairs {
			c.role(p)
		}
	}
	if connectors := n.Get("connectors"); connectors != nil {
		for _, p := range connectors.Pairs {
			c.connector(p)
		}
	}
	for _, of := range []string{"budget", "estimate"} {
		if n := n.Get(of); n != nil {
			for _, p := range n.Pairs {
				if strings.HasPrefix(p.Value.Text, "-") {
					c.wrong(p.Value, "loops."+of+"."+p.Key, "a number of 0 or more")
				}
			}
		}
	}
}

// engine checks what carries plans out, and that nothing is said of one that is not used.
func (c *configCheck) engine(n *schema.Node) {
	engine := n.Get("engine")
	c.oneOf(engine, "loops.engine", []string{"embedded", "temporal"})
	for _, key := range []string{"address", "namespace", "task_queue"} {
		of := n.Get(key)
		switch {
		case of == nil:
		case engine == nil || engine.Text != "temporal":
			c.fault(of.Span, "loops.%s is only for the engine temporal: expected engine: temporal beside it", key)
		case of.Text == "" || strings.ContainsAny(of.Text, " \t"):
			c.wrong(of, "loops."+key, "a name without blanks")
		}
	}
}

func (c *configCheck) role(p schema.Pair) {
	at := "loops.roles." + p.Key
	if _, near := schema.Nearest(p.Key, loopRoles); near || !partName().MatchString(p.Key) {
		c.oneOf(&schema.Node{Kind: schema.KindString, Text: p.Key, Span: p.KeySpan}, "loops.roles", loopRoles)
	}
	agent, argv := p.Value.Get("agent"), p.Value.Get("argv")
	switch {
	case agent == nil:
		c.fault(p.KeySpan, "%s names no agent: expected agent: claude, codex, …, or agent: command with argv:", at)
	case agent.Text == "command" && (argv == nil || len(argv.Items) == 0):
		c.fault(agent.Span, "%s: the agent command needs a program: argv: [./tools/agent.sh]", at)
	case agent.Text != "command" && argv != nil:
		c.fault(argv.Span, "%s: argv is only for the agent command, not for %q", at, agent.Text)
	}
}

// partName is a worker, an evaluator or a model of a loop specification, which can be given
// an agent too. What looks like a role with a typo is none of them.
var partName = schema.Expression(`^[a-z0-9][a-z0-9_.:/-]*$`)

var connectorName = schema.Expression(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// connector checks that a tracker has what its kind needs, and nothing of another.
func (c *configCheck) connector(p schema.Pair) {
	at, kind := "loops.connectors."+p.Key, p.Value.Get("kind")
	if !connectorName().MatchString(p.Key) {
		c.fault(p.KeySpan, "loops.connectors: %q is not a valid name: expected a-z, 0-9 and single hyphens", p.Key)
	}
	var names []string
	for _, k := range schema.ConnectorKinds {
		names = append(names, k.Name)
	}
	if kind == nil {
		c.fault(p.KeySpan, "%s has no kind: expected kind: %s", at, strings.Join(names, " or kind: "))
		return
	}
	var own schema.ConnectorKind
	if i := slices.Index(names, kind.Text); i >= 0 {
		own = schema.ConnectorKinds[i]
	}
	c.oneOf(kind, at+".kind", names)
	for _, k := range schema.ConnectorKinds {
		for _, key := range k.Keys {
			if n := p.Value.Get(key); n != nil && !slices.Contains(own.Keys, key) {
				c.fault(n.Span, "%s: %s is not a key of kind %q", at, key, kind.Text)
			}
		}
	}
	if slices.Contains(own.Keys, "argv") {
		c.server(p, at)
	}
	c.writes(p.Value, at, own)
	if n := p.Value.Get("repository"); n != nil && !repositoryName().MatchString(n.Text) {
		c.wrong(n, at+".repository", "owner/name")
	}
}

// writes checks the tools that change something: none is one that lists items.
func (c *configCheck) writes(conf *schema.Node, at string, kind schema.ConnectorKind) {
	writes, reads := conf.Get("writes"), conf.Get("tools")
	if writes == nil {
		return
	}
	for _, n := range writes.Items {
		if kind.Writes != nil {
			c.oneOf(n, at+".writes", kind.Writes)
		} else if reads != nil && slices.ContainsFunc(reads.Items, func(o *schema.Node) bool { return o.Text == n.Text }) {
			c.fault(n.Span, "%s: the tool %q is in both tools and writes: expected it in one", at, n.Text)
		}
	}
}

var repositoryName = schema.Expression(`^[A-Za-z0-9][\w.-]*/[\w.-]+$`)

// server checks the call of a server of the Model Context Protocol.
func (c *configCheck) server(p schema.Pair, at string) {
	if argv := p.Value.Get("argv"); argv == nil || len(argv.Items) == 0 {
		c.fault(p.KeySpan, "%s names no program: expected argv: [PROGRAM]", at)
	}
	items := p.Value.Get("items")
	if items == nil || items.Get("tool") == nil {
		c.fault(p.KeySpan, "%s has no items: expected items: {tool: NAME}", at)
		return
	}
	tool, allowed := items.Get("tool"), p.Value.Get("tools")
	if allowed == nil || !slices.ContainsFunc(allowed.Items, func(n *schema.Node) bool { return n.Text == tool.Text }) {
		c.fault(tool.Span, "%s: the tool %q is not allowed: expected it in tools: [%s]", at, tool.Text, tool.Text)
	}
}
