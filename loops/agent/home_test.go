package agent

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

// settings of a person in a home, with the variables that are set.
func settingsOf(home string, variables map[string]string) Settings {
	return Settings{Home: home, Repository: "/src/shop", Getenv: func(name string) string { return variables[name] }}
}

// textOf joins the files of a login.
func textOf(l loops.Login) string {
	var b strings.Builder
	for _, f := range l.Files {
		b.WriteString(f.Path + ": " + strings.TrimSpace(string(f.Text)) + "\n")
	}
	return b.String()
}

// Of a person's settings the login is read, and no hook, server or instruction.
func TestLoginReadsNothingElse(t *testing.T) {
	t.Parallel()
	home := compilertest.Write(t, `-- .claude/.credentials.json --
{"claudeAiOauth": {"accessToken": "claude-access-of-ada", "refreshToken": "claude-refresh", "expiresAt": 1}}
-- .claude/settings.json --
{"hooks": {"Stop": "NEVER"}, "apiKeyHelper": "keys.sh", "env": {"ANTHROPIC_API_KEY": "claude-key-of-ada", "EDITOR": "NEVER"}}
-- .claude/CLAUDE.md --
NEVER
-- .claude.json --
{"primaryApiKey": "claude-console-of-ada", "mcpServers": {"x": "NEVER"}, "projects": "NEVER"}
-- .codex/auth.json --
{"OPENAI_API_KEY": null, "tokens": {"access_token": "codex-access-of-ada", "refresh_token": "codex-refresh"}}
-- .codex/config.toml --
model_provider = "corp" # ours
notify = ["NEVER"]
developer_instructions = """
model_provider = "NEVER"
"""
[mcp_servers.x]
command = "NEVER"
[model_providers.corp]
base_url = "https://llm.example.org"
[hooks]
stop = "NEVER"
-- .codex/AGENTS.md --
NEVER
-- .gemini/oauth_creds.json --
{"access_token": "google-access-of-ada", "refresh_token": "google-refresh-of-ada"}
-- .gemini/settings.json --
{
  // how to log in
  "security": {"auth": {"selectedType": "oauth-personal"}, "folderTrust": "NEVER"},
  "mcpServers": {"x": "NEVER"}, /* "hooks" */ "hooks": "NEVER",
}
-- .gemini/.env --
export GEMINI_API_KEY=google-key-of-ada
EDITOR=NEVER
-- .gemini/GEMINI.md --
NEVER
-- .local/share/opencode/auth.json --
{"openai": {"type": "api", "key": "opencode-key-of-ada"}, "local": {"type": "api", "key": "dummy"}}
-- .config/opencode/opencode.json --
{"provider": {"corp": {"options": {"baseURL": "https://llm.example.org"}}}, "mcp": {"x": "NEVER"}, "plugin": ["NEVER"], "instructions": ["NEVER"]}
-- .copilot/config.json --
// managed
{"logged_in_users": [{"login": "ada"}], "copilot_tokens": {"github.com:ada": "copilot-token-of-ada"}, "trusted_folders": ["NEVER"]}
-- .copilot/mcp-config.json --
NEVER
`)
	for id, want := range map[string]struct {
		files   []string
		secrets []string
	}{
		"claude": {[]string{
			`.claude/.credentials.json: {"claudeAiOauth":{"accessToken":"claude-access-of-ada","expiresAt":1,"refreshToken":""}}`,
			`.claude/settings.json: {"apiKeyHelper":"keys.sh","env":{"ANTHROPIC_API_KEY":"claude-key-of-ada"}}`, `.claude/.claude.json: {"primaryApiKey":"claude-console-of-ada"}`,
		}, []string{"claude-access-of-ada", "claude-key-of-ada", "claude-console-of-ada"}},
		"codex": {[]string{
			`.codex/auth.json: {"OPENAI_API_KEY":null,"tokens":{"access_token":"codex-access-of-ada","refresh_token":""}}`,
			".codex/config.toml: model_provider = \"corp\" # ours\n[model_providers.corp]\nbase_url = \"https://llm.example.org\"",
		}, []string{"codex-access-of-ada"}},
		"gemini":   {[]string{`.gemini/oauth_creds.json: {"access_token": "google-access-of-ada", "refresh_token": "google-refresh-of-ada"}`, `.gemini/.env: export GEMINI_API_KEY=google-key-of-ada`, `.gemini/settings.json: {"security":{"auth":{"selectedType":"oauth-personal"}}}`}, []string{"google-access-of-ada", "google-refresh-of-ada"}},
		"opencode": {[]string{`.local/share/opencode/auth.json: {"openai": {"type": "api", "key": "opencode-key-of-ada"}, "local": {"type": "api", "key": "dummy"}}`, `.config/opencode/opencode.json: {"provider":{"corp":{"options":{"baseURL":"https://llm.example.org"}}}}`}, []string{"opencode-key-of-ada"}},
		"copilot":  {[]string{`.copilot/config.json: {"copilot_tokens":{"github.com:ada":"copilot-token-of-ada"},"logged_in_users":[{"login":"ada"}]}`}, []string{"copilot-token-of-ada"}},
		"command":  {},
	} {
		l, err := Login(id, settingsOf(home, nil))
		if err != nil {
			t.Fatal(err)
		}
		got := textOf(l)
		if strings.Contains(got, "NEVER") || got != strings.Join(want.files, "\n")+strings.Repeat("\n", min(1, len(want.files))) {
			t.Errorf("%s: %s", id, got)
		}
		slices.Sort(l.Secrets)
		slices.Sort(want.secrets)
		if !slices.Equal(l.Secrets, want.secrets) {
			t.Errorf("%s: secrets %q, want %q", id, l.Secrets, want.secrets)
		}
		for _, f := range l.Files {
			if f.Sealed != (id == "codex") {
				t.Errorf("%s: sealed is %t", f.Path, f.Sealed)
			}
		}
	}
}

// A key in the environment decides how Gemini logs in, unless the person chose.
func TestGeminiLogsInWithTheKeyItIsGiven(t *testing.T) {
	t.Parallel()
	l, err := Login("gemini", settingsOf(t.TempDir(), map[string]string{"GEMINI_API_KEY": "k"}))
	if err != nil || !strings.Contains(textOf(l), `"selectedType": "gemini-api-key"`) {
		t.Errorf("%s, %v", textOf(l), err)
	}
	if l, err := Login("gemini", settingsOf(t.TempDir(), nil)); err != nil || len(l.Files) > 0 {
		t.Errorf("%s, %v", textOf(l), err)
	}
}

// What lies in the repository, or holds it, is nobody's login.
func TestStateFoldersAreRefused(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	repo, home := filepath.Join(top, "src", "shop"), filepath.Join(top, "home")
	for _, dir := range []string{repo, home} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(top, "link")
	if err := os.Symlink(repo, link); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		"":                             "",
		filepath.Join(top, "codex"):    "",
		filepath.Join(home, ".codex2"): "",
		"/":                            "is the root of the file system",
		home:                           "is the home folder",
		top:                            "holds the repository",
		repo:                           "holds the repository",
		filepath.Join(repo, ".codex"):  "lies in the repository",
		link:                           "holds the repository",
		".codex":                       "is not an absolute path",
	} {
		s := settingsOf(home, map[string]string{"CODEX_HOME": dir})
		s.Repository = repo
		_, err := Login("codex", s)
		if got := ""; err != nil {
			got = err.Error()
			if want == "" || !strings.HasSuffix(got, want) || !strings.Contains(got, "of codex") {
				t.Errorf("%q: %s, want %q", dir, got, want)
			}
		} else if want != "" {
			t.Errorf("%q is taken, but it %s", dir, want)
		}
	}
}

// A call's own home outranks the variables of the person.
func TestInvocationPointsToTheHomeOfTheCall(t *testing.T) {
	t.Parallel()
	for id, want := range map[string][]string{
		"claude": {"CLAUDE_CONFIG_DIR=/h/.claude"}, "codex": {"CODEX_HOME=/h/.codex"}, "gemini": {"GEMINI_CLI_HOME=/h"}, "copilot": {"COPILOT_HOME=/h/.copilot"},
		"opencode": {"XDG_DATA_HOME=/h/.local/share", "XDG_STATE_HOME=/h/.local/state"}, "command": nil,
	} {
		a, err := Find(loops.Casting{Agent: id, Argv: []string{"x"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		inv, err := a.Invoke(loops.Call{Home: "/h", ResultFile: "/tmp/result.json"})
		if err != nil {
			t.Fatal(err)
		}
		if id != "command" {
			want = append(want, "HOME=/h", "XDG_CONFIG_HOME=/h/.config", "XDG_CACHE_HOME=/h/.cache")
		}
		for _, v := range want {
			if !slices.Contains(inv.Env, v) {
				t.Errorf("%s: %q is not in %q", id, v, inv.Env)
			}
		}
		if id == "command" && len(inv.Env)+len(inv.Folders) > 0 {
			t.Errorf("command: %+v", inv)
		}
	}
}

func TestPickTOML(t *testing.T) {
	t.Parallel()
	pick := pickTOML([]string{"a", "b"}, "t")
	for src, want := range map[string]string{
		"a = 1\nc = 2\nb = 3\n":                            "a = 1\nb = 3\n",
		"c = [\n 1, # ]\n]\na = 2":                         "a = 2\n",
		"c = '''\na = 1\n'''\nb = \"\\\"#\" # x\n":         "b = \"\\\"#\" # x\n",
		"\"a\" = 1\nt.x.y = 2\ntt.x = 3\n":                 "\"a\" = 1\nt.x.y = 2\n",
		"[u]\na = 1\n[t.x]\nurl = \"u\"\n[[t.y]]\nk = 1\n": "[t.x]\nurl = \"u\"\n[[t.y]]\nk = 1\n",
		"[t]\nx = { y = [1,\n2] }\n[tt]\nz = 1\n[ t.q ]\n": "[t]\nx = { y = [1,\n2] }\n[ t.q ]\n",
		"c = \"not closed\na = 1\n":                        "a = 1\n",
		"":                                                 "",
	} {
		got, err := pick([]byte(src))
		if err != nil || string(got) != want {
			t.Errorf("%q: %q, %v, want %q", src, got, err, want)
		}
	}
}

func FuzzPick(f *testing.F) {
	for _, src := range schematest.Vary(100, "a = \"\"\"x\n\"\"\"\n[t]\nb = ['y', \"z\"] # c\n", "{\"a\": {\"b\": [1, /* , */ 2,],}, // x\n \"c\": \"\\\"//\"}") {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		toml, err := pickTOML([]string{"a"}, "t")(src)
		if err != nil || len(toml) > len(src)+1 {
			t.Errorf("%d bytes of %d, %v", len(toml), len(src), err)
		}
		if len(plainJSON(src)) != len(src) {
			t.Error("the length differs")
		}
		if once, err := pickJSON("a.b", "c")(src); err == nil && len(once) > 0 {
			again, err := pickJSON("a.b", "c")(once)
			if err != nil || string(again) != string(once) {
				t.Errorf("%s is %s, %v", once, again, err)
			}
		}
	})
}

// Codex says in the record of its session which model it chose, so that the price is known.
func TestCodexIsPricedByTheModelThatItChose(t *testing.T) {
	t.Parallel()
	a, err := Find(loops.Casting{Agent: "codex"}, DefaultPrices())
	if err != nil {
		t.Fatal(err)
	}
	out := `{"type":"item.completed","item":{"type":"agent_message","text":"ok"}}` + "\n" + `{"type":"turn.completed","usage":{"input_tokens":1000,"cached_input_tokens":200,"output_tokens":50}}`
	for record, want := range map[string]loops.Usage{
		`{"type":"session_meta","payload":{"id":"x"}}` + "\n" + `{"type":"turn_context","payload":{"cwd":"/w","model":"gpt-6.2-sol"}}`: {InputTokens: 1000, OutputTokens: 50, USD: 0.0025, Cost: loops.CostPriced},
		"": {InputTokens: 1000, OutputTokens: 50},
	} {
		r := a.Read(loops.Call{Role: loops.Maker}, loops.Transcript{Stdout: []byte(out), Usage: []byte(record), Exit: exited(0), At: noon})
		if r.Usage != want {
			t.Errorf("%q: %+v, want %+v", record, r.Usage, want)
		}
	}
}

// The events of codex say at the end of a turn what it used; the record of its session
// says so before.
func TestKilledCallOfCodexCostsWhatItsRecordSays(t *testing.T) {
	t.Parallel()
	a, err := Find(loops.Casting{Agent: "codex"}, DefaultPrices())
	if err != nil {
		t.Fatal(err)
	}
	const model = `{"type":"turn_context","payload":{"model":"gpt-6.2-sol"}}` + "\n"
	const counts = `{"type":"event_msg","payload":{"type":"token_count","info":null,"rate_limits":{}}}` + "\n" +
		`{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":400,"output_tokens":20},"last_token_usage":{"input_tokens":400,"output_tokens":20}}}}` + "\n" +
		`{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":1000,"output_tokens":50},"last_token_usage":{"input_tokens":600,"output_tokens":30}}}}` + "\n"
	const begun = `{"type":"thread.started","thread_id":"t"}` + "\n" + `{"type":"turn.started"}` + "\n"
	failed := begun + `{"type":"turn.failed","error":{"message":"the model is gone"}}`
	killed := loops.Exit{Why: loops.EndedProgress, Code: -1}
	for name, c := range map[string]struct {
		out, record string
		exit        loops.Exit
		want        loops.Usage
	}{
		"killed":           {begun, model + counts, killed, loops.Usage{InputTokens: 1000, OutputTokens: 50, USD: 0.0025, Cost: loops.CostPriced}},
		"killed at once":   {begun, model, killed, loops.Usage{}},
		"failed":           {failed, model + counts, exited(1), loops.Usage{InputTokens: 1000, OutputTokens: 50, USD: 0.0025, Cost: loops.CostPriced}},
		"an unknown model": {begun, counts, killed, loops.Usage{InputTokens: 1000, OutputTokens: 50}},
		"the turn is over": {begun + `{"type":"turn.completed","usage":{"input_tokens":1200,"output_tokens":60}}`, model + counts, exited(0), loops.Usage{InputTokens: 1200, OutputTokens: 60, USD: 0.003, Cost: loops.CostPriced}},
	} {
		r := a.Read(loops.Call{Role: loops.Maker}, loops.Transcript{Stdout: []byte(c.out), Usage: []byte(c.record), Exit: c.exit, At: noon})
		if r.Usage != c.want {
			t.Errorf("%s: %+v, want %+v", name, r.Usage, c.want)
		}
	}
}

// Copilot leaves what it used in a file.
func TestCopilotsUsageFileIsRead(t *testing.T) {
	t.Parallel()
	a, err := Find(loops.Casting{Agent: "copilot"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := a.Read(loops.Call{Role: loops.Maker}, loops.Transcript{
		Stdout: []byte(`{"type":"assistant.message","data":{"content":"ok"}}` + "\n" + `{"type":"result","sessionId":"s","exitCode":0}`),
		Usage:  []byte(`{"currentModel": "m", "modelMetrics": {"m": {"usage": {"inputTokens": 2000, "outputTokens": 100, "cacheReadTokens": 400}}}}`), Exit: exited(0), At: noon,
	})
	if r.Usage.InputTokens != 2000 || r.Usage.OutputTokens != 100 || r.Model != "m" || r.Session != "s" {
		t.Errorf("%+v", r)
	}
}

// A judge whose commands all failed judged what it did not see.
func TestBlindJudgeGivesNoVerdict(t *testing.T) {
	t.Parallel()
	const verdict = `{"type":"item.completed","item":{"type":"agent_message","text":"{\"verdict\": \"APPROVE\"}"}}` + "\n" + `{"type":"turn.completed","usage":{}}`
	command := func(status string) string {
		return `{"type":"item.completed","item":{"id":"1","type":"command_execution","aggregated_output":"error building bubblewrap command","status":"` + status + `"}}` + "\n"
	}
	a, err := Find(loops.Casting{Agent: "codex"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		out, result string
		sees        bool
	}{
		"all failed":                      {command("failed") + command("failed") + verdict, "", false},
		"all failed, verdict in its file": {command("failed") + verdict, `{"verdict": "APPROVE"}`, false},
		"one of two failed":               {command("failed") + command("completed") + verdict, "", true},
		"it ran none":                     {verdict, "", true},
	} {
		r := a.Read(loops.Call{Role: loops.Checker}, loops.Transcript{Stdout: []byte(c.out), Result: []byte(c.result), Exit: exited(0), At: noon})
		if (r.Verdict != nil) != c.sees || (r.Outcome == loops.BadOutput) == c.sees {
			t.Errorf("%s: %s (%s), %+v", name, r.Outcome, r.Detail, r.Verdict)
		}
	}
}

// What a person is shown of a failure is the error, not where in the program it was.
func TestErrorLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Early cleanup failed: x\n  errno: -2,\nAn unexpected critical error occurred:Error: ENOENT: no such file or directory, mkdir '/h/.gemini'\n    at async Object.mkdir (node:fs:856:10)\n    at async main (gemini.js:1)": "An unexpected critical error occurred:Error: ENOENT: no such file or directory, mkdir '/h/.gemini'",
		"EROFS: read-only file system, mkdir '/h/.local'\n    path: \"/h/.local\",\n    code: \"EROFS\"\n\n\nBun v1.3.14 (Linux x64)\n":                                                                                          "EROFS: read-only file system, mkdir '/h/.local'",
		"Failed to extract bundled package: Error: EACCES\n    at async If (loader.js:11:643) {\n  code: 'EACCES'\n}\n":                                                                                                          "Failed to extract bundled package: Error: EACCES",
		"one\nnothing is known\n": "nothing is known",
		"":                        "",
	} {
		if got := errorLine([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
