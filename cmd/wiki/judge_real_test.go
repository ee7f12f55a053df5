package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// realJudges are agent CLIs as npm has them, and how they are told of an endpoint
// that is not a vendor's.
var realJudges = []struct {
	id, npm string
	long    bool // with -long only
	env     func(url, home string) map[string]string
	args    func(url string) string // before those of an exec, for one that no variable tells
	spent   string                  // what is said of tokens and costs
	tool    string                  // text that a request would hold if the tool that reads files were there
}{
	{id: "claude", npm: "@anthropic-ai/claude-code", spent: "judge: claude reports a cost of $0.0", tool: `"name": "Read"`,
		env: func(url, _ string) map[string]string {
			return map[string]string{"ANTHROPIC_API_KEY": "dummy", "ANTHROPIC_BASE_URL": url}
		}},
	{id: "codex", npm: "@openai/codex", spent: "judge: codex used 1050 tokens", tool: "# `exec_command`",
		env:  func(string, string) map[string]string { return map[string]string{"CODEX_API_KEY": "dummy"} },
		args: func(url string) string { return `exec -c openai_base_url="\"` + url + `/v1\""` }},
	{id: "gemini", npm: "@google/gemini-cli", long: true, spent: "judge: gemini used 1050 tokens", tool: `"name": "read_file"`,
		env: func(url, home string) map[string]string {
			file(home, ".gemini/settings.json", `{"security": {"auth": {"selectedType": "gemini-api-key"}}}`)
			return map[string]string{"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": url}
		}},
	{id: "opencode", npm: "opencode-ai", long: true, spent: "judge: opencode reports a cost of $0.0000 (850 tokens)", tool: `"name": "read"`,
		env: func(url, home string) map[string]string {
			file(home, ".config/opencode/opencode.json", `{"model": "mock/m", "small_model": "mock/m", "provider": {"mock": {"npm": "@ai-sdk/openai-compatible",
				"options": {"baseURL": "`+url+`/v1", "apiKey": "dummy"}, "models": {"m": {}}}}}`)
			return nil
		}},
	{id: "copilot", npm: "@github/copilot", long: true, tool: `"name": "view"`,
		env: func(url, _ string) map[string]string {
			return map[string]string{"COPILOT_PROVIDER_BASE_URL": url + "/v1", "COPILOT_PROVIDER_TYPE": "openai", "COPILOT_PROVIDER_API_KEY": "dummy", "COPILOT_MODEL": "m", "COPILOT_OFFLINE": "true"}
		}},
}

// file writes a file of a test below a folder.
func file(dir, name, text string) {
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err == nil {
		err = os.WriteFile(name, []byte(text), 0o700)
		if err == nil {
			return
		}
	}
	panic("the test cannot write " + name)
}

// TestJudgeOfRealPrograms asks the agent CLIs that npm has, with dummy keys and a home
// of their own, against the scripted endpoint on loopback: without configuration
// each of them judges a pair in one call, and no tool is offered to its model.
func TestJudgeOfRealPrograms(t *testing.T) {
	t.Parallel()
	schematest.NeedThorough(t, "the programs of npm; scripts show the same with stand-ins")
	agents := schematest.Shared(t, "agents")
	for _, name := range []string{"npm", "node", "python3"} {
		_, err := exec.LookPath(name)
		schematest.Need(t, name, err == nil, name+" is not installed")
	}
	installed := t.TempDir()
	install := []string{"install", "--no-audit", "--no-fund", "--silent", "--prefix", installed}
	for _, j := range realJudges {
		if !j.long || schematest.Long() {
			install = append(install, j.npm)
		}
	}
	out, err := exec.CommandContext(t.Context(), "npm", install...).CombinedOutput()
	schematest.Need(t, "npm", err == nil, fmt.Sprintf("npm can not install the programs: %v: %.300s", err, out))
	for _, j := range realJudges {
		t.Run(j.id, func(t *testing.T) {
			if j.long && !schematest.Long() {
				t.Skip("left out unless -long is given")
			}
			dir, home, bin := t.TempDir(), t.TempDir(), t.TempDir()
			url, requests := scriptedEndpoint(t, filepath.Join(agents, "endpoint.py"), dir)
			env := map[string]string{}
			if j.env != nil {
				env = j.env(url, home)
			}
			program := filepath.Join(installed, "node_modules", ".bin", j.id)
			if j.args != nil {
				file(bin, j.id, "#!/bin/sh\nshift\nexec '"+program+"' "+j.args(url)+` "$@"`+"\n")
			} else if err := os.Symlink(program, filepath.Join(bin, j.id)); err != nil {
				t.Fatal(err)
			}
			node, _ := exec.LookPath("node")
			getenv := func(name string) string {
				switch name {
				case "HOME":
					return home
				case "PATH":
					return strings.Join([]string{bin, filepath.Dir(node), "/usr/bin", "/bin"}, string(os.PathListSeparator))
				}
				return env[name]
			}
			wiki := compilertest.Write(t, "-- wiki/index.md --\n# Index\n\n- [[gateway]]\n- [[audit]]\n-- wiki/gateway.md --\n# Gateway\n\nThe gateway drops its old readings after step 4 of the plan.\n"+
				"-- wiki/audit.md --\n# Audit\n\nSee [[gateway]]. The gateway drops its old readings after step 7 of the plan.\n")
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), []string{"-C", wiki, "lint", "--judge"}, strings.NewReader(""), &stdout, &stderr, getenv); code != 0 {
				t.Errorf("exit status %d", code)
			}
			for _, want := range []string{"judge: asking " + j.id + " (the first agent CLI in PATH, tools off) about 1 pair, at most 2 calls", "judge: 1 pair judged in 1 call, 0 judged before; wrote ", j.spent} {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("it does not say %q but\n%s", want, stderr.String())
				}
			}
			if verdicts, _ := os.ReadFile(filepath.Join(wiki, ".loopwiki", "verdicts.jsonl")); !bytes.Contains(verdicts, []byte(`"ruling":"both-hold"`)) {
				t.Errorf("the verdicts are\n%s", verdicts)
			}
			asked := requests()
			if len(asked) != 1 {
				t.Errorf("%d requests, want 1", len(asked))
			}
			for _, r := range asked {
				if !strings.Contains(r.text, "You compare statements") || len(r.Tools) > 0 || strings.Contains(r.text, j.tool) {
					t.Errorf("tools %q, in %.300s", r.Tools, r.text)
				}
			}
		})
	}
}

// request is what the endpoint was asked.
type request struct {
	Tools []string        `json:"tools"`
	API   *string         `json:"api"`
	Body  json.RawMessage `json:"body"`
	text  string
}

// scriptedEndpoint starts the scripted endpoint, whose answer lets the one pair
// hold, and returns its address and what it is asked.
func scriptedEndpoint(t *testing.T, script, dir string) (url string, requests func() []request) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	file(dir, "scenario.json", `{"dump": true, "roles": {}, "aux_text": "{\"verdicts\": [{\"id\": 1, \"ruling\": \"both-hold\", \"quote_a\": \"readings\", \"quote_b\": \"readings\"}]}"}`)
	log := filepath.Join(dir, "log.jsonl")
	c := exec.CommandContext(t.Context(), "python3", script, strconv.Itoa(port), filepath.Join(dir, "scenario.json"), log)
	c.WaitDelay = time.Second
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	for range 100 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return "http://" + address, func() (out []request) {
		src, err := os.Open(log)
		if err != nil {
			return nil
		}
		defer src.Close()
		for lines := json.NewDecoder(src); ; {
			var r request
			if err := lines.Decode(&r); err == io.EOF {
				return out
			} else if err != nil {
				t.Fatal(err)
			}
			if r.API != nil && r.Body != nil {
				r.text = string(r.Body)
				out = append(out, r)
			}
		}
	}
}
