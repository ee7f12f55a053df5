package worklist

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/docs"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// known is how many commits are read for the paths of files that are gone.
const known = 2000

// mostFindings and longestFinding bound what is kept of the linter's findings.
const (
	mostFindings   = 40
	longestFinding = 300
)

// List returns what changed from a commit to another means for the wiki. It is made
// of the commit alone, in a folder outside the repository: what lies in the main
// checkout and is not committed is not what a run works on.
func (l *Lister) List(ctx context.Context, s *plan.LoopSpec, from Span, base string) (*loops.DocumentationRequest, error) {
	d := &loops.DocumentationRequest{Since: from.since, From: from.how, Pages: []loops.DocumentationPage{}}
	if from.since == base && !s.ReadsFindings() {
		return d, nil
	}
	dir, done, err := contain.Scratch()
	if err != nil {
		return nil, err
	}
	defer done()
	copied, err := history.NewReplay(ctx, l.Root, dir, 1)
	if err != nil {
		return nil, err
	}
	if err := copied.Checkout(ctx, base); err != nil {
		return nil, err
	}
	w, err := repo.Wiki(ctx, dir)
	if w == nil || err != nil {
		return nil, orError(err, &run.MissingError{What: "no wiki at " + base[:12], Hint: "commit one, or create one with 'wiki init'"})
	}
	var bindings *docs.Bindings
	if d.Pages, bindings, err = l.changedPages(ctx, s, w, dir, from.since); err != nil {
		return nil, err
	}
	found, err := l.lintOf(ctx, w)
	if err != nil {
		return nil, err
	}
	edited := map[string]bool{}
	if from.people {
		if edited, err = l.editedByPeople(ctx, from.since, base, bindings); err != nil {
			return nil, err
		}
	}
	found = slices.DeleteFunc(found, func(f finding) bool {
		if !f.mendable || edited[f.at.Path] || !listed(s)(f.at.Path) {
			return false
		}
		d.Moved = append(d.Moved, f.at.Path)
		return true
	})
	slices.Sort(d.Moved)
	d.Moved = slices.Compact(d.Moved)
	if s.ReadsFindings() {
		d.Pages = byFindings(s, found, d.Pages)
	}
	d.Edited = slices.Sorted(maps.Keys(edited))
	for i := range d.Pages {
		d.Pages[i].Edited = edited[d.Pages[i].Path]
	}
	narrow(s, d)
	findings(found, d)
	return d, nil
}

// changedPages returns the pages about what changed since a commit, none where the spec
// does not look there, and what pages are bound to.
func (l *Lister) changedPages(ctx context.Context, s *plan.LoopSpec, w *compiler.Wiki, dir, since string) ([]loops.DocumentationPage, *docs.Bindings, error) {
	changes, err := history.Since(ctx, w.Workspace().Root, since)
	if err != nil {
		return nil, nil, fmt.Errorf("list changes since %.12s: %w", since, err)
	}
	sets, err := history.Commits(ctx, dir, known)
	if err != nil {
		return nil, nil, err
	}
	bindings := bind(ctx, w, changes, sets)
	if !s.ReadsChanges() {
		return []loops.DocumentationPage{}, bindings, nil
	}
	items, err := docs.List(ctx, w, bindings, changes, docs.DefaultLimit, listed(s))
	return pagesOf(items), bindings, err
}

func orError(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// bind binds the pages to the files that there are and were.
func bind(ctx context.Context, w *compiler.Wiki, changes *schema.Changes, sets []history.ChangeSet) *docs.Bindings {
	root := w.Workspace().RootPath
	var files []string
	for _, set := range sets {
		for _, f := range set.Files {
			files = append(files, f.Path)
		}
	}
	for f, c := range changes.Files {
		files = append(files, path.Join(root, f))
		if c.Before != "" {
			files = append(files, path.Join(root, c.Before))
		}
	}
	slices.Sort(files)
	return docs.Bind(ctx, w, slices.Compact(files))
}

// findings are the linter's on the pages of a work list.
func findings(found []finding, d *loops.DocumentationRequest) {
	listed := map[string]bool{}
	for _, page := range d.Pages {
		listed[page.Path] = true
	}
	for _, f := range found {
		if !listed[f.at.Path] {
			continue
		}
		if d.Found++; len(d.Findings) < mostFindings {
			d.Findings = append(d.Findings, f.at)
		}
	}
}

// editedByPeople returns the pages that commits changed, except for what a runner wrote
// and is still as it wrote it. Index and log are everybody's.
func (l *Lister) editedByPeople(ctx context.Context, since, base string, b *docs.Bindings) (map[string]bool, error) {
	text, err := l.Git(ctx, "log", "-z", "--format=%H%n%B", since+".."+base)
	if err != nil {
		return nil, err
	}
	var commits bytes.Buffer
	written := make(map[string][]string) // by commit: the ids of what a runner made of pages
	for message := range strings.SplitSeq(text, "\x00") {
		if id, body, _ := strings.Cut(message, "\n"); id != "" {
			commits.WriteString(id + "\n")
			written[id] = strings.Fields(strings.Join(trailers(body, loops.PagesTrailer), " "))
		}
	}
	c := repo.Command(ctx, l.Root, "diff-tree", "--stdin", "-r", "-c", "-z", "--raw", "--no-abbrev", "--no-renames")
	c.Stdin = &commits
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("list pages that people changed: %w", err)
	}
	edited := map[string]bool{}
	commit, blob := "", ""
	for field := range strings.SplitSeq(string(out), "\x00") {
		switch {
		case blob != "": // a path
			if page(field, b) && !slices.Contains(written[commit], blob[:min(len(blob), loops.PageID)]) {
				edited[field] = true
			}
			blob = ""
		case strings.HasPrefix(field, ":"): // modes, ids and a letter; a merge has those of every parent first
			if f := strings.Fields(field); len(f) > 4 {
				blob = f[len(f)-2]
			}
		default:
			commit = field
		}
	}
	return edited, nil
}

// page reports whether a file is one that a person may have written for readers.
func page(name string, b *docs.Bindings) bool {
	return strings.EqualFold(path.Ext(name), ".md") && (b.OfWiki(name) || contextFile(name)) && !docs.Kept(name)
}

// contextFile reports whether a file tells agents about the repository.
func contextFile(name string) bool { return name == "CONTEXT.md" || name == "agents/CONTEXT.md" }
