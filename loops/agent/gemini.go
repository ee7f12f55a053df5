package agent

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// Gemini CLI, as version 0.61 prints it.
var _ = register(record{
	id: "gemini", vendor: "google",
	argv: func(c loops.Call) []string {
		mode := "yolo"
		if c.ReadOnly && !c.Sandboxed {
			mode = "plan"
		}
		argv := []string{"-o", "stream-json", "--approval-mode", mode, "--skip-trust", "-e", "none", "--allowed-mcp-server-names", "none"}
		if c.Model != "" {
			argv = append(argv, "-m", c.Model)
		}
		if c.Session != "" {
			argv = append(argv, "--session-id", c.Session)
		}
		return append(argv, "-p")
	},
	asWord: true,
	state:  []folder{geminiHome},
	login: []credential{
		{in: geminiHome, name: "oauth_creds.json"},
		{in: geminiHome, name: "google_accounts.json"},
		{in: geminiHome, name: ".env", pick: pickEnv("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_USE_GCA", "GOOGLE_GENAI_USE_VERTEXAI")},
		{in: geminiHome, name: "settings.json", pick: pickJSON("security.auth", "selectedAuthType")},
	},
	complete: geminiMethod,
	read:     readGemini,
	follow:   newGeminiStream,
	can:      loops.Capabilities{Tokens: true, ToolCalls: true, Session: true, ReadOnly: true},
	answers: &Answerer{
		Args:  []string{"-o", "stream-json", "--approval-mode", "plan", "--skip-trust", "-e", "none", "--allowed-mcp-server-names", "none", "--policy", "../policy.toml"},
		Files: map[string]string{"policy.toml": "[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 999\n"},
		Variables: []string{
			"GEMINI_API_KEY", "GEMINI_MODEL", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_LOCATION", "GOOGLE_CLOUD_PROJECT",
			"GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_USE_GCA", "GOOGLE_GENAI_USE_VERTEXAI",
		},
	},
})

// geminiHome is where the program keeps its own.
var geminiHome = folder{variable: "GEMINI_CLI_HOME", below: ".gemini"}

// geminiMethod chooses the way to log in that goes with a key, for a person who chose
// none: with a vendor's address in the environment the program would take no key.
func geminiMethod(l *loops.Login, getenv func(string) string) {
	const name = ".gemini/settings.json"
	if getenv("GEMINI_API_KEY") == "" || slices.ContainsFunc(l.Files, func(f loops.LoginFile) bool { return f.Path == name }) {
		return
	}
	l.Files = append(l.Files, loops.LoginFile{Path: name, Text: []byte(`{"security": {"auth": {"selectedType": "gemini-api-key"}}}`)})
}

// geminiEvent is a line of -o stream-json, or the document of -o json.
type geminiEvent struct {
	Type      string `json:"type"`
	SessionID string `json:"session_id"`
	Model     string `json:"model"`
	Role      string `json:"role"`
	Content   string `json:"content"`
	Response  string `json:"response"`
	Status    string `json:"status"`
	Severity  string `json:"severity"`
	Message   string `json:"message"` // of an error
	Tool      string `json:"tool_id"`
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

// geminiStatus are the exit statuses of a program that ends with what its vendor
// answered: the last eight bits of the status of HTTP.
var geminiStatus = map[int]int{
	401 & 0xff: 401, 402 & 0xff: 402, 403 & 0xff: 403, 429 & 0xff: 429, 500 & 0xff: 500, 502 & 0xff: 502, 503 & 0xff: 503, 504 & 0xff: 504, 529 & 0xff: 529,
}

// geminiStream is what the events of a call come to.
type geminiStream struct {
	vendor
	r                loops.Report
	message, failure string
	bad              bool // it ended, and says that it failed
}

func newGeminiStream(at time.Time) stream { return &geminiStream{vendor: vendor{at: at}} }

func (s *geminiStream) line(line []byte) {
	var e geminiEvent
	if json.Unmarshal(line, &e) != nil {
		return
	}
	if e.SessionID != "" {
		s.r.Session = e.SessionID
	}
	if e.Model != "" {
		s.r.Model = e.Model
	}
	switch e.Type {
	case "init":
		s.open = true
	case "tool_use":
		s.answers()
		s.begins(e.Tool)
	case "tool_result":
		err := ""
		if e.Status == "error" && e.Error != nil {
			err = e.Error.Type + ": " + e.Error.Message
		}
		s.ends(e.Tool, err)
		return
	case "error":
		if e.Severity == "error" {
			s.failure = e.Message
			s.fails(statusIn(e.Message), e.Message)
		}
	}
	switch {
	case e.Error != nil:
		s.failure, s.failed = e.Error.Message, nil
		s.fails(statusIn(s.failure), s.failure)
	case e.Type == "message" && e.Role == "assistant":
		s.answers()
		s.message += e.Content
	case e.Response != "":
		s.message = e.Response
	}
	if e.Type == "result" || e.Response != "" {
		s.open, s.bad = false, e.Status == "error"
		s.r.Usage.InputTokens, s.r.Usage.OutputTokens, s.r.Usage.ToolCalls = e.Stats.Input, e.Stats.Output, e.Stats.Tools
	}
}

func readGemini(c loops.Call, t loops.Transcript) loops.Report {
	s := newGeminiStream(t.At).(*geminiStream)
	if !jsonLines(t.Stdout, s.line) && len(bytes.TrimSpace(t.Stdout)) > 0 {
		s.line(bytes.TrimSpace(t.Stdout)) // one document over several lines
	}
	s.r.Outcome, s.r.ToolsFailed = ended(t.Exit), s.failures
	r := &s.r
	switch {
	case r.Outcome == loops.OK && s.bad, r.Outcome == loops.Killed && geminiStatus[t.Exit.Code] != 0:
		r.Outcome = loops.Failed
	case r.Outcome == loops.OK && s.message == "":
		r.Outcome, r.Detail = loops.BadOutput, said("it printed no answer", t)
	}
	switch r.Outcome {
	case loops.OK:
	case loops.BadOutput:
		s.failsOnStderr(t)
		s.settle(r, t)
	default:
		s.ended(r, t)
	}
	fromText(r, c.Role, s.message)
	return *r
}

// ended finds out which failure the end of a call tells of.
func (s *geminiStream) ended(r *loops.Report, t loops.Transcript) {
	if s.failure == "" && !s.used {
		// Its failures are a document on standard error, or lines.
		if at := bytes.IndexByte(t.Stderr, '{'); at >= 0 {
			s.line(t.Stderr[at:])
		}
	}
	if s.failure == "" {
		s.failure = errorLine(t.Stderr)
		s.failsOnStderr(t)
	}
	r.Detail = shorten(s.failure)
	if o, ok := geminiExits[t.Exit.Code]; ok && t.Exit.Why == loops.Exited {
		r.Outcome = o
		return
	}
	if status := geminiStatus[t.Exit.Code]; status != 0 && t.Exit.Why == loops.Exited {
		s.fails(status, s.failure)
	}
	s.settle(r, t)
}
