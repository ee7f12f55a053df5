package agent

import (
	"bytes"
	"encoding/json"

	"github.com/loopwiki/wiki/loops"
)

// Gemini CLI, as version 0.61 prints it.
var _ = register(record{
	id: "gemini", vendor: "google",
	argv: func(c loops.Call) []string {
		mode := "yolo"
		if c.ReadOnly {
			mode = "plan"
		}
		argv := []string{"-o", "stream-json", "--approval-mode", mode, "--skip-trust"}
		if c.Model != "" {
			argv = append(argv, "-m", c.Model)
		}
		if c.Session != "" {
			argv = append(argv, "--session-id", c.Session)
		}
		return append(argv, "-p")
	},
	asWord: true,
	state:  []string{".gemini"},
	read:   readGemini,
	resume: func(s string) string { return "gemini -r " + s },
	can:    loops.Capabilities{Tokens: true, ToolCalls: true, Session: true, ReadOnly: true},
	answers: &Answerer{
		Args:  []string{"-o", "stream-json", "--approval-mode", "plan", "--skip-trust", "-e", "none", "--allowed-mcp-server-names", "none", "--policy", "../policy.toml"},
		Files: map[string]string{"policy.toml": "[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 999\n"},
		Variables: []string{
			"GEMINI_API_KEY", "GEMINI_MODEL", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_LOCATION", "GOOGLE_CLOUD_PROJECT",
			"GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_USE_GCA", "GOOGLE_GENAI_USE_VERTEXAI",
		},
	},
})

// geminiEvent is a line of -o stream-json, or the document of -o json.
type geminiEvent struct {
	Type      string `json:"type"`
	SessionID string `json:"session_id"`
	Model     string `json:"model"`
	Role      string `json:"role"`
	Content   string `json:"content"`
	Response  string `json:"response"`
	Status    string `json:"status"`
	Stats     struct {
		Input  int64 `json:"input_tokens"`
		Output int64 `json:"output_tokens"`
		Tools  int   `json:"tool_calls"`
	} `json:"stats"`
	Error *struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	} `json:"error"`
}

// geminiExits are the exit statuses that have a meaning of their own.
var geminiExits = map[int]loops.Outcome{41: loops.NotAuthenticated, 53: loops.MaxTurns, 130: loops.Killed}

func readGemini(c loops.Call, t loops.Transcript) loops.Report {
	r := loops.Report{Outcome: ended(t.Exit)}
	var message, failure string
	take := func(line []byte) {
		var e geminiEvent
		if json.Unmarshal(line, &e) != nil {
			return
		}
		if e.SessionID != "" {
			r.Session = e.SessionID
		}
		if e.Model != "" {
			r.Model = e.Model
		}
		switch {
		case e.Error != nil:
			failure = e.Error.Message
		case e.Type == "message" && e.Role == "assistant":
			message += e.Content
		case e.Response != "":
			message = e.Response
		}
		if e.Type == "result" || e.Response != "" {
			r.Usage.InputTokens, r.Usage.OutputTokens, r.Usage.ToolCalls = e.Stats.Input, e.Stats.Output, e.Stats.Tools
			if e.Status == "error" && r.Outcome == loops.OK {
				r.Outcome = loops.Failed
			}
		}
	}
	if !jsonLines(t.Stdout, take) && len(bytes.TrimSpace(t.Stdout)) > 0 {
		take(bytes.TrimSpace(t.Stdout)) // one document over several lines
	}
	if r.Outcome == loops.Failed {
		if failure == "" {
			// Its failures are a document on standard error.
			if at := bytes.IndexByte(t.Stderr, '{'); at >= 0 {
				take(t.Stderr[at:])
			}
		}
		if failure == "" {
			failure = lastLine(t.Stderr)
		}
		r.Detail = shorten(failure)
		if o, ok := geminiExits[t.Exit.Code]; ok {
			r.Outcome = o
		} else {
			vendorFault(&r, failure, t)
		}
	} else if r.Outcome == loops.OK && message == "" {
		r.Outcome, r.Detail = loops.BadOutput, "it printed no answer"
	}
	fromText(&r, c.Role, message)
	return r
}
