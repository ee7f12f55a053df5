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
)

// placeKey says what the surroundings of a file depend on.
type placeKey struct {
	dir    string // of the file
	folder *folder
	home   bool
}

// surroundings are what the files of a folder have around their content.
type surroundings struct {
	*theme.Place
	pages []theme.Link // all of the folder
}

// placeOf returns the surroundings of a file, which it shares with the others
// of its folder.
func (s *Site) placeOf(name string, f *folder) *surroundings {
	key := placeKey{path.Dir(name), f, name == homeName}
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

// around returns the links to some pages of the folder, with the one at that
// position near the middle; -1 is none of them.
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

func (s *Site) newPlace(name string, f *folder) *theme.Place {
	root := toRoot(name)
	asset := func(a string) string { return root + own + a + "?v=" + s.theme.Version(a) }
	p := &theme.Place{
		T: s.words, Lang: s.language(), Dir: theme.Direction(s.language()), SiteTitle: s.siteTitle(), Home: name == homeName, Root: root,
		HomeHref: relative(name, homeName), PagesHref: relative(name, s.pagesFile), SearchHref: relative(name, searchName),
		Icon: asset(theme.IconName), Styles: []string{asset(theme.StylesName)}, Script: asset(theme.ScriptName), SearchJS: asset(theme.SearchName),
		CSP: s.theme.CSP(false), Folder: s.folderView(name, f),
	}
	if s.tagsFile != "" {
		p.TagsHref = relative(name, s.tagsFile)
	}
	if s.recentFile != "" {
		p.RecentHref = relative(name, s.recentFile)
	}
	if s.theme.Asset(theme.CustomName) != nil {
		p.Styles = append(p.Styles, asset(theme.CustomName))
	}
	if s.opt.Live {
		p.LiveJS = root + liveName
	}
	return p
}

// folderView shows where in the wiki a file of the folder is. There are no
// numbers in it: one new page would change all others.
func (s *Site) folderView(from string, f *folder) theme.Folder {
	var bar theme.Folder
	top := s.folders["."]
	for i, sub := range top.subs {
		if i == sideFolders {
			bar.MoreFolders = relative(from, top.list)
			break
		}
		bar.Folders = append(bar.Folders, theme.Link{
			Title: sub.name(), Href: relative(from, sub.file), Current: within(f, sub),
		})
	}
	if f == nil {
		return bar
	}
	bar.Here = theme.Link{Title: f.name(), Href: relative(from, f.file)}
	if f == top {
		bar.Here.Title = s.words.PagesIn + " " + s.siteTitle()
	} else {
		for i, sub := range f.subs {
			if i == sideFolders {
				bar.MorePages = relative(from, f.list)
				break
			}
			bar.Subfolders = append(bar.Subfolders, theme.Link{Title: sub.name(), Href: relative(from, sub.file)})
		}
	}
	if len(f.pages) > sidePages {
		bar.MorePages = relative(from, f.list)
	}
	if f == top && len(f.pages) == 0 {
		bar.Here = theme.Link{}
	}
	return bar
}
