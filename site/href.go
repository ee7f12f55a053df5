package site

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Marks instead of an address, for [finish] to take out again.
const (
	plainHref  = "?wiki-plain"  // the text is shown without a link: its target is there, but not for readers
	brokenHref = "?wiki-broken" // a raw HTML link that leads nowhere
)

// href returns the address of a link's target for a page that is written to
// the file from; empty when the link leads nowhere.
func (s *Site) href(from string, l *schema.Link, res *schema.Resolution) string {
	switch res.Kind {
	case schema.TargetPage:
		to := s.place[res.Page]
		if to == "" {
			return plainHref // not published
		}
		return s.pageHref(from, to, res.Anchor)
	case schema.TargetFile:
		if to := s.attached[res.Path]; to != "" {
			return relative(from, to)
		}
		return plainHref
	case schema.TargetFolder:
		if f := s.folders[path.Clean(strings.TrimSuffix(res.Path, "/"))]; f != nil {
			return relative(from, f.file)
		}
		return plainHref
	case schema.TargetOutside:
		if u := s.codeURL(outsidePath(s.wiki.Workspace(), res.Path), 0, 0); u != "" {
			return u
		}
		return plainHref
	case schema.TargetExternal:
		return safeURL(l.Raw)
	}
	if l.Syntax == schema.SyntaxHTML {
		return brokenHref
	}
	return ""
}

// linkText is the text of a wikilink that is written as a path or slug: the title of the
// page, if readers may see that.
func (s *Site) linkText(res *schema.Resolution) string {
	if res.Kind != schema.TargetPage || s.place[res.Page] == "" || s.cfg.Site.LinkText == schema.LinkTextWritten {
		return ""
	}
	return s.titles[res.Page]
}

// cite returns the address of a source that the text of a page cites: a page
// of the wiki, or code in the repository.
func (s *Site) cite(from string, c *schema.Citation) string {
	if c.Ref.URL != "" {
		if u := safeURL(c.Ref.URL); u != plainHref {
			return u
		}
		return ""
	}
	name := path.Clean(strings.TrimPrefix(c.Ref.Path, "./"))
	if to := s.place[schema.PageID(strings.TrimSuffix(name, ".md"))]; to != "" {
		return relative(from, to)
	}
	if s.cfg.Site.Repo == "" || !s.inRepository(name) {
		return ""
	}
	return s.codeURL(name, c.Ref.FromLine, c.Ref.ToLine)
}

// inRepository reports whether a file is where a citation says. A wiki cites
// the same files over and over.
func (s *Site) inRepository(name string) bool {
	if known, ok := s.cited.Load(name); ok {
		return known.(bool)
	}
	found := false
	if root, err := os.OpenRoot(s.wiki.Workspace().Dir); err == nil {
		info, err := root.Stat(filepath.FromSlash(name))
		found = err == nil && info.Mode().IsRegular()
		root.Close()
	}
	s.cited.Store(name, found)
	return found
}

func (s *Site) pageHref(from, to, anchor string) string {
	switch {
	case anchor == "":
		return relative(from, to)
	case from == to:
		return "#" + escapeFragment(anchor)
	}
	return relative(from, to) + "#" + escapeFragment(anchor)
}

// schemes are those a link of a page may have. Anything else could run in the
// page or start a program.
var schemes = map[string]bool{"http": true, "https": true, "mailto": true, "tel": true, "ftp": true, "obsidian": true, "doi": true, "irc": true, "xmpp": true}

// safeURL returns the URL if a reader may follow it, else that of plain text.
func safeURL(raw string) string {
	raw = schema.HostURL(strings.TrimSpace(raw))
	scheme, _, ok := strings.Cut(raw, ":")
	if !ok || !schemes[strings.ToLower(scheme)] {
		return plainHref
	}
	return raw
}

// outsidePath turns a path below the wiki's root, which begins with ../, into
// one below the repository; empty when it is not in it.
func outsidePath(ws *compiler.Workspace, name string) string {
	p := path.Join(ws.RootPath, name)
	if p == ".." || strings.HasPrefix(p, "../") {
		return ""
	}
	return p
}

// codeURL leads to lines of a file of the repository, at the commit the wiki
// was compiled from. It is empty when no repository is configured.
func (s *Site) codeURL(name string, from, to int) string {
	if s.cfg.Site.Repo == "" || name == "" || !visible(name) || s.public.HiddenFile(name) {
		return ""
	}
	rev := "HEAD"
	if h := s.wiki.History(); h != nil && h.Head != "" {
		rev = h.Head
	}
	return strings.TrimRight(s.cfg.Site.Repo, "/") + "/blob/" + rev + "/" + escapePath(name) + lineFragment(from, to)
}
