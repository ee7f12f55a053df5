package compiler

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/resolve"
	"github.com/loopwiki/wiki/schema"
)

// Listed reports whether a file that is not a page lists a page: a sidebar of Docusaurus
// or VitePress, the nav of MkDocs, or an index or README around the wiki's root.
func (w *Wiki) Listed(p *schema.Page) bool { return w.listed()[p.ID] }

// linkTo is where a markdown link leads.
var linkTo = schema.Expression(`\]\(<?([^)\s#>]+)`)

// listAround adds to out the pages that the indexes in the folders around the root link to.
func (w *Wiki) listAround(out map[schema.PageID]bool) {
	at, err := w.space.Open(w.space.Dir)
	if err != nil {
		return
	}
	defer at.Close()
	for dir := w.space.RootPath; dir != "."; {
		dir = path.Dir(dir)
		for _, name := range []string{"README.md", "index.md", "_index.md"} {
			for _, m := range linkTo().FindAllStringSubmatch(text(at, path.Join(dir, name)), -1) {
				rel, ok := strings.CutPrefix(path.Join(dir, m[1]), w.space.RootPath+"/")
				if p := w.Page(schema.PageID(strings.TrimSuffix(rel, ".md"))); ok && p != nil {
					out[p.ID] = true
				}
			}
		}
	}
}

// Published reports whether a page is one of a site whose generator is known.
func (w *Wiki) Published(p *schema.Page) bool { return w.names.Published(p) }

// sites returns the generated sites of the wiki's pages. Most settings files are
// programs, so only literal values are read.
func (w *Wiki) sites() []resolve.Site {
	at, err := w.space.Open(w.space.Dir)
	if err != nil {
		return nil
	}
	defer at.Close()
	var out []resolve.Site
	for _, p := range w.configs() {
		home := path.Dir(p)
		switch name := path.Base(p); {
		case strings.HasPrefix(name, "docusaurus."):
			out = append(out, docusaurus(home, text(at, p), text(at, path.Join(home, "sidebars.js"))+text(at, path.Join(home, "sidebars.ts")))...)
		case name == ".vitepress", name == ".vuepress":
			lists := ""
			for _, ext := range []string{"js", "ts", "mjs", "mts"} {
				lists += text(at, path.Join(p, "config."+ext))
			}
			lists += w.loaded(at)
			out = append(out, resolve.Site{Home: home, Folder: home, Static: []string{path.Join(home, "public"), path.Join(p, "public")},
				Lists: lists, All: lists != "" && !strings.Contains(lists, "sidebar")})
		case strings.HasPrefix(name, "mkdocs."):
			lists, folder := text(at, p), "docs"
			if m := docsDir().FindStringSubmatch(lists); m != nil {
				folder = m[1]
			}
			out = append(out, resolve.Site{Home: home, Folder: path.Join(home, folder), Route: resolve.NoRoute, Lists: lists, All: !nav().MatchString(lists)})
		}
	}
	return out
}

// contentLoader is how a data loader of VitePress takes all pages of a folder.
var contentLoader = schema.Expression(`createContentLoader\(\s*\[?\s*["']/?([^"'*]+)\*`)

// loaded returns the names of the pages that data loaders of VitePress list.
func (w *Wiki) loaded(at *files.Root) string {
	var out strings.Builder
	for _, f := range w.files {
		if !strings.Contains(path.Base(f), ".data.") {
			continue
		}
		for _, m := range contentLoader().FindAllStringSubmatch(text(at, path.Join(w.space.RootPath, f)), -1) {
			for _, p := range w.pages {
				if strings.HasPrefix(p.Path, m[1]) {
					out.WriteString("\n/" + string(p.ID))
				}
			}
		}
	}
	return out.String()
}

var (
	docsDir = schema.Expression(`(?m)^docs_dir:\s*["']?([^"'\s#]+)`)
	nav     = schema.Expression(`(?m)^nav:`)
)

// text returns the text of a settings file, "" if it does not exist.
func text(at *files.Root, p string) string {
	src, err := at.ReadFile(p, files.Config)
	if err != nil {
		return ""
	}
	return string(src)
}

var (
	lineComment = schema.Expression(`(?m)^\s*//.*$`)
	folderKey   = schema.Expression(`\b(path|routeBasePath)\s*:\s*["']([^"']*)["']`)
	blockKey    = schema.Expression(`(\w+)["']?\s*:\s*$`)
	staticKey   = schema.Expression(`staticDirectories\s*:\s*\[([^\]]*)\]`)
	quotedText  = schema.Expression(`["']([^"']+)["']`)
)

// docusaurus reads the sites that a docusaurus.config sets up: what the preset calls
// docs and blog, and each plugin that has a path and a routeBasePath.
func docusaurus(home, config, sidebars string) []resolve.Site {
	config = lineComment().ReplaceAllString(config, "")
	static := []string{path.Join(home, "static"), path.Join(home, "src/pages")}
	if m := staticKey().FindStringSubmatch(config); m != nil {
		for _, dir := range quotedText().FindAllStringSubmatch(m[1], -1) {
			static = append(static, path.Join(home, dir[1]))
		}
	}
	blocks := map[int]map[string]string{} // where a block begins, to its keys
	for _, m := range folderKey().FindAllStringSubmatchIndex(config, -1) {
		at := blockAround(config, m[0])
		if at < 0 {
			continue
		}
		if blocks[at] == nil {
			blocks[at] = map[string]string{}
			if name := blockKey().FindStringSubmatch(config[:at]); name != nil {
				blocks[at]["name"] = name[1]
			}
		}
		blocks[at][config[m[2]:m[3]]] = config[m[4]:m[5]]
	}
	folders := map[string]string{"docs": "docs", "blog": "blog"} // to routes
	for _, at := range slices.Sorted(maps.Keys(blocks)) {
		keys := blocks[at]
		name := keys["name"]
		preset := name == "docs" || name == "blog"
		folder, hasPath := keys["path"]
		route, routed := keys["routeBasePath"]
		switch {
		case preset && !hasPath:
			folder = name
		case preset:
			delete(folders, name)
		case !hasPath || !routed:
			continue
		}
		if !routed {
			route = name
		}
		folders[folder] = route
	}
	var out []resolve.Site
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		out = append(out, resolve.Site{Home: home, Folder: path.Join(home, folder), Route: folders[folder], Static: static, IDs: true,
			Lists: sidebars, All: folder == "blog" || sidebars == "" || strings.Contains(sidebars, "autogenerated")})
	}
	return out
}

// blockAround returns where the braces around a place begin, -1 outside all.
func blockAround(text string, at int) int {
	for depth := 0; at > 0; {
		at--
		switch text[at] {
		case '}':
			depth++
		case '{':
			if depth == 0 {
				return at
			}
			depth--
		}
	}
	return -1
}
