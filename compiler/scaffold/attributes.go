package scaffold

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// AttributesFile tells git how files are merged.
const AttributesFile = ".gitattributes"

// Attributes adds lines to a .gitattributes that let git keep both sides where two
// branches add lines to the same page, as they do to the index and the log. A page for
// which a line sets merge already is left alone. Pages are slash-separated paths below
// the folder of the file.
func Attributes(text string, pages []string) string {
	var add strings.Builder
	for _, page := range pages {
		pattern := page
		if path.Dir(page) == "." {
			pattern = "/" + page // without a slash it would match in every folder
		}
		if strings.ContainsAny(page, " \t\"") {
			pattern = strconv.Quote(pattern)
		}
		if !setsMerge(text, pattern) {
			add.WriteString(pattern + " merge=union\n")
		}
	}
	if add.Len() == 0 {
		return text
	}
	if text = strings.TrimRight(text, "\n"); text != "" {
		text += "\n\n"
	}
	return text + "# Branches add lines to these pages; a merge keeps those of both.\n" + add.String()
}

// setsMerge reports whether a line for a pattern says how its files are merged.
func setsMerge(text, pattern string) bool {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(line), "/"), strings.TrimPrefix(pattern, "/"))
		if ok && slices.ContainsFunc(strings.Fields(rest), func(attribute string) bool {
			name, _, _ := strings.Cut(strings.TrimLeft(attribute, "-!"), "=")
			return name == "merge"
		}) {
			return true
		}
	}
	return false
}
