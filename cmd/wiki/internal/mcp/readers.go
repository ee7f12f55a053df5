package mcp

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/card"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/linter/claims"
	"github.com/loopwiki/wiki/schema"
)

func (s *Server) addReaders() {
	addReader(s, "search", "Find pages by words, \"phrase\", tag:x, type:x or path:folder. Gives handles and snippets; read on with read_page.", searchPages)
	addReader(s, "read_page", "Read a page or one section, as markdown. Of a long page the outline comes first.", readPage)
	addReader(s, "list_pages", "List pages with title, type and freshness.", listPages)
	addReader(s, "backlinks", "List the links to a page, each with the text around it.", backlinks)
	addReader(s, "graph", "Pages linked from and to a page; with to, a shortest path; without page, hubs and orphans.", graph)
	addReader(s, "claims", "List the values that pages state, and those that exclude each other.", listClaims)
	addReader(s, "lint", "List what is wrong with pages: broken links, contradictions, outdated sources.", lint)
	addReader(s, "status", "Count pages, findings and contradictions, and list the latest runs of loops.", status)
	addReader(s, "context_pack", "Whole sections that answer a question, best first, within a token budget; what is outdated or contradicted says so.", contextPack)
	addReader(s, "recent_changes", "List what commits and uncommitted edits changed in pages, newest first.", recentChanges)
}

type searchInput struct {
	Query string `json:"query"`
	window
}

func searchPages(ctx context.Context, v *view, in searchInput) (answer, error) {
	from, limit, err := in.bounds()
	if err != nil {
		return answer{}, err
	}
	if strings.TrimSpace(in.Query) == "" {
		return answer{}, &Error{"invalid_argument", "the query is empty", "use a few words of the answer"}
	}
	index, err := v.search(ctx)
	if err != nil {
		return answer{}, err
	}
	res, err := index.Search(ctx, in.Query, from+limit)
	if err != nil {
		return answer{}, err
	}
	if in.Limit == 0 {
		in.Limit = 10
	}
	return in.of(res.Total, "page", func(i int) string {
		if i >= len(res.Results) { // a search gives the best thousand
			return "…"
		}
		r := &res.Results[i]
		handle := r.Path
		if r.Anchor != "" {
			handle += "#" + r.Anchor
		}
		return fmt.Sprintf("%s  %s%s\n  %s", handle, clip(r.Title, 120), v.marks(v.Page(r.Page)), clip(r.Snippet, 300))
	})
}

// marks are the reasons not to rely on a page, or to keep it to oneself, in brackets.
func (v *view) marks(p *schema.Page) string {
	if p == nil {
		return ""
	}
	var out []string
	switch state := v.Freshness(p).State; state {
	case schema.FreshVerified, schema.FreshUnverified:
	default:
		out = append(out, string(state))
	}
	if v.private(p) {
		out = append(out, "private")
	}
	if len(out) == 0 {
		return ""
	}
	return " [" + strings.Join(out, ", ") + "]"
}

type listInput struct {
	Folder    string `json:"folder,omitempty"`
	Tag       string `json:"tag,omitempty"`
	Type      string `json:"type,omitempty"`
	Freshness string `json:"freshness,omitempty" jsonschema:"verified, unverified, draft, stale, contested or superseded"`
	window
}

func listPages(_ context.Context, v *view, in listInput) (answer, error) {
	if err := named(in.Folder, in.Tag, in.Type, in.Freshness); err != nil {
		return answer{}, err
	}
	folder := strings.Trim(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(in.Folder, `\`, "/")), "/"), "/")
	var pages []*schema.Page
	for _, p := range v.Pages() {
		switch {
		case folder != "" && !strings.HasPrefix(p.Path, folder+"/"):
		case in.Tag != "" && !slices.ContainsFunc(p.Tags, func(t schema.Tag) bool { return strings.EqualFold(t.Name, strings.TrimPrefix(in.Tag, "#")) }):
		case in.Type != "" && !strings.EqualFold(p.Meta.Type, in.Type):
		case in.Freshness != "" && !strings.EqualFold(string(v.Freshness(p).State), in.Freshness):
		default:
			pages = append(pages, p)
		}
	}
	return in.of(len(pages), "page", func(i int) string {
		p := pages[i]
		kind := p.Meta.Type
		if p.Layer == schema.LayerSource {
			kind = "source"
		}
		return strings.TrimRight(fmt.Sprintf("%s  %s  %s", p.Path, clip(p.Title, 120), clip(kind, 40)), " ") + v.marks(p)
	})
}

type pageInput struct {
	Page string `json:"page"`
	window
}

func backlinks(_ context.Context, v *view, in pageInput) (answer, error) {
	page, _, err := v.find(in.Page)
	if err != nil {
		return answer{}, err
	}
	all := card.Of(v.Wiki, page, schema.Watched{}).Backlinks
	return in.of(len(all), "backlink", func(i int) string {
		b := &all[i]
		return fmt.Sprintf("%s:%d  %s%s", b.Path, b.Line, clip(b.Context, 240), v.marks(v.Page(schema.PageID(strings.TrimSuffix(b.Path, path.Ext(b.Path))))))
	})
}

type graphInput struct {
	Page string `json:"page,omitempty"`
	To   string `json:"to,omitempty"`
	window
}

// hubs is how many of the most linked pages are listed.
const hubs = 10

func graph(_ context.Context, v *view, in graphInput) (answer, error) {
	g := v.Graph()
	var ids []schema.PageID
	label := func(int) string { return "" }
	head := ""
	switch {
	case in.Page == "" && in.To == "":
		orphans := g.Orphans()
		top := g.Hubs(hubs)
		head = fmt.Sprintf("%d pages, %d edges, %d components, %d pages without backlinks; hubs, then pages without backlinks: ", len(v.Pages()), g.Edges(), len(g.Components()), len(orphans))
		ids = slices.Concat(top, orphans)
		label = func(i int) string {
			if i < len(top) {
				return fmt.Sprintf("hub (%d in)  ", len(g.In(ids[i])))
			}
			return "orphan  "
		}
	default:
		page, _, err := v.find(in.Page)
		if err != nil {
			return answer{}, err
		}
		if in.To != "" {
			to, _, err := v.find(in.To)
			if err != nil {
				return answer{}, err
			}
			if ids = g.Path(page.ID, to.ID); ids == nil {
				return answer{head: "no path: the first page does not lead to the second"}, nil
			}
			head = "a shortest path: "
			break
		}
		out := g.Out(page.ID)
		ids = slices.Concat(out, g.In(page.ID))
		head = fmt.Sprintf("%d out, %d in: ", len(out), len(ids)-len(out))
		label = func(i int) string {
			if i < len(out) {
				return "-> "
			}
			return "<- "
		}
	}
	a, err := in.of(len(ids), "page", func(i int) string {
		p := v.Page(ids[i])
		return label(i) + p.Path + "  " + clip(p.Title, 120) + v.marks(p)
	})
	a.head = head + a.head
	return a, err
}

type claimsInput struct {
	Page   string `json:"page,omitempty"`
	Entity string `json:"entity,omitempty" jsonschema:"what the claims are about"`
	window
}

func listClaims(_ context.Context, v *view, in claimsInput) (answer, error) {
	if err := named(in.Entity); err != nil {
		return answer{}, err
	}
	wanted := func(c *schema.Claim, about schema.PageID) bool { return true }
	if in.Page != "" {
		page, _, err := v.find(in.Page)
		if err != nil {
			return answer{}, err
		}
		wanted = func(c *schema.Claim, _ schema.PageID) bool { return c.Page == page.ID }
	} else if in.Entity != "" {
		page, _ := card.Find(v.Wiki, in.Entity)
		wanted = func(c *schema.Claim, about schema.PageID) bool {
			return page != nil && about == page.ID || len(c.Subject.Names) > 0 && strings.EqualFold(c.Subject.Names[0], in.Entity)
		}
	}
	d := claims.Of(v.Wiki, wanted, func(*schema.Page) bool { return false })
	return in.of(len(d.Claims), "claim", func(i int) string {
		c := &d.Claims[i]
		line := fmt.Sprintf("%s:%d  %s of %s: %s", c.Path, c.Line, clip(c.Attr.Name, 80), clip(c.Subject.Name, 80), clip(c.Text, 120))
		if len(c.Scope) > 0 {
			line += " (when " + clip(strings.Join(c.Scope, ", "), 80) + ")"
		}
		if c.Cluster >= 0 {
			if cl := &d.Clusters[c.Cluster]; cl.Conflict {
				line += " [contradicted: " + clip(cl.Why, 80) + "]"
			}
		}
		return line
	})
}

type lintInput struct {
	Page string `json:"page,omitempty"`
	Rule string `json:"rule,omitempty"`
	window
}

func lint(ctx context.Context, v *view, in lintInput) (answer, error) {
	if err := named(in.Rule); err != nil {
		return answer{}, err
	}
	var page *schema.Page
	if in.Page != "" {
		var err error
		if page, _, err = v.find(in.Page); err != nil {
			return answer{}, err
		}
	}
	known := v.known(ctx)
	var found []schema.Diagnostic
	for _, d := range known.Findings {
		if (page == nil || d.Path == page.Path) && (in.Rule == "" || d.Rule == in.Rule) {
			found = append(found, d)
		}
	}
	slices.SortStableFunc(found, func(a, b schema.Diagnostic) int { return cmp.Compare(b.Severity, a.Severity) })
	a, err := in.of(len(found), "finding", func(i int) string { return findingLine(&found[i]) })
	if known.Problem != "" {
		a.head += "; incomplete: " + clip(known.Problem, 200)
	}
	return a, err
}

func findingLine(d *schema.Diagnostic) string {
	return fmt.Sprintf("%s:%d:%d %s %s: %s", d.Path, d.From.Line, d.From.Column, d.Severity, d.Rule, clip(d.Message, 400))
}

// maxCommits is how far recent_changes looks back.
const maxCommits = 300

func recentChanges(ctx context.Context, v *view, in window) (answer, error) {
	ws := v.Workspace()
	commits, err := history.Commits(ctx, ws.Dir, maxCommits)
	if err != nil {
		return answer{}, &Error{"failed", "the history of the pages is unknown: " + err.Error(), "the log page, if there is one, lists what was done: read_page log"}
	}
	var lines []string
	add := func(when, who string, status byte, file string) {
		name, ok := v.shown(file)
		if !ok {
			return
		}
		what := map[byte]string{'A': "added", 'D': "removed", 'R': "moved"}[status]
		if what == "" {
			what = "changed"
		}
		lines = append(lines, strings.Join(slices.DeleteFunc([]string{when, what, name, who}, func(s string) bool { return s == "" }), "  "))
	}
	if open, err := history.Since(ctx, ws.Dir, "HEAD"); err == nil {
		for _, file := range sortedKeys(open.Files) {
			status := byte('M')
			if open.Files[file].Gone {
				status = 'D'
			}
			add("uncommitted", "", status, file)
		}
	}
	for _, c := range slices.Backward(commits) {
		for _, f := range c.Files {
			add(c.Time.Format("2006-01-02")+" "+c.ID[:min(10, len(c.ID))], "by "+clip(c.Author, 60), f.Status, f.Path)
		}
	}
	a, err := in.of(len(lines), "change", func(i int) string { return lines[i] })
	if len(commits) == maxCommits {
		a.head += fmt.Sprintf("; of the last %d commits", maxCommits)
	}
	return a, err
}

// shown returns the path of a page below the wiki's root, by its path in the repository.
// A page that is gone may have been private.
func (v *view) shown(file string) (string, bool) {
	name := file
	if root := v.Workspace().RootPath; root != "." {
		var ok bool
		if name, ok = strings.CutPrefix(file, root+"/"); !ok {
			return "", false
		}
	}
	if v.Page(schema.PageID(strings.TrimSuffix(name, ".md"))) != nil {
		return name, true
	}
	return name, !v.lib.opt.Public && path.Ext(name) == ".md"
}
