package rules

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

func itoa(n int) string { return strconv.Itoa(n) }

// names knows what every page and file is called, to say what a broken link
// may have meant. A look-up does not depend on the size of the wiki.
type names struct {
	byName   map[string][]string // folded file name without .md to paths
	bySlug   map[string][]string // its slug to paths
	byAlias  map[string][]string // slug of a title or alias to paths
	folders  map[string]bool     // every folder below the root
	renamed  map[string][]string // former path to the present ones, from git and redirect_from
	typo     typos               // slugs with one letter left out
	oldStem  map[string][]string // folded former file name to present paths
	inFolder map[string][]string // folder to the files right in it
	// labelFirst says that a wikilink's label is before its target.
	labelFirst bool
	// pageNames says that a markdown link names a page without its folder and .md.
	pageNames bool
}

// longestGuess is the longest name, in bytes, that is compared letter by
// letter; fewestGuess the shortest, since every short name is near another.
const (
	longestGuess = 80
	fewestGuess  = 4
)

var nameFact = linter.NewLastingFact((*compiler.Wiki).Naming, func(w *compiler.Wiki) *names {
	n := &names{byName: map[string][]string{}, bySlug: map[string][]string{}, byAlias: map[string][]string{},
		folders: map[string]bool{".": true}, renamed: map[string][]string{}, oldStem: map[string][]string{},
		inFolder: map[string][]string{}, labelFirst: w.Workspace().Dialect.Profile.LabelFirst, pageNames: w.Workspace().Dialect.Profile.PageNames}
	for _, p := range w.Pages() {
		n.add(p.Path)
		n.alias(p.Title, p.Path)
		for _, a := range p.Meta.Aliases {
			n.alias(a.Name, p.Path)
		}
	}
	for _, f := range w.Files() {
		n.add(f)
	}
	if h := w.History(); h != nil {
		for file, f := range h.Files {
			for _, old := range f.Renamed {
				n.rename(old, file)
			}
		}
	}
	for _, p := range w.Pages() {
		for _, old := range p.Meta.Redirects {
			n.rename(strings.Trim(old.Name, "/")+".md", p.Path)
		}
	}
	for s := range n.bySlug {
		if fewestGuess <= len(s) && len(s) <= longestGuess {
			n.typo.slugs = append(n.typo.slugs, s)
		}
	}
	n.typo.sort()
	for _, m := range []map[string][]string{n.renamed, n.oldStem} {
		for k := range m {
			slices.Sort(m[k])
		}
	}
	return n
})

func (n *names) add(file string) {
	key := fold(stem(file))
	n.byName[key] = append(n.byName[key], file)
	s := slug(stem(file))
	n.bySlug[s] = append(n.bySlug[s], file)
	n.inFolder[path.Dir(file)] = append(n.inFolder[path.Dir(file)], file)
	for d := path.Dir(file); !n.folders[d]; d = path.Dir(d) {
		n.folders[d] = true
	}
}

// rename notes that a file had another path once.
func (n *names) rename(old, file string) {
	if !slices.Contains(n.renamed[old], file) {
		n.renamed[old] = append(n.renamed[old], file)
	}
	if key := fold(stem(old)); !slices.Contains(n.oldStem[key], file) {
		n.oldStem[key] = append(n.oldStem[key], file)
	}
}

func (n *names) alias(name, file string) {
	if s := slug(name); s != "" && !slices.Contains(n.byAlias[s], file) {
		n.byAlias[s] = append(n.byAlias[s], file)
	}
}

// shortened returns s and every string that is s with one letter left out.
func shortened(s string) []string {
	out := []string{s}
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		out = append(out, s[:i]+s[i+size:])
		i += size
	}
	return out
}

// oneEdit reports whether a becomes b when one letter is added, left out,
// replaced, or swapped with its neighbour.
func oneEdit(a, b string) bool {
	ra, rb := []rune(a), []rune(b)
	for len(ra) > 0 && len(rb) > 0 && ra[0] == rb[0] {
		ra, rb = ra[1:], rb[1:]
	}
	for len(ra) > 0 && len(rb) > 0 && ra[len(ra)-1] == rb[len(rb)-1] {
		ra, rb = ra[:len(ra)-1], rb[:len(rb)-1]
	}
	switch {
	case len(ra) <= 1 && len(rb) <= 1:
		return len(ra)+len(rb) > 0
	case len(ra) == 2 && len(rb) == 2:
		return ra[0] == rb[1] && ra[1] == rb[0]
	}
	return false
}

// guess is a possible target of a broken link.
type guess struct {
	Path string
	Sure bool   // one rename or one spelling explains the link, and nothing else fits
	Why  string // completes "did you mean …": empty, or the reason in brackets
}

// meant returns what target, written in page from, may have meant, or a guess
// without a path.
func (n *names) meant(from *schema.Page, target string, markdown bool) guess {
	clean := strings.Trim(strings.TrimSpace(target), "/")
	if clean == "" {
		return guess{}
	}
	switch g := n.guess(from, clean, markdown); {
	case g.Path == "" && !markdown:
		return guess{Path: n.file(clean)}
	case g.Path != from.Path: // nobody means the page itself
		return g
	}
	return guess{}
}

func (n *names) guess(from *schema.Page, clean string, markdown bool) guess {
	if g := n.moved(from, clean, markdown); g.Path != "" {
		return g
	}
	s := slug(stem(clean))
	if s == "" || strings.ContainsAny(path.Ext(clean), " ") && markdown {
		return guess{}
	}
	if only := pagesLike(n.bySlug[s], clean); len(only) == 1 {
		sameFolder := path.Dir(only[0]) == path.Join(path.Dir(from.Path), path.Dir(clean))
		return guess{Path: only[0], Sure: sameFolder}
	}
	if only := n.byAlias[s]; len(only) == 1 {
		return guess{Path: only[0], Why: " (title or alias)"}
	}
	if len(s) < fewestGuess || len(s) > longestGuess {
		return guess{}
	}
	if g := n.slip(s, clean); g.Path != "" {
		return g
	}
	return guess{Path: n.sibling(path.Join(path.Dir(from.Path), path.Dir(clean)), s, clean)}
}

// file explains a wikilink without an extension by the only file of that name among those
// that Obsidian opens: a link needs their extension.
func (n *names) file(target string) string {
	var found []string
	for _, ext := range [...]string{".canvas", ".base", ".pdf"} {
		found = append(found, n.byName[fold(stem(target))+ext]...)
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}

// slip explains a broken link by the only name that differs by a letter.
func (n *names) slip(s, target string) guess {
	var found []string
	for _, v := range shortened(s) {
		for cand := range n.typo.like(v) {
			if oneEdit(s, cand) && digits(s) == digits(cand) {
				for _, f := range pagesLike(n.bySlug[cand], target) {
					if !slices.Contains(found, f) {
						found = append(found, f)
					}
				}
			}
		}
	}
	if len(found) == 1 {
		return guess{Path: found[0]}
	}
	return guess{}
}

// manySiblings bounds how many files of a folder are compared with one name.
const manySiblings = 200

// digits returns the digits of s: chapter 6 is not a misspelling of chapter 9.
func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// sibling returns the file of a folder that shares the most words with the slug s, at
// least two and half of each, or "" if none or several do: this is how agents guess the
// name of a page that they haven't written yet.
func (n *names) sibling(folder, s, target string) string {
	want := strings.Split(s, "-")
	best, bestShared, ties := "", 1, 0
	files := n.inFolder[folder]
	for _, f := range files[:min(len(files), manySiblings)] {
		have := strings.Split(slug(stem(f)), "-")
		shared := 0
		for _, w := range want {
			if slices.Contains(have, w) {
				shared++
			}
		}
		switch {
		case 2*shared < max(len(want), len(have)) || len(pagesLike([]string{f}, target)) == 0:
		case shared > bestShared:
			best, bestShared, ties = f, shared, 0
		case shared == bestShared:
			ties++
		}
	}
	if ties > 0 {
		return ""
	}
	return best
}

// moved explains a broken link by a page that was renamed in git, or by one
// file of exactly that name that is in another folder.
func (n *names) moved(from *schema.Page, target string, markdown bool) guess {
	for _, old := range []string{path.Join(path.Dir(from.Path), target), target} {
		for _, old := range []string{old, old + ".md"} {
			if now := n.renamed[old]; len(now) == 1 {
				return guess{Path: now[0], Sure: true, Why: " (renamed)"}
			}
		}
	}
	if !markdown && !strings.Contains(target, "/") {
		if now := n.oldStem[fold(stem(target))]; len(now) == 1 {
			return guess{Path: now[0], Sure: true, Why: " (renamed)"}
		}
	}
	same := pagesLike(n.byName[fold(stem(target))], target)
	if len(same) == 1 && stem(same[0]) == stem(target) {
		return guess{Path: same[0], Sure: len(stem(target)) >= fewestGuess && !schema.ReservedName(same[0])}
	}
	return guess{}
}

// pagesLike keeps the paths with target's extension, or the pages if it has none.
func pagesLike(paths []string, target string) []string {
	want := strings.ToLower(path.Ext(target))
	if want == "" || len(want) > 6 || strings.ContainsAny(want, " -_") {
		want = ".md"
	}
	if len(paths) > manyNamesakes {
		return nil
	}
	var out []string
	for _, p := range paths {
		if strings.ToLower(path.Ext(p)) == want {
			out = append(out, p)
		}
	}
	return out
}

// manyNamesakes is how many files of one name are too many to guess by it.
const manyNamesakes = 64

// absent returns the outermost folder on the way to file that does not exist,
// or "" when its folder is there.
func (n *names) absent(file string) string {
	found := ""
	for d := path.Dir(file); d != "." && d != "/" && !strings.HasPrefix(d, ".."); d = path.Dir(d) {
		if n.folders[d] {
			return found
		}
		found = d
	}
	return found
}
