package main

import (
	"os"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// commands are all commands, in the order in which help lists them.
var commands = []func(*program) *cobra.Command{
	newInit, newNew, newLog, newIngest, newMove, newExport, newImport, newMerge, newMergeDriver, newBuild, newServe, newLint, newVerify,
	newSearch, newContext, newQuery, newShow, newStale, newDiff, newBlame, newClaims, newGraph, newStats, newLSP, newMCP,
	newLoop, newPlan, newSkill, newConnector, newAndon,
	newDoctor, newSchema, newEval, newCompletion, newVersion, newHelp, newGen, newSupervise,
}

// The groups under which help lists the commands.
const (
	groupMake  = "make"
	groupAsk   = "ask"
	groupLoops = "loops"
	groupMore  = "more"
)

func newRoot(p *program) *cobra.Command {
	root := &cobra.Command{
		Use:   "wiki",
		Short: "Compile, lint, search and publish a markdown wiki",
		Long: `Compile a folder of markdown into a link graph, lint it like code, search it,
publish it as a site, and keep it current with agents. It works on existing
wikis without configuration or migration: wikilinks or markdown links, Obsidian,
OKF or plain folders.`,
		Example: `  wiki init                      # create a wiki, or adopt this folder
  wiki lint                      # check it
  wiki serve --open              # read it
  wiki search "rate limit"       # ask it`,
		Version:            buildVersion().String(),
		Args:               nil, // cobra names an unknown command before it looks at its flags
		RunE:               func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Annotations:        exits("0  help was printed"),
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableSuggestions: true,
		CompletionOptions:  cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.AddGroup(&cobra.Group{ID: groupMake, Title: "MAKE AND CHECK"}, &cobra.Group{ID: groupAsk, Title: "ASK"}, &cobra.Group{ID: groupLoops, Title: "LOOPS"}, &cobra.Group{ID: groupMore, Title: "MORE"})
	f := root.PersistentFlags()
	f.StringVarP(&p.dir, "directory", "C", "", "run as if started in `DIR`")
	f.StringVar(&p.root, "root", "", "use `DIR` as the wiki root instead of detecting it")
	f.BoolVar(&p.noColor, "no-color", false, "print no colour (NO_COLOR does the same)")
	f.BoolVarP(&p.quiet, "quiet", "q", false, "print only results and errors")
	f.BoolVarP(&p.verbose, "verbose", "v", false, "print what was detected and why")
	f.SortFlags = false
	root.SetFlagErrorFunc(flagFault)
	root.SetHelpFunc(help)
	root.SetUsageFunc(func(*cobra.Command) error { return nil })
	root.SetVersionTemplate("wiki {{.Version}}\n")
	for _, add := range commands {
		c := add(p)
		if c.Name() == "help" {
			root.SetHelpCommand(c)
			continue
		}
		root.AddCommand(c)
		completePlain(c)
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultVersionFlag()
	return root
}

// completePlain drops completions that a shell can't show, or would split into
// several candidates.
func completePlain(c *cobra.Command) {
	for _, sub := range c.Commands() {
		completePlain(sub)
	}
	if complete := c.ValidArgsFunction; complete != nil {
		c.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			all, directive := complete(cmd, args, word)
			return slices.DeleteFunc(all, func(candidate string) bool {
				name, about, _ := strings.Cut(candidate, "\t")
				return name != text.Line(name) || about != text.Line(about)
			}), directive
		}
	}
}

// takesFolder lets a command take the wiki's folder as an argument, like -C.
func (p *program) takesFolder(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !p.isFolder(args[0]) {
		return misuse("usage: "+cmd.UseLine(), "%s: no such folder: %s", cmd.CommandPath(), args[0])
	}
	p.at = args[0]
	return takes(0, false, "DIR")(cmd, args)
}

// takesFolderOr is takesFolder for a command whose argument may be something else.
func (p *program) takesFolderOr(args []string) []string {
	if len(args) == 1 && p.isFolder(args[0]) {
		p.at = args[0]
		return nil
	}
	return args
}

// isFolder reports whether name is an existing folder.
func (p *program) isFolder(name string) bool {
	info, err := os.Stat(p.path(name))
	return name != "" && err == nil && info.IsDir()
}

// takes checks the number of arguments; names are those of the command's usage
// line, and the last may be repeated when many is set.
func takes(atLeast int, many bool, names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		usage := "usage: " + cmd.UseLine()
		if len(args) < atLeast {
			return misuse(usage, "%s needs %s", cmd.CommandPath(), names[len(args)])
		}
		if !many && len(args) > len(names) {
			return misuse(usage, "%s: unexpected argument %q", cmd.CommandPath(), args[len(names)])
		}
		return nil
	}
}
