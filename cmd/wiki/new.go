package main

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/loopwiki/wiki/cmd/wiki/internal/scaffold"
	"github.com/loopwiki/wiki/compiler"
	"github.com/spf13/cobra"
)

type newOptions struct {
	today string
	diff  bool
}

func newNew(p *program) *cobra.Command {
	var o newOptions
	c := &cobra.Command{
		Use:   "new TYPE TITLE",
		Short: "Make a page of a type, where such pages live",
		Long: `New makes a page: in the folder that its type lives in (frontmatter.types in
wiki.yaml, else as the dialect has it, else where most such pages are), under a
name as the other pages there have, with the frontmatter and sections that it
must have. If _templates/TYPE.md or templates/TYPE.md is there, the page begins
as that, with {{title}}, {{date}} and {{type}} filled in.

The page gets its entry in the index that its neighbours stand in. A page that is
there already is never overwritten. The path is printed, for an editor.`,
		Example: `  wiki new concept "Rate limit"
  wiki new decision "Retries are bounded" --diff
  $EDITOR "$(wiki new concept 'Token bucket')"`,
		Annotations: exits("0  the page is made, or could be"),
		GroupID:     groupMake,
		SuggestFor:  []string{"add", "page-new", "touch"},
		Args:        takes(2, false, "TYPE", "TITLE"),
		RunE:        func(cmd *cobra.Command, args []string) error { return runNew(cmd.Context(), p, o, args[0], args[1]) },
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return p.pageTypes(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().StringVar(&o.today, "today", "", "date the page with this `DAY`")
	c.Flags().BoolVar(&o.diff, "diff", false, "print what would be made, and make nothing")
	return c
}

func runNew(ctx context.Context, p *program, o newOptions, typ, title string) error {
	today, err := p.today(o.today)
	if err != nil {
		return err
	}
	w, err := p.compile(ctx, compiler.Options{})
	if err != nil {
		return err
	}
	changes, file, err := scaffold.NewPage(ctx, w, scaffold.PageSpec{Type: typ, Title: title, Day: today})
	if err == nil && !o.diff {
		err = changes.Write()
	}
	if errors.Is(err, fs.ErrExist) {
		return misuse("write there, or give another title; nothing is overwritten", "%s is there already", path.Join(here(w.Workspace()), file))
	}
	if err != nil {
		return err
	}
	if o.diff {
		p.printDiff(changes.Diff(prefix(w.Workspace())))
		return nil
	}
	p.out.Println(path.Join(here(w.Workspace()), file))
	for _, c := range changes.List() {
		if c.To != file {
			p.say("listed in %s", path.Join(here(w.Workspace()), c.To))
		}
	}
	return nil
}

// pageTypes lists the types of pages for a shell that completes.
func (p *program) pageTypes(ctx context.Context) []string {
	w, err := p.compile(ctx, compiler.Options{})
	if err != nil {
		return nil
	}
	var out []string
	for t := range w.Config().Frontmatter.Types {
		out = append(out, t)
	}
	for _, page := range w.Pages() {
		if page.Meta.Type != "" {
			out = append(out, page.Meta.Type)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
