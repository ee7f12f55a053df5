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
		argv := []string{"-p", "--output-format", "stream-json", "--verbose", "--strict-mcp-config", "--setting-sources"}
		if c.ReadOnly { // no instruction or hook that a maker may have left
			argv = append(argv, "user")
		} else {
			argv = append(argv, "user,project")
		}
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
		switch {
		case c.ReadOnly && c.Sandboxed:
			return append(argv, "--permission-mode", "dontAsk", "--allowedTools", "Read Grep Glob Bash", "--disallowedTools", "Edit Write NotebookEdit")
		case c.ReadOnly:
			return append(argv, "--permission-mode", "dontAsk", "--allowedTools", "Read Grep Glob")
		}
		return append(argv, "--permission-mode", "acceptEdits", "--allowedTools", "Read Edit Write Grep Glob Bash")
	},
	env:   []string{noTitle, "DISABLE_AUTOUPDATER=1"},
	state: []folder{claudeHome},
	login: []credential{
		{in: claudeHome, name: ".credentials.json", pick: withoutRefresh},
		{in: claudeHome, name: "settings.json", pick: pickJSON("apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh", "forceLoginMethod", "forceLoginOrgUUID",
			"env.ANTHROPIC_API_KEY", "env.ANTHROPIC_AUTH_TOKEN", "env.ANTHROPIC_BASE_URL", "env.ANTHROPIC_CUSTOM_HEADERS", "env.ANTHROPIC_VERTEX_PROJECT_ID", "env.AWS_PROFILE", "env.AWS_REGION",
			"env.CLAUDE_CODE_OAUTH_TOKEN", "env.CLAUDE_CODE_USE_BEDROCK", "env.CLAUDE_CODE_USE_VERTEX", "env.CLOUD_ML_REGION")},
		{in: claudeHome, name: ".claude.json", pick: pickJSON("primaryApiKey", "oauthAccount")},
		{in: folder{}, name: ".claude.json", to: ".claude/.claude.json", pick: pickJSON("primaryApiKey", "oauthAccount")},
	},
	read:   readClaude,
	follow: newClaudeStream,
	can:    loops.Capabilities{Cost: true, Tokens: true, ToolCalls: true, Session: true, BudgetFlag: true, ReadOnly: true, Schema: true},
	answers: &Answerer{
		Args: []string{
			"-p", "--output-format", "stream-json", "--verbose", "--tools", "", "--strict-mcp-config", "--setting-sources", "", "--no-session-persistence",
			"--disable-slash-commands", "--system-prompt", "Answer with the requested JSON and nothing else.",
		},
		Env: []string{noTitle},
		Variables: []string{
			"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR",
		},
	},
})

// claudeHome is where the program keeps its own.
var claudeHome = folder{variable: "CLAUDE_CONFIG_DIR", path: ".claude"}

// noTitle saves the call, with the whole prompt, that asks for the title of a session.
const noTitle = "CLAUDE_CODE_DISABLE_TERMINAL_TITLE=1"

// claudeEvent is a line of --output-format stream-json.
type claudeEvent struct {
	Type      string            `json:"type"`
	Subtype   string            `json:"subtype"`
	SessionID string            `json:"session_id"`
	Model     string            `json:"model"`
	IsError   bool              `json:"is_error"`
	Result    string            `json:"result"`
	APIStatus int               `json:"api_error_status"`
	Status    int               `json:"error_status"` // of api_retry
	Error     json.RawMessage   `json:"error"`        // a word, of api_retry and of messages that the program made itself
	Cost      *float64          `json:"total_cost_usd"`
	OldCost   *float64          `json:"cost_usd"`
	Usage     claudeUsage       `json:"usage"`
	Denials   []json.RawMessage `json:"permission_denials"`
	Message   struct {
		ID      string          `json:"id"`
		Model   string          `json:"model"`
		Content json.RawMessage `json:"content"`
		Usage   claudeUsage     `json:"usage"`
	} `json:"message"`
	Limit struct {
		Status   string `json:"status"`
		ResetsAt int64  `json:"resetsAt"` // seconds of the epoch; it may be missing
	} `json:"rate_limit_info"`
}

// claudeUsage are the tokens of a message, or of the whole call.
type claudeUsage struct {
	Input   int64 `json:"input_tokens"`
	Created int64 `json:"cache_creation_input_tokens"`
	Cached  int64 `json:"cache_read_input_tokens"`
	Output  int64 `json:"output_tokens"`
}

// claudeBlock is a part of a message.
type claudeBlock struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Tool    string          `json:"tool_use_id"`
	IsError bool            `json:"is_error"`
	Content json.RawMessage `json:"content"`
}

// synthetic is the model of messages that the program made itself.
const synthetic = "<synthetic>"

// claudeStream is what the events of a call come to.
type claudeStream struct {
	vendor
	r    loops.Report
	used map[string]claudeUsage // by message: it is printed once for each of its parts
	end  *claudeEvent
}

func newClaudeStream(at time.Time) stream {
	return &claudeStream{vendor: vendor{at: at}, used: make(map[string]claudeUsage)}
}

func (s *claudeStream) line(line []byte) {
	var e claudeEvent
	if json.Unmarshal(line, &e) != nil {
		return
	}
	if e.SessionID != "" {
		s.r.Session = e.SessionID
	}
	switch e.Type {
	case "system":
		if e.Model != "" {
			s.r.Model = e.Model
		}
		s.open = s.end == nil
		if e.Subtype == "api_retry" {
			s.failsAs(loops.Unreachable, "no answer") // unless it is known better
			s.refused(e.Status, e.Error, "")
		}
	case "assistant":
		s.message(&e)
	case "user":
		for _, b := range claudeBlocks(e.Message.Content) {
			if b.Type == "tool_result" {
				s.ends(b.Tool, b.err())
			}
		}
	case "rate_limit_event":
		if e.Limit.Status == "rejected" {
			s.failsAs(loops.RateLimited, "the account's limit is reached")
			if e.Limit.ResetsAt > 0 {
				s.failed.resets = time.Unix(e.Limit.ResetsAt, 0).UTC()
			}
		}
	case "result":
		s.end, s.open = &e, false
	}
}

// message takes a message of the model, or one that the program made of a failure.
func (s *claudeStream) message(e *claudeEvent) {
	if e.Message.Model == synthetic {
		s.refused(0, e.Error, "")
		return
	}
	s.answers()
	s.used[e.Message.ID] = e.Message.Usage
	for _, b := range claudeBlocks(e.Message.Content) {
		if b.Type == "tool_use" {
			s.r.Usage.ToolCalls++
			s.begins(b.ID)
		}
	}
}

// claudeErrors are the program's words for failures, as the status of HTTP that they have.
var claudeErrors = map[string]int{"authentication_failed": 401, "billing_error": 402, "rate_limit": 429, "overloaded": 529, "server_error": 500}

// refused takes a failure: its status of HTTP, or the program's word for it.
func (s *claudeStream) refused(status int, word json.RawMessage, text string) {
	var kind string
	if json.Unmarshal(word, &kind) == nil && status == 0 {
		status = claudeErrors[kind]
	}
	if text == "" {
		text = strings.ReplaceAll(kind, "_", " ")
	}
	s.fails(status, text)
}

func readClaude(c loops.Call, t loops.Transcript) loops.Report {
	s := newClaudeStream(t.At).(*claudeStream)
	jsonLines(t.Stdout, s.line)
	s.r.Outcome, s.r.ToolsFailed = ended(t.Exit), s.failures
	r, end := &s.r, s.end
	if end == nil {
		for _, u := range s.used {
			u.addTo(&r.Usage)
		}
		if r.Outcome == loops.OK {
			// With nothing to do it ends well and prints nothing.
			r.Outcome, r.Detail = loops.BadOutput, said("it printed no result", t)
		}
		s.failsOnStderr(t)
		s.settle(r, t)
		return *r
	}
	end.Usage.addTo(&r.Usage)
	for _, cost := range []*float64{end.OldCost, end.Cost} {
		if cost != nil {
			r.Usage.USD, r.Usage.Cost = *cost, loops.CostReported
		}
	}
	// A subtype of "success" says nothing: not being logged in has it too.
	if !end.IsError && r.Outcome == loops.OK {
		fromText(r, c.Role, end.Result)
		return *r
	}
	if r.Outcome == loops.OK {
		r.Outcome = loops.Failed
	}
	r.Detail = shorten(end.Result)
	s.ended(r, t)
	return *r
}

// ended finds out which failure a result tells of.
func (s *claudeStream) ended(r *loops.Report, t loops.Transcript) {
	switch s.end.Subtype {
	case "error_max_turns":
		r.Outcome = loops.MaxTurns
		return
	case "error_max_budget_usd":
		r.Outcome = loops.BudgetSpent
		return
	}
	if s.end.IsError { // its text is the program's own then
		before := s.failed
		if s.end.APIStatus != 0 {
			s.failed = nil
		}
		s.refused(s.end.APIStatus, nil, s.end.Result)
		if before != nil && s.failed != nil && s.failed.resets.IsZero() {
			s.failed.resets = before.resets
		}
	}
	s.settle(r, t)
	if r.Outcome == loops.Failed && len(s.end.Denials) > 0 {
		r.Outcome = loops.PermissionDenied
	}
}

func (u claudeUsage) addTo(all *loops.Usage) {
	all.InputTokens += u.Input + u.Created + u.Cached
	all.OutputTokens += u.Output
}

// claudeBlocks returns the parts of a message's content.
func claudeBlocks(content json.RawMessage) []claudeBlock {
	var parts []claudeBlock
	_ = json.Unmarshal(content, &parts) // of a text there are none
	return parts
}

// err returns the error that the result of a tool is, "" if it is none.
func (b claudeBlock) err() string {
	if !b.IsError {
		return ""
	}
	return string(b.Content)
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
