package agent

import (
	"encoding/json"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// Codex, as version 0.169 prints it. It never gets an open standard input: with
// one that nobody writes to it waits forever.
var _ = register(record{
	id: "codex", vendor: "openai",
	argv: func(c loops.Call) []string {
		sandbox := "workspace-write"
		if c.ReadOnly {
			sandbox = "read-only"
		}
		argv := []string{"exec", "--json", "-C", c.Dir, "-s", sandbox, "-o", lastFile(c), "--skip-git-repo-check", "-c", `approval_policy="never"`}
		if c.Model != "" {
			argv = append(argv, "-m", c.Model)
		}
		return append(argv, "--")
	},
	asWord: true,
	last:   true,
	state:  []string{".codex"},
	read:   readCodex,
	resume: func(s string) string { return "codex exec resume " + s },
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

// codexEvent is a line of exec --json.
type codexEvent struct {
	Type     string `json:"type"`
	ThreadID string `json:"thread_id"`
	Message  string `json:"message"`
	Item     struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"item"`
	Usage struct {
		Input  int64 `json:"input_tokens"` // those that were cached are among them
		Output int64 `json:"output_tokens"`
	} `json:"usage"`
	Error struct {
		Message string `json:"message"`
	} `json:"error"`
}

func readCodex(c loops.Call, t loops.Transcript) loops.Report {
	r := loops.Report{Outcome: ended(t.Exit)}
	var message, failure, notice string
	var completed bool
	jsonLines(t.Stdout, func(line []byte) {
		var e codexEvent
		if json.Unmarshal(line, &e) != nil {
			return
		}
		switch e.Type {
		case "thread.started":
			r.Session = e.ThreadID
		case "item.completed":
			switch e.Item.Type {
			case "agent_message":
				message = e.Item.Text
			case "command_execution", "file_change", "mcp_tool_call", "web_search":
				r.Usage.ToolCalls++
			}
		case "turn.completed":
			completed = true
			r.Usage.InputTokens += e.Usage.Input
			r.Usage.OutputTokens += e.Usage.Output
		case "turn.failed":
			failure = e.Error.Message
		case "error":
			notice = e.Message // "Reconnecting…" is one: it is not the end
		}
	})
	if len(t.Last) > 0 {
		message = string(t.Last)
	}
	if failure == "" && !completed && r.Outcome != loops.OK {
		failure = notice
	}
	switch {
	case failure != "" || r.Outcome == loops.Failed:
		if r.Outcome == loops.OK {
			r.Outcome = loops.Failed
		}
		if failure == "" {
			failure = lastLine(t.Stderr)
		}
		r.Detail = shorten(failure)
		vendorFault(&r, failure, t)
	case r.Outcome == loops.OK && !completed && message == "":
		r.Outcome, r.Detail = loops.BadOutput, "it printed no turn"
	}
	fromText(&r, c.Role, message)
	return r
}

// vendorFault finds out which failure of a vendor a message speaks of. Only
// messages that a program gives as its failure are looked at.
func vendorFault(r *loops.Report, text string, t loops.Transcript) {
	if r.Outcome != loops.Failed && r.Outcome != loops.BadOutput {
		return
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
	case has("usage limit", "rate limit", "rate_limit", "too many requests", "429", "quota"):
		r.Outcome, r.ResetsAt = loops.RateLimited, resets(text, t.At)
	case has("401", "unauthorized", "not logged in", "please log in", "login required", "authentication", "api key", "no authentication"):
		r.Outcome = loops.NotAuthenticated
	case has("overloaded", "503", "529", "server is busy", "at capacity"):
		r.Outcome = loops.Overloaded
	}
}
