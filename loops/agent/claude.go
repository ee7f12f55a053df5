package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// Claude Code, as version 2.1 prints it.
var _ = register(record{
	id: "claude", vendor: "anthropic",
	argv: func(c loops.Call) []string {
		argv := []string{"-p", "--output-format", "stream-json", "--verbose", "--strict-mcp-config"}
		if c.Model != "" {
			argv = append(argv, "--model", c.Model)
		}
		if c.Session != "" {
			argv = append(argv, "--session-id", c.Session)
		}
		if c.USD > 0 {
			argv = append(argv, "--max-budget-usd", fmt.Sprintf("%.2f", c.USD))
		}
		if c.MaxTurns > 0 {
			argv = append(argv, "--max-turns", fmt.Sprint(c.MaxTurns))
		}
		if c.ReadOnly {
			return append(argv, "--permission-mode", "dontAsk", "--setting-sources", "", "--allowedTools", "Read Grep Glob")
		}
		return append(argv, "--permission-mode", "acceptEdits", "--allowedTools", "Read Edit Write Grep Glob Bash")
	},
	state:  []string{".claude", ".claude.json"},
	read:   readClaude,
	resume: func(s string) string { return "claude --resume " + s },
	can:    loops.Capabilities{Cost: true, Tokens: true, ToolCalls: true, Session: true, BudgetFlag: true, ReadOnly: true, Schema: true},
	answers: &Answerer{
		Args: []string{
			"-p", "--output-format", "stream-json", "--verbose", "--tools", "", "--strict-mcp-config", "--setting-sources", "", "--no-session-persistence",
			"--disable-slash-commands", "--system-prompt", "Answer with the requested JSON and nothing else.",
		},
		Env: []string{"CLAUDE_CODE_DISABLE_TERMINAL_TITLE=1"}, // the title of a session is asked for in a call of its own, with the whole prompt
		Variables: []string{
			"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR",
		},
	},
})

// claudeEvent is a line of --output-format stream-json.
type claudeEvent struct {
	Type      string   `json:"type"`
	Subtype   string   `json:"subtype"`
	SessionID string   `json:"session_id"`
	Model     string   `json:"model"`
	IsError   bool     `json:"is_error"`
	Result    string   `json:"result"`
	APIStatus *int     `json:"api_error_status"`
	Cost      *float64 `json:"total_cost_usd"`
	OldCost   *float64 `json:"cost_usd"`
	Usage     struct {
		Input   int64 `json:"input_tokens"`
		Created int64 `json:"cache_creation_input_tokens"`
		Cached  int64 `json:"cache_read_input_tokens"`
		Output  int64 `json:"output_tokens"`
	} `json:"usage"`
	Denials []json.RawMessage `json:"permission_denials"`
	Message struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Limit struct {
		Status   string `json:"status"`
		ResetsAt int64  `json:"resetsAt"` // seconds of the epoch; it may be missing
	} `json:"rate_limit_info"`
}

func readClaude(c loops.Call, t loops.Transcript) loops.Report {
	r := loops.Report{Outcome: ended(t.Exit)}
	var end *claudeEvent
	var rejected bool
	jsonLines(t.Stdout, func(line []byte) {
		var e claudeEvent
		if json.Unmarshal(line, &e) != nil {
			return
		}
		if e.SessionID != "" {
			r.Session = e.SessionID
		}
		switch e.Type {
		case "system":
			if e.Model != "" {
				r.Model = e.Model
			}
		case "assistant":
			r.Usage.ToolCalls += toolUses(e.Message.Content)
		case "rate_limit_event":
			if e.Limit.Status == "rejected" {
				rejected = true
				if e.Limit.ResetsAt > 0 {
					r.ResetsAt = time.Unix(e.Limit.ResetsAt, 0).UTC()
				}
			}
		case "result":
			end = &e
		}
	})
	if end == nil {
		if r.Outcome == loops.OK {
			// With nothing to do it ends well and prints nothing.
			r.Outcome, r.Detail = loops.BadOutput, "it printed no result"
		}
		claudeFault(&r, nil, string(t.Stderr)+"\n"+string(t.Stdout), rejected, t.At)
		return r
	}
	r.Usage.InputTokens = end.Usage.Input + end.Usage.Created + end.Usage.Cached
	r.Usage.OutputTokens = end.Usage.Output
	for _, cost := range []*float64{end.OldCost, end.Cost} {
		if cost != nil {
			r.Usage.USD, r.Usage.Cost = *cost, loops.CostReported
		}
	}
	// A subtype of "success" says nothing: not being logged in has it too.
	if end.IsError || r.Outcome != loops.OK {
		if r.Outcome == loops.OK {
			r.Outcome = loops.Failed
		}
		r.Detail = shorten(end.Result)
		claudeFault(&r, end, end.Result, rejected, t.At)
		return r
	}
	fromText(&r, c.Role, end.Result)
	return r
}

// claudeFault finds out which failure one is.
func claudeFault(r *loops.Report, end *claudeEvent, text string, rejected bool, at time.Time) {
	if r.Outcome != loops.Failed && r.Outcome != loops.BadOutput {
		return
	}
	status := 0
	if end != nil {
		if end.APIStatus != nil {
			status = *end.APIStatus
		}
		switch end.Subtype {
		case "error_max_turns":
			r.Outcome = loops.MaxTurns
			return
		case "error_max_budget_usd":
			r.Outcome = loops.BudgetSpent
			return
		}
	}
	low := strings.ToLower(text)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(low, w) {
				return true
			}
		}
		return false
	}
	switch {
	case status == 401 || status == 403 || has("not logged in", "please run /login", "invalid api key", "oauth token has expired"):
		r.Outcome = loops.NotAuthenticated
	case rejected || status == 429 || has("you've hit your", "usage limit reached"):
		r.Outcome = loops.RateLimited
		if r.ResetsAt.IsZero() {
			r.ResetsAt = resets(text, at)
		}
	case status == 529 || status == 503 || has("overloaded_error", "api error: 529", "overloaded"):
		r.Outcome = loops.Overloaded
	case end != nil && len(end.Denials) > 0:
		r.Outcome = loops.PermissionDenied
	}
	if r.Detail == "" {
		r.Detail = lastLine([]byte(text))
	}
}

// toolUses counts the calls of tools in a message's content.
func toolUses(content json.RawMessage) (n int) {
	var parts []struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(content, &parts) != nil {
		return 0
	}
	for _, p := range parts {
		if p.Type == "tool_use" {
			n++
		}
	}
	return n
}

// lastLine returns the last line with text of the first source that has one.
func lastLine(sources ...[]byte) string {
	for _, s := range sources {
		lines := strings.Split(strings.TrimSpace(string(s)), "\n")
		if l := strings.TrimSpace(lines[len(lines)-1]); l != "" {
			return shorten(l)
		}
	}
	return ""
}
