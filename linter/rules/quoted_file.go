package rules

import (
	"strings"

	"github.com/loopwiki/wiki/schema/text"
)

// textLine is a line of code for comparison: without indentation, and with single
// spaces.
type textLine struct {
	text   string
	number int // 1-based, in the file
}

// codeLines returns the lines of a text that are not blank.
func codeLines(s string) []textLine {
	var out []textLine
	n := 0
	for line := range strings.Lines(s) {
		n++
		if t := text.Collapse(line); t != "" {
			out = append(out, textLine{t, n})
		}
	}
	return out
}

// omission reports whether a line of a quotation says that something was left out.
func omission(line string) bool {
	return strings.Contains(line, "...") && len(strings.Trim(line, "./*#-;<>!()[]{} ")) == 0 || strings.ContainsRune(line, '…') ||
		strings.HasPrefix(line, "// ...") || strings.HasPrefix(line, "# ...") || strings.HasPrefix(line, "/* ...")
}

// pieces splits a quotation where something was left out.
func pieces(quoted []textLine) [][]textLine {
	var out [][]textLine
	from := 0
	for i := 0; i <= len(quoted); i++ {
		if i == len(quoted) || omission(quoted[i].text) {
			if i > from {
				out = append(out, quoted[from:i])
			}
			from = i + 1
		}
	}
	return out
}

// occurrences returns the first places, at most most, at which the lines of piece are
// consecutive in file (Knuth, Morris and Pratt).
func occurrences(piece, file []textLine, most int) []int {
	fail := make([]int, len(piece))
	for i, k := 1, 0; i < len(piece); i++ {
		for k > 0 && piece[i].text != piece[k].text {
			k = fail[k-1]
		}
		if piece[i].text == piece[k].text {
			k++
		}
		fail[i] = k
	}
	var out []int
	for i, k := 0, 0; i < len(file); i++ {
		for k > 0 && (k == len(piece) || file[i].text != piece[k].text) {
			k = fail[k-1]
		}
		if file[i].text == piece[k].text {
			k++
		}
		if k == len(piece) {
			if out = append(out, i-k+1); len(out) == most {
				return out
			}
			if k = fail[k-1]; len(piece) == 1 {
				k = 0
			}
		}
	}
	return out
}

// containsInOrder reports whether file contains all pieces, in their order.
func containsInOrder(all [][]textLine, file []textLine) bool {
	for _, piece := range all {
		at := occurrences(piece, file, 1)
		if len(at) == 0 {
			return false
		}
		file = file[at[0]+len(piece):]
	}
	return true
}

// commonLines returns how many lines of a quotation are in file, and how many there are,
// ignoring lines without letters.
func commonLines(quoted, file []textLine) (found, all int) {
	has := make(map[string]bool, len(file))
	for _, l := range file {
		has[l.text] = true
	}
	for _, l := range quoted {
		if len(strings.Trim(l.text, "(){}[];,. ")) == 0 || omission(l.text) {
			continue
		}
		all++
		if has[l.text] {
			found++
		}
	}
	return found, all
}

// abridged reports whether every line of a quotation is in file, in their
// order, if not one after the other.
func abridged(quoted, file []textLine) bool {
	i := 0
	for _, l := range file {
		if i < len(quoted) && (l.text == quoted[i].text || omission(quoted[i].text)) {
			i++
		}
	}
	return i == len(quoted)
}

// only returns the index of the only line of file that equals text, or -1.
func only(text string, file []textLine) int {
	found := -1
	for i := range file {
		if file[i].text == text {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}
