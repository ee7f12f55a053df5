package main

import (
	"slices"

	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a completion script for a shell",
		Long: `Print a script that adds completion of wiki's commands, flags, rules and page
names to a shell. SHELL is bash, zsh, fish or powershell.`,
		Example: `  wiki completion bash > ~/.local/share/bash-completion/completions/wiki
  wiki completion zsh > "${fpath[1]}/_wiki"
  wiki completion fish > ~/.config/fish/completions/wiki.fish
  wiki completion powershell | Out-String | Invoke-Expression`,
		Annotations: exits("0  the script was printed"),
		GroupID:     groupMore,
		ValidArgs:   shells,
		Args:        takes(1, false, "SHELL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(p.out, true)
			case "zsh":
				return root.GenZshCompletion(p.out)
			case "fish":
				return root.GenFishCompletion(p.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(p.out)
			}
			return misuse(oneOf(args[0], shells), "unknown shell %q", args[0])
		},
	}
}

// completeNothing takes the place of the command by which shells ask for
// candidates, where an argument would act on a terminal: cobra's own writes what
// it can't parse to the standard error of the process, past p.err.
func (p *program) completeNothing(root *cobra.Command, args []string) {
	if !slices.ContainsFunc(args, func(a string) bool { return a != text.Line(a) }) {
		return
	}
	root.AddCommand(&cobra.Command{ // cobra adds none if this name is found
		Use:                cobra.ShellCompNoDescRequestCmd,
		Aliases:            []string{cobra.ShellCompRequestCmd},
		Hidden:             true,
		DisableFlagParsing: true,
		Run: func(*cobra.Command, []string) {
			p.out.Printf(":%d\n", cobra.ShellCompDirectiveError)
		},
	})
}
