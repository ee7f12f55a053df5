package control

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// tasks is the work list of a writer: the pages that are about what the run
// changed, heaviest first, and the decision page that the plan asks for.
func tasks(ctx context.Context, start *loops.Start, worktree string) (string, error) {
	if start.Audit != nil {
		return pageTask, nil
	}
	if start.Documentation != nil {
		return documentationTasks(start.Documentation), nil
	}
	if start.Ingest != nil {
		return intakeTasks(start.Ingest), nil
	}
	w, err := wikiOf(ctx, worktree)
	if w == nil || err != nil {
		return "", err
	}
	ws := w.Workspace()
	changes, err := history.Since(ctx, ws.Root, start.Base)
	if err != nil {
		return "", fmt.Errorf("what the run changed: %w", err)
	}
	lock, err := source.ReadLock(ws)
	if err != nil {
		return "", err
	}
	code := source.NewCode(w)
	work, err := source.Stale(ctx, w, code, lock, changes)
	if err != nil {
		return "", fmt.Errorf("which pages are about what changed: %w", err)
	}
	var b strings.Builder
	for _, item := range work {
		fmt.Fprintf(&b, "- %s: %s\n", path.Join(ws.RootPath, item.Path), oneLine(item.Reason))
		for _, target := range item.Targets {
			fmt.Fprintf(&b, "  - %s\n", oneLine(target))
		}
	}
	if len(work) == 0 {
		b.WriteString(unwritten(ctx, code, ws, changes))
	}
	if start.Plan.Decision {
		fmt.Fprintf(&b, "- a decision page, where the wiki keeps them: what was decided, why, and what was not chosen. It links %s; if there is one that does, see that it is right.\n", start.Plan.Path)
	}
	return b.String(), nil
}

// unwritten lists the changed code that no page is about: it may hold a concept
// that is new. Tests, texts and configuration hold none.
func unwritten(ctx context.Context, code *source.Code, ws *compiler.Workspace, changes *schema.Changes) string {
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(changes.Files)) {
		switch path.Ext(file) {
		case ".md", ".json", ".yaml", ".yml", ".toml", ".txt":
			continue
		}
		f, err := code.File(ctx, file)
		if changes.Files[file].Gone || err != nil || f.Language == "text" || len(f.Symbols) == 0 || strings.Contains(path.Base(file), "test") {
			continue
		}
		fmt.Fprintf(&b, "- %s changed, and no page is about it: write one if it holds a concept that others will link to\n", path.Join(ws.RootPath, file))
	}
	return b.String()
}

// oneLine keeps one line of a list on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// wikiOf compiles the wiki of a worktree, nil if it has none.
func wikiOf(ctx context.Context, worktree string) (*compiler.Wiki, error) {
	ws, err := compiler.Detect(worktree, "")
	var root *compiler.RootError
	if errors.As(err, &root) || err == nil && ws.ConfigPath == "" && ws.RootPath == "." {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	w, err := compiler.Compile(ctx, ws, compiler.Options{History: true})
	if err != nil || len(w.Pages()) == 0 {
		return nil, err
	}
	return w, nil
}

// idle says why a writer is not called: no page is about what changed. One whose
// pages were refused is called again.
func idle(ctx context.Context, s *loops.State, c loops.Command) (string, error) {
	if c.Role != loops.Writer || len(c.Feedback) > 0 {
		return "", nil
	}
	list, err := tasks(ctx, s.Work(), s.Place.Path)
	if err != nil || list != "" {
		return "", err
	}
	return "no page of the wiki is about what changed, and no code did", nil
}
