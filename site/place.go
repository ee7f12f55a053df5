package site

import (
	"path"
	"slices"

	"github.com/loopwiki/wiki/site/theme"
)

// How much of a wiki the sidebar shows at once. The script of the menu has the same
// numbers.
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
	dir  string // of the file
	menu string // the file that draws its menu
	own  string // the file itself, when it is a list of the whole wiki
}

// placeOf returns the surroundings of a file, which it shares with the others
// of its branch.
func (s *Site) placeOf(name string, b *branch) *theme.Place {
	key := placeKey{dir: path.Dir(name), menu: b.menuFile()}
	if slices.ContainsFunc(s.wholeLists(), func(l wholeList) bool { return l.file == name }) {
		key.own = name
	}
	if p, ok := s.places.Load(key); ok {
		return p.(*theme.Place)
	}
	p, _ := s.places.LoadOrStore(key, s.newPlace(name, b))
	return p.(*theme.Place)
}

// wholeList is a list of the whole wiki.
type wholeList struct{ title, file string }

// wholeLists are those that the wiki has, the first page first.
func (s *Site) wholeLists() []wholeList {
	loops := ""
	if s.opt.Runs || s.outputs[s.RunsAt()+homeName] == (loopsOutput{}) {
		loops = s.RunsAt() + homeName
	}
	all := []wholeList{
		{s.words.Home, homeName}, {s.words.AllPages, s.pagesFile}, {s.words.Tags, s.tagsFile}, {s.words.Finding.Types, s.typesFile},
		{s.words.Recent, s.recentFile}, {s.words.Graph.Title, s.graphFile}, {s.words.Health.Title, s.healthFile}, {s.loopsTitle(), loops},
	}
	return slices.DeleteFunc(all, func(l wholeList) bool { return l.file == "" })
}

func (s *Site) newPlace(name string, b *branch) *theme.Place {
	root := toRoot(name)
	asset := func(a string) string { return root + own + a + "?v=" + s.theme.Version(a) }
	p := &theme.Place{
		T: s.words, Lang: s.language(), Dir: theme.Direction(s.language()), SiteTitle: s.siteTitle(), Home: name == homeName, Root: root,
		HomeHref: relative(name, homeName), PagesHref: relative(name, s.pagesFile), SearchHref: relative(name, searchName), MenuJS: relative(name, b.menuFile()),
		Icon: asset(theme.IconName), Styles: []string{asset(theme.StylesName)}, Script: asset(theme.ScriptName), SearchJS: asset(theme.SearchName),
		CSP: s.csp(false, false),
	}
	for _, l := range s.wholeLists() {
		p.Lists = append(p.Lists, theme.Link{Title: l.title, Href: relative(name, l.file), Current: l.file == name})
	}
	if s.feedFile != "" {
		p.FeedHref = relative(name, s.feedFile)
	}
	if s.theme.Asset(theme.CustomName) != nil {
		p.Styles = append(p.Styles, asset(theme.CustomName))
	}
	if s.opt.Live {
		p.LiveJS = root + liveName
	}
	return p
}
