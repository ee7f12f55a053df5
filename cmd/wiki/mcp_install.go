package main

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/loopwiki/wiki/cmd/wiki/internal/mcp"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

func newMCPInstall(p *program) *cobra.Command {
	var write bool
	var names []string
	for _, c := range mcp.Clients() {
		names = append(names, c.Name)
	}
	c := &cobra.Command{
		Use:   "install CLIENT",
		Short: "Print or write the configuration of a client",
		Long: `Print the configuration with which a client starts 'wiki mcp', and the file that
it belongs in. For clients with hooks, a hook is printed too that puts an
overview of the wiki before each session.

With --write-config the server is added to that file. All else in it stays as it
is, comments too; if it has another server called wiki, nothing is written.

CLIENT is ` + text.List(names, "or") + `.`,
		Example: `  wiki mcp install claude
  wiki mcp install codex --write-config`,
		Annotations: exits("0  the configuration was printed or written", "2  the file can't be read or merged"),
		Args:        takes(1, false, "CLIENT"),
		RunE:        func(_ *cobra.Command, args []string) error { return runMCPInstall(p, args[0], write, names) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().BoolVar(&write, "write-config", false, "add the server to the file")
	return c
}

func runMCPInstall(p *program, name string, write bool, names []string) error {
	for _, c := range mcp.Clients() {
		if c.Name == name {
			return p.installMCP(c, write)
		}
	}
	return misuse(oneOf(name, names), "unknown client %q", name)
}

func (p *program) installMCP(c mcp.Client, write bool) error {
	dir, shown := p.path("."), c.File
	if c.Home {
		shown = "~/" + c.File
		if dir = p.env("HOME"); dir == "" {
			dir = p.env("USERPROFILE")
		}
		if dir == "" && write {
			return misuse("set HOME", "the home folder is unknown")
		}
	}
	if !write {
		block, err := c.Merge(nil)
		if err != nil {
			return err
		}
		p.say("add this to %s, or run 'wiki mcp install %s --write-config':", shown, c.Name)
		p.out.Printf("%s", text.Block(block))
	} else if done, err := writeMCP(dir, c); err != nil {
		return misuse("merge it by hand: 'wiki mcp install "+c.Name+"' prints the server", "%s: %v", shown, err)
	} else if done {
		p.say("added the server to %s", shown)
	} else {
		p.say("%s has the server already", shown)
	}
	if c.Note != "" {
		p.say("%s", c.Note)
	}
	if c.Hook != "" {
		p.say("for an overview of the wiki in each session, add this hook to %s:", c.HookFile)
		p.out.Printf("%s", text.Block(c.Hook))
	}
	return nil
}

// writeMCP adds the server to the client's file below dir. done is false if it is there.
func writeMCP(dir string, c mcp.Client) (done bool, err error) {
	root, err := files.Open(dir)
	if err != nil {
		return false, err
	}
	defer root.Close()
	src, err := root.ReadFile(c.File, files.Config)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	next, err := c.Merge(src)
	if errors.Is(err, mcp.ErrInstalled) {
		return false, nil
	}
	if err == nil {
		err = root.MkdirAll(path.Dir(c.File), 0o777)
	}
	if err != nil {
		return false, err
	}
	return true, root.Replace(filepath.ToSlash(c.File), next, 0o666)
}
