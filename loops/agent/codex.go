package agent

import (
	"bytes"
	"cmp"
	"encoding/json"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// Codex, as version 0.169 prints it. It never gets an open standard input: with
// one that nobody writes to it waits forever.
var _ = register(record{
	id: "codex", vendor: "openai",
	argv: func(c loops.Call) []string {
		sandbox := "workspace-write"
		switch {
		case c.Sandboxed: // its own can't be made within another, and no command would run
			sandbox = "danger-full-access"
		case c.ReadOnly:
			sandbox = "read-only"
		}
		argv := []string{"exec", "--json", "-C", c.Dir, "-s", sandbox, "-o", lastFile(c), "--skip-git-repo-check", "-c", `approval_policy="never"`}
		if !c.Sandboxed { // the home of the call lies there
			argv = append(argv, "-c", "sandbox_workspace_write.exclude_slash_tmp=true")
		}
		if c.ReadOnly { // no instruction that a maker may have left
			argv = append(argv, "--ignore-rules", "-c", "project_doc_max_bytes=0")
		}
		if c.Model != "" {
			argv = append(argv, "-m", c.Model)
		}
		return append(argv, "--")
	},
	asWord:   true,
	last:     true,
	confined: true,
	usage:    ".codex/sessions/*/*/*/rollout-*.jsonl",
	state:    []folder{codexHome},
	login: []credential{
		{in: codexHome, name: "auth.json", pick: withoutRefresh, sealed: true},
		{in: codexHome, name: "config.toml", pick: pickTOML([]string{"model_provider", "openai_base_url", "chatgpt_base_url", "forced_login_method", "forced_chatgpt_workspace_id"}, "model_providers"), sealed: true},
	},
	read:   readCodex,
	follow: newCodexStream,
	can:    loops.Capabilities{Tokens: true, ToolCalls: true, ReadOnly: true, Schema: true},
	answers: &Answerer{
		Args: []string{
			"exec", "--json", "-s", "read-only", "--ephemeral", "--ignore-user-config", "--ignore-rules", "--skip-git-repo-check", "-c", `approval_policy="never"`,
			"-c", "features.shell_tool=false", "-c", "features.unified_exec=false", "-c", "features.view_image=false", "-c", "features.apps=false",
			"-c", "features.plugins=false", "-c", "features.goals=false", "-c", `web_search="disabled"`, "-c", "project_doc_max_bytes=0", "-",
		},
		Variables: []string{"CODEX_API_KEY", "CODEX_HOME"},
	},
})

// codexHome is where the program keeps its own.
var codexHome = folder{variable: "CODEX_HOME", path: ".codex"}

// codexEvent is a line of exec --json.
type codexEvent struct {
	Type     string `json:"type"`
	ThreadID string `json:"thread_id"`
	Message  string `json:"message"`
	Item     struct {
		ID     string `json:"id"`
		Type   string `json:"type"`
		Text   string `json:"text"`
		Status string `json:"status"`
		Output string `json:"aggregated_output"`
	} `json:"item"`
	Usage codexTokens `json:"usage"`
	Error struct {
		Message string `json:"message"`
	} `json:"error"`
}

// codexTokens are what requests used.
type codexTokens struct {
	Input  int64 `json:"input_tokens"` // those that were cached are among them
	Output int64 `json:"output_tokens"`
}

// codexTools are the kinds of items that are calls of tools.
var codexTools = map[string]bool{"command_execution": true, "file_change": true, "mcp_tool_call": true, "web_search": true}

// codexStream is what the events of a call come to.
type codexStream struct {
	vendor
	r                        loops.Report
	message, failure, notice string
	completed                bool
}

func newCodexStream(at time.Time) stream { return &codexStream{vendor: vendor{at: at}} }

func (s *codexStream) line(line []byte) {
	var e codexEvent
	if json.Unmarshal(line, &e) != nil {
		return
	}
	switch e.Type {
	case "thread.started":
		s.r.Session = e.ThreadID
	case "turn.started":
		s.open = true
	case "item.started":
		if codexTools[e.Item.Type] {
			s.answers()
			s.begins(e.Item.ID)
		}
	case "item.completed":
		s.item(&e)
	case "turn.completed":
		s.answers()
		s.completed, s.open = true, false
		s.r.Usage.InputTokens += e.Usage.Input
		s.r.Usage.OutputTokens += e.Usage.Output
	case "turn.failed":
		s.failure, s.open = e.Error.Message, false
		if s.failed = nil; s.failure != "" {
			s.fails(statusIn(s.failure), s.failure)
		}
	case "error": // "Reconnecting…" is one: it is not the end
		s.notice = e.Message
		s.fails(statusIn(e.Message), e.Message)
	}
}

// codexToolError is how it logs a call of a tool that it could not make: there is no event of that.
var codexToolError = schema.Expression(`ERROR codex_core::tools::router: error=(.*)`)

func (s *codexStream) logged(line []byte) {
	if m := codexToolError().FindSubmatch(line); m != nil {
		s.answers()
		s.ends("", string(m[1]))
	}
}

// item takes a message or the result of a tool.
func (s *codexStream) item(e *codexEvent) {
	switch {
	case e.Item.Type == "agent_message":
		s.message = e.Item.Text
		s.answers()
	case codexTools[e.Item.Type]:
		s.r.Usage.ToolCalls++
		s.answers()
		err := ""
		if e.Item.Status == "failed" {
			err = e.Item.Type + ": " + e.Item.Output
		}
		s.ends(e.Item.ID, err)
	}
}

func readCodex(c loops.Call, t loops.Transcript) loops.Report {
	s := newCodexStream(t.At).(*codexStream)
	jsonLines(t.Stdout, s.line)
	for line := range bytes.Lines(t.Stderr) {
		s.logged(line)
	}
	model, used := codexRecord(t.Usage)
	s.r.Outcome, s.r.Model, s.r.ToolsFailed = ended(t.Exit), model, s.failures
	r := &s.r
	if !s.completed { // it was ended, or failed: what it used stands in its record
		r.Usage.InputTokens, r.Usage.OutputTokens = used.InputTokens, used.OutputTokens
	}
	if len(t.Last) > 0 {
		s.message = string(t.Last)
	}
	if s.failure == "" && !s.completed && r.Outcome != loops.OK {
		s.failure = s.notice
	}
	switch {
	case r.Outcome == loops.OK && s.failure != "":
		r.Outcome = loops.Failed
	case r.Outcome == loops.OK && !s.completed && s.message == "":
		r.Outcome, r.Detail = loops.BadOutput, said("it printed no turn", t)
	}
	if r.Outcome != loops.OK {
		s.failsOnStderr(t)
		r.Detail = cmp.Or(r.Detail, shorten(s.failure), errorLine(t.Stderr))
		s.settle(r, t)
	}
	fromText(r, c.Role, s.message)
	return *r
}

// codexRecord reads the record of a session: the model, which the events do not say, and
// the tokens so far, which they say at the end of a turn only. Each count holds those
// before it.
func codexRecord(record []byte) (model string, used loops.Usage) {
	jsonLines(record, func(line []byte) {
		var e struct {
			Type    string `json:"type"`
			Payload struct {
				Type  string `json:"type"`
				Model string `json:"model"`
				Info  struct {
					Total codexTokens `json:"total_token_usage"`
				} `json:"info"`
			} `json:"payload"`
		}
		switch {
		case json.Unmarshal(line, &e) != nil:
		case e.Type == "turn_context" && e.Payload.Model != "":
			model = e.Payload.Model
		case e.Type == "event_msg" && e.Payload.Type == "token_count":
			used.InputTokens = max(used.InputTokens, e.Payload.Info.Total.Input)
			used.OutputTokens = max(used.OutputTokens, e.Payload.Info.Total.Output)
		}
	})
	return model, used
}
