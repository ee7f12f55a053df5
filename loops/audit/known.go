package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/schema"
)

// Known is a finding that does not come back: a person refused it, or a plan that
// waits is about it.
type Known struct {
	Fingerprint string `json:"fingerprint"`
	Category    string `json:"category"`
	// Places are what it cited: a path below the repository, with #symbol behind it
	// where the line stood in a declaration.
	Places []string `json:"places"`
	Title  string   `json:"title"`
	// Why says what became of it, with a person's name and reason.
	Why string `json:"why"`
	// Run is the one that found it, "" if that is not known.
	Run string `json:"run,omitempty"`
}

// NewKnown returns a finding as it is remembered.
func NewKnown(f *Finding) Known {
	k := Known{Category: f.Category, Title: f.Title}
	for _, c := range f.Cites {
		p := place(c)
		if !slices.Contains(k.Places, p) {
			k.Places = append(k.Places, p)
		}
	}
	k.Fingerprint = k.fingerprint()
	return k
}

// place names where something is in a way that outlives edits of lines above it.
func place(c Citation) string {
	if c.Symbol == "" {
		return c.Path
	}
	return c.Path + "#" + c.Symbol
}

// fingerprint names a finding by category, first place and the words of its title.
// Line numbers are not part of it.
func (k *Known) fingerprint() string {
	first := ""
	if len(k.Places) > 0 {
		first = k.Places[0]
	}
	return fmt.Sprintf("%016x", xxh3.HashString(k.Category+"\x00"+first+"\x00"+strings.Join(wordsOf(k.Title), " ")))
}

// alike is which part of the words of two titles has to be the same for them to say
// the same of one place.
const alike = 0.5

// Same reports whether a finding equals the known one: the same category, a shared
// citation, and a title that is at most reworded.
func (k *Known) Same(f *Finding) bool {
	n := NewKnown(f)
	if n.Fingerprint == k.Fingerprint {
		return true
	}
	if n.Category != k.Category || !slices.ContainsFunc(n.Places, func(p string) bool { return slices.Contains(k.Places, p) }) {
		return false
	}
	a, b := wordsOf(n.Title), wordsOf(k.Title)
	both := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			both++
		}
	}
	all := len(a) + len(b) - both
	return all > 0 && float64(both) >= alike*float64(all)
}

// filler are words that say nothing about what a title is about.
var filler = []string{"a", "an", "and", "are", "be", "by", "for", "in", "is", "it", "no", "not", "of", "on", "or", "that", "the", "there", "to", "with"}

// wordsOf returns the words of a title in lower case, sorted, each once, without
// filler and without the s of a plural.
func wordsOf(title string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if slices.Contains(filler, w) {
			continue
		}
		if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
			w = w[:len(w)-1]
		}
		out = append(out, w)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// noteLine is how a plan says of which finding it is: see [Note].
var noteLine = schema.Expression("(?m)^- finding `([0-9a-f]{16})`, ([a-z-]+) at ((?:`[^`\\n]+`, )*`[^`\\n]+`): ([^\\r\\n]+)\\r?$")

// unquoted keeps a path in its backticks, and on its line.
var unquoted = strings.NewReplacer("`", "'", "\n", " ", "\r", " ")

// Note returns the line of a plan's notes that says which finding it fixes, where that
// is, and how it was weighed. [Notes] reads it.
func Note(f *Finding) string {
	k := NewKnown(f)
	places := make([]string, len(k.Places))
	for i, p := range k.Places {
		places[i] = "`" + unquoted.Replace(p) + "`"
	}
	return fmt.Sprintf("- finding `%s`, %s at %s: %s\n  - impact %d of 5, effort %s, risk %s, confidence %.2f; seen at %s\n",
		k.Fingerprint, k.Category, strings.Join(places, ", "), f.Title, f.Impact, f.Effort, f.Risk, f.Confidence, f.Where())
}

// Notes reads the findings that a plan says it fixes.
func Notes(plan []byte) []Known {
	var out []Known
	for _, m := range noteLine().FindAllSubmatch(plan, mostFindings) {
		k := Known{Fingerprint: string(m[1]), Category: string(m[2]), Title: string(m[4])}
		for p := range strings.SplitSeq(string(m[3]), "`, `") {
			k.Places = append(k.Places, strings.Trim(p, "`"))
		}
		out = append(out, k)
	}
	return out
}

// RejectedFile is where findings are kept that a person rejected, below the
// repository. It belongs into git.
const RejectedFile = ".loopwiki/rejected.json"

const rejectedVersion = 1

// mostRejected bounds the file.
const mostRejected = 10_000

type rejectedDocument struct {
	Version  int     `json:"version"`
	Findings []Known `json:"findings"`
}

// ReadRejected reads the findings that a person rejected. One that is written by a
// newer version is refused.
func ReadRejected(src []byte) ([]Known, error) {
	var doc rejectedDocument
	if err := json.Unmarshal(src, &doc); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at := schema.NewLineIndex(src).Position(int(syntax.Offset) - 1)
			return nil, fmt.Errorf("%s:%d:%d: %w; fix it, or remove the file to forget rejected findings", RejectedFile, at.Line, at.Column, err)
		}
		return nil, fmt.Errorf("%s: %w; fix it, or remove the file to forget rejected findings", RejectedFile, err)
	}
	switch {
	case doc.Version != rejectedVersion:
		return nil, fmt.Errorf("%s: version %d is not supported (want %d); was it written by a newer version of wiki?", RejectedFile, doc.Version, rejectedVersion)
	case len(doc.Findings) > mostRejected:
		return nil, fmt.Errorf("%s: %d findings are more than %d", RejectedFile, len(doc.Findings), mostRejected)
	}
	return doc.Findings, nil
}

// WriteRejected writes findings that a person rejected, sorted, each once and on a
// line of its own, so that two branches can both add to them.
func WriteRejected(all []Known) ([]byte, error) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Known) int { return strings.Compare(a.Fingerprint, b.Fingerprint) })
	all = slices.CompactFunc(all, func(a, b Known) bool { return a.Fingerprint == b.Fingerprint })
	var b strings.Builder
	fmt.Fprintf(&b, "{\"version\": %d, \"findings\": [", rejectedVersion)
	for i, k := range all {
		text, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n%s", text)
	}
	b.WriteString("\n]}\n")
	return []byte(b.String()), nil
}
