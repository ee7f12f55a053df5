//go:build agents

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// mcpClient is an agent CLI as a person sets it up to call the wiki's tools without a
// terminal, where nobody can be asked.
type mcpClient struct {
	id       string
	argv     []string // before the prompt
	settings string   // files of the person's home; ENDPOINT is an address, DIR the project
}

var mcpClients = []mcpClient{
	{id: "claude", argv: []string{"-p", "--model", "haiku", "--allowedTools=mcp__wiki"}},
	{id: "codex", argv: []string{"exec", "-m", "gpt-5"}, settings: `-- .codex/config.toml --
openai_base_url = "ENDPOINT/v1"
[projects."DIR"]
trust_level = "trusted"
`},
	{id: "gemini", argv: []string{"-m", "gemini-2.5-pro", "-p"}, settings: `-- .gemini/settings.json --
{"security": {"auth": {"selectedType": "gemini-api-key"}}}
-- .gemini/trustedFolders.json --
{"DIR": "TRUST_FOLDER"}
-- .gemini/policies/wiki.toml --
[[rule]]
mcpName = "wiki"
toolName = "*"
decision = "allow"
priority = 100
`},
	{id: "opencode", argv: []string{"run", "-m", "mock/m"}, settings: `-- .config/opencode/opencode.json --
{"provider": {"mock": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "ENDPOINT/v1", "apiKey": "dummy-key"}, "models": {"m": {}}}}}
`},
	{id: "copilot", argv: []string{"-s", "-p"}},
}

// asked is what the person asks, about the documentation of a public project.
const asked = "Where is the next occurrence of a recurring task put?"

// toldWhere is the answer, as the page has it.
var toldWhere = regexp.MustCompile(`a new task will be put one line above the original task`)

// mcpPlay is what the model does: it calls three tools, and quotes the result of the last.
var mcpPlay = []part{{begins: asked, quotes: toldWhere, tools: []toolUse{
	{name: "search", args: object{"query": "recurring task new task above original"}},
	{name: "read_page", args: object{"page": "Getting Started/Recurring Tasks.md", "section": "Usage"}},
	{name: "context_pack", args: object{"query": "a new task put above the original recurring task", "budget": 2000}},
}}}

// toolResults are in what the clients send back, in order.
var toolResults = []string{"Getting Started/Recurring Tasks.md", toldWhere.String(), "=== Getting Started/Recurring Tasks.md:"}

// TestMCPClientsOfNPM lets agent CLIs of the lock files call the wiki's tools after
// 'wiki mcp install', with dummy keys and a home of their own, against an endpoint on
// loopback.
func TestMCPClientsOfNPM(t *testing.T) {
	schematest.NeedGit(t)
	for _, name := range []string{"npm", "node"} {
		_, err := exec.LookPath(name)
		schematest.Need(t, name, err == nil, name+" is not installed")
	}
	docs, wiki := schematest.Shared(t, "corpora/tasks-demo-vault/docs"), buildWiki(t)
	for _, c := range mcpClients {
		t.Run(c.id, func(t *testing.T) {
			a := realAgents[slices.IndexFunc(realAgents, func(a realAgent) bool { return a.id == c.id })]
			r := newMCPRun(t, c, a, docs, wiki)
			out := r.run(wiki, "mcp", "install", c.id, "--write-config")
			overview := ""
			if c.id == "claude" {
				overview = r.hook(out)
			}
			answer := r.run(filepath.Join(r.bin, c.id), append(slices.Clone(c.argv), asked)...)
			if !toldWhere.MatchString(answer) {
				t.Errorf("the answer is\n%s", answer)
			}
			got := r.endpoint.ran(asked)
			for i, want := range toolResults {
				if i >= len(got) || !strings.Contains(got[i], want) {
					t.Errorf("%s: no %q in %q", mcpPlay[0].tools[i].name, want, got[min(i, len(got)):])
				}
			}
			if overview != "" && (!r.endpoint.heard(overview) || strings.Contains(strings.Join(got, ""), overview)) {
				t.Errorf("the hook has not brought %q", overview)
			}
		})
	}
}

// mcpRun is a project of a person with one client.
type mcpRun struct {
	*testing.T
	endpoint  *endpoint
	bin, repo string
	env       []string
}

func newMCPRun(t *testing.T, c mcpClient, a realAgent, docs, wiki string) *mcpRun {
	r := &mcpRun{T: t, endpoint: newEndpoint(t, mcpPlay), bin: t.TempDir(), repo: filepath.Join(t.TempDir(), "project")}
	programs := map[string]string{"wiki": wiki, c.id: install(t, a)}
	for _, name := range strings.Fields("git sh bash cat node env uname dirname basename readlink") {
		path, err := exec.LookPath(name)
		schematest.Need(t, name, err == nil, name+" is not installed")
		programs[name] = path
	}
	for name, path := range programs {
		if err := os.Symlink(path, filepath.Join(r.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(r.repo, "docs"), os.DirFS(docs)); err != nil {
		t.Fatal(err)
	}
	compilertest.WriteTo(t, r.repo, "-- wiki.yaml --\nroot: docs\n")
	set := strings.NewReplacer("ENDPOINT", r.endpoint.URL, "DIR", r.repo)
	home := compilertest.Write(t, set.Replace(c.settings))
	r.env = []string{"PATH=" + r.bin, "HOME=" + home, "LANG=C.UTF-8", "DISABLE_AUTOUPDATER=1", "GIT_CONFIG_NOSYSTEM=1"}
	for name, value := range a.env {
		r.env = append(r.env, name+"="+set.Replace(value))
	}
	r.run("git", "init", "--quiet")
	r.run("git", "add", "--all")
	r.run("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "-m", "docs")
	return r
}

// run runs a program in the project and returns what it prints.
func (r *mcpRun) run(program string, args ...string) string {
	r.Helper()
	c := exec.CommandContext(r.Context(), program, args...)
	c.Dir, c.Env, c.WaitDelay = r.repo, r.env, time.Second
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	if err := c.Run(); err != nil {
		r.Fatalf("%s %s: %v\n%s%s", filepath.Base(program), strings.Join(args, " "), err, out.String(), said.String())
	}
	return out.String()
}

// hook writes the hook that was printed where it belongs, and returns a line that it adds
// to each session.
func (r *mcpRun) hook(printed string) string {
	var hooks struct {
		Hooks struct {
			SessionStart []struct{ Hooks []struct{ Command string } }
		}
	}
	if err := json.Unmarshal([]byte(printed), &hooks); err != nil {
		r.Fatalf("%v in %q", err, printed)
	}
	compilertest.WriteTo(r.T, r.repo, "-- .claude/settings.json --\n"+printed)
	out := r.run("sh", "-c", hooks.Hooks.SessionStart[0].Hooks[0].Command)
	_, section, ok := strings.Cut(out, "\n=== ")
	section, _, _ = strings.Cut(section, "\n")
	if !ok || section == "" {
		r.Fatalf("the hook prints %q", out)
	}
	return section
}
