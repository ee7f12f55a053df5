package agent

import (
	"slices"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// TestAnswerers holds the order in which programs are looked for, and that the answer
// is taken out of what each of them prints, as it was printed.
func TestAnswerers(t *testing.T) {
	t.Parallel()
	const answer = `{"verdicts": [{"id": 1, "ruling": "both-hold", "quote_a": "a", "quote_b": "{\"status\": \"rate_limited\"}"}]}`
	const quoted = `"{\"verdicts\": [{\"id\": 1, \"ruling\": \"both-hold\", \"quote_a\": \"a\", \"quote_b\": \"{\\\"status\\\": \\\"rate_limited\\\"}\"}]}"`
	printed := map[string]struct {
		out    string
		tokens int64
	}{
		"claude": {`{"type":"system","subtype":"init","tools":[],"mcp_servers":[],"model":"claude-opus-4-8"}
{"type":"assistant","message":{"content":[{"type":"text","text":` + quoted + `}]}}
{"type":"result","subtype":"success","is_error":false,"result":` + quoted + `,"total_cost_usd":0.0082,"usage":{"input_tokens":1000,"cache_creation_input_tokens":300,"cache_read_input_tokens":200,"output_tokens":50}}`, 1550},
		"codex": {`{"type":"thread.started","thread_id":"01a21590"}
{"type":"error","message":"Reconnecting... 2/5 (unexpected status 404 Not Found)"}
{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Falling back from WebSockets to HTTPS transport."}}
{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":` + quoted + `}}
{"type":"turn.completed","usage":{"input_tokens":1000,"cached_input_tokens":200,"output_tokens":50,"reasoning_output_tokens":10}}`, 1050},
		"gemini": {`{"type":"init","session_id":"1b9cfdde","model":"auto"}
{"type":"message","role":"user","content":"You compare statements."}
{"type":"message","role":"assistant","content":` + quoted + `,"delta":true}
{"type":"result","status":"success","stats":{"total_tokens":1050,"input_tokens":1000,"output_tokens":50,"tool_calls":0}}`, 1050},
		"opencode": {`{"type":"step_start","sessionID":"ses_d","part":{"type":"step-start"}}
{"type":"text","sessionID":"ses_d","part":{"type":"text","text":` + quoted + `}}
{"type":"step_finish","sessionID":"ses_d","part":{"reason":"stop","tokens":{"total":1050,"input":800,"output":50},"cost":0}}`, 850},
		"copilot": {answer + "\n\n", 0},
	}
	var ids []string
	for _, a := range Answerers() {
		ids = append(ids, a.ID)
		r := a.Read(loops.Transcript{Stdout: []byte(printed[a.ID].out), Exit: exited(0), At: noon}, nil)
		text := r.Text
		if a.ID == "copilot" {
			text = text[:len(text)-2]
		}
		if r.Outcome != loops.OK || text != answer || r.Usage.Tokens() != printed[a.ID].tokens {
			t.Errorf("%s: %s, %d tokens, %q", a.ID, r.Outcome, r.Usage.Tokens(), r.Text)
		}
		if slices.ContainsFunc(a.Args, func(arg string) bool {
			return slices.Contains([]string{"--auto", "--yolo", "yolo", "--allow-all-tools", "--force", "acceptEdits", "workspace-write"}, arg)
		}) {
			t.Errorf("%s may write: %q", a.ID, a.Args)
		}
	}
	if want := []string{"claude", "codex", "gemini", "opencode", "copilot"}; !slices.Equal(ids, want) {
		t.Errorf("%q, want %q", ids, want)
	}
}
