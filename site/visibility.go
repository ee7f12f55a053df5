package site

import (
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
)

// admit decides whether a page is part of the site, and whether it is in
// lists. A preview has all pages.
func (s *Site) admit(p *schema.Page) bool {
	level, _ := p.Visibility.Level(s.cfg.Site.Drafts)
	switch {
	case s.opt.Live || level == schema.Public:
		s.pages = append(s.pages, p)
	case level == schema.Unlisted:
		s.unlisted[p.ID] = true
	default:
		s.hidden = append(s.hidden, p.Path)
		return false
	}
	s.built = append(s.built, p)
	return true
}

// Withheld is a page that is not built or not listed.
type Withheld struct {
	Path  string
	Level schema.VisibilityLevel
	Why   schema.VisibilityMark
}

// Withheld returns the pages that are not built or not listed, in order of path. For a
// preview, these are the ones that a build would withhold.
func (s *Site) Withheld() []Withheld {
	var out []Withheld
	for _, p := range s.wiki.Pages() {
		if level, why := p.Visibility.Level(s.cfg.Site.Drafts); why != nil {
			out = append(out, Withheld{p.Path, level, *why})
		}
	}
	return out
}

// withheldNote says in a preview what a build does with a page.
func (s *Site) withheldNote(p *schema.Page) string {
	level, why := p.Visibility.Level(s.cfg.Site.Drafts)
	if !s.opt.Live || why == nil {
		return ""
	}
	word := s.words.Private
	switch {
	case level == schema.Unlisted:
		word = s.words.Unlisted
	case why.Draft:
		word = s.words.Draft
	}
	return word + " (" + clip(oneLine(why.Key+": "+why.Value), 80) + ")"
}

// folderOf is the folder that a page is shown to be in: its own, or the nearest
// one above that has listed pages.
func (s *Site) folderOf(p *schema.Page) *folder {
	for dir := path.Dir(p.Path); ; dir = path.Dir(dir) {
		if f := s.folders[dir]; f != nil {
			return f
		}
	}
}

// maxAttachedHead is how much of an attached page is read to see whether it is
// private.
const maxAttachedHead = 4 << 20

// attachable reports whether a file may be published as far as its own front
// matter says: markdown that is not a page, such as a template, can be private too.
// What counts is the file that links of the file system lead to.
func (s *Site) attachable(root *files.Root, name string, info fs.FileInfo) bool {
	real, err := root.Real(name)
	if err != nil || !visible(real) {
		return false
	}
	if s.opt.Live {
		return true
	}
	if slices.ContainsFunc(s.hiddenFiles(root)[info.Size()], func(page fs.FileInfo) bool { return os.SameFile(page, info) }) {
		return false // a hard link
	}
	if ext := strings.ToLower(path.Ext(real)); ext != ".md" && ext != ".markdown" {
		return true
	}
	f, _, err := root.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, maxAttachedHead))
	if err != nil {
		return false
	}
	level, _ := compiler.VisibilityOf(head).Level(s.cfg.Site.Drafts)
	return level != schema.Private
}

// hiddenFiles are the files of the pages that are not published, by size.
func (s *Site) hiddenFiles(root *files.Root) map[int64][]fs.FileInfo {
	if s.hiddenBySize == nil {
		s.hiddenBySize = map[int64][]fs.FileInfo{}
		for _, name := range s.hidden {
			if info, err := root.Stat(name); err == nil {
				s.hiddenBySize[info.Size()] = append(s.hiddenBySize[info.Size()], info)
			}
		}
	}
	return s.hiddenBySize
}

// render returns the markdown of a page as published, unless the configuration keeps it
// as written.
func (o rawOutput) render(s *Site, _ string) ([]byte, error) {
	if s.cfg.Site.Sources == "as-written" {
		return asText(o.page.Source), nil
	}
	return asText(s.public.Source(o.page)), nil
}
