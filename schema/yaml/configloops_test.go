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
`))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	l := cfg.Loops
	if l.Roles["maker"].Timeout.Or(0) != 20*time.Minute || l.Roles["checker"].Argv[1] != "--strict" || l.Budget.USD != 2.5 ||
		l.Budget.Clock.Or(0) != 90*time.Minute || l.Timeouts.Silence.Or(0) != 90*time.Second || l.Timeouts.Wall.Or(7) != 7 {
		t.Errorf("%+v", l)
	}
}

func TestLoopsConfigFaults(t *testing.T) {
	for src, want := range map[string]string{
		"loops: {mode: drafty}":                                `loops.mode: "drafty" is unknown: did you mean "draft"?`,
		"loops: {sandbox: never}":                              `loops.sandbox: "never" is unknown`,
		"loops: {protect: ['a[']}":                             "no valid pattern",
		"loops: {budget: {usd: -1}}":                           "loops.budget.usd: ",
		"loops: {budget: {usb: 1}}":                            "usd",
		"loops: {timeouts: {wall: 30}}":                        "a time above 0",
		"loops: {timeouts: {wall: -3m}}":                       "a time above 0",
		"loops: {roles: {mkaer: {agent: claude}}}":             `did you mean "maker"?`,
		"loops: {roles: {maker: {model: x}}}":                  "names no agent",
		"loops: {roles: {maker: {agent: command}}}":            "needs a program",
		"loops: {roles: {maker: {agent: claude, argv: [sh]}}}": "argv is of the agent command",
	} {
		_, faults := LoadConfig([]byte(src))
		if len(faults) != 1 || !strings.Contains(faults[0].Message, want) {
			t.Errorf("%s\n got %v\nwant one with %q", src, faults, want)
		}
	}
}
