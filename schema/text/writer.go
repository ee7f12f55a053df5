package text

import (
	"fmt"
	"io"
	"sync"
)

// Writer writes text to where people read it: a terminal, a pipe, a log. It may
// be used by several goroutines at once.
type Writer struct {
	mu    sync.Mutex
	to    io.Writer
	spell escape
	room  int    // how much is kept before it is written
	buf   []byte // to be written
	held  []byte // the beginning of a character or of a line end
	err   error
	guard guard
}

// bufferSize is how much a buffered Writer keeps.
const bufferSize = 16 << 10

// New returns a Writer that passes everything on at once.
func New(to io.Writer) *Writer { return &Writer{to: to, spell: visible} }

// NewBuffered returns a Writer that keeps text until there is enough of it, or
// until Flush.
func NewBuffered(to io.Writer) *Writer { return &Writer{to: to, spell: visible, room: bufferSize} }

// JSON returns a writer for JSON documents: hidden characters in strings are written as
// \uXXXX, so that they decode to the same values.
func JSON(to io.Writer) io.Writer { return document(to, inJSON) }

// XML returns a writer for XML documents: hidden characters are written as character
// references, if XML allows them.
func XML(to io.Writer) io.Writer { return document(to, inXML) }

// document returns a writer with another escape function, and the same guard.
func document(to io.Writer, spell escape) *Writer {
	w := &Writer{to: to, spell: spell}
	if below, ok := to.(*Writer); ok {
		w.guard.on = below.guard.on
	}
	return w
}

// Write writes text of any number of lines.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(p)
	for len(p) > 0 && w.err == nil {
		part := p[:min(len(p), bufferSize)]
		p = p[len(part):]
		if len(w.held) > 0 {
			part = append(w.held, part...)
		}
		var rest []byte
		from := len(w.buf)
		w.buf, rest = appendEscaped(w.buf, part, false, w.spell)
		w.guarded(from)
		w.held = append([]byte(nil), rest...)
		w.drain(w.room)
	}
	if w.err != nil {
		return 0, w.err
	}
	return n, nil
}

// WriteString writes text of any number of lines.
func (w *Writer) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

// Printf writes the format unchanged, and each argument on one line: see [Line], [Error]
// for errors, [Block] for values with several lines. Only the program's own styles and
// sequences are not escaped.
func (w *Writer) Printf(format string, args ...any) {
	keep(args)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
	from := len(w.buf)
	w.buf = fmt.Appendf(w.buf, format, args...)
	w.guarded(from)
	w.drain(w.room)
}

// Println writes values on one line, as Printf does.
func (w *Writer) Println(args ...any) {
	keep(args)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
	from := len(w.buf)
	w.buf = fmt.Appendln(w.buf, args...)
	w.guarded(from)
	w.drain(w.room)
}

// Flush writes the buffer, except for an incomplete character at its end. It returns the
// first error of writing.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drain(0)
	return w.err
}

// Close completes the text and flushes it. It does not close the underlying writer.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
	w.drain(0)
	return w.err
}

// end writes the held bytes, which nothing will complete.
func (w *Writer) end() {
	if len(w.held) > 0 {
		from := len(w.buf)
		w.buf, _ = appendEscaped(w.buf, w.held, true, w.spell)
		w.guarded(from)
		w.held = nil
	}
}

// drain writes the buffer if it is longer than room.
func (w *Writer) drain(room int) {
	if len(w.buf) <= room {
		return
	}
	if w.err == nil {
		_, w.err = w.to.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

// Open returns a Writer to w, which is w itself if it is one, and a function that
// ends the text.
func Open(w io.Writer) (*Writer, func() error) {
	if out, ok := w.(*Writer); ok {
		return out, func() error { return nil }
	}
	out := NewBuffered(w)
	return out, out.Close
}

// Fprintf is [Writer.Printf] to any writer.
func Fprintf(w io.Writer, format string, args ...any) {
	if out, ok := w.(*Writer); ok {
		out.Printf(format, args...)
		return
	}
	keep(args)
	fmt.Fprintf(w, format, args...)
}
