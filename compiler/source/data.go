package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// readYAML reads keys as symbols: limits.page_bytes is the key page_bytes of
// the map limits. Items of a list have no name.
func readYAML(_ context.Context, src []byte) (code, error) {
	if bytes.Contains(src, []byte("\n---")) {
		return code{}, errors.New("it holds several documents")
	}
	root, faults := yaml.Parse(src, 0)
	if len(faults) > 0 {
		return code{}, errors.New(faults[0].Message)
	}
	var c code
	yamlNode(&c, root, "")
	return c, nil
}

func yamlNode(c *code, n *schema.Node, scope string) {
	if n == nil {
		return
	}
	mark := func(text string) {
		c.tokens = append(c.tokens, lexeme{span: schema.Span{Start: n.Span.Start, End: n.Span.Start}, text: text})
	}
	switch n.Kind {
	case schema.KindMap:
		for _, p := range n.Pairs {
			name := keyIn(scope, p.Key)
			d := declaration{name: name, kind: KindKey, span: p.KeySpan}
			c.tokens = append(c.tokens, lexeme{span: p.KeySpan})
			if p.Value != nil {
				d.body = p.Value.Span
				d.span.End = max(d.span.End, p.Value.Span.End)
			}
			if named(name) {
				c.declarations = append(c.declarations, d)
			}
			yamlNode(c, p.Value, name)
		}
	case schema.KindList:
		for _, it := range n.Items {
			mark("-")
			yamlNode(c, it, scope+".")
		}
	default:
		c.tokens = append(c.tokens, lexeme{span: n.Span, text: n.Text, literal: true})
	}
}

// longestName bounds the names of keys, in bytes.
const longestName = 300

// keyIn names a key by the keys around it. The items of a list and an empty key
// have no name, so that what they hold has none either.
func keyIn(scope, key string) string {
	if scope == "" && key != "" {
		return key
	}
	return scope + "." + key
}

// named reports whether a key can be named: neither it nor what it is in is empty
// or in a list.
func named(key string) bool {
	return len(key) <= longestName && !strings.Contains(key, "..") && !strings.HasSuffix(key, ".")
}

// readJSON reads keys as symbols, as [readYAML] does.
func readJSON(_ context.Context, src []byte) (code, error) {
	j := &jsonReader{Decoder: json.NewDecoder(bytes.NewReader(src)), src: src}
	j.UseNumber()
	if err := j.value(""); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return code{}, errors.New("it ends within a value")
	} else if err != nil {
		return code{}, err
	}
	if _, err := j.Token(); !errors.Is(err, io.EOF) {
		return code{}, fmt.Errorf("something follows the value at byte %d", j.InputOffset())
	}
	return j.found, nil
}

type jsonReader struct {
	*json.Decoder
	src   []byte
	found code
	depth int
}

// deepest is how deeply objects and lists may be nested.
const deepest = 1000

// next returns the next token and where it stands.
func (j *jsonReader) next() (json.Token, schema.Span, error) {
	from := int(j.InputOffset())
	t, err := j.Token()
	for from < len(j.src) && bytes.IndexByte([]byte(" \t\r\n,:"), j.src[from]) >= 0 {
		from++
	}
	return t, schema.Span{Start: from, End: int(j.InputOffset())}, err
}

func (j *jsonReader) value(scope string) error {
	t, at, err := j.next()
	if err != nil {
		return err
	}
	delim, ok := t.(json.Delim)
	if !ok {
		j.found.tokens = append(j.found.tokens, lexeme{span: at, literal: true})
		return nil
	}
	if j.depth++; j.depth > deepest {
		return errors.New("it is nested too deeply")
	}
	defer func() { j.depth-- }()
	j.found.tokens = append(j.found.tokens, lexeme{span: at})
	for j.More() {
		if delim == '{' {
			err = j.member(scope)
		} else {
			err = j.value(scope + ".")
		}
		if err != nil {
			return err
		}
	}
	_, at, err = j.next()
	j.found.tokens = append(j.found.tokens, lexeme{span: at})
	return err
}

func (j *jsonReader) member(scope string) error {
	t, at, err := j.next()
	if err != nil {
		return err
	}
	key, _ := t.(string)
	key = keyIn(scope, key)
	n := len(j.found.declarations)
	if named(key) {
		j.found.declarations = append(j.found.declarations, declaration{name: key, kind: KindKey, span: at})
	}
	j.found.tokens = append(j.found.tokens, lexeme{span: at})
	from := len(j.found.tokens)
	if err := j.value(key); err != nil {
		return err
	}
	if named(key) {
		d := &j.found.declarations[n]
		d.body = schema.Span{Start: j.found.tokens[from].span.Start, End: int(j.InputOffset())}
		d.span.End = d.body.End
	}
	return nil
}

// readText reads lines: white space between words does not count.
func readText(_ context.Context, src []byte) (code, error) {
	if bytes.IndexByte(src[:min(len(src), 8000)], 0) >= 0 {
		return code{}, errors.New("it is no text")
	}
	var c code
	for at := 0; at < len(src); {
		end := at
		for end < len(src) && !space(src[end]) {
			end++
		}
		if end > at {
			word := lexeme{span: schema.Span{Start: at, End: end}}
			_, err := strconv.ParseFloat(string(src[at:end]), 64)
			word.literal = err == nil
			c.tokens = append(c.tokens, word)
		}
		at = end + 1
	}
	return c, nil
}

func space(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
