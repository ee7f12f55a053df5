package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema/schematest"
)

// repository is where action.yml stands.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// action is what is used here of action.yml; see
// https://docs.github.com/actions/reference/workflows-and-actions/metadata-syntax.
type action struct {
	Name, Description string
	Branding          struct{ Icon, Color string }
	Inputs            map[string]struct {
		Description string
		Default     *string
		Required    bool
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, If, Uses, Shell, Run string
			With, Env                map[string]string
		}
	}
}

func readAction(t *testing.T) (action, string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository(t), "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a, string(text)
}

const (
	actionScript  = ".github/action/lint.sh"
	installScript = "compiler/scaffold/workflows/install.sh" // which it runs for releases
)

func readScript(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, name := range []string{actionScript, installScript} {
		text, err := os.ReadFile(filepath.Join(repository(t), name))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// names returns what pattern captures in text, each once and sorted.
func names(pattern, text string) []string {
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		seen[m[1]] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

func TestActionMetadata(t *testing.T) {
	t.Parallel()
	a, text := readAction(t)
	script := readScript(t)
	if a.Name == "" || a.Description == "" || a.Branding.Icon == "" || a.Runs.Using != "composite" {
		t.Errorf("incomplete: %q, %q, %+v, using %q", a.Name, a.Description, a.Branding, a.Runs.Using)
	}
	if colors := []string{"white", "black", "yellow", "blue", "green", "orange", "red", "purple", "gray-dark"}; !slices.Contains(colors, a.Branding.Color) {
		t.Errorf("GitHub knows no colour %q", a.Branding.Color)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(a.Inputs)), names(`inputs\.([a-z0-9-]+)`, text)); diff != "" {
		t.Errorf("inputs (-declared +used):\n%s", diff)
	}
	for name, in := range a.Inputs {
		if in.Description == "" || in.Required || in.Default == nil {
			t.Errorf("input %s lacks its description or default, or is required", name)
		}
	}
	for _, name := range []string{"comment", "sarif"} { // writes nothing anywhere unless asked
		if d := a.Inputs[name].Default; d == nil || *d != "false" {
			t.Errorf("input %s is on by default", name)
		}
	}
	written := names(`(?m)^\s*output ([a-z-]+|"\$severity") `, script)
	for name, out := range a.Outputs {
		if out.Value != "${{ steps.lint.outputs."+name+" }}" {
			t.Errorf("output %s is %s", name, out.Value)
		}
		if !slices.Contains(written, name) && !strings.Contains(script, "for severity in errors warnings infos") {
			t.Errorf("the script puts out no %s", name)
		}
	}
}

func TestActionSteps(t *testing.T) {
	t.Parallel()
	a, text := readAction(t)
	script := readScript(t)
	var ids, words, given []string
	for _, s := range a.Runs.Steps {
		if s.ID != "" {
			ids = append(ids, s.ID)
		}
		given = slices.AppendSeq(given, maps.Keys(s.Env))
		switch {
		case s.Uses != "":
			if pinned := regexp.MustCompile(`^[\w-]+(/[\w-]+)+@[0-9a-f]{40}$`); !pinned.MatchString(s.Uses) {
				t.Errorf("%s is not pinned to a commit", s.Uses)
			}
			if version := regexp.MustCompile(regexp.QuoteMeta(s.Uses) + ` # v\d+\.\d+\.\d+\n`); !version.MatchString(text) {
				t.Errorf("%s does not say which version that is", s.Uses)
			}
		case strings.Contains(s.Run, "${{"):
			t.Errorf("an expression becomes part of a command: %s", s.Run)
		default:
			word, ok := strings.CutPrefix(s.Run, `sh "$GITHUB_ACTION_PATH/`+actionScript+`" `)
			if !ok || s.Shell != "bash" {
				t.Errorf("a step runs %s in %s", s.Run, s.Shell)
			}
			words = append(words, word)
		}
	}
	if diff := cmp.Diff([]string{"key", "install", "path", "lint", "comment", "verdict"}, words); diff != "" {
		t.Errorf("the steps of the script: %s", diff)
	}
	for _, id := range names(`steps\.([a-z-]+)\.`, text) {
		if !slices.Contains(ids, id) {
			t.Errorf("there is no step %s", id)
		}
	}
	slices.Sort(given)
	given = slices.DeleteFunc(slices.Compact(given), func(name string) bool { return name == "GH_TOKEN" })
	if diff := cmp.Diff(names(`\$\{(WIKI_[A-Z0-9_]+)`, script), given); diff != "" {
		t.Errorf("variables (-read by the script +given by action.yml):\n%s", diff)
	}
	for _, name := range names(`\$\{?([A-Z][A-Z0-9_]+)`, script) {
		if !strings.HasPrefix(name, "WIKI_") && !strings.HasPrefix(name, "GITHUB_") && !strings.HasPrefix(name, "RUNNER_") {
			t.Errorf("the script reads %s, which no runner sets", name)
		}
	}
}

// runner runs the steps of the action as GitHub's runner does, by hand.
type runner struct {
	t         *testing.T
	dir, temp string
	env       map[string]string
}

// newRunner makes a repository with a wiki that is not in order, and starts in it.
func newRunner(t *testing.T) *runner {
	t.Helper()
	schematest.NeedGit(t)
	_, err := exec.LookPath("sh")
	schematest.Need(t, "sh", err == nil, "there is no shell")
	r := &runner{t: t, dir: filepath.Join(t.TempDir(), "repo"), temp: t.TempDir(), env: map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": repository(t), "GITHUB_REPOSITORY": "owner/name", "GITHUB_REF": "refs/heads/main",
		"RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "SOURCE_DATE_EPOCH": "1772323200",
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
	}}
	r.env["RUNNER_TEMP"], r.env["GITHUB_WORKSPACE"] = r.temp, r.dir
	r.env["GITHUB_OUTPUT"], r.env["GITHUB_STEP_SUMMARY"] = filepath.Join(r.temp, "output"), filepath.Join(r.temp, "summary")
	for name, text := range map[string]string{
		"docs/wiki/index.md":        "# Index\n\n- [[a]], [[::b]] and [[gone]]\n- [x](missing.md)\n",
		"docs/wiki/a.md":            "# A\n\nBack to [[Index]].\n",
		"docs/wiki/::stop me ##.md": "---\ntitle: \"::b\"\n---\n# B\n\n::error::is text. See [[##[warning]none]] and [[index]].\n",
	} {
		file := filepath.Join(r.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r.git("init", "-q", "-b", "main")
	r.commit("first")
	return r
}

func (r *runner) git(args ...string) {
	r.t.Helper()
	if out, status := r.exec("git", append([]string{"-C", r.dir, "-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...); status != 0 {
		r.t.Fatalf("git %v: %s", args, out)
	}
}

func (r *runner) commit(message string) {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
}

// exec runs a program in the workspace and returns what it printed, both
// streams in one, and its status.
func (r *runner) exec(name string, args ...string) (string, int) {
	r.t.Helper()
	c := exec.CommandContext(r.t.Context(), name, args...)
	c.Dir, c.Env = r.env["GITHUB_WORKSPACE"], os.Environ()
	for _, k := range slices.Sorted(maps.Keys(r.env)) {
		c.Env = append(c.Env, k+"="+r.env[k])
	}
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// step runs one step of the script with more variables, and returns what it
// printed and put out.
func (r *runner) step(word string, env map[string]string) (out string, outputs map[string]string, status int) {
	r.t.Helper()
	for _, file := range []string{r.env["GITHUB_OUTPUT"], r.env["GITHUB_STEP_SUMMARY"]} {
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			r.t.Fatal(err)
		}
	}
	before := maps.Clone(r.env)
	maps.Copy(r.env, env)
	out, status = r.exec("sh", filepath.Join(r.env["GITHUB_ACTION_PATH"], filepath.FromSlash(actionScript)), word)
	r.env = before
	outputs = map[string]string{}
	for line := range strings.Lines(r.read(r.env["GITHUB_OUTPUT"])) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok {
			r.t.Fatalf("step %s put out %q", word, line)
		}
		outputs[key] = value
	}
	return out, outputs, status
}

func (r *runner) read(file string) string {
	r.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// workflowCommands returns the lines of a step's output that a runner takes for
// commands.
func workflowCommands(out string) []string {
	var all []string
	stopped := ""
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case stopped != "":
			if line == "::"+stopped+"::" {
				stopped = ""
			}
		case strings.HasPrefix(line, "::stop-commands::"):
			stopped = strings.TrimPrefix(line, "::stop-commands::")
		case strings.HasPrefix(line, "::") || strings.Contains(line, "##["):
			all = append(all, line)
		}
	}
	return all
}

// stand puts a program of that name into a folder; it is a shell script.
func (r *runner) stand(file, script string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o777); err != nil {
		r.t.Fatal(err)
	}
}

// TestActionRuns builds the program as the action does and takes every step.
func TestActionRuns(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("builds the program, and names files as Windows can not")
	}
	schematest.NeedThorough(t, "the composite action, step by step")
	t.Parallel()
	r := newRunner(t)

	_, first, status := r.step("key", nil)
	if status != 0 || !regexp.MustCompile(`^wiki-Linux-X64-go-[0-9a-f]{40}$`).MatchString(first["key"]) {
		t.Fatalf("key: status %d, %v", status, first)
	}
	_, second, _ := r.step("key", map[string]string{"WIKI_GO_VERSION": "1.26.8"})
	if second["key"] == first["key"] || strings.TrimPrefix(second["key"], "wiki-Linux-X64-go1.26.8-") != strings.TrimPrefix(first["key"], "wiki-Linux-X64-go-") {
		t.Errorf("keys %s and %s", first["key"], second["key"])
	}
	if out, _, status := r.step("install", nil); status != 0 {
		t.Fatalf("install: status %d: %s", status, out)
	}
	if _, err := os.Stat(filepath.Join(first["bin"], "wiki")); err != nil {
		t.Fatal(err)
	}

	out, put, status := r.step("lint", nil)
	if status != 0 || put["exit-code"] != "1" || put["errors"] != "3" || put["warnings"] != "1" || put["infos"] != "0" {
		t.Fatalf("lint: status %d, %v\n%s", status, put, out)
	}
	if all := workflowCommands(out); len(all) != 4 || !strings.HasPrefix(all[0], "::error file=docs/wiki/%3A%3Astop me ##.md,line=6,") {
		t.Errorf("the runner sees the commands\n%s", strings.Join(all, "\n"))
	}
	if !strings.Contains(out, "\ndocs/wiki/index.md:3:24: error: the page \"gone\" does not exist") {
		t.Errorf("the log does not have the findings:\n%s", out)
	}
	if s := r.read(r.env["GITHUB_STEP_SUMMARY"]); !strings.HasPrefix(s, "## wiki lint\n\n3 errors, 1 warning,") {
		t.Errorf("the summary begins\n%.300s", s)
	}
	var sarif struct{ Runs []struct{ Results []any } }
	if err := json.Unmarshal([]byte(r.read(put["sarif"])), &sarif); err != nil || len(sarif.Runs[0].Results) != 4 {
		t.Errorf("sarif: %v, %+v", err, sarif)
	}
	for _, code := range []int{0, 1, 2, 3} {
		if _, _, status := r.step("verdict", map[string]string{"WIKI_EXIT_CODE": strconv.Itoa(code)}); status != code {
			t.Errorf("the verdict on %d is %d", code, status)
		}
	}

	actionOptions(t, r)
	actionTroubles(t, r)
	actionComments(t, r)
}

// actionOptions lints with inputs that change what is found.
func actionOptions(t *testing.T, r *runner) {
	for name, c := range map[string]struct {
		env  map[string]string
		code string
	}{
		"arguments, one per line": {map[string]string{"WIKI_ARGS": "--except\nbroken-anchor,broken-wikilink,broken-link\n"}, "0"},
		"no shell reads them":     {map[string]string{"WIKI_ARGS": "--except\n$(touch pwned);`touch pwned`"}, "2"},
		"fail on warnings":        {map[string]string{"WIKI_ARGS": "--rule=link-case", "WIKI_FAIL_ON": "warning"}, "1"},
		"another folder":          {map[string]string{"WIKI_DIRECTORY": "docs", "WIKI_ROOT": "wiki", "WIKI_ARGS": "a.md"}, "0"},
		"a folder that is not":    {map[string]string{"WIKI_ROOT": "no such/folder"}, "2"},
	} {
		out, put, status := r.step("lint", c.env)
		if status != 0 || put["exit-code"] != c.code {
			t.Errorf("%s: status %d, %v\n%s", name, status, put, out)
		}
		if ran := put["sarif"] != ""; ran != (c.code != "2") {
			t.Errorf("%s: puts out %v", name, put)
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "pwned")); err == nil {
		t.Error("an input was run as a command")
	}
}

// actionTroubles are what the action says when it can't do its work.
func actionTroubles(t *testing.T, r *runner) {
	out, put, _ := r.step("lint", map[string]string{"WIKI_FAIL_ON": "50%"})
	want := `::error title=wiki lint::wiki lint could not run (exit status 2): wiki: --fail-on: "50%25" is not a severity%0Ahint: expected error, warning or info`
	if diff := cmp.Diff([]string{want}, workflowCommands(out)); diff != "" || len(put) != 1 {
		t.Errorf("puts out %v, and (-want +got)\n%s", put, diff)
	}
	r.commit("second")
	shallow := filepath.Join(t.TempDir(), "shallow")
	r.git("clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(r.dir), shallow)
	out, _, _ = r.step("lint", map[string]string{"WIKI_DIRECTORY": shallow})
	if all := workflowCommands(out); !strings.HasPrefix(all[0], "::warning title=wiki lint::the clone is shallow, ") || !strings.Contains(all[0], "fetch-depth: 0") {
		t.Errorf("of a shallow clone it says\n%s", out)
	}
}

// actionComments has a program stand in for GitHub's, which needs a network
// and a token: it writes down how it was called.
func actionComments(t *testing.T, r *runner) {
	r.step("lint", nil)
	bin, log := filepath.Join(r.temp, "path"), filepath.Join(r.temp, "gh.log")
	pull := map[string]string{"GITHUB_REF": "refs/pull/12/merge", "PATH": bin + string(filepath.ListSeparator) + os.Getenv("PATH")}
	called := func(gh string, env map[string]string) (out string, calls []string) {
		os.Remove(log)
		r.stand(filepath.Join(bin, "gh"), `printf '%s\n' "$*" >>'`+log+`'`+"\n"+gh)
		out, _, status := r.step("comment", env)
		if status != 0 {
			t.Errorf("comment: status %d: %s", status, out)
		}
		text, _ := os.ReadFile(log)
		for line := range strings.Lines(string(text)) {
			calls = append(calls, strings.TrimSpace(line))
		}
		return out, calls
	}
	body := filepath.Join(r.temp, "wiki-lint", "reports", "comment.md")

	if out, calls := called("exit 1", map[string]string{"PATH": pull["PATH"]}); len(calls) > 0 || !strings.Contains(out, "::notice") {
		t.Errorf("without a pull request: %v %s", calls, out)
	}
	if _, calls := called("", pull); len(calls) != 2 || calls[1] != "api --method POST repos/owner/name/issues/12/comments --field body=@"+body+" --silent" {
		t.Errorf("first comment: %q", calls)
	}
	if text := r.read(body); !regexp.MustCompile(`^<!-- wiki lint: [0-9a-f]{40} -->\n## wiki lint\n`).MatchString(text) {
		t.Errorf("the comment begins %.200s", text)
	}
	if _, calls := called(`case $* in *--paginate*) echo 345; echo 678 ;; esac`, pull); len(calls) != 2 || !strings.HasPrefix(calls[1], "api --method PATCH repos/owner/name/issues/comments/345 ") {
		t.Errorf("second comment: %q", calls)
	}
	summary := filepath.Join(r.temp, "wiki-lint", "reports", "summary.md")
	if err := os.WriteFile(summary, bytes.Repeat([]byte("| a row of nineteen\n"), 5000), 0o666); err != nil {
		t.Fatal(err)
	}
	called("", pull)
	if text := r.read(body); len(text) > 65536 || len(text) < 59000 || !strings.HasSuffix(text, "\n\nThe rest stands in the summary of the job.\n") {
		t.Errorf("a long comment has %d bytes and ends %q", len(text), text[len(text)-60:])
	}
	if out, _ := called(`case $* in *--method*) echo 'HTTP 403'; exit 1 ;; esac`, pull); !strings.Contains(out, "::warning title=wiki lint::cannot comment on pull request 12;") || !strings.Contains(out, "HTTP 403") {
		t.Errorf("without permission: %s", out)
	}
}

// TestActionPassesInputs has a program stand in for wiki that writes down its
// arguments, whatever they mean.
func TestActionPassesInputs(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	log := filepath.Join(r.temp, "args")
	r.stand(filepath.Join(r.temp, "wiki-lint", "bin", "wiki"), `printf '%s\n' "$@" >'`+log+"'\n")
	r.step("lint", map[string]string{
		"WIKI_DIRECTORY": "docs", "WIKI_ROOT": "my wiki", "WIKI_ARGS": "a  b\n\n*", "WIKI_FAIL_ON": "info", "WIKI_SINCE": "origin/main", "WIKI_BASELINE": "old findings.json",
	})
	reports := filepath.Join(r.temp, "wiki-lint", "reports")
	want := []string{
		"-C", "docs", "--root", "my wiki", "lint", "--format", "text", "--output", "github=" + reports + "/github.txt", "--output", "json=" + reports + "/lint.json",
		"--output", "code-scanning=" + reports + "/lint.sarif", "--fail-on", "info", "--since", "origin/main", "--baseline", "old findings.json", "a  b", "*",
	}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(r.read(log)), "\n")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var usage bytes.Buffer
	c := exec.CommandContext(t.Context(), "sh", filepath.Join(repository(t), filepath.FromSlash(actionScript)), "rm")
	c.Env, c.Stderr = append(os.Environ(), "GITHUB_ACTION_PATH=.", "RUNNER_TEMP="+r.temp, "GITHUB_OUTPUT="+log), &usage
	if err := c.Run(); err == nil || c.ProcessState.ExitCode() != 2 || !strings.HasPrefix(usage.String(), "usage: ") {
		t.Errorf("an unknown step: %v, %s", err, usage.String())
	}
}
