package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"

	"github.com/loopwiki/wiki/schema/schematest"
)

// parses reports why wiki would refuse a command line.
func parses(t *testing.T, args []string) error {
	t.Helper()
	p := &program{out: text.New(io.Discard), env: func(string) string { return "" }}
	root := newRoot(p)
	c, rest, err := root.Find(args)
	switch {
	case err != nil:
		return err
	case c == root:
		return misuse("", "no such command")
	}
	if err := c.ParseFlags(rest); err != nil {
		return err
	}
	if c.CommandPath() == "wiki lint" {
		return lintReports(p, c)
	}
	return nil
}

// lintReports holds the formats that a command line names to those there are.
func lintReports(p *program, c *cobra.Command) error {
	format, err := c.Flags().GetString("format")
	if err != nil {
		return err
	}
	outputs, err := c.Flags().GetStringArray("output")
	if err != nil {
		return err
	}
	_, err = p.planReports(format, outputs)
	return err
}

var (
	fenced   = regexp.MustCompile("(?ms)^ *```(sh|yaml|console)\n(.*?)^ *```$")
	wikiCall = regexp.MustCompile(`(?m)(?:^[ $]*(?:- |run: |- run: )?|&& |\$\()wiki ([^|)#&\n]*)`)
)

// calls returns the arguments of every call of wiki in the code blocks of a page.
func calls(page string) [][]string {
	var all [][]string
	for _, block := range fenced.FindAllStringSubmatch(page, -1) {
		for _, call := range wikiCall.FindAllStringSubmatch(block[2], -1) {
			all = append(all, strings.Fields(call[1]))
		}
	}
	return all
}

func TestCalls(t *testing.T) {
	t.Parallel()
	page := "wiki lint --not this\n\n```sh\n#!/bin/sh\ncd x && wiki doctor # why\nwiki lint -q | wc\nout=$(wiki stats --json) || exit\n```\n\n```yaml\n  script:\n    - wiki build -o x\n      - run: wiki lint\n```\n"
	var got []string
	for _, c := range calls(page) {
		got = append(got, strings.Join(c, " "))
	}
	if want := "doctor, lint -q, stats --json, build -o x, lint"; strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
}

// TestPagesShowRealCommands reads every page of the project's own wiki and the
// pages next to it.
func TestPagesShowRealCommands(t *testing.T) {
	t.Parallel()
	n := 0
	for _, dir := range []string{"wiki", "README.md", "CONTRIBUTING.md", "AGENTS.md"} {
		err := filepath.WalkDir(filepath.Join(repository(t), dir), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(file) != ".md" {
				return err
			}
			text, err := os.ReadFile(file)
			for _, args := range calls(string(text)) {
				n++
				if err := parses(t, args); err != nil {
					t.Errorf("%s: wiki %s: %v", filepath.Base(file), strings.Join(args, " "), err)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 20 {
		t.Errorf("the pages show %d calls; are they read?", n)
	}
}

// TestPagesListFormats holds the table of formats to those there are.
func TestPagesListFormats(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(repository(t), "wiki", "10_DOMAIN", "continuous-integration.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Formats")
	listed := names("(?m)^\\| `([a-z-]+)` \\|", table)
	if got, want := strings.Join(listed, " "), strings.Join(formatNames(), " "); got != want {
		t.Errorf("the page lists %s\nthere are      %s", got, want)
	}
	a, _ := readAction(t)
	for input := range a.Inputs {
		if !strings.Contains(string(text), "`"+input+"`") {
			t.Errorf("the page does not name the input %s", input)
		}
	}
}

// TestPreCommitHooks holds the hooks to https://pre-commit.com/#new-hooks: they
// run the program that Go installs under the name of its folder.
func TestPreCommitHooks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(repository(t), ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct {
		ID, Name, Description, Entry, Language, Files string
		PassFilenames                                 *bool `yaml:"pass_filenames"`
		RequireSerial                                 bool  `yaml:"require_serial"`
	}
	if err := yaml.UnmarshalWithOptions(text, &hooks, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	if len(hooks) != 2 || hooks[0].ID != "wiki-lint" || hooks[1].ID != "wiki-lint-fix" {
		t.Fatalf("%d hooks: %+v", len(hooks), hooks)
	}
	for _, h := range hooks {
		args, ok := strings.CutPrefix(h.Entry, "wiki ")
		if !ok || h.Language != "golang" || h.Name == "" || h.Description == "" || h.PassFilenames == nil || *h.PassFilenames || !h.RequireSerial {
			t.Errorf("%s: %+v", h.ID, h)
		}
		if files := regexp.MustCompile(h.Files); !files.MatchString("docs/a.md") || files.MatchString("a.mdx") {
			t.Errorf("%s runs for %s", h.ID, h.Files)
		}
		t.Run(h.ID, func(t *testing.T) {
			err := parses(t, strings.Fields(args))
			schematest.Need(t, "fix", err == nil || err.Error() != "unknown flag: --fix", "wiki lint can not mend anything here")
			if err != nil {
				t.Errorf("%s: %v", h.Entry, err)
			}
		})
	}
}
