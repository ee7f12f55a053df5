package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rhysd/actionlint"

	"github.com/loopwiki/wiki/compiler/scaffold"
)

var pinned = regexp.MustCompile(`^\s*(?:- )?uses: ([\w./:-]+)@(\S+)(?: # v\d+\.\d+\.\d+)?$`)

// TestWorkflows checks what init --ci writes to what is safe on GitHub.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []scaffold.Repository{{Branch: "main", Root: "wiki", Action: "v0.1.0"}, {Branch: "release/1.0", Root: ".", Action: "main"}, {Branch: "on", Root: "it's [a] wiki", Action: "main"}} {
		loop := scaffold.Loop{Name: "tidy", Path: "agents/loops/tidy.md", Word: "it's a loop.md", Crons: []string{"0 4 * * 1"}, Merge: true, Minutes: 75}
		files := append(scaffold.Workflows("github", r), scaffold.LoopWorkflow("github", r, loop))
		files = append(files, append(scaffold.Workflows("gitea", r), scaffold.LoopWorkflow("gitea", r, loop))...)
		if len(files) != 7+6 {
			t.Fatalf("%d workflows", len(files))
		}
		for _, f := range files {
			// Gitea takes an address, which is no action of GitHub's.
			faults, err := linter.Lint(f.Path, []byte(strings.ReplaceAll(f.Text, "uses: https://github.com/", "uses: ")), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range faults {
				t.Errorf("%s: %v", f.Path, fault)
			}
			var w workflowFile
			if err := yaml.Unmarshal([]byte(f.Text), &w); err != nil {
				t.Fatalf("%s: %v", f.Path, err)
			}
			holdWorkflow(t, f, w)
		}
	}
}

// TestOwnWorkflows checks the workflows of this repository. What a release is made with
// can't change under it.
func TestOwnWorkflows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(repository(t), ".github", "workflows", "*.yml"))
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	faults, err := linter.LintFiles(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
	text, err := os.ReadFile(filepath.Join(repository(t), ".github", "workflows", "release.yml"))
	if err != nil {
		t.Fatal(err)
	}
	release := scaffold.File{Path: "release.yml", Text: string(text)}
	holdPins(t, release)
	var w workflowFile
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	for name, job := range w.Jobs {
		for _, s := range job.Steps {
			if strings.Contains(s.Run, "${{") {
				t.Errorf("an expression becomes part of a command: %s", s.Run)
			}
			if job.Permissions["contents"] == "write" && (strings.HasPrefix(s.Uses, "actions/checkout@") || strings.Contains(s.Run, ".ci/")) {
				t.Errorf("%s may write, and runs code of the repository", name)
			}
		}
	}
}

func holdWorkflow(t *testing.T, f scaffold.File, w workflowFile) {
	t.Helper()
	if w.Permissions == nil || w.Concurrency == nil || strings.Contains(f.Text, "pull_request_target") || strings.Contains(f.Text, "[[") {
		t.Errorf("%s: permissions %v, concurrency %v", f.Path, w.Permissions, w.Concurrency)
	}
	for name, job := range w.Jobs {
		agent := false
		for _, s := range job.Steps {
			agent = agent || strings.Contains(s.Run, "wiki loop run")
			if strings.Contains(s.Run, "${{") {
				t.Errorf("%s: an expression becomes part of a command: %s", f.Path, s.Run)
			}
			if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["fetch-depth"] != "0" {
				t.Errorf("%s: %s does not have the whole history", f.Path, name)
			}
			if agent && s.Env["GH_TOKEN"] != "" {
				t.Errorf("%s: %s has an agent, and a token", f.Path, name)
			}
		}
		if agent && (len(job.Permissions) != 1 || job.Permissions["contents"] != "read") {
			t.Errorf("%s: an agent runs where the job may %v", f.Path, job.Permissions)
		}
		if job.Timeout == 0 {
			t.Errorf("%s: %s has no end", f.Path, name)
		}
		if lint := strings.HasSuffix(f.Path, "wiki-lint.yml"); !lint && job.Needs == "" && !strings.HasSuffix(f.Path, "/loop-tidy.yml") && !strings.HasPrefix(job.If, "contains(vars.WIKI_AUTOMATION, ") {
			t.Errorf("%s: %s is on by default: %q", f.Path, name, job.If)
		}
	}
	holdPins(t, f)
}

// holdPins checks that actions of others are named by commit.
func holdPins(t *testing.T, f scaffold.File) {
	t.Helper()
	for line := range strings.Lines(f.Text) {
		if !strings.Contains(line, "uses:") {
			continue
		}
		m := pinned.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil || !strings.HasSuffix(m[1], "loopwiki/wiki") && !regexp.MustCompile(`^[0-9a-f]{40}$`).MatchString(m[2]) {
			t.Errorf("%s: not pinned to a commit: %s", f.Path, line)
		}
	}
}

func TestActionRef(t *testing.T) {
	t.Parallel()
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct {
		b    build
		want string
	}{
		{build{Wiki: "v1.2.3", Revision: commit}, "v1.2.3"},
		{build{Wiki: "v0.0.0-20260301120000-0123456789ab", Revision: commit}, commit},
		{build{Wiki: "(devel)", Revision: commit, Modified: true}, "main"},
		{build{Wiki: "(devel)"}, "main"},
	} {
		if got := actionRef(c.b); got != c.want {
			t.Errorf("%+v: %s, want %s", c.b, got, c.want)
		}
	}
}
