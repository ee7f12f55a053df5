package site

import (
	"path"
	"slices"

	"github.com/loopwiki/wiki/site/theme"
)

// How much of a wiki the sidebar shows.
const (
	sideFolders = 12
	sidePages   = 24
	// levels is how many of the folders above a file are shown: all of them in
	// most wikis, else those nearest to it. Links to the others would make a file
	// as long as the square of its depth.
	levels = 12
)

// placeKey says what the surroundings of a file depend on.
type placeKey struct {
	dir    string // of the file
	branch *branch
	own    string // the file itself, when the menu leads to it
}

// surroundings are the common parts of the files in a branch of the menu.
type surroundings struct {
	*theme.Place
	pages []theme.Link // all of the branch
	whole bool         // all are shown
}

// placeOf returns the surroundings of a file, which it shares with the others
// of its branch. f is nil for a list of the whole wiki.
func (s *Site) placeOf(name string, f *folder, b *branch) *surroundings {
	key := placeKey{dir: path.Dir(name), branch: b}
	if name == homeName || s.whole(name) != "" || f != nil && name == f.file {
		key.own = name
	}
	if p, ok := s.places.Load(key); ok {
		return p.(*surroundings)
	}
	made := &surroundings{Place: s.newPlace(name, b), pages: s.pageLinks(name, b.pages, nil), whole: b == s.top}
	p, _ := s.places.LoadOrStore(key, made)
	return p.(*surroundings)
}

// around returns links to some pages of the branch, with the one at index at near the
// middle; -1 for none.
func (p *surroundings) around(at int) []theme.Link {
	shown, from := p.pages, 0
	if len(shown) > sidePages && !p.whole {
		from = min(max(0, at-sidePages/2), len(shown)-sidePages)
		shown = shown[from : from+sidePages]
	}
	if at < 0 {
		return shown
	}
	shown = slices.Clone(shown)
	shown[at-from].Current = true
	return shown
}

// whole says which list of the whole wiki a file is.
func (s *Site) whole(name string) string {
	switch name {
	case s.pagesFile:
		return "pages"
	case s.tagsFile:
		return "tags"
	case s.typesFile:
		return "types"
	case s.recentFile:
		return "recent"
	case s.graphFile:
		return "graph"
	case s.healthFile:
		return "health"
	case s.RunsAt() + homeName:
		return "runs"
	}
	return ""
}

func (s *Site) newPlace(name string, b *branch) *theme.Place {
	root := toRoot(name)
	asset := func(a string) string { return root + own + a + "?v=" + s.theme.Version(a) }
	p := &theme.Place{
		T: s.words, Lang: s.language(), Dir: theme.Direction(s.language()), SiteTitle: s.siteTitle(), Home: name == homeName, Whole: s.whole(name), Root: root,
		HomeHref: relative(name, homeName), PagesHref: relative(name, s.pagesFile), SearchHref: relative(name, searchName),
		Icon: asset(theme.IconName), Styles: []string{asset(theme.StylesName)}, Script: asset(theme.ScriptName), SearchJS: asset(theme.SearchName),
		CSP: s.csp(false, false), Folder: s.folderView(name, b),
	}
	if s.tagsFile != "" {
		p.TagsHref = relative(name, s.tagsFile)
	}
	if s.typesFile != "" {
		p.TypesHref = relative(name, s.typesFile)
	}
	if s.recentFile != "" {
		p.RecentHref = relative(name, s.recentFile)
	}
	if s.feedFile != "" {
		p.FeedHref = relative(name, s.feedFile)
	}
	if s.graphFile != "" {
		p.GraphHref = relative(name, s.graphFile)
	}
	if s.healthFile != "" {
		p.HealthHref = relative(name, s.healthFile)
	}
	if s.opt.Runs || s.outputs[s.RunsAt()+homeName] == (loopsOutput{}) {
		p.RunsTitle = s.loopsTitle()
		p.RunsHref = relative(name, s.RunsAt()+homeName)
	}
	if s.theme.Asset(theme.CustomName) != nil {
		p.Styles = append(p.Styles, asset(theme.CustomName))
	}
	if s.opt.Live {
		p.LiveJS = root + liveName
	}
	return p
}

// folderView shows where in the wiki a branch is: all entries of the top, and those
// near the way in every branch on the way to it. There are no numbers in it: one new
// page would change all others.
func (s *Site) folderView(from string, b *branch) theme.Folder {
	var way []*branch // from below the top to b
	for up := b; up != s.top; up = up.up {
		way = append(way, up)
	}
	slices.Reverse(way)
	if hidden := len(way) - levels; hidden > 0 {
		way = slices.Delete(way, 1, 1+hidden)
	}
	var out theme.Folder
	for _, next := range way {
		out.Levels = append(out.Levels, s.level(from, next.up, next))
	}
	if last := s.level(from, b, nil); len(b.kids)+len(b.pages) > 0 {
		out.Levels = append(out.Levels, last)
	}
	return out
}

// level is the entries of b, of which open may be one. Without it the pages among them
// are left to [surroundings.around].
func (s *Site) level(from string, b, open *branch) theme.Level {
	out := theme.Level{Tree: b.id}
	shown, cut := b.kids, false
	if b != s.top {
		first := min(max(0, slices.Index(b.kids, open)-sideFolders/2), max(0, len(b.kids)-sideFolders))
		shown = b.kids[first:min(len(b.kids), first+sideFolders)]
		cut = len(shown) < len(b.kids)
	}
	for _, kid := range shown {
		l := theme.Link{Title: kid.title, Href: relative(from, kid.href), Current: kid.folder != nil && kid.href == from, Tree: kid.id}
		switch {
		case kid == open:
			out.Open = &l
		case out.Open == nil:
			out.Before = append(out.Before, l)
		default:
			out.After = append(out.After, l)
		}
	}
	switch {
	case b == s.top && open != nil:
		out.After = append(out.After, s.pageLinks(from, b.pages, nil)...)
	case b != s.top && open != nil:
		cut = cut || len(b.pages) > 0
	case b != s.top:
		cut = cut || len(b.pages) > sidePages
	}
	if cut {
		out.More = relative(from, b.href)
	}
	return out
}
