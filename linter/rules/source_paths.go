package rules

import (
	"path"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// day is how messages write a day, and recorded how long after a moment what
// belongs to it may be committed.
const (
	day      = time.DateOnly
	recorded = 24 * time.Hour
)

// sourceRef is one place where a page names a file that it was made from.
type sourceRef struct {
	page   *schema.Page
	commit string      // that it was read at, if the page says
	name   string      // the path as written, without lines, symbol or revision
	at     schema.Span // of name, or of what it is in
	front  bool        // in the front matter; else a citation in running text
	found  string      // where it lies, relative to the wiki's root; empty when nowhere
	folder bool        // and that is a folder
}

// sourceRefs are the files that pages name as their sources.
type sourceRefs struct {
	tree *compiler.Tree
	all  []sourceRef // in order of page, the front matter first
}

var sourceFact = linter.NewFact(func(w *compiler.Wiki) *sourceRefs {
	s := &sourceRefs{tree: compiler.NewTree(w)}
	var names map[string]string
	for _, page := range w.Pages() {
		for _, ref := range namedSources(page) {
			ref.found, ref.folder = s.find(page, ref.name)
			if ref.found == "" && !strings.Contains(ref.name, "/") {
				if names == nil {
					names = nameIndex(w)
				}
				ref.found = names[fold(ref.name)]
			}
			if ref.found == "" && !filePath(ref.name) {
				continue // only there would it be a path
			}
			s.all = append(s.all, ref)
		}
	}
	return s
})

// nameIndex returns a file of each name, folded, to its path: sources are often
// given by their bare name.
func nameIndex(w *compiler.Wiki) map[string]string {
	m := make(map[string]string, len(w.Pages())+len(w.Files()))
	for _, f := range w.Beside() {
		m[fold(path.Base(f))] = f
	}
	for _, f := range w.Files() {
		m[fold(path.Base(f))] = f
	}
	for _, p := range w.Pages() {
		m[fold(path.Base(p.Path))] = p.Path
	}
	return m
}

// namedSources returns the sources of a page that may be paths. Those written as
// links are links, and left to the rules about them.
func namedSources(page *schema.Page) []sourceRef {
	var out []sourceRef
	for i := range page.Meta.Sources {
		s := &page.Meta.Sources[i]
		if s.Anchor.Rev == "" && pathLike(s.Anchor.Path) && !inFrontLink(page, s.Span) {
			out = append(out, sourceRef{page: page, name: s.Anchor.Path, at: pathSpan(page, s.Span, s.Anchor.Path), front: true, commit: s.Commit})
		}
	}
	for i := range page.Citations {
		c := &page.Citations[i]
		if c.Ref.Rev == "" && !c.Code && filePath(c.Ref.Path) {
			out = append(out, sourceRef{page: page, name: c.Ref.Path, at: pathSpan(page, c.Span, c.Ref.Path)})
		}
	}
	return out
}

// pathSpan narrows the place of an anchor to its path, so that a fix leaves the
// lines behind it alone.
func pathSpan(page *schema.Page, span schema.Span, name string) schema.Span {
	if i := strings.Index(string(span.In(page.Source)), name); i >= 0 {
		return schema.Span{Start: span.Start + i, End: span.Start + i + len(name)}
	}
	return span
}

func inFrontLink(page *schema.Page, span schema.Span) bool {
	for i := range page.Links {
		if l := &page.Links[i]; l.Field != "" && (l.Span.Overlaps(span) || l.Block.Overlaps(span)) {
			return true
		}
	}
	return false
}

// bases returns the possible meanings of a path on a page, relative to the wiki's root:
// it may be relative to the page's folder, to one above, which may be a wiki itself, to
// the wiki's root, or to the repository.
func (s *sourceRefs) bases(page *schema.Page, name string) []string {
	if strings.HasPrefix(name, "/") {
		name = strings.TrimPrefix(path.Clean(name), "/")
		return []string{name, s.tree.Above(name)}
	}
	var out []string
	name = path.Clean(name)
	for dir := path.Dir(page.Path); dir != "."; dir = path.Dir(dir) {
		out = append(out, path.Join(dir, name))
		if strings.HasPrefix(name, "../") {
			break
		}
	}
	return append(out, name, s.tree.Above(name))
}

// find returns where the file or folder lies that a page names, relative to the
// wiki's root, "" when it is nowhere.
func (s *sourceRefs) find(page *schema.Page, name string) (file string, folder bool) {
	for _, p := range s.bases(page, name) {
		if folder, ok := s.tree.Exists(p); ok {
			return p, folder
		}
	}
	return "", false
}

// topHere reports whether the first folder of a path is there, so that the file
// belongs here.
func (s *sourceRefs) topHere(page *schema.Page, name string) bool {
	name = path.Clean(name)
	rest := name
	for strings.HasPrefix(rest, "../") {
		rest = rest[len("../"):]
	}
	first, _, inFolder := strings.Cut(rest, "/")
	dir := name[:len(name)-len(rest)] + first
	if !inFolder || strings.Trim(dir, "./") == "" {
		return false // the top is there whatever the path means
	}
	found, folder := s.find(page, dir)
	return found != "" && folder
}

// siblings reports whether beside a file there lie others of its kind, so that it
// belongs here.
func (s *sourceRefs) siblings(page *schema.Page, name string) bool {
	dir, ext := path.Dir(path.Clean(name)), path.Ext(name)
	if strings.Trim(dir, "./") == "" {
		return false // the top is there whatever the path means
	}
	for _, p := range s.bases(page, dir) {
		if s.tree.Holds(p, ext) {
			return true
		}
	}
	return false
}

// topFolder returns the first part of a path.
func topFolder(name string) string {
	name = strings.TrimLeft(path.Clean(name), "./")
	first, _, ok := strings.Cut(name, "/")
	if !ok {
		return "."
	}
	return first
}

// filePath reports whether what a page names is a path of a file or folder of
// this repository: no title, package, host, pattern or placeholder.
func filePath(s string) bool {
	if !pathLike(s) {
		return false
	}
	first, rest, inFolder := strings.Cut(strings.TrimPrefix(s, "/"), "/")
	if inFolder && strings.Contains(strings.TrimLeft(first, "."), ".") {
		return false // example.org/page
	}
	if inFolder && strings.HasSuffix(rest, "/") || rest == "" && inFolder {
		return true // src/
	}
	ext := path.Ext(s)
	return fileExtension(ext) && len(path.Base(s)) > len(ext) && (inFolder || !strings.Contains(s, " "))
}

// pathLike reports whether s could be a path: packages, titles without a slash
// or a dot, patterns and placeholders can't.
func pathLike(s string) bool {
	return s != "" && len(s) <= 300 && strings.ContainsAny(s, "./") && !strings.ContainsAny(s, "*?<>{}|\"'`\\$[]:,;\n…") &&
		!strings.Contains(s, "...") && !strings.HasPrefix(s, "~") && !strings.HasPrefix(s, "@") && !strings.HasPrefix(s, "//")
}

// fileExtension reports whether .ext looks like the extension of a file: a
// letter, then up to seven letters or digits.
func fileExtension(ext string) bool {
	if len(ext) < 2 || len(ext) > 9 || ext[1]|0x20 < 'a' || ext[1]|0x20 > 'z' {
		return false
	}
	for i := 1; i < len(ext); i++ {
		if c := ext[i]; (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

// recordFact says which parts of a page describe a moment on purpose.
var recordFact = linter.NewPageFact(claim.NewRecords)

// historical reports whether a page tells what was so at some time, or is filled
// in later; what it says needs not be true of the code as it is now.
func historical(page *schema.Page) bool { return claim.Mute(page) || template(page) }
