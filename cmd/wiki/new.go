package main

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/scaffold"
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
		Short: "Create a page from its type's template",
		Long: `Create a page of a type: in the folder for that type (frontmatter.types in
wiki.yaml, else the dialect's folder, else where most such pages are), with a
file name in the style of the folder, and with the required front matter and
sections. If _templates/TYPE.md or templates/TYPE.md exists, it is the template;
{{title}}, {{date}} and {{type}} are filled in.

The page is added to the index that lists its folder. An existing page is never
overwritten. The path is printed, for use with an editor.`,
		Example: `  wiki new concept "Rate limit"
  wiki new decision "Retries are bounded" --diff
  $EDITOR "$(wiki new concept 'Token bucket')"`,
		Annotations: exits("0  the page was created, or can be with --diff"),
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
	c.Flags().StringVar(&o.today, "today", "", "use `DAY` as the page's date")
	c.Flags().BoolVar(&o.diff, "diff", false, "print the changes as a diff, without making them")
	return c
}

func runNew(ctx context.Context, p *program, o newOptions, typ, title string) error {
	today, err := p.today(o.today)
	if err != nil {
		return err
	}
	return retried(func() error { return makePage(ctx, p, o, scaffold.PageSpec{Type: typ, Title: title, Day: today}) })
}

// makePage creates a page in the wiki as it is now.
func makePage(ctx context.Context, p *program, o newOptions, spec scaffold.PageSpec) error {
	w, err := p.compile(ctx, compiler.Options{})
	if err != nil {
		return err
	}
	changes, file, err := scaffold.NewPage(ctx, w, spec)
	if err == nil && !o.diff {
		err = changes.Write()
	}
	if errors.Is(err, fs.ErrExist) {
		return misuse("edit that page, or use another title", "%s already exists", path.Join(relativeRoot(w.Workspace()), file))
	}
	if err != nil {
		return err
	}
	if o.diff {
		p.printDiff(changes.Diff(prefix(w.Workspace())))
		return nil
	}
	p.out.Println(path.Join(relativeRoot(w.Workspace()), file))
	for _, c := range changes.List() {
		if c.To != file {
			p.say("added an entry to %s", path.Join(relativeRoot(w.Workspace()), c.To))
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
