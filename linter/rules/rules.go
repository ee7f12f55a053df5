// Package rules holds the linter's rules: one rule, one file, registered
// there, with testdata/<rule>.txtar next to it. Import it for its effect on
// [linter.Rules].
//
// A test fails for a rule without its txtar, and the page that documents a
// rule is written from the rule's Doc and that txtar, so that no example of
// the documentation is ever out of date.
package rules

import (
	"embed"
	"iter"
	"path"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"golang.org/x/text/unicode/norm"
)

// Examples holds testdata/<rule>.txtar of every rule: wikis the rule reports
// on, wikis it must not report on, and what it says.
//
//go:embed testdata/*.txtar
var Examples embed.FS

// since is the version that the rules of the first release came with.
const since = "0.1.0"

// site is one link at its place.
type site struct {
	Page *schema.Page
	Link *schema.Link
	Res  *schema.Resolution
}

// sites yields every link of the pages to check in order of page and place.
func sites(p *linter.Pass) iter.Seq[site] { return sitesOf(p, p.Pages()) }

// allSites yields every link of the wiki, for what is true of the wiki as a whole.
func allSites(p *linter.Pass) iter.Seq[site] { return sitesOf(p, p.Wiki.Pages()) }

func sitesOf(p *linter.Pass, pages []*schema.Page) iter.Seq[site] {
	return func(yield func(site) bool) {
		for _, page := range pages {
			if p.Err() != nil {
				return
			}
			for l, res := range p.Wiki.Links(page) {
				if !yield(site{page, l.As(res), res}) {
					return
				}
			}
		}
	}
}

// at is the place of findings about a link: its destination, or the whole link if it is
// empty.
func (s site) at() schema.Span {
	if s.Link.Dest.Len() > 0 {
		return s.Link.Dest
	}
	return s.Link.Span
}

// missing reports whether the link names something that is not there.
func (s site) missing() bool {
	return s.Res.Kind == schema.TargetNone && s.Res.Broken == schema.BrokenMissing
}

// imageExtensions are the files that are shown as a picture.
var imageExtensions = map[string]bool{".png": true, ".jpg": true, ".jpeg": true, ".gif": true, ".svg": true,
	".webp": true, ".avif": true, ".bmp": true, ".ico": true, ".tif": true, ".tiff": true, ".excalidraw": true}

// image reports whether the link is an image, by its syntax or the extension of its
// target.
func (s site) image() bool {
	if !s.Link.Embed {
		return false
	}
	return s.Link.Markdown() || imageExtensions[strings.ToLower(path.Ext(s.Link.Target))]
}

// lowerSeverity lowers the severity of findings in raw sources, which are kept as
// collected, including README and index files, and in templates, whose placeholders are
// filled in later. An _index is maintained with the wiki, so its findings count fully.
func lowerSeverity(d *schema.Diagnostic, page *schema.Page) {
	if page.Layer == schema.LayerSource && !keptIndex(page) || template(page) {
		d.Severity = schema.Info
	}
}

// keptIndex reports whether a page is the index that agents keep of a folder of raw
// sources, in the layout of nvk.
func keptIndex(page *schema.Page) bool {
	nvk, _ := schema.DialectByName("nvk")
	f, ok := nvk.Folder(path.Dir(page.Path))
	return ok && f.Indexed && stem(page.Path) == nvk.Index
}

// template reports whether other pages are made from this one: it is in a
// folder of templates.
func template(page *schema.Page) bool { return schema.TemplatePath(page.Path) }

// kept returns the pages that those who keep the wiki write: no raw sources.
func kept(p *linter.Pass) []*schema.Page {
	var out []*schema.Page
	for _, page := range p.Wiki.Pages() {
		if page.Layer != schema.LayerSource {
			out = append(out, page)
		}
	}
	return out
}

// stem returns the file name of a path without .md.
func stem(p string) string {
	base := path.Base(p)
	if ext := path.Ext(base); strings.EqualFold(ext, ".md") || strings.EqualFold(ext, ".markdown") {
		base = base[:len(base)-len(ext)]
	}
	return base
}

// fold returns a name for comparison: NFC, lower case.
func fold(s string) string { return strings.ToLower(norm.NFC.String(s)) }

// slug returns the letters and digits of a name, folded, with one hyphen where
// anything else stood: two spellings of one name have the same slug.
func slug(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range fold(s) {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// lineOf returns the span of the whole line that offset is in, its line ending
// included.
func lineOf(page *schema.Page, offset int) schema.Span {
	s := page.Lines.Line(page.Lines.LineOf(offset))
	for s.End < len(page.Source) && (page.Source[s.End] == '\n' || page.Source[s.End] == '\r') {
		s.End++
		if page.Source[s.End-1] == '\n' {
			break
		}
	}
	return s
}
