package theme

import (
	"html/template"
	"maps"
	"strings"
)

// functions are the functions of templates.
func (t *Theme) functions() template.FuncMap {
	f := template.FuncMap{
		"early":  func() template.JS { return template.JS(t.early) },
		"locate": func() template.JS { return template.JS(t.locate) },
		"onward": func() template.JS { return template.JS(t.onward) },
		"icon":   func() template.URL { return template.URL(t.iconURL()) },
		"css":    func() template.CSS { return template.CSS(t.assets[StylesName]) },
		"shared": t.shared,
		"policy": policy,
		"show":   t.show,
		"pair":   func(a, b any) []any { return []any{a, b} },
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

// show runs the template of a block.
func (t *Theme) show(b Block) (template.HTML, error) { return t.part(b.Name, b) }

// part runs a template of parts.html, or of a block, by itself.
func (t *Theme) part(name string, data any) (template.HTML, error) {
	var b strings.Builder
	err := t.parts.ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}

// policyEscapes are the characters that would end the attribute. html/template escapes
// the quotes of sources too, which are many.
var policyEscapes = strings.NewReplacer("&", "&amp;", `"`, "&#34;", "<", "&lt;", ">", "&gt;")

// policy is the content security policy of a page, as an element of its head.
func policy(csp string) template.HTML {
	return template.HTML(`<meta http-equiv="Content-Security-Policy" content="` + policyEscapes.Replace(csp) + `">`)
}
