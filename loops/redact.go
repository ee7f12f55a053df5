package loops

import (
	"bytes"
	"io"
	"slices"
	"strings"
)

// MinSecret is the length in bytes from which a value is looked for. A mark in
// place of each shorter one would make a text unreadable and hide nothing.
const MinSecret = 4

// Redactor takes secrets out of text: values that are known, in the forms in
// which programs print them (as they are, quoted for JSON, in base64, in hex,
// escaped for URLs), and what looks like a secret: tokens of known vendors,
// Authorization headers, private keys, passwords in URLs, and what is assigned
// to a name like API_KEY. It is safe for concurrent use.
type Redactor struct {
	values *automaton
	mark   []byte
	window int // bytes of a line that are looked at together
}

// NewRedactor returns a redactor of the values and of the families above.
func NewRedactor(values []string) *Redactor {
	forms := secretForms(values)
	longest := 0
	for _, f := range forms {
		longest = max(longest, len(f))
	}
	return &Redactor{values: newAutomaton(forms), mark: chooseMark(forms), window: 64<<10 + 2*longest}
}

// Redact returns text without secrets, and how many times one of the values stood
// in it. What only looked like a secret is replaced, too, but not counted.
func Redact(src []byte, values []string) (clean []byte, listed int) {
	var b bytes.Buffer
	w := NewRedactor(values).Writer(&b)
	w.Write(src) // a bytes.Buffer takes everything
	w.Close()
	return b.Bytes(), w.Listed()
}

// Text returns the text without secrets, and how many places of it were
// replaced.
func (r *Redactor) Text(text string) (string, int) {
	var b strings.Builder
	w := r.Writer(&b)
	io.WriteString(w, text) // a strings.Builder takes everything
	w.Close()
	return b.String(), w.Replaced()
}

// Mark returns what is in place of a secret.
func (r *Redactor) Mark() string { return string(r.mark) }

// Writer returns a writer that passes on what it is given without secrets. How
// the text is cut into writes makes no difference. A line is held until it is
// complete, so Close has to be called for the last one; it does not close w.
func (r *Redactor) Writer(w io.Writer) *RedactingWriter { return &RedactingWriter{r: r, to: w} }

// RedactingWriter is a stream that passes through a Redactor.
type RedactingWriter struct {
	r  *Redactor
	to io.Writer

	buf   []byte // some bytes that are written already, then those that are held
	start int    // where the held ones begin
	state int32  // of the automaton, after the last byte
	key   keyScanner
	found []span // listed values and private keys in buf, ordered

	swallow  bool // the last piece ended within a token
	marked   bool // the last thing that was written is a mark
	replaced int
	listed   int
	lastEnd  int // of a listed value in buf
	err      error
}

// lookBack is how much of what is written already is kept, to see the name that
// a value is assigned to.
const lookBack = 128

// span is a half-open range of a buffer.
type span struct{ from, to int }

// Replaced returns how many places were replaced so far.
func (w *RedactingWriter) Replaced() int { return w.replaced }

// Listed returns how many times a listed value was found so far, in any form. The
// rest of what is replaced only looks like a secret, and may be an example.
func (w *RedactingWriter) Listed() int { return w.listed }

// Write takes text. An error is that of the writer below.
func (w *RedactingWriter) Write(p []byte) (int, error) {
	taken := 0
	for taken < len(p) && w.err == nil {
		n := min(len(p)-taken, w.r.window-(len(w.buf)-w.start))
		part := p[taken : taken+n]
		taken += n
		w.take(part)
		if full := len(w.buf)-w.start >= w.r.window; full || bytes.IndexByte(part, '\n') >= 0 {
			w.flush(full)
		}
	}
	return taken, w.err
}

// Close writes what is held.
func (w *RedactingWriter) Close() error {
	if w.err == nil {
		w.emit(len(w.buf), w.families(len(w.buf)))
	}
	return w.err
}

// take appends to the buffer and finds what can be found byte by byte.
func (w *RedactingWriter) take(part []byte) {
	for i, b := range part {
		end := len(w.buf) + i + 1
		var length int
		w.state, length = w.r.values.step(w.state, b)
		if length > 0 {
			if end-length >= w.lastEnd {
				w.listed++
			}
			w.lastEnd = end
		}
		if k := w.key.step(b); k > length {
			length = k
		}
		if length > 0 {
			w.found = cover(w.found, span{end - length, end})
		}
	}
	w.buf = append(w.buf, part...)
}

// cover adds a span that ends behind all others, and joins what touches.
func cover(spans []span, s span) []span {
	for len(spans) > 0 && spans[len(spans)-1].to >= s.from {
		s.from = min(s.from, spans[len(spans)-1].from)
		spans = spans[:len(spans)-1]
	}
	return append(spans, s)
}

// flush writes what nothing to come can change: complete lines, and of a line
// that is longer than the window all but its end.
func (w *RedactingWriter) flush(full bool) {
	safe := max(w.start, len(w.buf)-max(w.r.values.depth(w.state), w.key.held()))
	if at := bytes.LastIndexByte(w.buf[w.start:safe], '\n'); at >= 0 {
		cut := w.start + at + 1
		w.emit(cut, w.families(cut))
		return
	}
	if !full {
		return
	}
	spans := w.families(safe)
	cut := max(w.start+1, safe-w.r.window/16)
	goesOn := false
	for _, s := range spans {
		if s.from >= cut || s.to <= cut {
			continue
		}
		if cut = s.from; cut <= w.start { // it is all there is
			cut, goesOn = s.to, s.to == safe
		}
		break
	}
	w.emit(min(cut, safe), spans)
	w.swallow = w.swallow || goesOn
}

// families finds what looks like a secret between the first byte held and end.
func (w *RedactingWriter) families(end int) []span {
	var spans []span
	if w.swallow {
		i := w.start
		for i < end && isToken(w.buf[i]) {
			i++
		}
		if i > w.start {
			spans = append(spans, span{w.start, i})
		}
	}
	base := max(0, w.start-lookBack)
	for _, s := range findFamilies(w.buf[base:end]) {
		if s = (span{max(s.from+base, w.start), s.to + base}); s.from < s.to {
			spans = append(spans, s)
		}
	}
	return spans
}

// emit writes the held bytes before cut, with marks over what was found in them.
func (w *RedactingWriter) emit(cut int, families []span) {
	if cut <= w.start {
		return
	}
	spans := slices.Concat(w.found, families)
	slices.SortFunc(spans, func(a, b span) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return a.to - b.to
	})
	out := make([]byte, 0, cut-w.start)
	at := w.start
	for _, s := range spans {
		if s.from >= cut {
			break
		}
		if s.to <= at {
			continue
		}
		if from := max(s.from, at); from > at {
			out, at = append(out, w.buf[at:from]...), from
			w.marked = false
		}
		if !w.marked {
			out = append(out, w.r.mark...)
			w.marked = true
			w.replaced++
		}
		at = min(s.to, cut)
	}
	if at < cut {
		out = append(out, w.buf[at:cut]...)
		w.marked = false
	}
	if w.swallow {
		w.swallow = len(families) > 0 && families[0] == span{w.start, cut}
	}
	w.start = cut
	w.forget()
	_, w.err = w.to.Write(out)
}

// forget drops what is written, except for its end.
func (w *RedactingWriter) forget() {
	done := 0
	for done < len(w.found) && w.found[done].to <= w.start {
		done++
	}
	w.found = w.found[done:]
	drop := w.start - lookBack
	if drop < w.r.window/2 { // moving the rest costs more than keeping it
		return
	}
	w.buf = append(w.buf[:0], w.buf[drop:]...)
	w.start -= drop
	w.lastEnd -= drop
	kept := make([]span, len(w.found))
	for i, s := range w.found {
		kept[i] = span{s.from - drop, s.to - drop}
	}
	w.found = kept
}

// chooseMark returns a mark that can't become part of a listed value together
// with the text around it: no form has its first or last byte, or lies in it.
func chooseMark(forms []string) []byte {
	all := strings.Join(forms, "")
	for _, m := range []string{"[redacted]", "<redacted>", "{redacted}", "(redacted)", "*redacted*", "|redacted|"} {
		within := slices.ContainsFunc(forms, func(f string) bool { return strings.Contains(m, f) })
		if !within && !strings.ContainsAny(all, m[:1]+m[len(m)-1:]) {
			return []byte(m)
		}
	}
	for b := 0; b < 256; b++ { // from the controls on: only values with nearly all bytes get here
		if strings.IndexByte(all, byte(b)) < 0 {
			return []byte{byte(b)}
		}
	}
	return []byte("[redacted]")
}
