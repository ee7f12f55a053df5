package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// OpenCode, as version 1.18 prints it. It may not end after its last step: the
// limit of silence ends it then.
var _ = register(record{
	id: "opencode",
	argv: func(c loops.Call) []string {
		argv := []string{"run", "--format", "json", "--print-logs", "--pure", "--title", "wiki loop", "--dir", c.Dir} // a title that is not given is asked for
		if c.Model != "" {
			argv = append(argv, "-m", c.Model)
		}
		if c.ReadOnly {
			argv = append(argv, "--agent", "plan")
		}
		if c.Sandboxed || !c.ReadOnly {
			argv = append(argv, "--auto")
		}
		return append(argv, "--")
	},
	asWord: true,
	env:    []string{"OPENCODE_DISABLE_AUTOUPDATE=1"},
	state:  []folder{xdgData.holding("opencode"), xdgConfig.holding("opencode"), xdgState.holding("opencode"), xdgCache.holding("opencode")},
	login: []credential{
		{in: xdgData.holding("opencode"), name: "auth.json"},
		{in: xdgConfig.holding("opencode"), name: "opencode.json", pick: pickJSON("provider", "enabled_providers", "disabled_providers")},
		{in: xdgConfig.holding("opencode"), name: "opencode.jsonc", pick: pickJSON("provider", "enabled_providers", "disabled_providers")},
	},
	read:   readOpenCode,
	follow: newOpenCodeStream,
	can:    loops.Capabilities{Cost: true, Tokens: true, ToolCalls: true, ReadOnly: true},
	answers: &Answerer{
		Args: []string{"run", "--format", "json", "--pure", "--title", "wiki lint --judge"}, // a title that is not given is asked for
		Env:  []string{`OPENCODE_CONFIG_CONTENT={"tools":{"*":false}}`},
		Variables: []string{
			"ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GROQ_API_KEY", "MISTRAL_API_KEY", "OPENAI_API_KEY",
			"OPENCODE_API_KEY", "OPENCODE_CONFIG", "OPENROUTER_API_KEY", "XAI_API_KEY",
		},
	},
})

// openCodeEvent is a line of run --format json.
type openCodeEvent struct {
	Type      string `json:"type"`
	SessionID string `json:"sessionID"`
	Part      struct {
		CallID string   `json:"callID"`
		Tool   string   `json:"tool"`
		Text   string   `json:"text"`
		Reason string   `json:"reason"`
		Cost   *float64 `json:"cost"`
		Tokens struct {
			Input     int64 `json:"input"` // those that were cached are not among them
			Output    int64 `json:"output"`
			Reasoning int64 `json:"reasoning"`
			Cache     struct {
				Read  int64 `json:"read"`
				Write int64 `json:"write"`
			} `json:"cache"`
		} `json:"tokens"`
		State struct {
			Error    string `json:"error"`
			Output   string `json:"output"`
			Metadata struct {
				Exit int `json:"exit"`
			} `json:"metadata"`
		} `json:"state"`
	} `json:"part"`
	Error *struct {
		Name string `json:"name"`
		Data struct {
			Message string            `json:"message"`
			Status  int               `json:"statusCode"`
			Headers map[string]string `json:"responseHeaders"`
		} `json:"data"`
	} `json:"error"`
}

// openCodeStream is what the events of a call come to. An event tells of a tool when it has
// ended: whether one runs while a step is not over, or an answer is missing, the log says.
type openCodeStream struct {
	vendor
	r                loops.Report
	message, failure string
	logs             bool
}

func newOpenCodeStream(at time.Time) stream {
	return &openCodeStream{vendor: vendor{at: at, open: true}}
}

func (s *openCodeStream) line(line []byte) {
	var e openCodeEvent
	if json.Unmarshal(line, &e) != nil {
		return
	}
	if e.SessionID != "" {
		s.r.Session = e.SessionID
	}
	switch e.Type {
	case "step_start":
		s.open = s.open && s.logs
	case "text":
		s.message = e.Part.Text
	case "tool_use":
		s.r.Usage.ToolCalls++
		s.ends(e.Part.CallID, e.toolError())
	case "step_finish":
		s.answers()
		s.open = e.Part.Reason == "tool-calls" || e.Part.Reason == "unknown"
		if e.Part.Reason == "unknown" { // then it asks again, without end
			s.failsAs(loops.Unreachable, "the vendor's answer ended without a reason")
		}
		u := e.Part.Tokens
		s.r.Usage.InputTokens += u.Input + u.Cache.Read + u.Cache.Write
		s.r.Usage.OutputTokens += u.Output + u.Reasoning
		if e.Part.Cost != nil {
			s.r.Usage.USD += *e.Part.Cost
			s.r.Usage.Cost = loops.CostReported
		}
	case "error":
		s.failure, s.open, s.failed = "it failed", false, nil
		if e.Error != nil {
			d := e.Error.Data
			s.failure = cmp.Or(d.Message, e.Error.Name)
			s.fails(d.Status, s.failure)
			if s.failed != nil && s.failed.outcome == loops.RateLimited && s.failed.resets.IsZero() {
				s.failed.resets = retryAfter(d.Headers["retry-after"], s.at)
			}
		}
	}
}

// openCodeLog is a line of its log, in which quotes escape line breaks: a request to the
// vendor, or the permission for a tool, which runs next.
var openCodeLog = schema.Expression(`^timestamp=\S+ level=INFO run=\S+ message=(stream|evaluated) `)

func (s *openCodeStream) logged(line []byte) {
	if m := openCodeLog().FindSubmatch(line); m != nil {
		s.logs, s.open = true, string(m[1]) == "stream"
	}
}

// openCodeLogs are the lines of a log in standard error: they tell of more than why a call
// failed.
var openCodeLogs = schema.Expression(`(?m)^timestamp=\S+ level=.*\n?`)

// toolError returns the error that a tool's result is, "" for none.
func (e *openCodeEvent) toolError() string {
	st := e.Part.State
	switch {
	case e.Part.Tool == "invalid": // a call that it could not make
		return st.Output
	case st.Metadata.Exit != 0:
		return fmt.Sprintf("exit status %d: %s", st.Metadata.Exit, st.Output)
	}
	return st.Error
}

func readOpenCode(c loops.Call, t loops.Transcript) loops.Report {
	s := newOpenCodeStream(t.At).(*openCodeStream)
	t.Stderr = openCodeLogs().ReplaceAll(t.Stderr, nil)
	any := jsonLines(t.Stdout, s.line)
	s.r.Outcome, s.r.ToolsFailed = ended(t.Exit), s.failures
	r := &s.r
	switch {
	case s.failure != "" && r.Outcome == loops.OK:
		r.Outcome = loops.Failed
	case !any && r.Outcome == loops.OK:
		// A session that is missing ends well and prints nothing.
		r.Outcome, r.Detail = loops.BadOutput, said("it printed nothing", t)
	}
	if r.Outcome != loops.OK {
		s.failsOnStderr(t)
		r.Detail = cmp.Or(r.Detail, shorten(s.failure), errorLine(t.Stderr))
		s.settle(r, t)
	}
	fromText(r, c.Role, s.message)
	return *r
}
