package citation

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// State says what became of cited lines.
type State int

// The states.
const (
	Same    State = iota // they stand where they stood, but for white space and comments
	Moved                // they stand elsewhere
	Several              // they stand in several other places; the nearest is given
	Changed              // they stand nowhere
)

// Outcome is where cited lines stand in another version of their file.
type Outcome struct {
	State    State
	From, To int    // where they stand, from 1; of [Changed] what took their place, 0 if nothing did
	Was, Now string // of [Changed] the first line that differs, in both versions
}

// Text is a version of a file, prepared to be compared. It may not be used by several
// goroutines.
type Text struct {
	file   string
	lines  view  // without the white space at their ends
	bare   *view // without comments too
	worded *view // without lines of marks alone too
}

// view is a text as it is compared: empty lines count nothing.
type view struct {
	lines []string
	full  []int            // the numbers of lines that hold anything, from 1
	at    map[string][]int // where in full each line stands
}

// NewText prepares a file; its path tells what is a comment.
func NewText(file string, lines []string) *Text {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimSpace(l)
	}
	return &Text{file: file, lines: newView(out)}
}

// Lines returns how many lines a text has.
func (t *Text) Lines() int { return len(t.lines.lines) }

// Trimmed returns the lines without the white space at their ends. They must not be
// changed.
func (t *Text) Trimmed() []string { return t.lines.lines }

// Has reports whether a line stands in a text, white space at its ends aside.
func (t *Text) Has(line string) bool { return len(t.lines.at[line]) > 0 }

func newView(lines []string) view {
	v := view{lines: lines, full: numbers(lines, 1, len(lines)), at: map[string][]int{}}
	for i, n := range v.full {
		v.at[lines[n-1]] = append(v.at[lines[n-1]], i)
	}
	return v
}

// code returns the text without comments.
func (t *Text) code() *view {
	if t.bare == nil {
		v := newView(uncommented(t.lines.lines, commentMarks[strings.ToLower(path.Ext(t.file))]))
		t.bare = &v
	}
	return t.bare
}

// words returns the code without lines that hold marks and nothing else.
func (t *Text) words() *view {
	if t.worded == nil {
		lines := slices.Clone(t.code().lines)
		for i, l := range lines {
			if !hasWords(l) {
				lines[i] = ""
			}
		}
		v := newView(lines)
		t.worded = &v
	}
	return t.worded
}

// Compare says where the lines from to to of a version of a file, which it has, stand
// in another.
func Compare(then, now *Text, from, to int) Outcome {
	if !slices.ContainsFunc(then.lines.lines[max(from, 1)-1:min(to, then.Lines())], hasWords) {
		return Outcome{State: Same, From: from, To: to} // a brace is like any other
	}
	if out, ok := find(&then.lines, &now.lines, from, to); ok {
		return out
	}
	was, is := then.code(), now.code()
	cited := numbers(was.lines, from, to)
	if len(cited) == 0 {
		return Outcome{State: Same, From: from, To: to} // comments and nothing else
	}
	if out, ok := find(was, is, from, to); ok {
		return out
	}
	if out, ok := find(then.words(), now.words(), from, to); ok {
		return out
	}
	return changed(was, is, cited, from, to)
}

// hasWords reports whether a line holds more than marks.
func hasWords(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// numbers returns which of some lines hold anything, from 1.
func numbers(lines []string, from, to int) []int {
	var out []int
	for n := max(from, 1); n <= min(to, len(lines)); n++ {
		if lines[n-1] != "" {
			out = append(out, n)
		}
	}
	return out
}

// find looks for lines one after the other. Empty ones are no text that could go.
func find(was, is *view, from, to int) (Outcome, bool) {
	cited := numbers(was.lines, from, to)
	if len(cited) == 0 {
		return Outcome{State: Same, From: from, To: to}, true
	}
	first, last := cited[0], cited[len(cited)-1]
	best, second, nearest, here, count := -1, -1, 0, -1, 0
	for _, i := range is.at[was.lines[first-1]] {
		if i+len(cited) > len(is.full) || !matches(was, is, cited, is.full[i:]) {
			continue
		}
		count++
		start, end := is.full[i], is.full[i+len(cited)-1]
		score := alike(was.lines, is.lines, first, start, -1) + alike(was.lines, is.lines, last, end, 1)
		if start >= from && end <= to {
			here = max(here, score)
		}
		switch {
		case score > best || score == best && abs(start-first) < abs(is.full[nearest]-first):
			best, second, nearest = score, best, i
		case score > second:
			second = score
		}
	}
	switch {
	case count == 0:
		return Outcome{}, false
	case here >= 0 && (count == 1 || best < here+clearly):
		return Outcome{State: Same, From: from, To: to}, true
	}
	out := Outcome{State: Moved, From: from + is.full[nearest] - first, To: is.full[nearest+len(cited)-1] + to - last}
	out.From, out.To = max(out.From, 1), min(out.To, len(is.lines))
	if count > 1 && best < second+clearly {
		out.State = Several
	}
	return out, true
}

func matches(was, is *view, cited, among []int) bool {
	for k, n := range cited {
		if was.lines[n-1] != is.lines[among[k]-1] {
			return false
		}
	}
	return true
}

// Of equal lines those are meant around which the same stands: clearly is by how many
// of the nearest lines one place has to be better than another.
const (
	neighbours = 12
	clearly    = 3
)

// alike counts the lines on one side of two places that are the same, of the nearest
// that hold anything.
func alike(was, is []string, a, b, step int) int {
	n := 0
	for range neighbours {
		a, b = next(was, a, step), next(is, b, step)
		if a < 1 || b < 1 {
			break
		}
		if was[a-1] == is[b-1] {
			n++
		}
	}
	return n
}

// next returns the number of the next line that holds anything, 0 behind the last.
func next(lines []string, n, step int) int {
	for n += step; n >= 1 && n <= len(lines); n += step {
		if lines[n-1] != "" {
			return n
		}
	}
	return 0
}

// changed says what stands in the place of lines that are nowhere, told by the nearest
// lines before and behind them that stand in both versions once.
func changed(was, is *view, cited []int, from, to int) Outcome {
	out := Outcome{State: Changed, Was: was.lines[cited[0]-1]}
	out.From, out.To = is.between(was, from, to)
	cites, gone := map[string]bool{}, ""
	for _, n := range cited {
		l := was.lines[n-1]
		if cites[l] = true; gone == "" && len(is.at[l]) == 0 {
			gone = l
		}
	}
	if gone == "" {
		return out // all lines stand somewhere, and not after one another
	}
	out.Was = gone
	for n := max(out.From, 1); n <= out.To; n++ {
		if l := is.lines[n-1]; l != "" && !cites[l] && akin(gone, l) {
			out.Now = l
			break
		}
	}
	return out
}

// akin reports whether a line may have become another: half of the words of both are the
// same.
func akin(a, b string) bool {
	split := func(s string) map[string]bool {
		out := map[string]bool{}
		for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return r < 0x80 && !wordByte(byte(r)) }) {
			out[w] = true
		}
		return out
	}
	x, y := split(a), split(b)
	same := 0
	for w := range x {
		if y[w] {
			same++
		}
	}
	return 4*same >= len(x)+len(y)
}

// between returns the lines that took the place of some; 0 if that can't be told.
func (is *view) between(was *view, from, to int) (first, last int) {
	before, above := is.anchor(was, from, -1)
	behind, below := is.anchor(was, to, 1)
	switch {
	case before > 0 && behind > before:
		first, last = before+above, behind-below
	case before > 0:
		first, last = before+above, min(before+above+to-from, len(is.lines))
	case behind > 0:
		first, last = max(behind-below-(to-from), 1), behind-below
	}
	if first < 1 || last < first || last-first > 4*(to-from+5) {
		return 0, 0
	}
	return first, last
}

// anchor returns the nearest line on one side of a place that stands in the other
// version once, by its number there, and how far from the place it stood.
func (is *view) anchor(was *view, at, step int) (number, distance int) {
	for distance = 1; distance <= 40; distance++ {
		n := at + step*distance
		if n < 1 || n > len(was.lines) {
			break
		}
		if l := was.lines[n-1]; len(l) > 3 && len(is.at[l]) == 1 {
			return is.full[is.at[l][0]], distance
		}
	}
	return 0, 0
}

func abs(n int) int { return max(n, -n) }

// commentMarks are what begins a comment up to the end of its line, by extension.
var commentMarks = func() map[string][]string {
	out := map[string][]string{}
	for marks, exts := range map[string]string{
		"// /* *": ".go .js .jsx .mjs .cjs .ts .tsx .mts .cts .java .kt .kts .scala .c .h .cc .cpp .cxx .hpp .cs .rs .swift .php .dart .zig .proto .groovy .gradle .scss .less .css .m .mm .jsonc .v .sol",
		"#":       ".py .pyi .rb .sh .bash .zsh .fish .pl .r .yaml .yml .toml .tf .hcl .nix .ex .exs .jl .cmake .mk .ps1 .conf .ini",
		"--":      ".sql .lua .hs .elm .ada .vhd",
		";":       ".clj .cljs .el .lisp .scm .asm",
		"%":       ".tex .erl",
	} {
		for ext := range strings.FieldsSeq(exts) {
			out[ext] = strings.Fields(marks)
		}
	}
	return out
}()

// uncommented takes comments and what white space is there away: a line that is a
// comment becomes empty, and of another goes what follows the first mark behind a
// space. White space within a literal is part of its value, and stays.
func uncommented(lines []string, marks []string) []string {
	if len(marks) == 0 {
		return lines
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		begins := func(m string) bool {
			return strings.HasPrefix(l, m) && (m != "*" || len(l) == 1 || l[1] == ' ' || l[1] == '/')
		}
		if !slices.ContainsFunc(marks, begins) {
			out[i] = bare(l, " "+marks[0])
		}
	}
	return out
}

// bare returns a line up to a mark outside of literals, with one space for any white
// space there.
func bare(line, mark string) string {
	var b strings.Builder
	b.Grow(len(line))
	for i := 0; i < len(line); {
		end := literal(line, i)
		apostrophes := line[i] == '\'' && strings.Contains(line[i:end], mark)
		if end > i && !apostrophes {
			b.WriteString(line[i:end])
			i = end
			continue
		}
		if i > 0 && strings.HasPrefix(line[i:], mark) {
			break
		}
		space := line[i] == ' ' || line[i] == '\t'
		if !space {
			b.WriteByte(line[i])
		} else if i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '\t' {
			b.WriteByte(' ')
		}
		i++
	}
	return strings.TrimRight(b.String(), " ")
}

// literal returns where the literal ends that begins at a place; the place itself if none
// does, or its end is on another line.
func literal(line string, at int) int {
	quote := line[at]
	if quote != '"' && quote != '\'' && quote != '`' {
		return at
	}
	for i := at + 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return at
}
