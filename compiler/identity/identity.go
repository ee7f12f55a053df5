// Package identity says which pages are one page in several editions: its
// translations, its versions, or the members of a series such as release notes.
//
// In go the pages of a wiki; out comes a [Set] that answers for any two of them
// in constant time. What surprises: a folder named "en" or "7.4" alone proves
// nothing. It is an edition when a third of its pages have a counterpart of the
// same name outside it, or when wiki.yaml says so.
package identity

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopwiki/wiki/schema"
)

// Set knows the editions of a wiki's pages. Pages are named by their paths below
// the root; a path that is not a page's has no relatives.
type Set struct {
	members  map[string]*member
	editions []Edition
	series   []Group
	newest   map[string]string // the greatest version of each manual
	next     map[string]bool   // manuals that have pages of no version too, which are newer
}

// member is the edition of a page by its path and front matter.
type member struct {
	work     string // the path without its editions, folded
	series   string // work without its numbers
	names    [2]string
	manual   [2]string // folder that the edition's folder is in, by axis
	explicit bool      // the language is given by front matter
	id, stem string    // folded; by which pages that give their language are matched
}

// The axes along which editions differ.
const (
	byLanguage = iota
	byVersion
)

// Of finds the editions among pages. It takes time linear in the length of
// their paths.
func Of(pages []*schema.Page, cfg schema.IdentityConfig) *Set {
	d := &detection{cfg: cfg, folders: map[string]*folder{}, works: map[string]*work{}}
	split := make([][]segment, len(pages))
	for i, p := range pages {
		if !d.distinct(p.Path) {
			split[i] = d.split(p.Path)
			d.count(p, split[i])
		}
	}
	for i, p := range pages {
		if split[i] != nil {
			d.compare(p, split[i])
		}
	}
	s := &Set{members: make(map[string]*member, len(pages)), newest: map[string]string{}, next: map[string]bool{}}
	for i, p := range pages {
		if split[i] != nil {
			m := d.member(p, split[i])
			s.members[p.Path] = m
			if v := m.names[byVersion]; v != "" && compareVersions(v, s.newest[m.manual[byVersion]]) > 0 {
				s.newest[m.manual[byVersion]] = v
			}
		}
	}
	current := map[string]bool{} // works with an edition of no version
	for _, m := range s.members {
		if m.names[byVersion] == "" {
			current[m.work] = true
		}
	}
	for _, m := range s.members {
		if m.names[byVersion] != "" && current[m.work] {
			s.next[m.manual[byVersion]] = true
		}
	}
	s.summarise(pages, d)
	return s
}

// Translations reports whether two pages are one page in different languages.
func (s *Set) Translations(a, b string) bool {
	x, y := s.members[a], s.members[b]
	if x == nil || y == nil || x.names[byLanguage] == y.names[byLanguage] {
		return false
	}
	return x.work == y.work || x.explicit && y.explicit && (x.id != "" && x.id == y.id || x.stem != "" && x.stem == y.stem)
}

// Versions reports whether two pages are one page in different versions of a
// manual, in the same language.
func (s *Set) Versions(a, b string) bool {
	x, y := s.members[a], s.members[b]
	return x != nil && y != nil && x.work == y.work && x.names[byLanguage] == y.names[byLanguage] && x.names[byVersion] != y.names[byVersion]
}

// Family reports whether two pages are one page in different languages or
// versions: they share ids, aliases, titles and values.
func (s *Set) Family(a, b string) bool { return s.Translations(a, b) || s.Versions(a, b) }

// Series reports whether the paths of two pages differ in nothing but numbers,
// dates, months, versions and their editions, and in one of the former.
func (s *Set) Series(a, b string) bool {
	x, y := s.members[a], s.members[b]
	return x != nil && y != nil && x.series == y.series && x.work != y.work
}

// Apart reports whether two pages are not to be compared: they are in different
// editions, or are of one series.
func (s *Set) Apart(a, b string) bool { return s.Editions(a, b) || s.Series(a, b) }

// Editions reports whether two pages are in different editions: they are a
// family, or are different pages of different editions of one manual.
func (s *Set) Editions(a, b string) bool {
	x, y := s.members[a], s.members[b]
	if x == nil || y == nil || x == y {
		return false
	}
	for axis := range x.names {
		if x.manual[axis] == y.manual[axis] && x.names[axis] != "" && y.names[axis] != "" && x.names[axis] != y.names[axis] {
			return true
		}
	}
	return s.Family(a, b)
}

// Work names what a page is an edition of: equal for the pages of a family that
// folders make, different for all others.
func (s *Set) Work(page string) string {
	if m := s.members[page]; m != nil {
		return m.work
	}
	return strings.ToLower(page)
}

// Language returns the language that a page's folder, file name or front matter
// gives it, as a BCP 47 tag in lower case, or "".
func (s *Set) Language(page string) string {
	if m := s.members[page]; m != nil {
		return m.names[byLanguage]
	}
	return ""
}

// Version returns the version that a page's folder gives it, or "".
func (s *Set) Version(page string) string {
	if m := s.members[page]; m != nil {
		return m.names[byVersion]
	}
	return ""
}

// member says what a page is, once it is known which folders are editions.
func (d *detection) member(p *schema.Page, segs []segment) *member {
	m := &member{}
	w := d.works[workOf(segs)]
	var kept []string
	for i, s := range segs {
		if !d.edition(segs, i, w) {
			kept = append(kept, s.plain)
			continue
		}
		if m.names[s.axis] != "" {
			m.names[s.axis] += "/"
		} else {
			m.manual[s.axis] = strings.Join(kept, "/") + "/"
		}
		m.names[s.axis] += s.name
		if s.rest != "" {
			kept = append(kept, s.rest)
		}
	}
	m.work = strings.Join(kept, "/")
	m.series = d.seriesOf(p.Path, m.work)
	if lang := givenLanguage(p); lang != "" {
		m.names[byLanguage], m.explicit = lang, true
		if m.manual[byLanguage] == "" {
			m.manual[byLanguage] = "/"
		}
		m.id = strings.ToLower(p.Meta.ID)
		if !p.Reserved() {
			m.stem = strings.ToLower(strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path)))
		}
	}
	return m
}

// seriesOf returns what the pages of a series share.
func (d *detection) seriesOf(file, work string) string {
	for _, glob := range d.cfg.Series {
		if doublestar.MatchUnvalidated(glob, file) {
			return "\x00" + glob
		}
	}
	return numberless(work)
}

func (d *detection) distinct(file string) bool {
	for _, glob := range d.cfg.Distinct {
		if doublestar.MatchUnvalidated(glob, file) {
			return true
		}
	}
	return false
}

// Superseded reports whether a page belongs to a version of a manual other than the
// newest.
func (s *Set) Superseded(page string) bool {
	m := s.members[page]
	if m == nil || m.names[byVersion] == "" {
		return false
	}
	manual := m.manual[byVersion]
	return s.next[manual] || compareVersions(m.names[byVersion], s.newest[manual]) < 0
}
