package site

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/search"
	"github.com/loopwiki/wiki/site/theme"
)

// perPart is how many entries one file of a list has.
const perPart = 250

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// putParts puts a list of so many entries, cut in as many files as it takes,
// and returns the first.
func (s *Site) putParts(n *names, want string, entries int, out func(part int) output) string {
	var files []string
	for part := 0; part == 0 || part*perPart < entries; part++ {
		name := want
		if part > 0 {
			name = fmt.Sprintf("%s-%d.html", strings.TrimSuffix(files[0], ".html"), part+1)
		}
		files = append(files, s.put(n, name, out(part)))
	}
	s.lists[files[0]] = files
	return files[0]
}

// part returns the entries of one part.
func part[T any](list []T, n int) []T {
	return list[min(n*perPart, len(list)):min((n+1)*perPart, len(list))]
}

// maxJump is how many parts of a list before and behind one its jumps lead to,
// next to the first and the last. To all of them they would be the square of the
// list.
const maxJump = 50

// jump leads from one part of a list to the others, when there are others.
func (s *Site) jump(from, first string, current int) []theme.Link {
	files := s.lists[first]
	if len(files) < 2 {
		return nil
	}
	var out []theme.Link
	for i, f := range files {
		if i > 0 && i < len(files)-1 && (i < current-maxJump || i > current+maxJump) {
			continue
		}
		out = append(out, theme.Link{Title: strconv.Itoa(i + 1), Href: relative(from, f), Current: i == current})
	}
	return out
}

// tag is one tag and the published pages that have it, or one below it.
type tag struct {
	name   string
	file   string
	pages  []*schema.Page
	parent *tag
	subs   []*tag
}

// makeTags collects tags, whose letter case does not matter, under the
// spelling that comes first.
func (s *Site) makeTags(n *names) {
	for _, p := range s.pages {
		for _, t := range p.Tags {
			for g := s.tagNamed(t.Name); g != nil; g = g.parent {
				if len(g.pages) == 0 || g.pages[len(g.pages)-1] != p {
					g.pages = append(g.pages, p)
				}
			}
		}
	}
	for _, key := range sortedKeys(s.tagFiles) {
		s.tags = append(s.tags, s.tagFiles[key])
	}
	for _, g := range mostUsed(s.tags) {
		g.file = s.putParts(n, "tags/"+tagPath(g.name)+".html", len(g.pages), func(part int) output { return tagOutput{g, part} })
	}
}

// tagNamed returns the tag of a name, and makes it and those above it: a/b is below a.
func (s *Site) tagNamed(name string) *tag {
	key := strings.ToLower(name)
	if g := s.tagFiles[key]; g != nil {
		return g
	}
	if name == "" || len(name) > maxName {
		return nil
	}
	g := &tag{name: name}
	s.tagFiles[key] = g
	if i := strings.LastIndexByte(name, '/'); i > 0 && strings.Count(name, "/") < schema.MaxTagLevels {
		if g.parent = s.tagNamed(name[:i]); g.parent != nil {
			g.parent.subs = append(g.parent.subs, g)
		}
	}
	return g
}

// mostUsed returns the tags with a page, in the order of tags.
func mostUsed(tags []*tag) []*tag {
	if len(tags) <= schema.MaxTagPages {
		return tags
	}
	ranked := slices.Clone(tags)
	slices.SortStableFunc(ranked, func(a, b *tag) int { return len(b.pages) - len(a.pages) })
	kept := make(map[*tag]bool, schema.MaxTagPages)
	for _, g := range ranked[:schema.MaxTagPages] {
		kept[g] = true
	}
	return slices.DeleteFunc(slices.Clone(tags), func(g *tag) bool { return !kept[g] })
}

// tagPath is the path of a tag's page. The levels of a tag are folders, unless there are
// more than folders may be nested.
func tagPath(name string) string {
	name = path.Clean("/" + name)[1:]
	if strings.Count(name, "/") >= schema.MaxTagLevels {
		name = strings.ReplaceAll(name, "/", "-")
	}
	return safePath(name)
}

// tagHref returns the address of a tag's page, or of a search for a tag without one.
func (s *Site) tagHref(from string, g *tag) string {
	if g.file == "" {
		return relative(from, searchName) + "?q=" + url.QueryEscape(g.name)
	}
	return relative(from, g.file)
}

// makeLists puts the lists of the whole wiki. A page of the wiki that has the
// name of one of them keeps it.
func (s *Site) makeLists(n *names) {
	s.pagesFile = s.putParts(n, pagesName, len(s.pages), func(part int) output { return pagesOutput{part} })
	s.folders["."].list = cmp.Or(s.folders["."].list, s.pagesFile)
	if len(s.tags) > 0 {
		s.tagsFile = s.putParts(n, tagsName, len(s.tags), func(part int) output { return tagsOutput{part} })
	}
	s.makeTypes(n)
	s.makeContradictions(n)
	s.makeGraph(n)
	s.makeHealth(n)
	s.recent = s.changes()
	if len(s.recent) > 0 || s.opt.Since != nil {
		s.recentFile = s.put(n, recentName, recentOutput{})
	}
}

// section is a letter of the list of all pages.
type section struct {
	letter string
	pages  []*schema.Page
}

// sections sorts all pages under the letter they begin with.
func (s *Site) sections() []section {
	type entry struct {
		letter, key string
		page        *schema.Page
	}
	entries := make([]entry, len(s.pages))
	for i, p := range s.pages {
		key := search.Fold(s.titles[p.ID])
		entries[i] = entry{letterOf(key), key, p}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.letter, b.letter), strings.Compare(a.key, b.key), strings.Compare(a.page.Path, b.page.Path))
	})
	var out []section
	for _, e := range entries {
		if len(out) == 0 || out[len(out)-1].letter != e.letter {
			out = append(out, section{letter: e.letter})
		}
		last := &out[len(out)-1]
		last.pages = append(last.pages, e.page)
	}
	return out
}

// letterOf is the group of a folded title in lists: its first letter, or one name for a
// script with too many.
func letterOf(title string) string {
	for _, r := range title {
		switch {
		case unicode.Is(unicode.Han, r):
			return "漢"
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			return "あ"
		case unicode.Is(unicode.Hangul, r):
			return "가"
		case unicode.IsLetter(r):
			return strings.ToUpper(string(r))
		case unicode.IsNumber(r):
			return "0–9"
		}
	}
	return "#"
}

// letters leads to the letters of the list of all pages, in whichever of its
// parts they begin.
func (s *Site) letters(from string) []theme.Link {
	var out []theme.Link
	files := s.lists[s.pagesFile]
	n := 0
	for _, sec := range s.sorted() {
		file := files[n/perPart]
		href := "#" + escapeFragment(letterID(sec.letter))
		if file != from {
			href = relative(from, file) + href
		}
		out = append(out, theme.Link{Title: sec.letter, Href: href})
		n += len(sec.pages)
	}
	return out
}

func letterID(letter string) string {
	r, _ := utf8.DecodeRuneInString(letter)
	return "at-" + strconv.FormatInt(int64(r), 16)
}

// pageLinks are entries for pages.
func (s *Site) pageLinks(from string, pages []*schema.Page, note func(*schema.Page) string) []theme.Link {
	out := make([]theme.Link, 0, len(pages))
	for _, p := range pages {
		l := theme.Link{Title: s.titles[p.ID], Href: relative(from, s.place[p.ID])}
		if note != nil {
			l.Note = note(p)
		}
		out = append(out, l)
	}
	return out
}

// folderOf is the folder of a page in a list.
func folderOf(p *schema.Page) string {
	if dir := path.Dir(p.Path); dir != "." {
		return strings.ReplaceAll(dir, "/", " / ")
	}
	return ""
}

// change is a page and the day it was last changed.
type change struct {
	page *schema.Page
	day  string
}

// maxChanges is how many the list of recent changes has.
const maxChanges = 100

// changes returns the pages changed last, the newest first. Pages that know
// no date, and pages of sources, are left out.
func (s *Site) changes() []change {
	var out []change
	for _, p := range s.pages {
		f := s.fresh[p.ID]
		at := f.Updated
		if at.Time.IsZero() {
			at = f.Created
		}
		if !at.Time.IsZero() && p.Layer != schema.LayerSource {
			out = append(out, change{p, at.Time.Format("2006-01-02")})
		}
	}
	slices.SortStableFunc(out, func(a, b change) int { return strings.Compare(b.day, a.day) })
	return out[:min(len(out), maxChanges)]
}
