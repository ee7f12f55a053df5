package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Kind is what a document is.
type Kind string

// The kinds of documents, by the names of their schemas.
const (
	KindTrace   Kind = "loop-trace-1.0"
	KindRecord  Kind = "ln-record-v1"
	KindRow     Kind = "loopnet-row-v0.3"
	KindUnknown Kind = ""
)

// Item is one document of a file.
type Item struct {
	Line  int // where it begins; 0 for a member of a list
	Value any
	Text  json.RawMessage
}

// Kind says what a document is, by the version that it names.
func (i Item) Kind() Kind {
	m, _ := i.Value.(map[string]any)
	has := func(key string) bool { _, ok := m[key]; return ok }
	switch {
	case has("trace_version"):
		return KindTrace
	case has("metadata.schema_version"):
		return KindRow
	case has("schema_version") || has("record_id"):
		return KindRecord
	}
	return KindUnknown
}

// Read reads the documents of a file: one JSON document, a list of them, an object whose
// records are such a list, or, if the name ends in .jsonl, one document per line.
func Read(name string, src []byte) ([]Item, error) {
	if filepath.Ext(name) == ".jsonl" {
		return readLines(name, src)
	}
	whole, err := item(src)
	if err != nil {
		return nil, fmt.Errorf("%s:%d: invalid JSON: %w", name, line(src, err), err)
	}
	list := whole.Text
	if m, ok := whole.Value.(map[string]any); ok {
		if _, ok := m["records"].([]any); !ok {
			return []Item{whole}, nil
		}
		var wrapper struct{ Records json.RawMessage }
		if err := json.Unmarshal(src, &wrapper); err != nil {
			return nil, err
		}
		list = wrapper.Records
	}
	var members []json.RawMessage
	if err := json.Unmarshal(list, &members); err != nil {
		return nil, fmt.Errorf("%s: found neither an object nor a list", name)
	}
	var out []Item
	for _, m := range members {
		i, err := item(m)
		if err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	return out, nil
}

func readLines(name string, src []byte) ([]Item, error) {
	var out []Item
	n := 0
	for text := range bytes.Lines(src) {
		n++
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		i, err := item(text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: invalid JSON: %w", name, n, err)
		}
		i.Line = n
		out = append(out, i)
	}
	return out, nil
}

// item decodes one document. Numbers stay as they are written: a schema tells 1 from 1.5
// beyond the precision of floats.
func item(src []byte) (Item, error) {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	i := Item{Text: src}
	if err := d.Decode(&i.Value); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return i, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return i, errors.New("text after the end of the document")
	}
	return i, nil
}

// line is the line of a syntax error.
func line(src []byte, err error) int {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return 1
	}
	return 1 + strings.Count(string(src[:min(int(syntax.Offset), len(src))]), "\n")
}
