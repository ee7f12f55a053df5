package judge

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// VerdictsVersion is the version of the file of verdicts: the one written, and the
// newest that is read. Verdicts of version 1 answer an obsolete prompt; they are read
// and ignored.
const VerdictsVersion = 2

// Verdicts are stored verdicts, by the text that was sent: the two claims with the
// titles and headings above them, and the version of the prompt. Paths and lines don't
// count. They must not be changed.
type Verdicts struct {
	entries []Entry // in order of pair, each once
}

// Head is the first line of the file of verdicts.
type Head struct {
	Version int `json:"version"`
}

// Entry is one verdict, a line of the file.
type Entry struct {
	Pair   string   `json:"pair" jsonschema:"hash of the prompt's version and of both sides"`
	Sides  []string `json:"sides" jsonschema:"hash of each statement, with the title and the headings above it"`
	Ruling string   `json:"ruling" jsonschema:"contradicts, both-hold, not-the-same or cannot-tell"`
	By     string   `json:"by,omitempty" jsonschema:"the model that decided"`
	Quotes []string `json:"quotes" jsonschema:"the words of each side on which the ruling is based"`
	Reason string   `json:"reason,omitempty"`
}

// VerdictsError is a fault in a file of verdicts, with its position.
type VerdictsError struct {
	Path   string // as it was given to [ReadVerdicts]
	At     schema.Position
	Reason string
}

func (e *VerdictsError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.At.Line, e.At.Column, e.Reason)
}

// ReadVerdicts reads verdicts; path is for errors, which are of type
// [*VerdictsError]. Fields that it does not know are passed over; a newer version is
// refused. Of one pair that has two rulings, as after a merge, none is known to be
// right, so that it counts as unclear.
func ReadVerdicts(path string, src []byte) (*Verdicts, error) {
	wrong := func(line int, format string, args ...any) error {
		return &VerdictsError{Path: path, At: schema.Position{Line: line, Column: 1}, Reason: fmt.Sprintf(format, args...)}
	}
	v := &Verdicts{}
	n, version := 0, 0
	for line := range bytes.Lines(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if version == 0 {
			var reason string
			if version, reason = readHead(line); reason != "" {
				return nil, wrong(n, "%s", reason)
			}
			continue
		}
		if version < VerdictsVersion {
			continue
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, wrong(n, "%s", jsonFault(err))
		}
		if reason := e.fault(); reason != "" {
			return nil, wrong(n, "%s", reason)
		}
		v.entries = append(v.entries, e)
	}
	if version == 0 {
		return nil, wrong(1, "the file is empty; expected one written by wiki lint --judge")
	}
	v.entries = mergeEntries(v.entries)
	return v, nil
}

// readHead returns the version of a file, or the fault of its first line.
func readHead(line []byte) (version int, fault string) {
	var head struct {
		Version *int `json:"version"`
	}
	switch err := json.Unmarshal(line, &head); {
	case err != nil:
		return 0, jsonFault(err)
	case head.Version == nil:
		return 0, `not a file of verdicts ("version" is missing); expected one written by wiki lint --judge`
	case *head.Version > VerdictsVersion:
		return 0, fmt.Sprintf("the verdicts have version %d, this program reads up to %d; upgrade wiki to a newer release", *head.Version, VerdictsVersion)
	case *head.Version < 1:
		return 0, fmt.Sprintf("the verdicts have version %d; expected %d", *head.Version, VerdictsVersion)
	}
	return *head.Version, ""
}

func jsonFault(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Sprintf("%q is a JSON %s; expected %s", kind.Field, kind.Value, kind.Type)
	}
	return fmt.Sprintf("invalid JSON: %v; resolve a merge conflict, or remove the line", err)
}

// fault returns the fault of an entry, or "".
func (e *Entry) fault() string {
	hashes := append([]string{e.Pair}, e.Sides...)
	if len(e.Sides) != 2 {
		return fmt.Sprintf(`%d "sides"; expected 2`, len(e.Sides))
	}
	for _, h := range hashes {
		if b, err := hex.DecodeString(h); err != nil || len(b) != 16 {
			return fmt.Sprintf("invalid hash %.40q; expected 32 hexadecimal digits", h)
		}
	}
	if _, ok := rulings[e.Ruling]; !ok {
		return fmt.Sprintf(`invalid "ruling" %.40q; expected %s`, e.Ruling, rulingNames)
	}
	if len(e.Quotes) != 2 {
		return fmt.Sprintf(`%d "quotes"; expected 2`, len(e.Quotes))
	}
	return ""
}

// mergeEntries sorts entries and leaves each pair once.
func mergeEntries(entries []Entry) []Entry {
	slices.SortFunc(entries, compareEntries)
	out := entries[:0]
	for _, e := range entries {
		switch n := len(out); {
		case n == 0 || out[n-1].Pair != e.Pair:
			out = append(out, e)
		case out[n-1].Ruling != e.Ruling:
			out[n-1].Ruling, out[n-1].Reason = rulingName(linter.Unclear), ""
		}
	}
	return out
}

func compareEntries(a, b Entry) int {
	if c := strings.Compare(a.Pair, b.Pair); c != 0 {
		return c
	}
	return bytes.Compare(encoded(a), encoded(b))
}

// pair returns what a verdict on the question is known by.
func (q *question) pair() string { return digest(promptVersion, q.hashes[0], q.hashes[1]) }

// find returns the verdict on a question. A verdict whose quotes don't match the claims
// was edited by hand, and is ignored.
func (v *Verdicts) find(q *question) (linter.Verdict, bool) {
	if v == nil {
		return linter.Verdict{}, false
	}
	i, ok := slices.BinarySearchFunc(v.entries, q.pair(), func(e Entry, pair string) int { return strings.Compare(e.Pair, pair) })
	if !ok {
		return linter.Verdict{}, false
	}
	e := &v.entries[i]
	out := linter.Verdict{Ruling: rulings[e.Ruling], By: plain(e.By), Quotes: [2]string{text.Collapse(e.Quotes[0]), text.Collapse(e.Quotes[1])}, Reason: plain(e.Reason)}
	if !validVerdict(&out, q.sides) {
		return linter.Verdict{}, false
	}
	return out, true
}

// next returns the verdicts after a run: the new ones, and the old ones on claims that
// still exist, even if the pair is no longer asked about. Verdicts on removed claims are
// dropped.
func (v *Verdicts) next(questions []question, verdicts []linter.Verdict) *Verdicts {
	next := &Verdicts{}
	there, judged := map[string]bool{}, map[string]bool{}
	for i := range questions {
		q := &questions[i]
		there[q.hashes[0]], there[q.hashes[1]] = true, true
		if verdicts[i].Ruling == linter.Unjudged || judged[q.pair()] {
			continue
		}
		judged[q.pair()] = true
		next.entries = append(next.entries, entryOf(q, &verdicts[i]))
	}
	if v != nil {
		for _, e := range v.entries {
			if !judged[e.Pair] && there[e.Sides[0]] && there[e.Sides[1]] && e.Pair == digest(promptVersion, e.Sides[0], e.Sides[1]) {
				next.entries = append(next.entries, e)
			}
		}
	}
	next.entries = mergeEntries(next.entries)
	return next
}

func entryOf(q *question, v *linter.Verdict) Entry {
	return Entry{Pair: q.pair(), Sides: q.hashes[:], Ruling: rulingName(v.Ruling), By: v.By, Quotes: slices.Clone(v.Quotes[:]), Reason: v.Reason}
}

// Len returns how many verdicts there are.
func (v *Verdicts) Len() int {
	if v == nil {
		return 0
	}
	return len(v.entries)
}

// JSONL returns the file of the verdicts: the version and then a verdict per
// line, in order, so that version control merges what two branches added.
func (v *Verdicts) JSONL() []byte {
	out := bytes.NewBuffer(encoded(Head{VerdictsVersion}))
	for _, e := range v.entries {
		out.Write(encoded(e))
	}
	return out.Bytes()
}

func encoded(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // strings and numbers can always be encoded
	return b.Bytes()
}
