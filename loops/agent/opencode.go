package agent

import (
	"encoding/json"

	"github.com/loopwiki/wiki/loops"
)

// OpenCode, as version 1.18 prints it. It may not end after its last step: the
// limit of silence ends it then.
var _ = register(record{
	id: "opencode",
	argv: func(c loops.Call) []string {
		argv := []string{"run", "--format", "json", "--dir", c.Dir}
		if c.Model != "" {
			argv = append(argv, "-m", c.Model)
		}
		if c.ReadOnly {
			return append(argv, "--agent", "plan", "--")
		}
		return append(argv, "--auto", "--")
	},
	asWord: true,
	state:  []string{".local/share/opencode", ".config/opencode", ".cache/opencode"},
	read:   readOpenCode,
	resume: func(s string) string { return "opencode run -s " + s },
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
		Text   string   `json:"text"`
		Cost   *float64 `json:"cost"`
		Tokens struct {
			Input  int64 `json:"input"`
			Output int64 `json:"output"`
		} `json:"tokens"`
	} `json:"part"`
	Error json.RawMessage `json:"error"`
}

func readOpenCode(c loops.Call, t loops.Transcript) loops.Report {
	r := loops.Report{Outcome: ended(t.Exit)}
	var message, failure string
	any := jsonLines(t.Stdout, func(line []byte) {
		var e openCodeEvent
		if json.Unmarshal(line, &e) != nil {
			return
		}
		if e.SessionID != "" {
			r.Session = e.SessionID
		}
		switch e.Type {
		case "text":
			message = e.Part.Text
		case "tool_use":
			r.Usage.ToolCalls++
		case "step_finish":
			r.Usage.InputTokens += e.Part.Tokens.Input
			r.Usage.OutputTokens += e.Part.Tokens.Output
			if e.Part.Cost != nil {
				r.Usage.USD += *e.Part.Cost
				r.Usage.Cost = loops.CostReported
			}
		case "error":
			failure = string(e.Error)
		}
	})
	switch {
	case failure != "" && r.Outcome == loops.OK:
		r.Outcome = loops.Failed
	case !any && r.Outcome == loops.OK:
		// A session that is missing ends well and prints nothing.
		r.Outcome, r.Detail = loops.BadOutput, "it printed nothing"
	}
	if r.Outcome == loops.Failed {
		if failure == "" {
			failure = lastLine(t.Stderr, t.Stdout)
		}
		r.Detail = shorten(failure)
		vendorFault(&r, failure, t)
	}
	fromText(&r, c.Role, message)
	return r
}
