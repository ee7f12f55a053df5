package cast

import (
	"errors"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

var script = []string{"sh", "x.sh"}

// says returns a cast in a line: agent, model, first argument, and "same" for a judge of the
// maker's vendor.
func says(cast map[loops.Role]loops.Casting, roles ...loops.Role) string {
	out := ""
	for _, r := range roles {
		c, ok := cast[r]
		if !ok {
			out += "-;"
			continue
		}
		out += c.Agent
		if c.Model != "" {
			out += ":" + c.Model
		}
		if len(c.Argv) > 0 {
			out += " " + c.Argv[0]
		}
		if c.SameVendor {
			out += " same"
		}
		out += ";"
	}
	return out
}

func TestExecution(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		roles Roles
		given Given
		want  string // maker, checker, goal checker, reader
	}{
		"nobody":                        {nil, Given{}, "no agent is configured for the role maker"},
		"a checker alone":               {Roles{"checker": {Agent: "codex"}}, Given{}, "no agent is configured for the role maker"},
		"a program judges itself":       {Roles{"maker": {Agent: "claude"}}, Given{}, "claude;claude same;claude same;-;"},
		"another vendor judges":         {Roles{"maker": {Agent: "claude"}, "checker": {Agent: "codex"}}, Given{}, "claude;codex;claude same;-;"},
		"a command judges nothing":      {Roles{"maker": {Agent: "command", Argv: script}}, Given{}, "command sh;-;-;-;"},
		"commands share no vendor":      {Roles{"maker": {Agent: "command", Argv: script}, "checker": {Agent: "command", Argv: script}}, Given{}, "command sh;command sh;-;-;"},
		"who answers does not make":     {Roles{"maker": {Agent: "claude"}, "reader": {Agent: "codex"}}, Given{}, "claude;claude same;claude same;-;"},
		"--agent over all":              {Roles{"maker": {Agent: "command", Argv: script}, "checker": {Agent: "claude"}}, Given{Agent: "codex:m"}, "codex:m;codex:m same;codex:m same;-;"},
		"--maker over --agent":          {nil, Given{Agent: "codex", Maker: "claude:m"}, "claude:m;codex;codex;-;"},
		"--checker":                     {Roles{"maker": {Agent: "claude"}}, Given{Checker: "codex"}, "claude;codex;claude same;-;"},
		"--maker command has arguments": {Roles{"maker": {Agent: "command", Argv: script}}, Given{Maker: "command"}, "command sh;-;-;-;"},
	} {
		cast, err := c.roles.Execution(c.given)
		got := says(cast, loops.Maker, loops.Checker, loops.GoalChecker, loops.Reader)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestAdviserAndAlone(t *testing.T) {
	t.Parallel()
	command := schema.LoopRole{Agent: "command", Argv: script}
	for name, c := range map[string]struct {
		roles          Roles
		given          string
		adviser, alone string
	}{
		"nobody":                    {nil, "", "nobody", ""},
		"configured":                {Roles{"reader": {Agent: "claude"}}, "", "claude;", "claude;"},
		"the maker stands in":       {Roles{"maker": {Agent: "claude"}}, "", "claude;", ""},
		"a command stands for none": {Roles{"maker": command}, "", "nobody", ""},
		"asked for":                 {Roles{"maker": command}, "codex", "codex;", "codex;"},
		"over the configured":       {Roles{"reader": {Agent: "claude"}}, "codex:m", "codex:m;", "codex:m;"},
		"a command as configured":   {Roles{"reader": command}, "command", "command sh;", "command sh;"},
		"a command without one":     {nil, "command", "nobody", "nobody"},
	} {
		var nobody *NobodyError
		adviser, err := c.roles.Adviser(loops.Reader, Given{Agent: c.given})
		got := says(map[loops.Role]loops.Casting{loops.Reader: adviser}, loops.Reader)
		if errors.As(err, &nobody) {
			got = "nobody"
		}
		if got != c.adviser {
			t.Errorf("%s: adviser %s, want %s", name, got, c.adviser)
		}
		alone, ok, err := c.roles.Alone(loops.Reader, Given{Agent: c.given})
		got = ""
		switch {
		case errors.As(err, &nobody):
			got = "nobody"
		case ok:
			got = says(map[loops.Role]loops.Casting{loops.Reader: alone}, loops.Reader)
		}
		if got != c.alone {
			t.Errorf("%s: alone %s, want %s", name, got, c.alone)
		}
	}
}

func TestLoopCastsItsOwnAgents(t *testing.T) {
	t.Parallel()
	configured := Roles{"maker": {Agent: "command", Argv: script}, "checker": {Agent: "claude"}, "writer": {Agent: "codex"}}
	role := func(agent string, roles ...loops.Role) (out []plan.SpecRole) {
		for _, r := range roles {
			out = append(out, plan.SpecRole{Role: r, Agent: agent})
		}
		return out
	}
	for name, c := range map[string]struct {
		spec plan.LoopSpec
		want string // maker, checker, auditor, classifier, writer
	}{
		"as configured":          {plan.LoopSpec{Kind: plan.CodeLoop}, "command sh;claude;-;-;codex;"},
		"its own checker":        {plan.LoopSpec{Kind: plan.CodeLoop, Roles: append(role("", loops.Maker), role("codex", loops.Checker)...)}, "command sh;codex;-;-;-;"},
		"names who plays":        {plan.LoopSpec{Kind: plan.CodeLoop, Roles: role("", loops.Maker, loops.Checker)}, "command sh;claude;-;-;-;"},
		"names who is not there": {plan.LoopSpec{Kind: plan.CodeLoop, Roles: role("", loops.Maker, loops.GoalChecker)}, "no agent is configured for the role goal-checker"},
		"a report":               {plan.LoopSpec{Kind: plan.ReportLoop, Roles: role("claude", loops.Classifier)}, "-;-;-;claude;-;"},
		"an audit with a writer": {plan.LoopSpec{Kind: plan.AuditLoop, Roles: role("claude", loops.Auditor, loops.Writer)}, "-;-;claude;-;claude;"},
		"an audit without":       {plan.LoopSpec{Kind: plan.AuditLoop, Roles: role("claude", loops.Auditor)}, "-;-;claude;-;-;"},
		"an audit by nobody":     {plan.LoopSpec{Kind: plan.AuditLoop}, "no agent is configured for the role auditor"},
		"pages":                  {plan.LoopSpec{Kind: plan.WikiLoop}, "-;-;-;-;codex;"},
	} {
		cast, err := configured.Loop(&c.spec, Given{})
		got := says(cast, loops.Maker, loops.Checker, loops.Auditor, loops.Classifier, loops.Writer)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if configured["checker"].Agent != "claude" {
		t.Error("the configuration has changed")
	}
}
