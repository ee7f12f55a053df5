package theme

import (
	"html/template"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
)

// maxFragments bounds how many entries of lists are kept: those of a few
// folders, since pages are made folder by folder.
const maxFragments = 1 << 12

// fragments are entries of lists, which many pages show.
type fragments struct {
	entries sync.Map // fragment to template.HTML
	count   atomic.Int32
}

type fragment struct {
	template string
	link     Link
}

// functions are the functions of templates. Values go through html/template, which
// escapes by context, once per fragment rather than per page.
func (t *Theme) functions() template.FuncMap {
	f := template.FuncMap{
		"early":   func() template.JS { return template.JS(t.early) },
		"locate":  func() template.JS { return template.JS(t.locate) },
		"onward":  func() template.JS { return template.JS(t.onward) },
		"icon":    func() template.URL { return template.URL(t.iconURL()) },
		"css":     func() template.CSS { return template.CSS(t.assets[StylesName]) },
		"shared":  t.shared,
		"entries": t.entries,
		"part":    t.part,
		"show":    t.show,
		"pair":    func(a, b any) []any { return []any{a, b} },
	}
	maps.Copy(f, runFunctions)
	return f
}

// shared runs a part of the theme that is the same in all files of a place.
func (t *Theme) shared(name string, p *Place) (template.HTML, error) {
	if made, ok := p.shared.Load(name); ok {
		return made.(template.HTML), nil
	}
	made, err := t.part(name, p)
	if err == nil {
		p.shared.Store(name, made)
	}
	return made, err
}

// entries runs a part of the theme for every link. The entry of the page being
// read is not kept: no other page has it.
func (t *Theme) entries(name string, links []Link) (template.HTML, error) {
	var b strings.Builder
	for _, l := range links {
		key := fragment{name, l}
		made, ok := t.cached.entries.Load(key)
		if !ok {
			entry, err := t.part(name, l)
			if err != nil {
				return "", err
			}
			if made = entry; !l.Current {
				if t.cached.count.Add(1)%maxFragments == 0 {
					t.cached.entries.Clear()
				}
				t.cached.entries.Store(key, made)
			}
		}
		b.WriteString(string(made.(template.HTML)))
	}
	return template.HTML(b.String()), nil
}

// show runs the template of a block.
func (t *Theme) show(b Block) (template.HTML, error) { return t.part(b.Name, b) }

// part runs a template of parts.html, or of a block, by itself.
func (t *Theme) part(name string, data any) (template.HTML, error) {
	var b strings.Builder
	err := t.parts.ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}
