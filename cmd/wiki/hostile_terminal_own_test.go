//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/schema/schematest"
)

// terminalWrite replaces files of a repository.
func terminalWrite(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

// terminalSettings has each setting, and each file that the program keeps,
// hold what steers a terminal where it is refused: the message repeats it.
func terminalSettings(t *testing.T, repo string) {
	q, raw := terminalQuoted(terminalPayload), terminalInline
	lint := [][]string{{"lint"}, {"doctor"}, {"build", "-o", "_site"}}
	loop := [][]string{{"loop", "run", "2026-01-x", "--dry-run"}, {"doctor", "--agents"}, {"connector", "list"}}
	for name, c := range schematest.Sample(map[string]struct {
		file, text string
		run        [][]string
	}{
		"unknown-key":     {"wiki.yaml", q + ": 1\n", lint},
		"version":         {"wiki.yaml", "version: " + q + "\n", lint},
		"root":            {"wiki.yaml", "root: " + q + "\n", lint},
		"root-outside":    {"wiki.yaml", "root: ../" + "x\ntitle: [" + raw + "\n", lint},
		"dialect":         {"wiki.yaml", "dialect: " + q + "\n", lint},
		"language":        {"wiki.yaml", "language: " + q + "\n", lint},
		"naming":          {"wiki.yaml", "naming: " + terminalQuoted(raw+"[") + "\n", lint},
		"glob":            {"wiki.yaml", "ignore: [" + terminalQuoted("["+raw) + "]\n", lint},
		"limit":           {"wiki.yaml", "limits: {page_bytes: " + q + ", " + q + ": 1}\n", lint},
		"rule-id":         {"wiki.yaml", "rules: [{id: " + q + ", message: x, forbid: {pattern: x}}]\n", lint},
		"rule-pattern":    {"wiki.yaml", "rules: [{id: my-x, message: x, forbid: {pattern: " + terminalQuoted("("+raw) + "}}]\n", lint},
		"rule-severity":   {"wiki.yaml", "rules: [{id: my-x, message: x, severity: " + q + ", forbid: {pattern: x}}]\n", lint},
		"rule-message":    {"wiki.yaml", "rules: [{id: my-x, message: " + q + ", forbid: {pattern: needle}}]\n", lint},
		"rule-group":      {"wiki.yaml", "rules: [{id: my-x, message: " + terminalQuoted("{0} {"+raw+"}") + ", forbid: {pattern: " + terminalQuoted("(?P<"+raw+">x)") + "}}]\n", lint},
		"lint-rules":      {"wiki.yaml", "lint: {disable: [" + q + "], severity: {" + q + ": " + q + "}}\n", lint},
		"theme":           {"wiki.yaml", "site: {theme: " + q + "}\n", lint},
		"output":          {"wiki.yaml", "site: {output: " + q + "}\n", [][]string{{"build"}, {"lint"}}},
		"url":             {"wiki.yaml", "site: {url: " + q + "}\n", lint},
		"syntax":          {"wiki.yaml", "title: {" + raw + "\n - " + terminalRaw + "\n", lint},
		"syntax-raw":      {"wiki.yaml", terminalRaw + ": [\n", lint},
		"alias":           {"wiki.yaml", "title: *" + strings.NewReplacer(",", "", "[", "", "]", "").Replace(raw) + "\n", lint},
		"judge":           {"wiki.yaml", "judge: {command: [" + q + "]}\n", [][]string{{"lint", "--judge=on"}, {"doctor"}}},
		"judge-url":       {"wiki.yaml", "judge: {endpoint: {url: " + q + ", model: x}}\n", [][]string{{"lint", "--judge=on"}, {"doctor"}}},
		"role":            {"wiki.yaml", "loops: {roles: {" + q + ": {agent: command, argv: [x]}}}\n", loop},
		"role-agent":      {"wiki.yaml", "loops: {roles: {maker: {agent: " + q + "}}}\n", loop},
		"role-argv":       {"wiki.yaml", "loops: {roles: {maker: {agent: command, argv: [" + q + "]}}}\n", loop},
		"role-model":      {"wiki.yaml", "loops: {roles: {maker: {agent: claude, model: " + q + "}}}\n", loop},
		"timeout":         {"wiki.yaml", "loops: {timeouts: {wall: " + q + "}}\n", loop},
		"mode":            {"wiki.yaml", "loops: {mode: " + q + "}\n", loop},
		"protect":         {"wiki.yaml", "loops: {protect: [" + terminalQuoted("["+raw) + "]}\n", loop},
		"connector-name":  {"wiki.yaml", "loops: {connectors: {" + q + ": {kind: github}}}\n", loop},
		"connector-kind":  {"wiki.yaml", "loops: {connectors: {a: {kind: " + q + "}}}\n", loop},
		"connector-tool":  {"wiki.yaml", "loops: {connectors: {a: {kind: mcp, argv: [sh, agents/board.sh], tools: [" + q + "], items: {tool: " + q + "}}}}\n", [][]string{{"connector", "items", "a"}, {"connector", "list"}}},
		"lock":            {"wiki.lock", "# wiki.lock v1\n" + raw + "\n", [][]string{{"lint"}, {"stale"}, {"verify", "--all"}}},
		"lock-version":    {"wiki.lock", "# wiki.lock v" + raw + "\n", [][]string{{"lint"}, {"stale"}}},
		"baseline":        {".loopwiki/baseline.json", `{"version": 1, ` + q + `: 1}`, [][]string{{"lint"}}},
		"baseline-syntax": {".loopwiki/baseline.json", `{` + raw, [][]string{{"lint"}}},
		"acknowledged":    {".loopwiki/acknowledged.yaml", "version: 1\nacknowledged: [{" + q + ": 1}]\n", [][]string{{"lint"}}},
		"verdicts":        {".loopwiki/verdicts.jsonl", `{"` + raw + "\n", [][]string{{"lint", "--judge=cached"}}},
		"modes":           {".loopwiki/modes.yaml", "version: 1\nrecords: [{loop: " + q + ", mode: " + q + ", by: x, reason: y, at: " + q + "}]\n", [][]string{{"loop", "mode"}, {"loop", "list", "--loops"}}},
		"approvals":       {".loopwiki/approvals.jsonl", `{"connector": ` + q + `, "tool": ` + q + "\n", [][]string{{"connector", "call", "board", "add", "--arg", "body=x"}, {"connector", "approve", "board", "add", "--any", "body"}}},
		"andon":           {".loopwiki/incidents/andon-open.json", `{"version": 1, "incident": ` + q + `}`, [][]string{{"andon", "status"}, {"andon", "show"}, {"loop", "run", "2026-01-x"}}},
		"spec":            {"agents/loops/mine.md", "# Loop Spec: x\n\n## " + raw + "\n\n- " + raw + "\n", [][]string{{"loop", "ready", "mine"}, {"loop", "run", "mine", "--dry-run"}, {"loop", "list", "--loops"}}},
		"labels":          {"set/labels.json", `[{"id": ` + q + `}]`, [][]string{{"eval", "contradictions", "set"}}},
		"sources":         {"wiki/raw/sources.lock", raw + "\n", [][]string{{"lint"}, {"ingest", "in", "--agent", "none"}}},
		"template":        {"wiki/_templates/zqx.md", "---\n" + raw + ": {\n---\n", [][]string{{"new", "zqx", "Title"}}},
	}, 1, 8) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := terminalCopy(t, repo)
			terminalWrite(t, dir, map[string]string{c.file: c.text})
			for i, args := range c.run {
				terminalCheck(t, dir, i == 0, args...)
			}
		})
	}
}

// terminalOther are attacks of other kinds.
func terminalOther(t *testing.T, repo string) {
	t.Run("characters cut in two", func(t *testing.T) { // the bytes of 盛 are e7 9b 9b
		t.Parallel()
		dir := terminalCopy(t, repo)
		for i := range 3 {
			long := strings.Repeat("a", i) + strings.Repeat("盛", 400)
			terminalWrite(t, dir, map[string]string{fmt.Sprintf("wiki/cut%d.md", i): "---\ntitle: " + long + "\ntags: [" + long + "]\n---\n# " + long + "\n\nneedle " + long + " [[" + long + "]] The port of " + long + " is 80.\n\n" + strings.Repeat(long+" needle ", 20) + "\n"})
		}
		terminalWrite(t, dir, map[string]string{"plans/2026-01-y.md": terminalPlan(terminalQuoted(strings.Repeat("盛", 400)), strings.Repeat("盛", 400)), "agents/gate.sh": "printf '%s\\n' " + strings.Repeat("a盛", 3000) + "; exit 1\n", "agents/maker.sh": "printf '%s\\n' a" + strings.Repeat("盛", 3000) + "; echo 2 > price.sh\n"})
		for _, args := range [][]string{{"search", "needle"}, {"show", "cut1"}, {"lint", "--severity", "info"}, {"query", "needle", "--agent", "none"}, {"claims"}, {"plan", "list"}, {"loop", "run", "2026-01-y", "-n", "1"}, {"lint", "-f", "github"}, {"skill", "list"}} {
			terminalCheck(t, dir, true, args...)
		}
	})
	t.Run("marks of a search inside of a sequence", func(t *testing.T) {
		t.Parallel()
		dir := terminalCopy(t, repo)
		terminalWrite(t, dir, map[string]string{"wiki/hit.md": "# 66 hit\n\nword \x1b[38;2;66;66;66mhit \x1b]52;c;hit\x07 \u009b66m hit\n"})
		for _, args := range [][]string{{"search", "66"}, {"search", "hit"}, {"search", "52", "hit"}} {
			terminalCheck(t, dir, true, args...)
		}
	})
	t.Run("names that a shell completes", func(t *testing.T) {
		t.Parallel()
		dir := terminalCopy(t, repo)
		for _, args := range [][]string{{"__complete", "show", ""}, {"__complete", "show", "zq"}, {"__completeNoDesc", "mv", ""}, {"__complete", "lint", "--rule", ""}, {"__complete", "loop", "run", ""}, {"__complete", "plan", "lint", ""}, {"__complete", "connector", "items", ""}, {"__complete", terminalPayload, ""}, {"--no-color", "__completeNoDesc", "show", terminalInline}} {
			terminalCheck(t, dir, true, args...)
		}
	})
	t.Run("reports that are written to files", func(t *testing.T) {
		t.Parallel()
		dir := terminalCopy(t, repo)
		args := []string{"lint", "--severity", "info"}
		for _, format := range formatNames() {
			args = append(args, "-o", format+"=report."+format)
		}
		if _, _, err := terminalPipe(dir, nil, args...); err != nil {
			t.Fatal(err)
		}
		for _, format := range formatNames() {
			text, err := os.ReadFile(filepath.Join(dir, "report."+format))
			if err != nil {
				t.Error(err)
				continue
			}
			for _, bad := range terminalBad(text, false, format == "github") {
				t.Errorf("%s: %s", format, bad)
			}
			if err := terminalParses([]string{"-f", format}, text); err != nil {
				t.Errorf("%s: %v", format, err)
			}
		}
	})
	t.Run("commands of GitHub by what agents print", func(t *testing.T) {
		t.Parallel()
		dir := terminalCopy(t, repo)
		if err := os.RemoveAll(filepath.Join(dir, ".loopwiki", "incidents")); err != nil {
			t.Fatal(err)
		}
		reached := false
		for _, args := range [][]string{{"-v", "loop", "run", "2026-01-y", "-n", "1"}, {"loop", "logs", "--transcripts"}, {"loop", "show"}, {"lint"}, {"skill", "lint"}, {"build", "-o", "_site"}, {"query", "word"}} {
			stdout, stderr, err := terminalPipe(dir, []string{"GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "summary.md")}, args...)
			if err != nil {
				t.Error(err)
			}
			for name, out := range map[string][]byte{"stdout": stdout, "stderr": stderr} {
				bad := append(terminalRawIn(out, false), terminalObeyed(out, true)...)
				if !terminalHasLines(args) {
					bad = append(bad, terminalLinesIn(out, true)...)
				}
				for _, b := range bad {
					t.Errorf("wiki %q, %s: %s", args, name, b)
				}
			}
			reached = reached || terminalHasLines(args) && bytes.Contains(append(stdout, stderr...), []byte(`\x3a:add-mask`))
		}
		if !reached {
			t.Error("no text of several lines that GitHub would obey is printed, so nothing is shown by this")
		}
		if text, err := os.ReadFile(filepath.Join(dir, "summary.md")); err == nil {
			for _, bad := range terminalBad(text, false, false) {
				t.Errorf("summary: %s", bad)
			}
		}
	})
	t.Run("git that complains", func(t *testing.T) {
		t.Parallel()
		dir := terminalCopy(t, repo)
		terminalWrite(t, dir, map[string]string{"bin/git": "#!/bin/sh\nP=" + terminalShell(terminalPayload) + "\necho \"$P\"; echo \"fatal: $P\" >&2; exit 128\n"})
		for _, args := range [][]string{{"lint"}, {"lint", "--since", "HEAD"}, {"stale"}, {"doctor"}, {"doctor", "--agents"}, {"loop", "run", "2026-01-y"}, {"eval", "staleness", "."}, {"loop", "mode"}, {"plan", "list"}, {"build", "-o", "_site", "-v"}} {
			stdout, stderr, err := terminalPipe(dir, nil, args...)
			if err != nil {
				t.Error(err)
			}
			for _, bad := range append(terminalBad(stdout, false, false), terminalBad(stderr, false, false)...) {
				t.Errorf("wiki %q: %s", args, bad)
			}
		}
	})
	t.Run("what a server is asked for", func(t *testing.T) { t.Parallel(); terminalServed(t, repo) })
	t.Run("the folder that it runs in", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), terminalName, "r")
		if err := os.Mkdir(filepath.Dir(dir), 0o777); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("cp", "-a", repo, dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for _, args := range [][]string{{"doctor"}, {"doctor", "--json"}, {"doctor", "--agents"}, {"lint", "-v"}, {"build", "-o", "_site"}, {"init"}, {"build", "-o", "/dev/null/x"}, {"loop", "gc"}, {"loop", "show"}} {
			stdout, stderr, err := terminalPipe(dir, nil, args...)
			if err != nil {
				t.Error(err)
			}
			for _, bad := range append(terminalBad(stdout, false, false), terminalBad(stderr, false, false)...) {
				t.Errorf("wiki %q: %s", args, bad)
			}
		}
	})
}

// terminalServed asks a server for addresses and by headers that hold what steers the terminal
// that it was started on, and saves a page with such a name meanwhile.
func terminalServed(t *testing.T, repo string) {
	dir := terminalCopy(t, repo)
	c := exec.Command("wiki", "serve", "-v", "--port", "0")
	c.Dir, c.Env = dir, append(os.Environ(), terminalEnv(dir)...)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c.Stdout, c.Stderr = w, w
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	var said bytes.Buffer
	url := make(chan string, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		lines := bufio.NewReader(r)
		for {
			line, err := lines.ReadString('\n')
			said.WriteString(line)
			if u := regexp.MustCompile(`127\.0\.0\.1:[0-9]+`).FindString(line); u != "" {
				select {
				case url <- u:
				default:
				}
			}
			if err != nil {
				return
			}
		}
	}()
	select {
	case at := <-url:
		for _, request := range []string{"GET /%1b%5d52;c;QQ==%07zqx%c2%9b31m%e2%80%ae HTTP/1.1\r\nHost: " + at + "\r\nConnection: close\r\n\r\n", "GET /zqx\x1b]52;c;QQ==\x07 HTTP/1.1\r\nHost: zqx\x1b[31m\r\n\r\n", "zqx\x1b]0;x\x07\u009b \u202e\r\n\r\n"} {
			if conn, err := net.Dial("tcp", at); err == nil {
				_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
				_, _ = conn.Write([]byte(request))
				_, _ = io.Copy(io.Discard, conn)
				conn.Close()
			}
		}
		terminalWrite(t, dir, map[string]string{"wiki/later" + terminalName + ".md": "---\ntitle: [" + terminalInline + "\n---\n", "wiki.yaml": terminalQuoted(terminalPayload) + ": 1\n"})
		time.Sleep(2 * time.Second) // it looks at the files again
		if res, err := http.Get("http://" + at + "/"); err == nil {
			res.Body.Close()
		}
	case <-time.After(patience):
		t.Error("it does not serve")
	}
	_ = c.Process.Signal(syscall.SIGTERM)
	_ = c.Wait()
	<-done
	for _, bad := range terminalBad(said.Bytes(), false, false) {
		t.Error(bad)
	}
}
