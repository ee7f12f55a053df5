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
	folder *folder
	own    string // the file itself, when the menu leads to it
}

// surroundings are the common parts of the files in a folder.
type surroundings struct {
	*theme.Place
	pages []theme.Link // all of the folder
}

// placeOf returns the surroundings of a file, which it shares with the others
// of its folder.
func (s *Site) placeOf(name string, f *folder) *surroundings {
	key := placeKey{dir: path.Dir(name), folder: f}
	if name == homeName || s.whole(name) != "" || f != nil && name == f.file {
		key.own = name
	}
	if p, ok := s.places.Load(key); ok {
		return p.(*surroundings)
	}
	made := &surroundings{Place: s.newPlace(name, f)}
	if f != nil {
		made.pages = s.pageLinks(name, f.pages, nil)
	}
	p, _ := s.places.LoadOrStore(key, made)
	return p.(*surroundings)
}

// around returns links to some pages of the folder, with the one at index at near the
// middle; -1 for none.
func (p *surroundings) around(at int) []theme.Link {
	if len(p.pages) == 0 {
		return nil
	}
	from := min(max(0, at-sidePages/2), max(0, len(p.pages)-sidePages))
	shown := p.pages[from:min(len(p.pages), from+sidePages)]
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
	case s.recentFile:
		return "recent"
	case s.RunsAt() + homeName:
		return "runs"
	}
	return ""
}

func (s *Site) newPlace(name string, f *folder) *theme.Place {
	root := toRoot(name)
	asset := func(a string) string { return root + own + a + "?v=" + s.theme.Version(a) }
	p := &theme.Place{
		T: s.words, Lang: s.language(), Dir: theme.Direction(s.language()), SiteTitle: s.siteTitle(), Home: name == homeName, Whole: s.whole(name), Root: root,
		HomeHref: relative(name, homeName), PagesHref: relative(name, s.pagesFile), SearchHref: relative(name, searchName),
		Icon: asset(theme.IconName), Styles: []string{asset(theme.StylesName)}, Script: asset(theme.ScriptName), SearchJS: asset(theme.SearchName),
		CSP: s.csp(false), Folder: s.folderView(name, f),
	}
	if s.tagsFile != "" {
		p.TagsHref = relative(name, s.tagsFile)
	}
	if s.recentFile != "" {
		p.RecentHref = relative(name, s.recentFile)
	}
	if s.feedFile != "" {
		p.FeedHref = relative(name, s.feedFile)
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

// folderView shows where in the wiki a file of the folder is: the folders at
// the top, and those in every folder on the way to it. There are no numbers in
// it: one new page would change all others.
func (s *Site) folderView(from string, f *folder) theme.Folder {
	at := s.folders["."]
	var way []*folder // from below the top to f
	for up := f; up != nil && up != at; up = up.parent {
		way = append(way, up)
	}
	slices.Reverse(way)
	if hidden := len(way) - levels; hidden > 0 {
		at, way = way[hidden-1], way[hidden:]
	}
	var out theme.Folder
	for _, next := range way {
		out.Levels = append(out.Levels, s.level(from, at, next))
		at = next
	}
	if last := s.level(from, at, nil); len(at.subs) > 0 || f != nil && len(at.pages) > 0 {
		if f != nil && len(at.pages) > sidePages {
			last.More = relative(from, at.list)
		}
		out.Levels = append(out.Levels, last)
	}
	return out
}

// level is the folders in f, of which open may be one.
func (s *Site) level(from string, f, open *folder) theme.Level {
	var out theme.Level
	i := max(0, slices.Index(f.subs, open))
	first := min(max(0, i-sideFolders/2), max(0, len(f.subs)-sideFolders))
	shown := f.subs[first:min(len(f.subs), first+sideFolders)]
	for _, sub := range shown {
		l := theme.Link{Title: sub.name(), Href: relative(from, sub.file), Current: sub.file == from}
		switch {
		case sub == open:
			out.Open = &l
		case out.Open == nil:
			out.Before = append(out.Before, l)
		default:
			out.After = append(out.After, l)
		}
	}
	if len(shown) < len(f.subs) {
		out.More = relative(from, f.list)
	}
	return out
}
