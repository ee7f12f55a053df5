package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopwiki/wiki/compiler"
	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "undocumented-symbol",
	Group:    linter.Gaps,
	Severity: schema.Off,
	Since:    since,
	Summary:  "A file that a page covers exports a symbol that no page names.",
	Doc: `The page claims to cover the file, and readers who look for the symbol find nothing.

Off by default, because not every wiki documents every export. Switch it on for reference documentation:

    lint:
      rules:
        undocumented-symbol: info

Checked are files that pages name as sources (` + "`sources: [src/limits.go]`" + `,
` + "`covers: [src/billing/, \"src/**/*.ts\"]`" + `), as a whole file, a folder or a pattern, in the supported languages.
Counted are exported top-level symbols: a capital in Go, ` + "`export`, `pub`, `public`" + `, no leading underscore in
Python, a header in C or C++. A symbol is named if its name is on any page as a word. Tests, examples and
generated files are left out.

There is one finding per file, at the first page that covers it. Name the symbols there, or cover fewer files.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d covered files export symbols that no page names. First: %s", n, first.Message)
	},
	Check: undocumentedSymbols,
})

const (
	mostCovered   = 2000 // files that are looked at
	mostTreeFiles = 200_000
)

// coveredFile is a file that a page says it is about.
type coveredFile struct {
	page    *schema.Page
	at      schema.Span
	file    string // relative to the wiki's root
	symbols []*src.Symbol
}

func undocumentedSymbols(p *linter.Pass) {
	code, tree := src.NewCode(p.Wiki), compiler.NewTree(p.Wiki)
	files, ok := coveredFiles(p, code, tree)
	if !ok {
		return
	}
	named := map[string]bool{} // every symbol, and whether a page names it
	for i := range files {
		f, err := code.File(p, files[i].file)
		if err != nil || p.Err() != nil {
			continue // unverifiable-source says so
		}
		files[i].symbols = f.Exported()
		for _, s := range files[i].symbols {
			named[s.Name] = false
		}
	}
	if len(named) == 0 {
		return
	}
	for _, page := range p.Wiki.Pages() {
		nameWords(page.Source, named)
	}
	for i := range files {
		reportUnnamed(p, tree, &files[i], named)
	}
}

// nameWords marks the names that are whole words of a text.
func nameWords(text []byte, named map[string]bool) {
	for i := 0; i < len(text); i++ {
		if !identifierByte(text[i]) {
			continue
		}
		from := i
		for i < len(text) && identifierByte(text[i]) {
			i++
		}
		if said, known := named[string(text[from:i])]; known && !said {
			named[string(text[from:i])] = true
		}
	}
}

func identifierByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

func reportUnnamed(p *linter.Pass, tree *compiler.Tree, c *coveredFile, named map[string]bool) {
	var missing []string
	for _, s := range c.symbols {
		if !named[s.Name] {
			missing = append(missing, s.Name)
		}
	}
	if len(missing) == 0 {
		return
	}
	list := strings.Join(missing[:min(len(missing), mostNamed)], ", ")
	if len(missing) > mostNamed {
		list += fmt.Sprintf(" and %d more", len(missing)-mostNamed)
	}
	p.ReportCause("unnamed", c.page.Path, c.at, "no page names %d of the %s exported by %s: %s; document them here, or cover fewer files",
		len(missing), text.Count(len(c.symbols), "symbol"), tree.Below(c.file), list)
}

// coveredFiles returns the files that pages cover, each once, in order of the
// first page that does.
func coveredFiles(p *linter.Pass, code *src.Code, tree *compiler.Tree) (out []coveredFile, ok bool) {
	seen := map[string]bool{}
	add := func(page *schema.Page, at schema.Span, file string) {
		if !seen[file] && src.Known(file) && !src.MuteFile(tree.Below(file)) {
			seen[file] = true
			out = append(out, coveredFile{page: page, at: at, file: file})
		}
	}
	var all []string // of the repository, once a folder or a pattern asks
	for _, page := range p.Wiki.Pages() {
		if historical(page) {
			continue
		}
		for i := range page.Meta.Sources {
			s := &page.Meta.Sources[i]
			name := s.Anchor.Path
			if s.Anchor.Rev != "" || s.Anchor.Symbol != "" || s.Anchor.FromLine > 0 || name == "" {
				continue
			}
			file, folder := code.Locate(page, name)
			if file != "" && !folder {
				add(page, s.Span, file)
				continue
			}
			if all == nil {
				var more bool
				if all, more = p.Wiki.SourceFiles(p, tree, mostTreeFiles, func(string) bool { return true }, src.Known); more {
					p.Skip("the repository has more than %d files and folders; cover files by name", mostTreeFiles)
					return nil, false
				}
			}
			for _, f := range all {
				if folder && strings.HasPrefix(f, strings.TrimSuffix(file, "/")+"/") || file == "" && matchesSource(tree.Below(f), name) {
					add(page, s.Span, f)
				}
			}
		}
	}
	if len(out) > mostCovered {
		p.Skip("pages cover %d files, and only %d are checked; cover fewer files", len(out), mostCovered)
		out = out[:mostCovered]
	}
	return slices.Clip(out), true
}

// matchesSource reports whether a pattern matches a path below the repository.
func matchesSource(file, pattern string) bool {
	if !strings.ContainsAny(pattern, "*?[{") {
		return false
	}
	ok, err := doublestar.Match(strings.TrimPrefix(path.Clean(pattern), "/"), file)
	return ok && err == nil
}
