package linter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// BaselineVersion is the version of the baseline that this program writes and
// the newest it reads.
const BaselineVersion = 1

// BaselineDocument is the file of a [Baseline].
type BaselineDocument struct {
	Version  int             `json:"version"`
	Findings []BaselineEntry `json:"findings"`
}

// BaselineError is a fault in a baseline, with its position.
type BaselineError struct {
	Path   string // as it was given to [ReadBaseline]
	At     schema.Position
	Reason string
}

func (e *BaselineError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.At.Line, e.At.Column, e.Reason)
}

// ReadBaseline reads a baseline; path is for errors, which are of type
// [*BaselineError]. Fields that it does not know are passed over; a newer
// version is refused.
func ReadBaseline(path string, src []byte) (*Baseline, error) {
	r := &baselineReader{path: path, src: src}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	r.base = len(r.src) - len(src)
	var head struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(src, &head); err != nil {
		return nil, r.fault(0, err)
	}
	switch {
	case head.Version == nil:
		return nil, r.wrong(0, `not a baseline ("version" is missing); expected a file written by wiki lint --baseline-write`)
	case *head.Version > BaselineVersion:
		return nil, r.wrong(0, "the baseline has version %d, this program reads up to %d; upgrade wiki to a newer release", *head.Version, BaselineVersion)
	case *head.Version < 1:
		return nil, r.wrong(0, "the baseline has version %d; expected %d", *head.Version, BaselineVersion)
	}
	b := &Baseline{}
	if err := r.entries(json.NewDecoder(bytes.NewReader(src)), b); err != nil {
		return nil, err
	}
	slices.SortStableFunc(b.Entries, compareEntries)
	return b, nil
}

func compareEntries(a, b BaselineEntry) int {
	return compareKeys(entryKey{path: a.Path, rule: a.Rule + "\x00" + a.Text}, entryKey{path: b.Path, rule: b.Rule + "\x00" + b.Text})
}

type baselineReader struct {
	path string
	src  []byte
	base int // length of a byte order mark
}

// entries reads the list one entry at a time, so that faults have a position. The
// document is valid JSON already.
func (r *baselineReader) entries(dec *json.Decoder, b *Baseline) error {
	if _, err := dec.Token(); err != nil { // {
		return r.fault(0, err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return r.fault(0, err)
		}
		if key != "findings" {
			var skip json.RawMessage
			if err := dec.Decode(&skip); err != nil {
				return r.fault(0, err)
			}
			continue
		}
		at := r.value(dec)
		if open, err := dec.Token(); err != nil || open != json.Delim('[') {
			return r.wrong(at, `"findings": expected a list`)
		}
		for dec.More() {
			var e BaselineEntry
			at := r.value(dec)
			if err := dec.Decode(&e); err != nil {
				return r.fault(at, err)
			}
			if reason := e.fault(); reason != "" {
				return r.wrong(at, "%s", reason)
			}
			b.Entries = append(b.Entries, e)
		}
		if _, err := dec.Token(); err != nil { // ]
			return r.fault(0, err)
		}
	}
	return nil
}

// value returns where the value begins that comes next.
func (r *baselineReader) value(dec *json.Decoder) int {
	at := int(dec.InputOffset()) + r.base
	for at < len(r.src) && strings.IndexByte(" \t\r\n,:", r.src[at]) >= 0 {
		at++
	}
	return at - r.base
}

// fault returns the fault of an entry, or "".
func (e *BaselineEntry) fault() string {
	_, err := strconv.ParseUint(e.Text, 16, 64)
	switch {
	case e.Rule == "" || e.Path == "":
		return `an entry without "rule" or "path"`
	case len(e.Text) != 16 || err != nil:
		return fmt.Sprintf(`invalid "text" %.40q; expected 16 hexadecimal digits`, e.Text)
	case e.Count < 0:
		return fmt.Sprintf(`invalid "count" %d; expected a number above 0`, e.Count)
	}
	if e.Since != "" {
		if _, err := time.Parse(time.DateOnly, e.Since); err != nil {
			return fmt.Sprintf(`invalid "since" %.40q; expected a date such as 2006-01-02`, e.Since)
		}
	}
	return ""
}

// fault words an error of the JSON decoder, which knows the place of most.
func (r *baselineReader) fault(at int, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return r.wrong(max(0, int(syntax.Offset)-1), "invalid JSON: %v; resolve a merge conflict, or recreate the file with --baseline-write", err)
	case errors.As(err, &kind):
		if kind.Field == "" {
			return r.wrong(at, "invalid JSON %s; expected an object", kind.Value)
		}
		return r.wrong(at, "%q is a JSON %s; expected %s", kind.Field, kind.Value, kind.Type)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return r.wrong(len(r.src)-r.base, "the file is truncated; recreate it with --baseline-write")
	}
	return r.wrong(at, "%v", err)
}

func (r *baselineReader) wrong(at int, format string, args ...any) error {
	return &BaselineError{Path: r.path, At: schema.NewLineIndex(r.src).Position(at + r.base), Reason: fmt.Sprintf(format, args...)}
}

// JSON returns the baseline's file: one entry per line, sorted, so that version control
// merges removals on two branches.
func (b *Baseline) JSON() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n\"version\": %d,\n\"findings\": [", BaselineVersion)
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for i, e := range b.Entries {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
		_ = enc.Encode(e)           // strings and numbers can always be encoded
		out.Truncate(out.Len() - 1) // the newline behind it
	}
	out.WriteString("\n]\n}\n")
	return out.Bytes()
}
