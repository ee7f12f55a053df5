package schema

import (
	"cmp"
	"strings"
)

// Generator is how a site generator changes the resolution of links, in any dialect.
type Generator struct {
	GivenIDs    bool   // {#id}, { #id .class } and {: #id} give what they follow an anchor
	TermIDs     bool   // the terms of definition lists have anchors
	PythonSlugs bool   // headings have the slugs of Python-Markdown too
	MditSlugs   bool   // headings have the slugs of VitePress too
	HTMLNames   bool   // a link to x.html leads to the page x.md
	References  bool   // [text][a.b] may name something that a plugin documents
	Fragments   string // how fragments begin that no page gives, such as those of tabs
}

// generators are known by the names of files, or folders, that configure them.
var generators = map[string]Generator{
	"book.toml":             {GivenIDs: true, HTMLNames: true}, // mdBook
	"mkdocs.yml":            {GivenIDs: true, PythonSlugs: true, References: true, Fragments: "fn:"},
	"mkdocs.yaml":           {GivenIDs: true, PythonSlugs: true, References: true, Fragments: "fn:"},
	"docusaurus.config.js":  {GivenIDs: true},
	"docusaurus.config.ts":  {GivenIDs: true},
	"docusaurus.config.mjs": {GivenIDs: true},
	"hugo.toml":             {GivenIDs: true, TermIDs: true},
	"hugo.yaml":             {GivenIDs: true, TermIDs: true},
	"hugo.yml":              {GivenIDs: true, TermIDs: true},
	"hugo.json":             {GivenIDs: true, TermIDs: true},
	"_config.yml":           {GivenIDs: true, HTMLNames: true}, // Jekyll
	"docfx.json":            {Fragments: "tab/"},
	".vitepress":            {GivenIDs: true, MditSlugs: true, HTMLNames: true}, // a folder
	".vuepress":             {GivenIDs: true, MditSlugs: true, HTMLNames: true}, // a folder
	"rspress.config.ts":     {GivenIDs: true},
	"_quarto.yml":           {GivenIDs: true},
}

// GeneratorNames returns the names of the files and folders that give generators away, in no order.
func GeneratorNames() []string {
	var names []string
	for name := range generators {
		names = append(names, name)
	}
	return names
}

// Add adds what the generator does that a file or folder of this name configures, if there is one.
func (g *Generator) Add(name string) {
	o := generators[name]
	g.GivenIDs, g.TermIDs, g.PythonSlugs, g.MditSlugs = g.GivenIDs || o.GivenIDs, g.TermIDs || o.TermIDs, g.PythonSlugs || o.PythonSlugs, g.MditSlugs || o.MditSlugs
	g.HTMLNames, g.References, g.Fragments = g.HTMLNames || o.HTMLNames, g.References || o.References, cmp.Or(g.Fragments, o.Fragments)
}

// Made reports whether a fragment names what the generator makes.
func (g *Generator) Made(fragment string) bool {
	return g.Fragments != "" && strings.HasPrefix(fragment, g.Fragments)
}
