package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// ErrFrontmatter is a plan whose frontmatter can't be changed, since it can
// not be read.
var ErrFrontmatter = errors.New("the frontmatter is invalid; run 'wiki plan lint' for the reason")

// Allow returns the plan, or the task file, with an entry of spec_changes: a person's
// leave to change what is protected otherwise, or to leave tests red. Paths are globs
// below the repository's root, for a task file below its workdir.
func Allow(src []byte, c loops.SpecChange) ([]byte, error) {
	c.By, c.Reason = text.Collapse(c.By), text.Collapse(c.Reason)
	if err := allowable(c); err != nil {
		return nil, err
	}
	if root, _, _ := readJSON(src); root != nil {
		return allowInTask(src, root, c)
	}
	d, err := editable(src)
	if err != nil {
		return nil, err
	}
	var lists string
	for _, l := range []struct {
		key    string
		values []string
	}{{"paths", c.Paths}, {"tests", c.Tests}} {
		if len(l.values) > 0 {
			lists += fmt.Sprintf("%s: [%s], ", l.key, quoteAll(l.values))
		}
	}
	out := d.appendTo("spec_changes", fmt.Sprintf("{%sby: %s, reason: %s, date: %s}", lists, quote(c.By), quote(c.Reason), c.Date))
	want := append(slices.Clone(d.plan.SpecChanges), c)
	return proved(out, func(p *loops.Plan) bool { return slices.EqualFunc(p.SpecChanges, want, sameChange) })
}

// allowable reports what an entry of spec_changes lacks.
func allowable(c loops.SpecChange) error {
	switch {
	case len(c.Paths)+len(c.Tests) == 0:
		return errors.New("no path given")
	case c.By == "":
		return errors.New("no name given")
	case c.Reason == "":
		return errors.New("no reason given")
	case !isDay(c.Date):
		return fmt.Errorf("%q is not a date", c.Date)
	}
	for _, p := range c.Paths {
		if why := unsafePath(p); why != "" {
			return fmt.Errorf("path %q %s", p, why)
		}
		if everything(p) {
			return fmt.Errorf("path %q matches everything", p)
		}
	}
	return nil
}

func sameChange(a, b loops.SpecChange) bool {
	return slices.Equal(a.Paths, b.Paths) && slices.Equal(a.Tests, b.Tests) && a.By == b.By && a.Reason == b.Reason && a.Date == b.Date
}

func quoteAll(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = quote(v)
	}
	return strings.Join(quoted, ", ")
}

// ErrNotes is a plan to whose notes nothing can be added: a block of code or a
// comment does not end.
var ErrNotes = errors.New("can't add to the plan's notes: is a code block or comment unclosed?")

// AddNotes returns the plan with lines at the end of its section Notes, which is
// made if there is none.
func AddNotes(src []byte, lines string) ([]byte, error) {
	lines = strings.Trim(lines, "\n") + "\n"
	d := parse("", src)
	at, found := len(src), false
	for _, l := range d.textLines() {
		if found && l.level > 0 && l.level <= 2 {
			at = l.Start
			break
		}
		found = found || l.level == 2 && string(l.text.In(src)) == "Notes"
	}
	head := bytes.TrimRight(src[:at], " \t\r\n")
	out := append(slices.Clone(head), '\n')
	if !found {
		out = append(out, "## Notes\n"...)
	}
	out = append(append(out, '\n'), lines...)
	if at < len(src) {
		out = append(append(out, '\n'), src[at:]...)
	}
	if !strings.Contains(parse("", out).plan.Notes+"\n", lines) {
		return nil, ErrNotes
	}
	return out, nil
}

// quote writes text as a double-quoted scalar. The escapes of JSON are escapes
// of YAML.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("encode a string: " + err.Error()) // a string always can be
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// editable reads a plan whose frontmatter can be changed.
func editable(src []byte) (*document, error) {
	d := parse("", src)
	if d.broken || d.root == nil || slices.ContainsFunc(d.faults, func(f Fault) bool { return f.Code == "duplicate-key" }) {
		return nil, ErrFrontmatter
	}
	return d, nil
}

// proved returns an edited plan after reading it again: an edit that does not
// say what it was to say is not written.
func proved(out []byte, holds func(*loops.Plan) bool) ([]byte, error) {
	d := parse("", out)
	if d.broken || !holds(&d.plan) {
		return nil, ErrFrontmatter
	}
	return out, nil
}

func (d *document) pair(key string) *schema.Pair {
	for i, p := range d.root.Pairs {
		if p.Key == key {
			return &d.root.Pairs[i]
		}
	}
	return nil
}

// newline returns the line ending that the file uses.
func (d *document) newline() string {
	if i := bytes.IndexByte(d.src, '\n'); i > 0 && d.src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func (d *document) splice(at schema.Span, text string) []byte {
	return slices.Concat(d.src[:at.Start], []byte(text), d.src[at.End:])
}

// afterColon returns the empty place behind a key's colon.
func (d *document) afterColon(p *schema.Pair) schema.Span {
	at := p.KeySpan.End + bytes.IndexByte(d.src[p.KeySpan.End:d.front.End], ':') + 1
	return schema.Span{Start: at, End: at}
}

// appendTo adds an entry to a list of the frontmatter, in the list's own style.
func (d *document) appendTo(key, entry string) []byte {
	p := d.pair(key)
	switch {
	case p == nil:
		return d.splice(schema.Span{Start: d.front.End, End: d.front.End}, key+":"+d.newline()+"  - "+entry+d.newline())
	case p.Value.Kind == schema.KindNull && p.Value.Span.Len() == 0:
		return d.splice(d.afterColon(p), " ["+entry+"]")
	case len(p.Value.Items) == 0:
		return d.splice(p.Value.Span, "["+entry+"]")
	}
	last := p.Value.Items[len(p.Value.Items)-1].Span
	if d.src[p.Value.Span.Start] == '[' {
		return d.splice(schema.Span{Start: last.End, End: last.End}, ", "+entry)
	}
	line := d.lines.Line(d.lines.LineOf(last.End))
	dash := d.lines.Line(d.lines.LineOf(last.Start))
	indent := dash.In(d.src)
	indent = indent[:len(indent)-len(bytes.TrimLeft(indent, " "))]
	return d.splice(schema.Span{Start: line.End, End: line.End}, d.newline()+string(indent)+"- "+entry)
}
