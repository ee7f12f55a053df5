// Package replay measures the precision of the staleness rules: it replays the history of a
// repository as if a page had described every symbol before each commit, and counts which
// pages the commit flags.
package replay

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/compiler/source"
)

// folder holds the pages that are made up; nobody's repository has one so called.
const folder = "wiki-of-replay"

// Outcome is what one commit did to one page section.
type Outcome struct {
	Commit  string
	Target  string // path#symbol before the commit
	State   source.State
	Moved   string              // path#symbol after it, of source-moved
	Values  []source.StaleValue // of stale-value
	Stated  []string            // the literals that the section states
	Before  *source.Symbol
	After   *source.Symbol // of the same name in the same file, followed by git; nil when there is none
	Renamed string         // path#symbol after the commit when git says that the file was renamed and it still has the symbol
}

// Run replays the last commits of the repository that dir lies in, at most limit
// of them, 0 being all, and reports every page section that is about a file that a
// commit changed. Sections about other files are not asked: nothing changed for them.
func Run(ctx context.Context, dir string, limit int, step func(done, total int), report func(*Outcome)) (commits int, err error) {
	work, err := os.MkdirTemp("", "wiki-replay-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	if limit > 0 {
		limit++ // the first is only what the second changes
	}
	r, err := history.NewReplay(ctx, dir, work, limit)
	if err != nil {
		return 0, err
	}
	for i := 1; i < len(r.Commits); i++ {
		if step != nil {
			step(i, len(r.Commits)-1)
		}
		looked, err := replayed(ctx, r, work, r.Commits[i-1], r.Commits[i], report)
		if err != nil {
			return commits, fmt.Errorf("commit %.7s: %w", r.Commits[i], err)
		}
		if looked {
			commits++
		}
	}
	return commits, nil
}

// replayed looks at one commit; looked is false when it changed no code.
func replayed(ctx context.Context, r *history.Replay, work, before, after string, report func(*Outcome)) (looked bool, err error) {
	changed, err := r.Changed(ctx, before, after)
	if err != nil || len(changed) == 0 {
		return false, err
	}
	if err := r.Checkout(ctx, before); err != nil {
		return false, err
	}
	pages := map[string][]*Outcome{} // by target
	texts := map[string]string{}
	for file := range changed {
		src, err := os.ReadFile(filepath.Join(work, filepath.FromSlash(file)))
		if err != nil || !source.Known(file) {
			continue
		}
		if f, err := source.Parse(ctx, file, src); err == nil {
			write(f, after, texts, pages)
		}
	}
	if len(pages) == 0 {
		return false, nil
	}
	lock, err := verified(ctx, work, texts)
	if err != nil {
		return false, err
	}
	if err := r.Checkout(ctx, after); err != nil {
		return false, err
	}
	w, err := compile(ctx, work)
	if err != nil {
		return false, err
	}
	verdicts, err := source.Judge(ctx, w, source.NewCode(w), lock)
	if err != nil {
		return false, err
	}
	now := map[string]*source.File{}
	for i := range verdicts {
		v := &verdicts[i]
		for _, o := range pages[v.Target] {
			o.State, o.Moved, o.Values = v.State, v.Moved, v.Values
			o.lookup(ctx, work, changed, now)
			report(o)
		}
		delete(pages, v.Target)
	}
	return true, nil
}

// write makes a page about a file, with a section for each symbol that others see.
func write(f *source.File, commit string, texts map[string]string, pages map[string][]*Outcome) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", f.Path)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if len(f.Lookup(s.Name)) != 1 || !exported(f.Language, s.Name) || strings.ContainsAny(s.Name, " \t\n|%#`[]<>\"") {
			continue
		}
		o := &Outcome{Commit: commit, Target: f.Path + "#" + s.Name, Before: s, Stated: stated(s)}
		fmt.Fprintf(&b, "\n## Section %d\n\nIt is about %s", i, s.Name)
		for _, l := range o.Stated {
			fmt.Fprintf(&b, ", and has %s", plain(l))
		}
		fmt.Fprintf(&b, ".\n\n<!-- wiki:src %s -->\n", o.Target)
		pages[o.Target] = append(pages[o.Target], o)
	}
	texts[strings.NewReplacer("/", "-", ".", "-").Replace(f.Path)+".md"] = b.String()
}

// mostStated bounds how many literals a section states.
const mostStated = 4

// stated returns the literals of a symbol that a page would state in a word.
func stated(s *source.Symbol) []string {
	var out []string
	for _, l := range s.Literals {
		if p := plain(l.Text); len(p) > 0 && len(p) < 30 && !slices.Contains(out, l.Text) && len(out) < mostStated &&
			strings.IndexFunc(p, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0 {
			out = append(out, l.Text)
		}
	}
	return out
}

func plain(literal string) string { return strings.Trim(literal, "\"'`") }

// exported reports whether others than the file itself see a symbol.
func exported(language, name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	first, _ := utf8.DecodeRuneInString(last)
	switch language {
	case "go":
		return unicode.IsUpper(first)
	case "python", "javascript", "typescript":
		return first != '_' && first != '#'
	}
	return true
}

// verified writes pages and returns the lock that says that they are true.
func verified(ctx context.Context, work string, texts map[string]string) (*source.Lock, error) {
	dir := filepath.Join(work, folder)
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	w, err := compile(ctx, work)
	if err != nil {
		return nil, err
	}
	bounds, err := source.Bind(ctx, w, source.NewCode(w), nil)
	if err != nil {
		return nil, err
	}
	var all []source.Binding
	for i := range bounds {
		if b, ok := bounds[i].Stamp(time.Time{}); ok {
			all = append(all, b)
		}
	}
	return (&source.Lock{}).With(all, nil), nil
}

func compile(ctx context.Context, work string) (*compiler.Wiki, error) {
	ws, err := compiler.Detect(work, folder)
	if err != nil {
		return nil, err
	}
	return compiler.Compile(ctx, ws, compiler.Options{History: true})
}

// lookup finds the symbol after the commit as git follows files.
func (o *Outcome) lookup(ctx context.Context, work string, changed map[string]string, now map[string]*source.File) {
	file, name, _ := strings.Cut(o.Target, "#")
	to := changed[file]
	if to == "" {
		return
	}
	f, known := now[to]
	if !known {
		if src, err := os.ReadFile(filepath.Join(work, filepath.FromSlash(to))); err == nil {
			f, _ = source.Parse(ctx, path.Clean(to), src)
		}
		now[to] = f
	}
	if f == nil {
		return
	}
	if found := f.Lookup(name); len(found) == 1 && found[0].Name == name {
		o.After = found[0]
		if to != file {
			o.Renamed = to + "#" + name
		}
	}
}
