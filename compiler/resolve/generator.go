package resolve

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/schema"
)

var (
	// givenID is an id between braces: {#id}, { #id .class }, {: #id}, { id="id" }.
	givenID = schema.Expression(`\{:?[ \t]*(?:[^{}\n]*[ \t])?(?:#|id=["']?)([^\s"'{}]+)[^{}\n]*\}`)
	// attributes matches the braces at the end of a heading.
	attributes = schema.Expression(`[ \t]*\{[^{}]*\}$`)
	// term is the line before a definition.
	term = schema.Expression(`(?m)^([^\s:].*)\n(?:[ \t]*\n)?:[ \t]`)
	// include is where mdBook, DocFX, Hugo, Jekyll, and plugins of MkDocs and Docusaurus
	// put one file into another.
	include = schema.Expression("(?:\\{\\{#(?:rustdoc_)?include\\s+|\\[!(?i:include)\\s*\\[[^\\]\\n]*\\]\\(|--8<--\\s+[\"']" +
		"|\\{\\{[<%]\\s*include\\s+[\"'`]|\\{%-?\\s*include(?:_relative|-markdown)?\\s+[\"']?|\\{!\\s*|(?m:^import\\s+\\w+\\s+from\\s+[\"']))([^\\s\"'`)}:!]+)")
)

// Includes returns the pages that a page has put into it where it is shown, in the
// order of the file.
func (x *Index) Includes(p *schema.Page) []*schema.Page {
	src := p.Source[min(p.Body, len(p.Source)):]
	marked := func(mark string) bool { return bytes.Contains(src, []byte(mark)) }
	if !slices.ContainsFunc([]string{"include", "INCLUDE", "--8<--", "{!", "\nimport "}, marked) {
		return nil
	}
	var out []*schema.Page
	for _, m := range include().FindAllSubmatch(src, -1) {
		name := norm.NFC.String(string(m[1]))
		i, ok := x.exact[path.Join(path.Dir(norm.NFC.String(p.Path)), name)]
		if !ok {
			i, ok = x.exact[strings.TrimPrefix(name, "/")]
		}
		if !ok {
			r := x.suffix(p, strings.TrimPrefix(name, "/"))
			i, ok = x.exact[norm.NFC.String(r.Path)]
		}
		if ok && x.targets[i].page != nil && x.targets[i].page != p {
			out = append(out, x.targets[i].page)
		}
	}
	return out
}

// mostIncluded is how many pages one page is looked through for.
const mostIncluded = 100

// included adds the anchors of the pages that a page includes.
func (x *Index) included(a *anchors, p *schema.Page) {
	seen := map[*schema.Page]bool{p: true}
	for work := x.Includes(p); len(work) > 0 && len(seen) <= mostIncluded; work = work[1:] {
		q := work[0]
		if seen[q] {
			continue
		}
		seen[q] = true
		for id := range x.ownAnchors(q).ids {
			if _, ok := a.ids[id]; !ok {
				a.ids[id] = ""
			}
		}
		work = append(work, x.Includes(q)...)
	}
}

// generated adds the anchors that a page has on a site alone.
func (x *Index) generated(a *anchors, p *schema.Page) {
	add := func(id, to string) {
		if _, ok := a.ids[id]; !ok && id != "" {
			a.ids[id] = to
		}
	}
	g := x.place.Generator
	if g.GivenIDs {
		for _, m := range givenID().FindAllSubmatchIndex(p.Source, -1) {
			add(string(p.Source[m[2]:m[3]]), headingAt(p, m[0]))
		}
	}
	if g.TermIDs {
		for _, m := range term().FindAllSubmatchIndex(p.Source, -1) {
			id := pythonSlug(string(p.Source[m[2]:m[3]]))
			if _, taken := a.ids[id]; taken {
				id += "-1"
			}
			add(id, headingAt(p, m[0]))
		}
	}
	if g != (schema.Generator{}) { // GitHub alone keeps the space beside an image
		for i := range p.Headings {
			add(strings.Trim(p.Headings[i].ID, "-"), p.Headings[i].ID)
		}
	}
	if g.MditSlugs {
		times := map[string]int{}
		for i := range p.Headings {
			id := mditSlug(attributes().ReplaceAllString(p.Headings[i].Text, ""))
			if times[id]++; times[id] > 1 {
				id += "-" + strconv.Itoa(times[id]-1)
			}
			add(id, p.Headings[i].ID)
		}
	}
	if !g.PythonSlugs {
		return
	}
	times := map[string]int{}
	for i := range p.Headings {
		text := attributes().ReplaceAllString(p.Headings[i].Text, "")
		id := pythonSlug(text)
		if times[id]++; times[id] > 1 || id == "" {
			id += "_" + strconv.Itoa(times[id]-min(1, len(id)))
		}
		add(id, p.Headings[i].ID)
	}
}

// headingAt returns the anchor of the last heading that begins before a place.
func headingAt(p *schema.Page, at int) (id string) {
	for i := range p.Headings {
		if p.Headings[i].Span.Start <= at {
			id = p.Headings[i].ID
		}
	}
	return id
}

// pythonSlug is the anchor that the toc extension of Python-Markdown gives a heading.
func pythonSlug(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '-'
		case r > unicode.MaxASCII, !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-':
			return -1
		}
		return unicode.ToLower(r)
	}, strings.TrimSpace(norm.NFKD.String(text)))
	for strings.Contains(text, "--") {
		text = strings.ReplaceAll(text, "--", "-")
	}
	return text
}

// mditSlug is the anchor that VitePress and VuePress give a heading, by the function
// slugify of @mdit-vue/shared.
func mditSlug(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r), r < ' ':
			return -1
		case unicode.IsSpace(r), strings.ContainsRune("~`!@#$%^&*()-_+=[]{}|\\;:\"'“”‘’<>,.?/", r):
			return '-'
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '-' }), "-")
	if text != "" && '0' <= text[0] && text[0] <= '9' {
		return "_" + text
	}
	return text
}

// rendered looks up a page by the name of the file that a generator makes of it.
func (x *Index) rendered(full string, by schema.ResolvedBy) (schema.Resolution, bool) {
	stem, ok := strings.CutSuffix(full, ".html")
	if !ok || !x.place.Generator.HTMLNames {
		return schema.Resolution{}, false
	}
	if r := x.at(stem, by, stem); r.OK() && r.Kind == schema.TargetPage {
		return r, true
	}
	if path.Base(stem) != "index" {
		return schema.Resolution{}, false
	}
	return x.folderIndex(strings.TrimPrefix(path.Dir(stem), "."))
}
