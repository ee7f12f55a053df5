package schema

import "strings"

// reservedNames are the pages that have their place by their name, in lower
// case and without ".md".
var reservedNames = map[string]bool{
	"index": true, "_index": true, "home": true, "log": true, "readme": true, "overview": true,
	"schema": true, "00_schema": true, "agents": true, "claude": true, "instructions": true,
	"moc": true, "_context": true, "purpose": true,
	"_sidebar": true, "_header": true, "_footer": true, // of a GitHub wiki, beside every page
	"404":     true,                    // of a site, which servers lead to
	"license": true, "changelog": true, // of a package
}

// ReservedName reports whether the page at path has a role by its name: an index, a log,
// a schema, a readme. Such pages are not orphans and need no front matter. Letter case
// doesn't matter, except for the SUMMARY of mdBook, nor does ".md" at the end.
func ReservedName(path string) bool {
	stem := path[strings.LastIndexByte(path, '/')+1:]
	if len(stem) > 3 && strings.EqualFold(stem[len(stem)-3:], ".md") {
		stem = stem[:len(stem)-3]
	}
	return stem == "SUMMARY" || len(stem) <= len("instructions") && reservedNames[strings.ToLower(stem)]
}

// sourceFolders hold what a wiki was made from.
var sourceFolders = []string{"raw", "sources", "_sources", "references"}

// SourceFolder reports whether a folder of this name, beside a wiki layer,
// holds raw sources.
func SourceFolder(name string) bool {
	for _, f := range sourceFolders {
		if strings.EqualFold(f, name) {
			return true
		}
	}
	return false
}

// repositoryPages are the pages at the top of a repository that are about it
// and not of its wiki, in lower case and without extension.
var repositoryPages = map[string]bool{
	"readme": true, "license": true, "contributing": true, "changelog": true, "security": true, "code_of_conduct": true,
	"agents": true, "claude": true, "gemini": true, "support": true, "governance": true, "authors": true, "history": true,
}

// RepositoryPage reports whether the page at a path below a repository's top
// is one that repositories have whether or not they hold a wiki.
func RepositoryPage(path string) bool {
	if strings.ContainsRune(path, '/') {
		return false
	}
	if dot := strings.LastIndexByte(path, '.'); dot > 0 {
		path = path[:dot]
	}
	return repositoryPages[strings.ToLower(path)]
}

// TemplatePath reports whether other pages are made from the page at path: it
// is in a folder of templates, or in one where Hugo or Jekyll has its own, or is
// named _template.
func TemplatePath(path string) bool {
	if strings.HasPrefix(path, "layouts/") {
		return true
	}
	for {
		dir, rest, ok := strings.Cut(path, "/")
		if !ok {
			return dir == "_template.md"
		}
		switch strings.ToLower(strings.TrimLeft(dir, "_.")) {
		case "template", "templates", "archetypes":
			return true
		}
		if dir == "_layouts" || dir == "_includes" {
			return true
		}
		path = rest
	}
}
