package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

func TestCompletionLeavesOutNamesThatCannotBeShown(t *testing.T) {
	t.Parallel()
	inner := &cobra.Command{Use: "in", ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"é.md", "rule\twhat it is", "a\nb.md", "a\x1b[2J.md", "a\u202e.md", "a\xff.md", "rule\tx\x1b"}, cobra.ShellCompDirectiveNoFileComp
	}}
	outer := &cobra.Command{Use: "out"}
	outer.AddCommand(inner)
	completePlain(outer)
	got, directive := inner.ValidArgsFunction(inner, nil, "")
	if want := []string{"é.md", "rule\twhat it is"}; !slices.Equal(got, want) || directive != cobra.ShellCompDirectiveNoFileComp {
		t.Errorf("%q, %v", got, directive)
	}
}

func TestErrorsKeepTheirLines(t *testing.T) {
	t.Parallel()
	config := &compiler.ConfigError{Path: "a\nb/wiki.yaml", Source: []byte("x"), Faults: []schema.Fault{{Message: "unknown key \"a\nfake.md:1:1: error\""}, {Message: "two"}}}
	for _, c := range []struct {
		err  error
		want string
	}{
		{misuse("see\n'wiki --help'", "no page %s", "x\nfake.md:1:1: error\x1b"), "wiki: no page x fake.md:1:1: error\\x1b\nhint: see 'wiki --help'\n"},
		{fmt.Errorf("load: %w", config), "wiki: load: a b/wiki.yaml:1:1: unknown key \"a fake.md:1:1: error\"\na b/wiki.yaml:1:1: two\nhint: 'wiki schema config' lists all keys\n"},
		{errors.Join(errors.New("one\r\ntwo"), errors.New("three")), "wiki: one  two\nthree\n"},
	} {
		var b bytes.Buffer
		explain(text.New(&b), asFault(t.Context(), c.err), func(s string) string { return s })
		if b.String() != c.want {
			t.Errorf("%q is explained as\n%swant\n%s", c.err, b.String(), c.want)
		}
	}
}

// TestPageNamesDoNotRunWorkflowCommands prints the names of pages where a line that begins with ::
// is a command.
func TestPageNamesDoNotRunWorkflowCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"::error::a.md", "##[add-mask]b.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("# x\n\n[[gone]]\n"), 0o666); err != nil {
			t.Skip("the file system does not take the name: ", err)
		}
	}
	for ci, want := range map[string]string{"": "##[add-mask]b.md\n::error::a.md\n", "true": "##\\x5badd-mask]b.md\n\\x3a:error::a.md\n"} {
		env := func(name string) string { return map[string]string{"GITHUB_ACTIONS": ci}[name] }
		var out, errs bytes.Buffer
		run(context.Background(), []string{"-C", dir, "--root", ".", "graph", "orphans"}, strings.NewReader(""), &out, &errs, env)
		if out.String() != want {
			t.Errorf("GITHUB_ACTIONS=%s: %q, %q; want %q", ci, out.String(), errs.String(), want)
		}
	}
}
