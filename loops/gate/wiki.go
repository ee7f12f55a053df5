package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

var _ = register(Gate{
	ID:     "wiki",
	Stages: []loops.Stage{loops.StageChunk, loops.StageWiki},
	Doc:    "The linter has no new findings with the base's configuration, baseline and acknowledgements; markdown files of the scope outside the wiki have no new broken links; agents add no suppressions, set no status, verification or successor (people do), and rewrite no raw source or log.",
	phase:  phaseChange,
	judge:  judgeWiki,
})

// wikiAt is the wiki in an export.
type wikiAt struct {
	ws   *compiler.Workspace
	wiki *compiler.Wiki
}

// workspace finds the wiki of an export; nil if it has none.
func workspace(dir string) *compiler.Workspace {
	ws, err := compiler.Detect(dir, "")
	if err != nil || ws.ConfigPath == "" && ws.RootPath == "." {
		return nil
	}
	return ws
}

// wikiRoots are globs of the wiki's pages.
func (j *judge) wikiRoots() []string {
	ws := workspace(j.was.dir)
	switch {
	case ws == nil:
		return nil
	case ws.RootPath == ".":
		return []string{"**/*.md"}
	}
	return []string{ws.RootPath + "/**"}
}

func judgeWiki(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	was, now := workspace(j.was.dir), workspace(j.now.dir)
	if was == nil {
		return nil, nil
	}
	pages, beside := j.changesPages(was), j.beside(was)
	if !pages && (now == nil || len(beside) == 0) {
		return nil, nil
	}
	if now == nil {
		return because(loops.Violation, loops.ClassTampering, []loops.Reason{{Path: was.RootPath, Message: "the wiki was deleted"}}), nil
	}
	before, after, err := j.wikis(ctx)
	if err != nil {
		return nil, err
	}
	found := j.newlyBroken(before, after, beside)
	if pages {
		if out := j.silenced(before, after); len(out) > 0 {
			return because(loops.Violation, loops.ClassTampering, out), nil
		}
		added, err := j.newFindings(ctx, before, after)
		if err != nil {
			return nil, err
		}
		found = append(found, added...)
	}
	return because(loops.Red, loops.ClassLint, found), nil
}

// changesPages reports whether a file below the wiki's root, or a raw source
// beside it, was changed.
func (j *judge) changesPages(ws *compiler.Workspace) bool {
	for i := range j.changes {
		c := &j.changes[i]
		if below(ws, c.path) != "" && (ws.RootPath != "." || path.Ext(c.path) == ".md") || isRaw(ws, c.path) {
			return true
		}
	}
	return false
}

// below returns a path below the wiki's root, "" for one that does not exist.
func below(ws *compiler.Workspace, p string) string {
	if ws.RootPath == "." {
		return p
	}
	rel, ok := strings.CutPrefix(p, ws.RootPath+"/")
	if !ok {
		return ""
	}
	return rel
}

// isRaw reports whether a file is a raw source: in a folder of sources of the wiki,
// or beside it.
func isRaw(ws *compiler.Workspace, p string) bool {
	rel := below(ws, p)
	if rel == "" && path.Dir(ws.RootPath) != "." {
		rel = strings.TrimPrefix(p, path.Dir(ws.RootPath)+"/")
	}
	if rel == "" {
		rel = p
		if first, _, ok := strings.Cut(p, "/"); !ok || first != "raw" { // sources/ at the top is as often code
			return false
		}
	}
	if matchAny(ws.Config.Sources, rel) {
		return true
	}
	dirs := strings.Split(path.Dir(rel), "/")
	for _, d := range dirs {
		if schema.SourceFolder(d) {
			return true
		}
	}
	return false
}

func compileAt(ctx context.Context, ws *compiler.Workspace, j *judge) (*wikiAt, error) {
	w, err := compiler.Compile(ctx, ws, compiler.Options{Today: j.Today})
	if err != nil {
		return nil, fmt.Errorf("compile the wiki of an export: %w", err)
	}
	return &wikiAt{ws, w}, nil
}

// wikis are those of the tree before and of the candidate, both by the
// configuration of the first; nil where there is none. They are compiled once.
func (j *judge) wikis(ctx context.Context) (before, after *wikiAt, err error) {
	was, now := workspace(j.was.dir), workspace(j.now.dir)
	if j.before != nil || was == nil || now == nil {
		return j.before, j.after, nil
	}
	now.Config, now.Dialect = was.Config, was.Dialect
	if before, err = compileAt(ctx, was, j); err == nil {
		after, err = compileAt(ctx, now, j)
	}
	if err == nil {
		j.before, j.after = before, after
	}
	return before, after, err
}

// lint returns what the linter finds in a wiki, warnings and errors, by what the base
// has accepted. It is asked once.
func (j *judge) lint(ctx context.Context, w *wikiAt) ([]finding, error) {
	if out, known := j.linted[w]; known {
		return out, nil
	}
	cfg := linter.Config{Rules: j.Rules, Today: j.Today}
	var err error
	if cfg.Baseline, cfg.Acknowledged, err = Debt(j.before.ws); err != nil {
		return nil, err
	}
	res, err := linter.Run(ctx, w.wiki, cfg)
	if res == nil {
		return nil, err
	}
	groups := map[string]linter.Group{}
	for _, r := range res.Ran {
		groups[r.ID] = r.Group
	}
	out := []finding{}
	for _, d := range res.Findings {
		if d.Severity >= schema.Warning {
			out = append(out, finding{d, groups[d.Rule]})
		}
	}
	if j.linted == nil {
		j.linted = map[*wikiAt][]finding{}
	}
	j.linted[w] = out
	return out, err
}

// finding is one of the linter's, with the group of its rule.
type finding struct {
	schema.Diagnostic
	group linter.Group
}

// reason returns a finding as a gate gives it.
func (f *finding) reason(w *wikiAt) loops.Reason {
	return loops.Reason{Path: path.Join(w.ws.RootPath, f.Path), Line: f.From.Line, Message: f.Severity.String() + " " + f.Rule + ": " + f.Message}
}

// newFindings are warnings and errors that the base does not have.
func (j *judge) newFindings(ctx context.Context, before, after *wikiAt) ([]loops.Reason, error) {
	was, err := j.lint(ctx, before)
	if err != nil {
		return nil, err
	}
	now, err := j.lint(ctx, after)
	if err != nil {
		return nil, err
	}
	known := map[string]int{}
	for i := range was {
		known[was[i].Fingerprint]++
	}
	var out []loops.Reason
	for i := range now {
		f := &now[i]
		if j.c.Stage == loops.StageChunk && f.group == linter.Sources {
			continue // code that changes makes pages stale: that is the writer's work
		}
		if known[f.Fingerprint]--; known[f.Fingerprint] < 0 {
			out = append(out, f.reason(after))
		}
	}
	return out, nil
}

// Debt reads what a repository has accepted of its wiki: baseline and
// acknowledgements, nil where there are none.
func Debt(ws *compiler.Workspace) (*linter.Baseline, *linter.Acknowledgements, error) {
	home := ws.Dir
	if ws.ConfigPath != "" {
		home = filepath.Dir(ws.ConfigPath)
	}
	root, err := ws.Open(home)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	var b *linter.Baseline
	var a *linter.Acknowledgements
	src, err := root.ReadFile(schema.BaselineFile, files.State)
	if err == nil {
		b, err = linter.ReadBaseline(schema.BaselineFile, src)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	src, err = root.ReadFile(schema.AcknowledgedFile, files.Acknowledged)
	if err == nil {
		a, err = linter.ReadAcknowledged(schema.AcknowledgedFile, src)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	return b, a, nil
}
