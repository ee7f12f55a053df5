package agent

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// GitHub Copilot CLI, as version 1.0 prints it. What it costs is counted in credits, which
// are not money.
var _ = register(record{
	id: "copilot", vendor: "github",
	argv: func(c loops.Call) []string {
		argv := []string{"--output-format", "json", "--usage-output-file", besideResult(c, copilotUsage), "--no-ask-user", "--no-auto-update", "--disable-builtin-mcps", "-C", c.Dir}
		if c.Model != "" {
			argv = append(argv, "--model", c.Model)
		}
		if c.Session != "" {
			argv = append(argv, "--session-id", c.Session)
		}
		if c.ReadOnly { // no instruction that a maker may have left
			argv = append(argv, "--deny-tool", "write", "--no-custom-instructions")
		}
		if c.Sandboxed || !c.ReadOnly {
			argv = append(argv, "--allow-all-tools")
		}
		return append(argv, "-p")
	},
	asWord: true,
	usage:  copilotUsage,
	state:  []folder{copilotHome, xdgCache.holding("copilot")},
	login: []credential{
		{in: copilotHome, name: "config.json", pick: pickJSON("logged_in_users", "last_logged_in_user", "copilot_tokens", "loggedInUsers", "lastLoggedInUser", "copilotTokens")},
	},
	read:   readCopilot,
	follow: newCopilotStream,
	can:    loops.Capabilities{Tokens: true, ToolCalls: true, Session: true, ReadOnly: true},
	answers: &Answerer{
		// No tool is called none; an empty list would allow all of them.
		Args: []string{"-s", "--no-color", "--no-ask-user", "--no-auto-update", "--available-tools", "none", "--disable-builtin-mcps", "--no-custom-instructions"},
		Variables: []string{
			"COPILOT_GITHUB_TOKEN", "COPILOT_HOME", "COPILOT_MODEL", "COPILOT_OFFLINE", "COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BASE_URL",
			"COPILOT_PROVIDER_TYPE", "COPILOT_PROVIDER_WIRE_API", "GH_HOST", "GH_TOKEN", "GITHUB_TOKEN",
		},
	},
})

// copilotHome is where the program keeps its own, and copilotUsage the file in which it
// leaves what it used.
var copilotHome = folder{variable: "COPILOT_HOME", path: ".copilot"}

const copilotUsage = "usage.json"

// copilotEvent is a line of --output-format json.
type copilotEvent struct {
	Type    string `json:"type"`
	Session string `json:"sessionId"` // of the result
	Data    struct {
		Model   string `json:"model"`
		Content string `json:"content"`
		Message string `json:"message"`
		Tool    string `json:"toolCallId"`
		Outcome string `json:"outcome"`
		Status  int    `json:"statusCode"`
		Kind    string `json:"failureKind"`
		Failure string `json:"errorMessage"`
		Success bool   `json:"success"`
		Shell   struct {
			Exit int `json:"exitCode"`
		} `json:"shellExecution"`
		Result struct {
			Content string `json:"content"`
		} `json:"result"`
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	} `json:"data"`
}

// copilotStream is what the events of a call come to.
type copilotStream struct {
	vendor
	r                loops.Report
	message, failure string
	events           bool // it prints some
}

func newCopilotStream(at time.Time) stream { return &copilotStream{vendor: vendor{at: at}} }

func (s *copilotStream) line(line []byte) {
	var e copilotEvent
	if json.Unmarshal(line, &e) != nil {
		return
	}
	s.events = s.events || strings.Contains(e.Type, ".")
	d := &e.Data
	switch e.Type {
	case "model.call_start":
		s.open = true
		if s.r.Model == "" {
			s.r.Model = d.Model
		}
	case "model.call_finished":
		s.open = false
		if d.Outcome == "success" {
			s.answers()
		}
	case "model.call_failure":
		if s.fails(d.Status, d.Failure); d.Status == 0 && d.Kind == "transport" {
			s.failsAs(loops.Unreachable, d.Failure)
		}
	case "assistant.turn_retry":
		s.open = true
	case "assistant.message":
		if d.Content != "" {
			s.message = d.Content
		}
	case "tool.execution_start":
		s.r.Usage.ToolCalls++
		s.begins(d.Tool)
	case "tool.execution_complete":
		s.ends(d.Tool, e.toolError())
	case "session.error":
		s.failure, s.open = d.Message, false
		s.fails(d.Status, d.Message)
	case "result":
		s.r.Session, s.open = e.Session, false
	}
}

// toolError returns the error that a tool's result is, "" for none.
func (e *copilotEvent) toolError() string {
	d := &e.Data
	switch {
	case !d.Success:
		return cmp.Or(d.Error.Message, "failed")
	case d.Shell.Exit != 0:
		return d.Result.Content
	}
	return ""
}

// readCopilot reads events, or the text of a version or a call that prints none.
func readCopilot(c loops.Call, t loops.Transcript) loops.Report {
	s := newCopilotStream(t.At).(*copilotStream)
	if jsonLines(t.Stdout, s.line); !s.events {
		return readVendorText(c, t)
	}
	s.r.Outcome, s.r.ToolsFailed = ended(t.Exit), s.failures
	r := &s.r
	copilotUsed(r, t.Usage)
	switch {
	case s.failure != "" && r.Outcome == loops.OK:
		r.Outcome = loops.Failed
	case s.message == "" && r.Outcome == loops.OK:
		r.Outcome, r.Detail = loops.BadOutput, said("it printed no answer", t)
	}
	if r.Outcome != loops.OK {
		s.failsOnStderr(t)
		r.Detail = cmp.Or(r.Detail, shorten(s.failure), errorLine(t.Stderr))
		s.settle(r, t)
	}
	fromText(r, c.Role, s.message)
	return *r
}

// copilotUsed adds what the file of --usage-output-file says.
func copilotUsed(r *loops.Report, src []byte) {
	var used struct {
		Model   string `json:"currentModel"`
		Metrics map[string]struct {
			Usage struct {
				Input  int64 `json:"inputTokens"` // those that were cached are among them
				Output int64 `json:"outputTokens"`
			} `json:"usage"`
		} `json:"modelMetrics"`
	}
	if json.Unmarshal(src, &used) != nil {
		return
	}
	r.Model = cmp.Or(used.Model, r.Model)
	for _, m := range used.Metrics {
		r.Usage.InputTokens += m.Usage.Input
		r.Usage.OutputTokens += m.Usage.Output
	}
}

// readVendorText reads a program that prints text and says why it failed on
// standard error.
func readVendorText(c loops.Call, t loops.Transcript) loops.Report {
	r := readText(c, t)
	if r.Outcome == loops.OK && len(bytes.TrimSpace(t.Stdout)) == 0 && len(t.Result) == 0 {
		r.Outcome, r.Detail = loops.BadOutput, said("it printed nothing", t)
	}
	if r.Outcome == loops.Failed || r.Outcome == loops.BadOutput {
		readFailure(&r, t)
	}
	return r
}
