package text

import (
	"bytes"
	"fmt"
	"unicode"
)

// guard keeps text from being a command to the CI that reads the log: GitHub
// Actions obeys lines that begin with :: and ##[name] anywhere, Azure Pipelines
// ##vso[…], TeamCity ##teamcity[…].
type guard struct {
	on     bool
	inside bool // something but blanks is on the line
	mark   mark
}

// mark is how much of a command's beginning is before a character.
type mark int

const (
	noMark  mark = iota
	oneHash      // #
	twoHash      // ##, and letters behind it
)

// GuardCommands keeps later output from being read as a command by CI. Only
// [Writer.Command] writes one.
func (w *Writer) GuardCommands() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.guard.on = true
}

// Command writes a workflow command, as Printf does; its values have to be
// escaped as the command wants it.
func (w *Writer) Command(format string, args ...any) {
	keep(args)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
	w.buf = fmt.Appendf(w.buf, format, args...)
	w.guard = guard{on: w.guard.on, inside: !bytes.HasSuffix(w.buf, []byte("\n"))}
	w.drain(w.room)
}

// guarded escapes what of the text from an offset on would be a command.
func (w *Writer) guarded(from int) {
	if !w.guard.on {
		return
	}
	added := string(w.buf[from:])
	w.buf = w.buf[:from]
	for _, r := range added {
		if r == ':' && !w.guard.inside || r == '[' && w.guard.mark == twoHash {
			w.buf = w.spell(w.buf, r)
		} else {
			w.buf = append(w.buf, string(r)...)
		}
		w.guard.next(r)
	}
}

// next takes one more character of the text.
func (g *guard) next(r rune) {
	g.inside = r != '\n' && (g.inside || !unicode.IsSpace(r))
	switch {
	case r == '#':
		g.mark = min(g.mark+1, twoHash)
	case g.mark != twoHash || !unicode.IsLetter(r):
		g.mark = noMark
	}
}
