package yaml

import (
	"strings"
	"testing"
	"time"
)

func TestLoopsConfig(t *testing.T) {
	cfg, faults := LoadConfig([]byte(`loops:
  roles:
    maker: {agent: claude, model: haiku, timeout: 20m}
    checker: {agent: command, argv: [./check.sh, --strict]}
  gates: {test: [go test ./...]}
  protect: ["**/*_test.go"]
  timeouts: {silence: 90s}
  budget: {usd: 2.5, tokens: 100000, clock: 1h30m}
  estimate: {usd_per_call: 0.1}
  mode: draft
  env: [PATH, HOME]
  engine: temporal
  address: temporal.example.org:7233
  task_queue: shop
  connectors:
    issues: {kind: github, repository: owner/name.go, labels: [loop]}
    board: {kind: mcp, argv: [npx, board], env: [KEY], tools: [list, get], items: {tool: list, arguments: {state: open}}}
`))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	l := cfg.Loops
	if l.Roles["maker"].Timeout.Or(0) != 20*time.Minute || l.Roles["checker"].Argv[1] != "--strict" || l.Budget.USD != 2.5 ||
		l.Budget.Clock.Or(0) != 90*time.Minute || l.Timeouts.Silence.Or(0) != 90*time.Second || l.Timeouts.Wall.Or(7) != 7 ||
		l.Engine != "temporal" || l.Address != "temporal.example.org:7233" || l.TaskQueue != "shop" || l.Namespace != "" ||
		l.Connectors["issues"].Labels[0] != "loop" || l.Connectors["board"].Items.Arguments["state"] != "open" {
		t.Errorf("%+v", l)
	}
}

func TestLoopsConfigFaults(t *testing.T) {
	for src, want := range map[string]string{
		"loops: {mode: drafty}":                                      `loops.mode: "drafty" is unknown: did you mean "draft"?`,
		"loops: {sandbox: never}":                                    `loops.sandbox: "never" is unknown`,
		"loops: {engine: temporel}":                                  `did you mean "temporal"?`,
		"loops: {address: 'a:1'}":                                    "loops.address is only for the engine temporal",
		"loops: {engine: embedded, task_queue: q}":                   "loops.task_queue is only for the engine temporal",
		"loops: {engine: temporal, namespace: a b}":                  "a name without blanks",
		"loops: {protect: ['a[']}":                                   "not a valid pattern",
		"loops: {budget: {usd: -1}}":                                 "loops.budget.usd: ",
		"loops: {budget: {usb: 1}}":                                  "usd",
		"loops: {timeouts: {wall: 30}}":                              "a time above 0",
		"loops: {timeouts: {wall: -3m}}":                             "a time above 0",
		"loops: {roles: {mkaer: {agent: claude}}}":                   `did you mean "maker"?`,
		"loops: {roles: {maker: {model: x}}}":                        "names no agent",
		"loops: {roles: {maker: {agent: command}}}":                  "needs a program",
		"loops: {roles: {maker: {agent: claude, argv: [sh]}}}":       "argv is only for the agent command",
		"loops: {connectors: {a: {labels: [x]}}}":                    "has no kind",
		"loops: {connectors: {a: {kind: github, writes: [delete]}}}": `loops.connectors.a.writes: "delete" is unknown`,
		"loops: {connectors: {a: {kind: mcp, argv: [x], tools: [t], writes: [t], items: {tool: t}}}}": `the tool "t" is in both tools and writes`,
		"loops: {connectors: {a: {kind: gitlab}}}":                                                    `loops.connectors.a.kind: "gitlab" is unknown`,
		"loops: {connectors: {A b: {kind: github}}}":                                                  "is not a valid name",
		"loops: {connectors: {a: {kind: github, argv: [x]}}}":                                         "argv is not a key of kind",
		"loops: {connectors: {a: {kind: github, repository: x}}}":                                     "owner/name",
		"loops: {connectors: {a: {kind: github, label: [x]}}}":                                        "labels",
		"loops: {connectors: {a: {kind: mcp, argv: [x], tools: [t]}}}":                                "items: {tool: NAME}",
		"loops: {connectors: {a: {kind: mcp, items: {tool: t}, tools: [t]}}}":                         "names no program",
		"loops: {connectors: {a: {kind: mcp, argv: [x], items: {tool: t}}}}":                          `the tool "t" is not allowed`,
		"loops: {connectors: {a: {kind: mcp, argv: [x], labels: [l], items: {tool: t}, tools: [t]}}}": "labels is not a key of kind",
	} {
		_, faults := LoadConfig([]byte(src))
		if len(faults) != 1 || !strings.Contains(faults[0].Message, want) {
			t.Errorf("%s\n got %v\nwant one with %q", src, faults, want)
		}
	}
}
