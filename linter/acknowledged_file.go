package linter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// AcknowledgedVersion is the version of the file of acknowledgements that this
// program writes and the newest it reads.
const AcknowledgedVersion = 1

// AcknowledgedDocument is the file of [Acknowledgements].
type AcknowledgedDocument struct {
	Version      int                 `json:"version" yaml:"version"`
	Acknowledged []AcknowledgedEntry `json:"acknowledged" yaml:"acknowledged"`
}

// AcknowledgedError is a fault in a file of acknowledgements, with its position.
type AcknowledgedError struct {
	Path   string // as it was given to [ReadAcknowledged]
	At     schema.Position
	Reason string
}

func (e *AcknowledgedError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.At.Line, e.At.Column, e.Reason)
}

// ReadAcknowledged reads acknowledgements strictly; path is for errors, which are of
// type [*AcknowledgedError] and report the first fault. A newer version is refused. The
// caller sets the Path of the result.
func ReadAcknowledged(path string, src []byte) (*Acknowledgements, error) {
	lines := schema.NewLineIndex(src)
	wrong := func(at schema.Span, format string, args ...any) error {
		return &AcknowledgedError{Path: path, At: lines.Position(at.Start), Reason: fmt.Sprintf(format, args...)}
	}
	root, faults := yaml.Parse(src, 0)
	if len(faults) > 0 {
		return nil, wrong(faults[0].Span, "%s", faults[0].Message)
	}
	version := root.Get("version")
	if version == nil {
		return nil, wrong(schema.Span{}, "version is missing; expected a file written by wiki lint --ack")
	}
	switch n, err := strconv.Atoi(version.Text); {
	case err != nil || n < 1:
		return nil, wrong(version.Span, "version %.40q is not supported; expected %d", version.Text, AcknowledgedVersion)
	case n > AcknowledgedVersion:
		return nil, wrong(version.Span, "the acknowledgements have version %d, this program reads up to %d; upgrade wiki to a newer release", n, AcknowledgedVersion)
	}
	var doc AcknowledgedDocument
	if faults := yaml.Decode(root, &doc); len(faults) > 0 {
		return nil, wrong(faults[0].Span, "%s", faults[0].Message)
	}
	a := &Acknowledgements{Source: src}
	for i, e := range doc.Acknowledged {
		e.Span = root.Get("acknowledged").Items[i].Span
		if reason := e.fault(); reason != "" {
			return nil, wrong(e.Span, "%s", reason)
		}
		slices.SortFunc(e.Sides, compareSides)
		a.Entries = append(a.Entries, e)
	}
	return a, nil
}

// fault returns the fault of an entry, or "".
func (e *AcknowledgedEntry) fault() string {
	switch {
	case e.Rule == "":
		return "an entry without a rule; expected the rule that reported it"
	case strings.TrimSpace(e.Reason) == "":
		return "an entry without a reason; expected why the contradiction stays unresolved"
	case len(e.Sides) == 0:
		return "an entry without sides; expected the contradicting texts, as written by wiki lint --ack"
	}
	for _, s := range e.Sides {
		if _, err := strconv.ParseUint(s.Hash, 16, 64); err != nil || len(s.Hash) != 16 {
			return fmt.Sprintf("invalid hash %.40q; expected 16 hexadecimal digits", s.Hash)
		}
		if s.Page == "" {
			return "a side without a page; expected its path below the wiki root"
		}
	}
	for _, day := range [][2]string{{"since", e.Since}, {"until", e.Until}} {
		if _, err := time.Parse(time.DateOnly, day[1]); day[1] != "" && err != nil {
			return fmt.Sprintf("invalid %s %.40q; expected a date such as 2006-01-02", day[0], day[1])
		}
	}
	return ""
}

// YAML returns the file of the acknowledgements: a few lines per entry, in
// order, so that version control merges what two branches add.
func (a *Acknowledgements) YAML() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Acknowledged contradictions. wiki lint --ack adds entries and removes resolved ones.\n")
	fmt.Fprintf(&b, "version: %d\nacknowledged:", AcknowledgedVersion)
	if len(a.Entries) == 0 {
		b.WriteString(" []")
	}
	b.WriteByte('\n')
	for _, e := range a.Entries {
		lead := "  - "
		put := func(key, value string) {
			if value != "" {
				fmt.Fprintf(&b, "%s%s: %s\n", lead, key, value)
				lead = "    "
			}
		}
		put("about", quote(e.About))
		put("rule", plainWord(e.Rule))
		fmt.Fprintf(&b, "%ssides:\n", lead)
		for _, s := range e.Sides {
			fmt.Fprintf(&b, "      - page: %s\n", quote(s.Page))
			if s.Text != "" {
				fmt.Fprintf(&b, "        text: %s\n", quote(s.Text))
			}
			fmt.Fprintf(&b, "        hash: %s\n", quote(s.Hash))
		}
		lead = "    "
		put("reason", quote(e.Reason))
		put("by", quote(e.By))
		put("since", e.Since)
		put("until", e.Until)
	}
	return b.Bytes()
}

// plainWord writes the id of a rule, with quotes only if somebody edited the file.
func plainWord(id string) string {
	if strings.Trim(id, "abcdefghijklmnopqrstuvwxyz-") == "" && !strings.HasPrefix(id, "-") && !slices.Contains([]string{"true", "false", "null"}, id) {
		return id
	}
	return quote(id)
}

// quote writes a text as a YAML string, whatever it contains: without escapes if
// possible, since that is read fastest.
func quote(text string) string {
	if text == "" {
		return ""
	}
	if !strings.ContainsRune(text, '\'') && strings.ContainsAny(text, `"\`) && strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0 {
		return "'" + text + "'"
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b) // JSON's strings are YAML's too
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // text can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}
