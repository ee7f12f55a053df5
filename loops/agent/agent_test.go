package agent

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

var noon = time.Date(2026, 7, 4, 12, 0, 0, 0, time.UTC)

func exited(code int) loops.Exit { return loops.Exit{Why: loops.Exited, Code: code} }

// printed holds what the programs print, and what it means.
var printed = []struct {
	name    string
	agent   string
	role    loops.Role
	out     string
	err     string
	result  string
	last    string
	code    int
	want    loops.Outcome
	resets  string
	verdict loops.Decision
	usd     float64
	cost    loops.CostSource
	tokens  int64
	tools   int
	session string
	detail  string
}{
	{name: "claude ends well", agent: "claude", role: loops.Maker, want: loops.OK, usd: 0.0421, cost: loops.CostReported, tokens: 1610, tools: 2, session: "0a-1",
		out: `{"type":"system","subtype":"init","session_id":"0a-1","model":"claude-haiku-4-5","tools":["Bash"],"permissionMode":"acceptEdits"}
{"type":"assistant","message":{"content":[{"type":"text","text":"I met a rate limit in the docs"},{"type":"tool_use","name":"Edit"}]}}
{"type":"user","message":{"content":[{"type":"tool_result","content":"rate limit exceeded"}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash"}]}}
{"type":"result","subtype":"success","is_error":false,"num_turns":3,"result":"Done. The rate limit is documented.","session_id":"0a-1","total_cost_usd":0.0421,"usage":{"input_tokens":10,"cache_creation_input_tokens":500,"cache_read_input_tokens":1000,"output_tokens":100},"permission_denials":[]}`},
	{name: "claude is not logged in", agent: "claude", role: loops.Maker, code: 1, want: loops.NotAuthenticated, detail: "Not logged in",
		out: `{"type":"result","subtype":"success","is_error":true,"result":"Not logged in · Please run /login","session_id":"x","total_cost_usd":0,"usage":{"input_tokens":0,"output_tokens":0}}`, cost: loops.CostReported, session: "x"},
	{name: "claude has too many turns", agent: "claude", role: loops.Maker, code: 1, want: loops.MaxTurns, out: `{"type":"result","subtype":"error_max_turns","is_error":true,"total_cost_usd":0.5,"usage":{"input_tokens":1,"output_tokens":1}}`, usd: 0.5, cost: loops.CostReported, tokens: 2},
	{name: "claude's budget is spent", agent: "claude", role: loops.Maker, code: 1, want: loops.BudgetSpent, out: `{"type":"result","subtype":"error_max_budget_usd","is_error":true,"total_cost_usd":1.51}`, usd: 1.51, cost: loops.CostReported},
	{name: "claude meets a limit with a time", agent: "claude", role: loops.Maker, code: 1, want: loops.RateLimited, resets: "2026-07-04T15:00:00Z", cost: loops.CostReported,
		out: `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1783177200,"rateLimitType":"five_hour"}}
{"type":"result","subtype":"success","is_error":true,"result":"You've hit your session limit","total_cost_usd":0}`},
	{name: "claude meets a limit with a time in words", agent: "claude", role: loops.Maker, code: 1, want: loops.RateLimited, resets: "2026-07-05T07:00:00Z", cost: loops.CostReported,
		out: `{"type":"result","subtype":"success","is_error":true,"result":"You've hit your session limit · resets 9am (Europe/Berlin)","total_cost_usd":0}`},
	{name: "claude meets a limit without a time", agent: "claude", role: loops.Maker, code: 1, want: loops.RateLimited, cost: loops.CostReported, out: `{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"API Error: 429","total_cost_usd":0}`},
	{name: "claude was warned of a limit and went on", agent: "claude", role: loops.Maker, want: loops.OK, cost: loops.CostReported, usd: 0.1,
		out: `{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","resetsAt":1783177200}}
{"type":"result","subtype":"success","is_error":false,"result":"ok","total_cost_usd":0.1}`},
	{name: "claude's vendor is overloaded", agent: "claude", role: loops.Maker, code: 1, want: loops.Overloaded, cost: loops.CostReported, out: `{"type":"result","subtype":"success","is_error":true,"api_error_status":529,"result":"API Error: 529 overloaded_error","total_cost_usd":0}`},
	{name: "claude prints nothing and ends well", agent: "claude", role: loops.Maker, want: loops.BadOutput},
	{name: "claude was killed", agent: "claude", role: loops.Maker, code: 143, want: loops.Killed, out: `{"type":"system","subtype":"init","session_id":"k"}`, session: "k"},
	{name: "claude judges", agent: "claude", role: loops.Checker, want: loops.OK, verdict: loops.Reject, cost: loops.CostReported, usd: 0.02,
		out: `{"type":"result","subtype":"success","is_error":false,"result":"The test is theatrical.\n` + "```json\\n{\\\"verdict\\\": \\\"REJECT\\\", \\\"reasons\\\": [{\\\"path\\\": \\\"a_test.go\\\", \\\"line\\\": 3, \\\"message\\\": \\\"asserts nothing\\\"}]}\\n```" + `","total_cost_usd":0.02}`},

	{name: "codex ends well", agent: "codex", role: loops.Maker, want: loops.OK, tokens: 1200, tools: 1, session: "t-1", usd: 0.001675, cost: loops.CostPriced,
		out: `{"type":"thread.started","thread_id":"t-1"}
{"type":"turn.started"}
{"type":"item.completed","item":{"type":"command_execution","command":"go test"}}
{"type":"item.completed","item":{"type":"agent_message","text":"Done."}}
{"type":"turn.completed","usage":{"input_tokens":1180,"cached_input_tokens":1000,"output_tokens":20}}`},
	{name: "codex's errors are no end", agent: "codex", role: loops.Maker, want: loops.OK, tokens: 2, usd: 0.00001125, cost: loops.CostPriced,
		out: `{"type":"error","message":"Reconnecting... 429 rate limit"}
{"type":"item.completed","item":{"type":"agent_message","text":"ok"}}
{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}`},
	{name: "codex meets a limit", agent: "codex", role: loops.Maker, code: 1, want: loops.RateLimited, cost: loops.CostReported, resets: "2026-07-04T12:20:00Z",
		out: `{"type":"turn.failed","error":{"message":"You've hit your usage limit. Try again in 20 minutes."}}`},
	{name: "codex is not logged in", agent: "codex", role: loops.Maker, code: 1, want: loops.NotAuthenticated, cost: loops.CostReported, out: `{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized"}}`},
	{name: "codex leaves its verdict in a file", agent: "codex", role: loops.GoalChecker, want: loops.OK, verdict: loops.NotMet, last: "Two of nine fail.\nNOT MET"},
	{name: "codex says nothing", agent: "codex", role: loops.Maker, want: loops.BadOutput},

	{name: "gemini is not logged in", agent: "gemini", role: loops.Maker, code: 41, want: loops.NotAuthenticated, detail: "set an Auth method",
		err: "{\n  \"session_id\": \"g\",\n  \"error\": {\"type\": \"FatalAuthenticationError\", \"message\": \"Please set an Auth method\", \"code\": 41}\n}", session: "g"},
	{name: "gemini ends well", agent: "gemini", role: loops.Maker, want: loops.OK, tokens: 30, tools: 4, session: "g",
		out: `{"type":"init","session_id":"g"}
{"type":"message","role":"assistant","content":"Done"}
{"type":"result","status":"success","stats":{"total_tokens":30,"input_tokens":20,"output_tokens":10,"tool_calls":4}}`},
	{name: "gemini prints a document", agent: "gemini", role: loops.Checker, want: loops.OK, verdict: loops.Approve, session: "d", out: "{\n \"session_id\": \"d\",\n \"response\": \"Looks right.\\n\\nPASS\"\n}"},
	{name: "gemini has too many turns", agent: "gemini", role: loops.Maker, code: 53, want: loops.MaxTurns, err: "Reached max session turns"},

	{name: "opencode sums its steps", agent: "opencode", role: loops.Maker, want: loops.OK, tokens: 44, tools: 1, usd: 0.03, cost: loops.CostReported, session: "s",
		out: `{"type":"step_start","sessionID":"s"}
{"type":"tool_use","sessionID":"s"}
{"type":"step_finish","sessionID":"s","part":{"cost":0.01,"tokens":{"input":20,"output":2}}}
{"type":"text","part":{"text":"ok"}}
{"type":"step_finish","part":{"cost":0.02,"tokens":{"input":20,"output":2}}}`},
	{name: "opencode has no session", agent: "opencode", role: loops.Maker, want: loops.BadOutput},

	{name: "copilot is not logged in", agent: "copilot", role: loops.Maker, code: 1, want: loops.NotAuthenticated, cost: loops.CostReported, err: "Error: No authentication information found."},
	{name: "aider says what it costs", agent: "aider", role: loops.Maker, want: loops.OK, tokens: 4600, usd: 0.02, cost: loops.CostReported, out: "Applied edit to a.go\nTokens: 4.5k sent, 100 received. Cost: $0.02 message, $0.02 session.\n"},

	{name: "a command that says nothing", agent: "command", role: loops.Maker, want: loops.OK},
	{name: "a command that fails", agent: "command", role: loops.Maker, code: 2, want: loops.Failed, err: "cannot reach the rate limit service\n", detail: "cannot reach the rate limit service"},
	{name: "a command's result", agent: "command", role: loops.Checker, want: loops.OK, verdict: loops.Approve, tokens: 1500, usd: 0.04, cost: loops.CostReported,
		result: `{"status": "ok", "summary": "read it", "verdict": "APPROVE", "progress": true, "checks": {"scope": "pass", "tests": "pass", "quality": "pass", "spec": "pass", "documentation": "pass"}, "usage": {"input_tokens": 1200, "output_tokens": 300}, "cost_usd": 0.04}`},
	{name: "a command's limit with a time", agent: "command", role: loops.Maker, code: 1, want: loops.RateLimited, resets: "2026-07-04T20:00:00Z", result: `{"status": "rate_limited", "rate_limit": {"resets_at": "2026-07-04T20:00:00Z"}}`},
	{name: "a command's limit without a time", agent: "command", role: loops.Maker, want: loops.RateLimited, result: `{"status": "rate-limited"}`},
	{name: "a command that failed did not succeed", agent: "command", role: loops.Maker, code: 1, want: loops.Failed, result: `{"status": "ok"}`},
	{name: "a result that is no JSON", agent: "command", role: loops.Maker, want: loops.BadOutput, result: `{"status": "ok"`},
	{name: "a maker's verdict is none", agent: "command", role: loops.Maker, want: loops.OK, out: `{"verdict": "APPROVE"}`},
	{name: "a checker's word for a goal is none", agent: "command", role: loops.Checker, want: loops.OK, out: `{"verdict": "MET"}`},
	{name: "the last object counts", agent: "command", role: loops.Checker, want: loops.OK, verdict: loops.Reject, out: "```json\n{\"verdict\": \"APPROVE\"}\n```\nno, I was wrong:\n{\"verdict\": \"REJECT\"}"},
	{name: "a word in a sentence is no verdict", agent: "command", role: loops.Checker, want: loops.OK, out: "I would APPROVE if the tests ran"},
	{name: "a checker's last line", agent: "command", role: loops.Checker, want: loops.OK, verdict: loops.Approve, out: "read it all\n**Verdict: approve**\n"},
}

func TestWhatProgramsPrint(t *testing.T) {
	t.Parallel()
	for _, p := range printed {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			a, err := Find(loops.Casting{Agent: p.agent, Argv: []string{"./agent.sh"}}, DefaultPrices())
			if err != nil {
				t.Fatal(err)
			}
			call := loops.Call{Role: p.role, Dir: "/w", ResultFile: "/tmp/result.json"}
			if p.agent == "codex" {
				call.Model = "gpt-5"
			}
			r := a.Read(call, loops.Transcript{Stdout: []byte(p.out), Stderr: []byte(p.err), Result: []byte(p.result), Last: []byte(p.last), Exit: exited(p.code), At: noon})
			if r.Outcome != p.want {
				t.Errorf("outcome %s (%s), want %s", r.Outcome, r.Detail, p.want)
			}
			var at string
			if !r.ResetsAt.IsZero() {
				at = r.ResetsAt.Format(time.RFC3339)
			}
			var d loops.Decision
			if r.Verdict != nil {
				d = r.Verdict.Decision
			}
			if at != p.resets || d != p.verdict {
				t.Errorf("resets %q and verdict %q, want %q and %q", at, d, p.resets, p.verdict)
			}
			u := r.Usage
			if diff := u.USD - p.usd; diff > 1e-9 || diff < -1e-9 || u.Cost != p.cost || u.Tokens() != p.tokens || u.ToolCalls != p.tools {
				t.Errorf("usage %+v, want $%v %s, %d tokens, %d tools", u, p.usd, p.cost, p.tokens, p.tools)
			}
			if r.Session != p.session || !strings.Contains(r.Detail, p.detail) {
				t.Errorf("session %q, detail %q, want %q and %q in it", r.Session, r.Detail, p.session, p.detail)
			}
		})
	}
}

func TestInvocations(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"claude":   "claude -p --output-format stream-json --verbose --strict-mcp-config --setting-sources user,project --model m --session-id s --max-budget-usd 1.50 --permission-mode acceptEdits --allowedTools Read Edit Write Grep Glob Bash",
		"codex":    `codex exec --json -C /w -s workspace-write -o /tmp/last.txt --skip-git-repo-check -c approval_policy="never" -c sandbox_workspace_write.exclude_slash_tmp=true -m m -- do it`,
		"gemini":   "gemini -o stream-json --approval-mode yolo --skip-trust -e none --allowed-mcp-server-names none -m m --session-id s -p do it",
		"opencode": "opencode run --format json --print-logs --pure --title wiki loop --dir /w -m m --auto -- do it",
		"copilot":  "copilot --output-format json --usage-output-file /tmp/usage.json --no-ask-user --no-auto-update --disable-builtin-mcps -C /w --model m --session-id s --allow-all-tools -p do it",
		"aider":    "aider --message-file /tmp/prompt.md --yes-always --no-stream --no-auto-commits --no-dirty-commits --no-analytics --no-check-update --no-gitignore --map-tokens 0 --chat-history-file /tmp/chat.md --input-history-file /tmp/input.txt --model m",
		"command":  "./agent.sh --now",
		"cursor":   "cursor-agent -p --output-format stream-json --model m --force -- do it",
	} {
		a, err := Find(loops.Casting{Agent: id, Argv: []string{"./agent.sh", "--now"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		inv, err := a.Invoke(loops.Call{Role: loops.Maker, Model: "m", Prompt: "do it", PromptFile: "/tmp/prompt.md", Dir: "/w", ResultFile: "/tmp/result.json", Session: "s", USD: 1.5, Home: "/h"})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(inv.Argv, " "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", id, got, want)
		}
		if inv.Stdin == slices.Contains(inv.Argv, "do it") {
			t.Errorf("%s gets its prompt twice or not at all", id)
		}
	}
	if _, err := Find(loops.Casting{Agent: "clod"}, nil); err == nil || !strings.Contains(err.Error(), "claude") {
		t.Errorf("an unknown agent: %v", err)
	}
	if ids := IDs(); !slices.IsSorted(ids) {
		t.Errorf("records %v", ids)
	}
}

// A judge runs commands where a sandbox keeps it from writing, and only reads elsewhere.
// Codex's own sandbox is off within another, and nowhere else.
func TestJudgesAreCalledAsTheSandboxAllows(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]struct{ contained, bare string }{
		"claude":   {"--setting-sources user --permission-mode dontAsk --allowedTools Read Grep Glob Bash --disallowedTools Edit Write NotebookEdit", "--setting-sources user --permission-mode dontAsk --allowedTools Read Grep Glob"},
		"codex":    {"-s danger-full-access", "-s read-only"},
		"gemini":   {"--approval-mode yolo", "--approval-mode plan"},
		"opencode": {"--agent plan --auto", "--agent plan --"},
		"copilot":  {"--deny-tool write --no-custom-instructions --allow-all-tools", "--deny-tool write --no-custom-instructions -p"},
	} {
		a, err := Find(loops.Casting{Agent: id}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, sandboxed := range []bool{true, false} {
			inv, err := a.Invoke(loops.Call{Role: loops.Checker, ReadOnly: true, Sandboxed: sandboxed, Dir: "/w", ResultFile: "/tmp/result.json"})
			if err != nil {
				t.Fatal(err)
			}
			text := want.bare
			if sandboxed {
				text = want.contained
			}
			if got := strings.Join(inv.Argv, " "); !strings.Contains(got, text) {
				t.Errorf("%s: %s, want %q in it", id, got, text)
			}
			if inv.Confined != (sandboxed && id == "codex") {
				t.Errorf("%s, in a sandbox: %t, may run only within one: %t", id, sandboxed, inv.Confined)
			}
		}
	}
}

func TestResets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"resets 9am (Europe/Berlin)":       "2026-07-05T07:00:00Z",
		"resets at 14:30 UTC":              "2026-07-04T14:30:00Z",
		"resets 12am":                      "2026-07-05T00:00:00Z",
		"resets 12pm UTC":                  "2026-07-05T12:00:00Z",
		"Please try again in 2 hours":      "2026-07-04T14:00:00Z",
		"retry after 30s":                  "2026-07-04T12:00:30Z",
		"reset at 2026-07-06T01:02:03Z":    "2026-07-06T01:02:03Z",
		"resets 9am (Nowhere/Land)":        "",
		"resets 99:99":                     "",
		"the counter resets when it likes": "",
	} {
		got := ""
		if at := resets(text, noon); !at.IsZero() {
			got = at.Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, p := range printed {
		for _, out := range schematest.Vary(10, p.out) {
			f.Add(p.agent, out, p.err, p.result, p.code)
		}
	}
	f.Fuzz(func(t *testing.T, id, out, stderr, result string, code int) {
		a, err := Find(loops.Casting{Agent: id, Argv: []string{"x"}}, DefaultPrices())
		if err != nil {
			t.Skip()
		}
		for _, role := range loops.Roles() {
			r := a.Read(loops.Call{Role: role}, loops.Transcript{Stdout: []byte(out), Stderr: []byte(stderr), Result: []byte(result), Exit: exited(code), At: noon})
			if code != 0 && r.Outcome == loops.OK {
				t.Errorf("exit status %d is ok", code)
			}
			if r.Usage.USD < 0 || r.Verdict != nil && !role.Judges() {
				t.Errorf("%s: %+v", role, r)
			}
		}
	})
}

// Which story an agent says it has done is read, from a line of its own and from the
// maker alone. It is evidence of nothing.
func TestStoryDone(t *testing.T) {
	t.Parallel()
	a, err := Find(loops.Casting{Agent: "command", Argv: []string{"x"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for out, want := range map[string]string{
		"done\nLODELOOP_DONE: S1\n": "S1", "LODELOOP_DONE:US-2\r\nLODELOOP_DONE: US-3": "US-3", "say LODELOOP_DONE: S1": "", "LODELOOP_DONE: S1 and S2": "", "LODELOOP_DONE: ../x": "",
	} {
		if r := a.Read(loops.Call{Role: loops.Maker}, loops.Transcript{Stdout: []byte(out), Exit: loops.Exit{Why: loops.Exited}}); r.Story != want {
			t.Errorf("%q: %q, want %q", out, r.Story, want)
		}
	}
	if r := a.Read(loops.Call{Role: loops.Checker}, loops.Transcript{Stdout: []byte("LODELOOP_DONE: S1"), Exit: loops.Exit{Why: loops.Exited}}); r.Story != "" {
		t.Error(r.Story)
	}
}

// TestScoresOfEvaluators reads the scores of an evaluator, and of nobody else.
func TestScoresOfEvaluators(t *testing.T) {
	t.Parallel()
	a, err := Find(loops.Casting{Agent: "command", Argv: []string{"x"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := loops.Transcript{Stdout: []byte(`I looked. {"scores": {"clear": 4, "whole": "five"}, "reasons": ["say who", {"path": "a.md", "line": 2, "message": "too long"}]}`), Exit: loops.Exit{Why: loops.Exited}}
	r := a.Read(loops.Call{Role: loops.Evaluator}, out)
	if len(r.Scores) != 1 || r.Scores["clear"] != 4 || len(r.Reasons) != 2 || r.Reasons[1].String() != "a.md:2: too long" {
		t.Errorf("%v %v", r.Scores, r.Reasons)
	}
	if r := a.Read(loops.Call{Role: loops.Worker}, out); r.Scores != nil {
		t.Errorf("a worker scores %v", r.Scores)
	}
}
