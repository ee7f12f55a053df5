package scaffold

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// AttributesFile tells git how files are merged.
const AttributesFile = ".gitattributes"

// MergeDriver is the name of the merge driver, and MergeCommand is how git calls it: without
// wiki on PATH, files are merged as git does.
const (
	MergeDriver  = "wiki"
	MergeCommand = "if command -v wiki >/dev/null; then wiki merge-driver -- %O %A %B %P; else git merge-file %A %O %B; fi"
)

// JoinedPages are the patterns of the pages that the driver merges in a clone that has it:
// indexes and logs below the root of the wiki, "." for all of the repository.
func JoinedPages(root string) []string {
	below := ""
	if root != "." {
		below = root + "/**/"
	}
	var out []string
	for _, name := range []string{"index.md", "_index.md", "log.md", "_log.md"} {
		pattern := below + name
		if strings.ContainsAny(pattern, " \t\"") {
			pattern = strconv.Quote(pattern)
		}
		out = append(out, pattern)
	}
	return out
}

// joinedState are the patterns of the other files that it merges.
var joinedState = []string{"wiki.lock", "**/" + schema.BaselineFile, "**/" + schema.AcknowledgedFile, "**/" + schema.VerdictsFile}

// Attributes adds lines to a .gitattributes that let git merge what branches add to the
// same files. Of pages, such as the index and the log, git keeps both sides by itself; the
// others have the driver, and are merged by lines in a clone that lacks it. What a line
// sets merge for already is left alone. Pages are slash-separated paths below the folder
// of the file.
func Attributes(text string, pages []string) string {
	var union []string
	for _, page := range pages {
		pattern := page
		if path.Dir(page) == "." {
			pattern = "/" + page // without a slash it would match in every folder
		}
		if strings.ContainsAny(page, " \t\"") {
			pattern = strconv.Quote(pattern)
		}
		union = append(union, pattern)
	}
	text = attribute(text, union, "union", "Branches add lines to these pages; a merge keeps those of both.")
	return attribute(text, joinedState, MergeDriver, "Merged entry by entry in clones that ran 'wiki merge-driver --install'.")
}

// attribute sets how files of some patterns are merged, below a comment.
func attribute(text string, patterns []string, merge, comment string) string {
	var add strings.Builder
	for _, pattern := range patterns {
		if !setsMerge(text, pattern) {
			add.WriteString(pattern + " merge=" + merge + "\n")
		}
	}
	if add.Len() == 0 {
		return text
	}
	if text = strings.TrimRight(text, "\n"); text != "" {
		text += "\n\n"
	}
	return text + "# " + comment + "\n" + add.String()
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
