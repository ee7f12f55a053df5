package main

import (
	"context"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/search"
	"github.com/spf13/cobra"
)

// searchDocument is the JSON of search.
type searchDocument struct {
	Version int             `json:"version" jsonschema:"version of this document, 1"`
	Query   string          `json:"query"`
	Total   int             `json:"total" jsonschema:"number of matching pages; results are the best of them"`
	Results []search.Result `json:"results" jsonschema:"best first"`
}

type searchOptions struct {
	most int
	json bool
}

func newSearch(p *program) *cobra.Command {
	var o searchOptions
	c := &cobra.Command{
		Use:   "search QUERY…",
		Short: "Search pages by text, tag or type",
		Long: `Search the pages and list the matches, best first: pages with more of the words,
in any English form, in the title or close together. Unknown words are treated
as typos, and the last word may be a prefix.

The index is stored in .loopwiki/cache, which can be deleted at any time.

  "exact phrase"   these words in this order
  tag:name         pages with this tag, or one below it
  type:name        pages of this type
  path:folder      pages in this folder, or below it`,
		Example: `  wiki search rate limit
  wiki search '"error budget" type:decision'
  wiki search retries -n 3 --json | jq -r '.results[].path'`,
		Annotations: exits("0  pages were found", "1  nothing was found"),
		GroupID:     groupAsk,
		SuggestFor:  []string{"find", "grep", "query", "ask"},
		Args:        takes(1, true, "QUERY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSearch(cmd.Context(), p, o, strings.Join(args, " "))
		},
	}
	c.Flags().IntVarP(&o.most, "max", "n", search.DefaultResults, "list at most `N` pages")
	c.Flags().BoolVar(&o.json, "json", false, "print the result as JSON")
	return c
}

func runSearch(ctx context.Context, p *program, o searchOptions, query string) error {
	switch {
	case strings.TrimSpace(query) == "":
		return misuse("pass words to search for: wiki search rate limit", "the query is empty")
	case o.most < 1:
		return misuse("use a number above 0", "-n: %d is not a number of pages", o.most)
	}
	ws, err := p.detect()
	if err != nil {
		return err
	}
	index, err := search.Open(ctx, ws, buildVersion().String(), func() (*compiler.Wiki, error) {
		w, err := p.compileAt(ctx, ws, compiler.Options{})
		if err != nil {
			return nil, err
		}
		return w, hasPages(w)
	})
	if err != nil {
		return err
	}
	res, err := index.Search(ctx, query, o.most)
	if err != nil {
		return err
	}
	if pages, bytes := index.Cut(); pages > 0 {
		p.say("%s longer than %d bytes: only the beginning is searched, because the wiki is large ('wiki doctor' lists the limits)", text.Count(pages, "page"), bytes)
	}
	if o.json {
		if err := p.json(searchDocument{1, res.Query, res.Total, res.Results}); err != nil {
			return err
		}
	} else {
		p.printResults(res)
	}
	if res.Total == 0 {
		return found()
	}
	return nil
}

func (p *program) printResults(res search.Results) {
	if res.Total == 0 {
		p.say("no results for %q", res.Query)
	}
	for _, r := range res.Results {
		status := ""
		if r.Status != "" {
			status = " (" + r.Status + ")"
		}
		p.out.Printf("%s  %s%s\n", r.Path, r.Title, status)
		if r.Snippet != "" {
			p.out.Printf("    ")
			p.bold(r.Snippet, r.Matches)
			p.out.Printf("\n")
		}
	}
	if more := res.Total - len(res.Results); more > 0 {
		p.say("%d more; use -n %d to list them", more, res.Total)
	}
}

// bold prints a text with ranges of it marked on a terminal that can show it.
func (p *program) bold(line string, ranges [][2]int) {
	var mark text.Style
	if p.color() {
		mark = text.NewStyle("1")
	}
	at := 0
	for _, r := range ranges {
		p.out.Printf("%s%s", line[at:r[0]], mark.Text(line[r[0]:r[1]]))
		at = r[1]
	}
	p.out.Printf("%s", line[at:])
}
