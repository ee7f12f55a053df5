package identity

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/language"

	"github.com/loopwiki/wiki/schema"
)

// detection collects the evidence that folders are editions.
type detection struct {
	cfg     schema.IdentityConfig
	folders map[string]*folder // by path
	works   map[string]*work   // by the path without anything that looks like an edition
}

// folder is one that is named after a language or a version.
type folder struct {
	axis   int
	given  bool // by wiki.yaml
	pages  int  // in it, pages that every folder has aside
	shared int  // of them, those with a counterpart outside it
}

// work is the common path of pages whose paths differ only in parts that look like
// editions.
type work struct {
	first  string // the editions of the first page
	differ bool
	number bool // one of them has a digit
}

// segment is one part of a path.
type segment struct {
	plain string // folded
	path  string // up to and with it, as on disk
	axis  int
	name  string // of the edition that it looks like, empty when like none
	rest  string // what stays in its place when it is one
	file  bool
}

// split reads a path.
func (d *detection) split(file string) []segment {
	parts := strings.Split(file, "/")
	out := make([]segment, 0, len(parts))
	end := 0
	for i, part := range parts {
		end += len(part)
		s := segment{plain: strings.ToLower(part), path: file[:end], file: i == len(parts)-1}
		end++
		switch {
		case s.file:
			s.plain = strings.TrimSuffix(s.plain, path.Ext(s.plain))
			if stem, lang := fileLanguage(strings.TrimSuffix(part, path.Ext(part))); lang != "" {
				s.axis, s.name, s.rest = byLanguage, lang, strings.ToLower(stem)
			}
		case d.listed(d.cfg.Languages, s.path):
			s.axis, s.name = byLanguage, s.plain
			d.folder(s.path, byLanguage).given = true
		case d.listed(d.cfg.Versions, s.path):
			s.axis, s.name = byVersion, s.plain
			d.folder(s.path, byVersion).given = true
		default:
			if lang := languageTag(part); lang != "" {
				s.axis, s.name = byLanguage, lang
			} else if versionLike(part) {
				s.axis, s.name = byVersion, s.plain
			}
		}
		if plain, ok := holders[s.plain]; ok && !s.file {
			s.plain = plain
			if plain == "" {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// holders are folders in which site generators put editions, mapped to the path of the
// default edition.
var holders = map[string]string{
	"i18n": "", "translations": "", "locales": "",
	"versioned_docs": "docs", "docusaurus-plugin-content-docs": "docs",
}

func (d *detection) listed(globs []string, folder string) bool {
	for _, g := range globs {
		if doublestar.MatchUnvalidated(strings.Trim(g, "/"), folder) {
			return true
		}
	}
	return false
}

func (d *detection) folder(path string, axis int) *folder {
	f := d.folders[path]
	if f == nil {
		f = &folder{axis: axis}
		d.folders[path] = f
	}
	return f
}

// workOf is the path without all that looks like an edition.
func workOf(segs []segment) string {
	var b strings.Builder
	for _, s := range segs {
		part := s.plain
		if s.name != "" {
			part = s.rest
		}
		if part != "" {
			b.WriteByte('/')
			b.WriteString(part)
		}
	}
	return b.String()
}

// editionsOf are all that look like editions.
func editionsOf(segs []segment) string {
	var b strings.Builder
	for _, s := range segs {
		b.WriteByte('/')
		b.WriteString(s.name)
	}
	return strings.Trim(b.String(), "/")
}

// count notes which pages have a path in common.
func (d *detection) count(p *schema.Page, segs []segment) {
	key, eds := workOf(segs), editionsOf(segs)
	w := d.works[key]
	if w == nil {
		w = &work{first: eds}
		d.works[key] = w
	}
	w.differ = w.differ || w.first != eds
	w.number = w.number || strings.ContainsAny(eds, "0123456789")
}

// compare counts a page for the folders that it is in.
func (d *detection) compare(p *schema.Page, segs []segment) {
	if p.Reserved() {
		return
	}
	w := d.works[workOf(segs)]
	for _, s := range segs {
		if s.name == "" || s.file {
			continue
		}
		f := d.folder(s.path, s.axis)
		f.pages++
		if w.differ && (s.axis == byLanguage || w.number) {
			f.shared++
		}
	}
}

// leastShared is one in how many pages of an edition has a counterpart.
const leastShared = 3

// edition reports whether a segment that looks like an edition is one.
func (d *detection) edition(segs []segment, i int, w *work) bool {
	s := segs[i]
	switch {
	case s.name == "":
		return false
	case s.file:
		return w.differ
	}
	f := d.folders[s.path]
	return f != nil && (f.given || f.shared > 0 && leastShared*f.shared >= f.pages)
}

// languageTag returns the language in a folder's name, such as en, pt-BR or zh_CN, in
// lower case; "" if it is none. Three letters are more often a word than a language.
func languageTag(name string) string {
	base, _, _ := strings.Cut(strings.ReplaceAll(name, "_", "-"), "-")
	if len(base) != 2 {
		return ""
	}
	tag, err := language.Parse(name)
	if err != nil {
		return ""
	}
	return strings.ToLower(tag.String())
}

// fileLanguage splits page.zh-CN, or README_de, into its name and language.
func fileLanguage(stem string) (rest, lang string) {
	i := strings.LastIndexByte(stem, '.')
	if i < 0 && len(stem) > len("readme") && strings.EqualFold(stem[:len("readme")], "readme") && strings.ContainsRune("-_", rune(stem[len("readme")])) {
		i = len("readme")
	}
	if i <= 0 {
		return stem, ""
	}
	return stem[:i], languageTag(stem[i+1:])
}

// givenLanguage returns the language that a page's front matter gives, or "".
func givenLanguage(p *schema.Page) string {
	if p.Front == nil || p.Front.Root == nil {
		return ""
	}
	for _, key := range []string{"lang", "language", "locale"} {
		if v := p.Front.Root.Get(key); v != nil && v.IsScalar() {
			return languageTag(strings.TrimSpace(v.Text))
		}
	}
	return ""
}
