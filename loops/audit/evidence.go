package audit

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"github.com/loopwiki/wiki/schema"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/loops"
)

// Repository is what evidence is gathered from.
type Repository struct {
	Tree *Tree
	// Churn is how many of the last commits changed a file; Commits is how many those
	// are.
	Churn   map[string]int
	Commits int
	// Pages are those of the wiki, and WikiRoot is its folder, "" if there is none.
	Pages    []Page
	WikiRoot string
	// Lint is what the linter finds.
	Lint []loops.Reason
	// Doubts are statements of two pages that may contradict each other, which no rule
	// and no judge has decided, the likeliest first.
	Doubts [][2]loops.Reason
	// Terms are names that pages use and none explains.
	Terms []Term
	// Plans are those that are there, a line each.
	Plans []string
}

// Page is a page of the wiki.
type Page struct {
	Path    string // below the repository
	Title   string
	Summary string
}

// Evidence is what is known of a repository before anybody is asked. Every list is
// sorted.
type Evidence struct {
	Files        []File
	Untested     []Place // functions and types for others that no test names
	Undocumented []Place // and those of which neither a comment nor a page says what they are
	Hotspots     []File  // what changes most for its size, the first 20
	Context      string  // agents/CONTEXT.md, what people say to agents
	Unread       int     // files that were left out, as there are too many
	Repository   *Repository
}

// File is a file of code.
type File struct {
	Path     string
	Language string // "text" if only its lines are known
	Lines    int
	Symbols  []string // that others can name
	Test     bool
	// Tested is set if a test names one of its symbols, or is called like it.
	Tested bool
	Churn  int
}

// heat returns how much of a hotspot a file is: commits that changed it, by its lines.
func (f *File) heat() int { return f.Churn * f.Lines }

// Place is a symbol and where it is declared.
type Place struct {
	Path   string
	Line   int
	Symbol string
}

// The bounds of what is read.
const (
	mostRead     = 4000     // files
	mostBytes    = 64 << 20 // of them
	mostHotspots = 20
)

// identifier is a name in code, or in a page about it.
var identifier = schema.Expression(`[\pL_][\pL\pN_]*`)

// leftOut are files that say nothing of what a repository does.
var leftOut = schema.Expression(`(?i)(^|/)(vendor|node_modules|testdata|fixtures|\.git|\.loopwiki|plans|dist|build)/|(^|/)(go\.sum|go\.work\.sum|[^/]*lock\.(json|ya?ml)|[^/]*\.lock|[^/]*\.min\.(js|css)|[^/]*\.(svg|md|csv|tsv|map|snap|golden|txtar))$`)

// Gather reads a repository. The error is that of ctx.
func Gather(ctx context.Context, r *Repository) (*Evidence, error) {
	e := &Evidence{Repository: r, Context: firstOf(r.Tree, "agents/CONTEXT.md", "CONTEXT.md")}
	code := make(map[string]*parsed)
	tested, stems := make(map[string]bool), make(map[string]bool)
	bytesRead := 0
	for _, name := range r.Tree.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if leftOut().MatchString(name) || r.WikiRoot != "" && r.WikiRoot != "." && strings.HasPrefix(name, r.WikiRoot+"/") {
			continue
		}
		if len(e.Files) >= mostRead || bytesRead >= mostBytes {
			e.Unread++
			continue
		}
		f := r.Tree.file(ctx, name)
		if f == nil || bytes.IndexByte(f.Source[:min(len(f.Source), 8<<10)], 0) >= 0 {
			continue
		}
		bytesRead += len(f.Source)
		out := File{Path: name, Language: f.Language, Lines: len(f.lines), Test: r.Tree.Test(name), Churn: r.Churn[name]}
		for _, s := range f.Exported() {
			out.Symbols = append(out.Symbols, s.Name)
		}
		if out.Test {
			note(tested, f.Source)
			stems[stem(name)] = true
		}
		code[name] = f
		e.Files = append(e.Files, out)
	}
	e.judge(code, tested, stems)
	return e, nil
}

// judge finds what is not tested, not documented, and hot.
func (e *Evidence) judge(code map[string]*parsed, tested, stems map[string]bool) {
	documented := make(map[string]bool)
	for _, p := range e.Repository.Pages {
		if src, ok := e.Repository.Tree.read(p.Path); ok {
			note(documented, src)
		}
	}
	for i := range e.Files {
		f := &e.Files[i]
		if f.Test {
			continue
		}
		f.Tested = stems[stem(f.Path)]
		lines := code[f.Path].lines
		for _, s := range code[f.Path].Exported() {
			at := Place{f.Path, s.Line, s.Name}
			large := s.Kind == source.KindFunction || s.Kind == source.KindType
			if tested[s.Name] {
				f.Tested = true
			} else if large {
				e.Untested = append(e.Untested, at)
			}
			if large && !documented[s.Name] && !commented(lines, s.Line) {
				e.Undocumented = append(e.Undocumented, at)
			}
		}
		if f.heat() > 0 {
			e.Hotspots = append(e.Hotspots, *f)
		}
	}
	slices.SortFunc(e.Hotspots, func(a, b File) int {
		return cmp.Or(cmp.Compare(b.heat(), a.heat()), strings.Compare(a.Path, b.Path))
	})
	e.Hotspots = e.Hotspots[:min(len(e.Hotspots), mostHotspots)]
}

// note remembers the names in a text.
func note(into map[string]bool, src []byte) {
	for _, name := range identifier().FindAll(src, -1) {
		into[string(name)] = true
	}
}

// testAffix is what a test's name has beside that of what it tests.
var testAffix = schema.Expression(`(?i)^tests?[_-]|[._-](tests?|spec)$|(Tests?|Spec)$`)

// stem returns what a file and its test have in common.
func stem(name string) string {
	base := path.Base(name)
	if dot := strings.LastIndexByte(base, '.'); dot > 0 {
		base = base[:dot]
	}
	return testAffix().ReplaceAllString(base, "")
}

// commented reports whether a comment stands directly above a declaration, or, as
// in Python, directly below its first line.
func commented(lines []string, line int) bool {
	if line < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[line]), `"""`) {
		return true
	}
	for at := line - 2; at >= 0 && at < len(lines); at-- {
		text := strings.TrimSpace(lines[at])
		if strings.HasPrefix(text, "@") || strings.HasPrefix(text, "#[") { // a decorator, an attribute
			continue
		}
		for _, mark := range []string{"//", "#", "/*", "*", "--"} {
			if strings.HasPrefix(text, mark) {
				return true
			}
		}
		return strings.HasSuffix(text, "*/")
	}
	return false
}

// firstOf returns the text of the first of some files that is there.
func firstOf(t *Tree, names ...string) string {
	for _, n := range names {
		if src, ok := t.read(n); ok {
			return strings.ToValidUTF8(string(src), "�")
		}
	}
	return ""
}

// String is path:line symbol.
func (p Place) String() string { return fmt.Sprintf("%s:%d %s", p.Path, p.Line, p.Symbol) }
