package mode

import "strings"

// Same is the agreement from which on what people did counts as what the run
// would have done.
const Same = 0.9

// Change is what a patch does: its lines by file.
type Change map[string]map[string]int

// ReadPatch reads a unified diff of git's. What it can't read it leaves out.
func ReadPatch(text string) Change {
	out := make(Change)
	file, old := "", ""
	inHunk := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "diff --git "):
			file, old, inHunk = "", "", false
		case !inHunk && strings.HasPrefix(line, "--- "):
			old = name(line, "a/")
		case !inHunk && strings.HasPrefix(line, "+++ "):
			if file = name(line, "b/"); file == "" {
				file = old // it was deleted
			}
		case strings.HasPrefix(line, "@@ "):
			inHunk = true
		case inHunk && file != "" && line != "" && (line[0] == '+' || line[0] == '-') && strings.TrimSpace(line[1:]) != "":
			if out[file] == nil {
				out[file] = make(map[string]int)
			}
			out[file][line]++
		}
	}
	return out
}

// name returns the file that a line of a patch names, "" for none.
func name(line, prefix string) string {
	text := strings.Trim(line[4:], "\"\t ")
	if text == "/dev/null" {
		return ""
	}
	return strings.TrimPrefix(text, prefix)
}

// Agreement returns how much of what two changes do in the files of the first is the
// same: twice the lines in both, by the lines of either, from 0 to 1. Without
// lines it is 0.
func Agreement(would, did Change) float64 {
	both, all := 0, 0
	for file, lines := range would {
		for line, n := range lines {
			both += min(n, did[file][line])
			all += n
		}
		for _, n := range did[file] {
			all += n
		}
	}
	if all == 0 {
		return 0
	}
	return 2 * float64(both) / float64(all)
}
