package main

import (
	"strings"

	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// exits documents a command's exit codes for its help, one per line, and adds the
// ones that all commands share.
func exits(lines ...string) map[string]string {
	all := append(lines, "2  usage, configuration or unreadable input", "130  interrupted")
	return map[string]string{"exits": strings.Join(all, "\n")}
}

func newHelp(p *program) *cobra.Command {
	return &cobra.Command{
		Use:         "help [COMMAND…]",
		Short:       "Show help for a command",
		Long:        "Show help for a command, or list all commands.",
		Example:     "  wiki help lint",
		Annotations: exits("0  help was printed"),
		GroupID:     groupMore,
		RunE: func(cmd *cobra.Command, args []string) error {
			at := cmd.Root()
			for _, name := range args {
				next, _, err := at.Find([]string{name})
				if err != nil || next == at {
					return noCommand(at, name)
				}
				at = next
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	}
}

// help prints a command's description, usage, flags and exit codes.
func help(cmd *cobra.Command, _ []string) {
	w := cmd.OutOrStdout()
	section := func(title, body string) {
		if body = strings.Trim(body, "\n"); body != "" {
			text.Fprintf(w, "\n%s\n%s\n", title, text.Block(body))
		}
	}
	long := cmd.Long
	if long == "" {
		long = cmd.Short + "."
	}
	text.Fprintf(w, "%s\n", text.Block(long))
	use := cmd.UseLine()
	if !cmd.HasParent() {
		use = "wiki COMMAND [flags]"
	}
	section("USAGE", "  "+use)
	for _, g := range cmd.Groups() {
		section(g.Title, listCommands(cmd, g.ID))
	}
	if len(cmd.Groups()) == 0 {
		section("COMMANDS", listCommands(cmd, ""))
	}
	section("EXAMPLES", cmd.Example)
	section("FLAGS", cmd.LocalNonPersistentFlags().FlagUsages())
	if cmd.HasParent() {
		section("GLOBAL FLAGS", cmd.InheritedFlags().FlagUsages())
	} else {
		section("GLOBAL FLAGS", cmd.PersistentFlags().FlagUsages())
	}
	section("EXIT STATUS", "  "+strings.ReplaceAll(cmd.Annotations["exits"], "\n", "\n  "))
}

func listCommands(parent *cobra.Command, group string) string {
	var b strings.Builder
	width := len("completion") // the longest of most groups
	for _, c := range parent.Commands() {
		width = max(width, len(c.Name()))
	}
	for _, c := range parent.Commands() {
		if c.GroupID == group && c.IsAvailableCommand() {
			text.Fprintf(&b, "  %-*s  %s\n", width, c.Name(), c.Short)
		}
	}
	return b.String()
}
