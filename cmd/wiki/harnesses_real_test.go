//go:build agents

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/schema/schematest"
)

// frameworks are the harnesses that are libraries; the page has their programs.
var frameworks = map[string]string{"OPENAI_API_KEY": "dummy-key", "OPENAI_BASE_URL": "ENDPOINT/v1"}

// pagePlay is what the model does for the page: as a program without a loop, and as the
// worker of one.
var pagePlay = []part{
	{begins: "List the files", commands: []string{"ls price.sh"}, says: "There is price.sh."},
	{begins: "You are one worker of a loop", commands: []string{
		"cat price.sh", `echo '# cents' >> price.sh && sh tests/price_test.sh && echo REPAIRED`,
	}, says: "It works.\n\n```json\n{\"status\": \"ok\", \"summary\": \"names the unit\", \"self_assessment\": \"OK\"}\n```"},
}

// TestHarnessesOfNPM runs the commands of the page about harnesses, in its order, with
// the programs of the lock files: against an endpoint on loopback, with dummy keys and a
// home of their own.
func TestHarnessesOfNPM(t *testing.T) {
	schematest.NeedGit(t)
	for _, name := range []string{"npm", "node", "bwrap"} {
		_, err := exec.LookPath(name)
		schematest.Need(t, name, err == nil, name+" is not installed")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "wiki", "10_DOMAIN", "harnesses.md"))
	if err != nil {
		t.Fatal(err)
	}
	wiki := filepath.Join(t.TempDir(), "wiki")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", wiki, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, h := range agent.Harnesses() {
		if h.Package == "" {
			continue
		}
		t.Run(h.Name, func(t *testing.T) {
			a := realAgent{id: h.Name, env: frameworks, argv: h.Argv}
			if i := slices.IndexFunc(realAgents, func(a realAgent) bool { return a.id == h.Agent }); i >= 0 {
				a = realAgents[i]
			}
			program := install(t, a)
			s := &stage{T: t, agent: a, level: loops.Bubblewrap, wiki: wiki, endpoint: newEndpoint(t, slices.Concat(pagePlay, play))}
			s.build(program)
			s.follow(string(page), h, filepath.Join(program, "..", "..", ".."))
			if len(a.argv) > 0 {
				s.framework()
			}
			s.person()
		})
	}
}

var npmInstall = regexp.MustCompile(`^npm install --prefix \.\./harness (.+)$`)

// follow runs the section of a harness. What it installs is what its lock file has, in
// the folder of installed.
func (s *stage) follow(page string, h agent.Harness, installed string) {
	if err := os.Symlink(s.wiki, filepath.Join(strings.TrimPrefix(s.env[0], "PATH="), "wiki")); err != nil {
		s.Fatal(err)
	}
	if err := os.Symlink(installed, filepath.Join(filepath.Dir(s.repo), "harness")); err != nil {
		s.Fatal(err)
	}
	_, section, ok := strings.Cut(page, "<!-- /"+h.Name+" -->\n")
	section, _, _ = strings.Cut(section, "\n## ")
	ran := 0
	for _, m := range guideBlock.FindAllStringSubmatch(section, -1) {
		if m[1] != "" {
			if err := os.WriteFile(filepath.Join(s.repo, m[1]), []byte(m[3]), 0o600); err != nil {
				s.Fatal(err)
			}
			continue
		}
		for line := range strings.Lines(m[3]) {
			if names := npmInstall.FindStringSubmatch(strings.TrimSpace(line)); names != nil {
				s.locked(h.Name, strings.Fields(names[1]))
				continue
			}
			status := 0
			if m := exitStatus.FindStringSubmatch(line); m != nil {
				status, _ = strconv.Atoi(m[1])
			}
			s.run(status, "sh", "-c", line)
			ran++
		}
	}
	if !ok || ran < 4 {
		s.Fatalf("the page has %d commands for %s", ran, h.Name)
	}
	if got := s.endpoint.ran(pagePlay[1].begins); len(got) == 0 || !strings.Contains(got[len(got)-1], "REPAIRED") {
		s.Errorf("the worker's commands printed %q", got)
	}
	if diff := s.run(0, "git", "diff", "main...loop/create-a-code-repair"); !strings.Contains(diff, "+# cents") {
		s.Errorf("the change is\n%s", diff)
	}
}

// framework lets the program of the page play every role of a plan in a sandbox, and
// holds the tokens that it reports to those that the endpoint counted.
func (s *stage) framework() {
	s.run(0, s.wiki, "loop", "run", "no-negative-prices")
	calls := s.calls()
	for role, turns := range planTurns {
		r := calls[role]
		if u := r.Report.Usage; r.Report.Outcome != loops.OK || u.InputTokens != int64(turns*tokensIn) || u.OutputTokens != int64(turns*tokensOut) {
			s.Errorf("%s: %s (%s), %+v, want %d turns", role, r.Report.Outcome, r.Report.Detail, u, turns)
		}
	}
	s.changed()
}

// locked holds the packages that a page installs to those of the lock file.
func (s *stage) locked(name string, packages []string) {
	src, err := os.ReadFile(filepath.Join("testdata", "agents", name, "package.json"))
	if err != nil {
		s.Fatal(err)
	}
	var locked []string
	for _, m := range regexp.MustCompile(`"([^"]+)": "[0-9]`).FindAllStringSubmatch(string(src), -1) {
		locked = append(locked, m[1])
	}
	if !slices.Equal(packages, locked) {
		s.Errorf("the page installs %q, the lock file has %q", packages, locked)
	}
}
