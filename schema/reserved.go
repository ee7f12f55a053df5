package schema

import "strings"

// reservedNames are the pages that have their place by their name, in lower
// case and without ".md".
var reservedNames = map[string]bool{
	"index": true, "_index": true, "home": true, "log": true, "readme": true, "overview": true,
	"schema": true, "00_schema": true, "agents": true, "claude": true, "instructions": true,
	"moc": true, "_context": true, "purpose": true,
}

// ReservedName reports whether the page at path has its place by its name:
// an index, a log, a schema, a readme. Such pages are no orphans and need no
// frontmatter. Letter case does not matter, nor does ".md" at the end.
func ReservedName(path string) bool {
	stem := path[strings.LastIndexByte(path, '/')+1:]
	if len(stem) > 3 && strings.EqualFold(stem[len(stem)-3:], ".md") {
		stem = stem[:len(stem)-3]
	}
	return len(stem) <= len("instructions") && reservedNames[strings.ToLower(stem)]
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
