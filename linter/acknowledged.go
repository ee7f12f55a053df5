package linter

import (
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// Acknowledgements are contradictions that a person knows and leaves open. Each is
// identified by the text of its sides, never by lines, and is void once a side changes
// or its last day has passed. They must not be changed.
type Acknowledgements struct {
	Path    string // of the file, below the wiki's root; begins with ../ outside it
	Source  []byte // of the file, for places in it; may be nil
	Entries []AcknowledgedEntry
}

// AcknowledgedEntry is one acknowledged contradiction.
type AcknowledgedEntry struct {
	About  string             `json:"about,omitempty" yaml:"about" jsonschema:"subject, for people"`
	Rule   string             `json:"rule" yaml:"rule" jsonschema:"the rule that reported it"`
	Sides  []AcknowledgedSide `json:"sides" yaml:"sides"`
	Reason string             `json:"reason" yaml:"reason" jsonschema:"why it stays unresolved"`
	By     string             `json:"by,omitempty" yaml:"by" jsonschema:"the person responsible"`
	Since  string             `json:"since,omitempty" yaml:"since" jsonschema:"date of the acknowledgement, 2006-01-02"`
	Until  string             `json:"until,omitempty" yaml:"until" jsonschema:"last day it is valid, 2006-01-02; without it, until a side changes"`
	Span   schema.Span        `json:"-" yaml:"-"` // of the entry in its file
}

// AcknowledgedSide is the text of one side when it was acknowledged.
type AcknowledgedSide struct {
	Page string `json:"page" yaml:"page" jsonschema:"below the wiki's root"`
	Text string `json:"text,omitempty" yaml:"text" jsonschema:"text of the page at that time, for people"`
	Hash string `json:"hash" yaml:"hash" jsonschema:"hash of the normalised side"`
}

// Acknowledgement is an entry in the form for readers.
func (e *AcknowledgedEntry) Acknowledgement() *schema.Acknowledgement {
	return &schema.Acknowledgement{Reason: e.Reason, By: e.By, Since: e.Since, Until: e.Until}
}

// expired reports whether the last day of an entry has passed.
func (e *AcknowledgedEntry) expired(today time.Time) bool {
	return e.Until != "" && !today.IsZero() && today.Format(time.DateOnly) > e.Until
}

// Acknowledge returns the entry for a contradiction of a [Result]; ok is false for other
// findings.
func Acknowledge(d *schema.Diagnostic, a schema.Acknowledgement) (e AcknowledgedEntry, ok bool) {
	if len(d.Sides) == 0 {
		return e, false
	}
	e = AcknowledgedEntry{About: d.About, Rule: d.Rule, Reason: a.Reason, By: a.By, Since: a.Since, Until: a.Until}
	for i := range d.Sides {
		e.Sides = append(e.Sides, sideOf(&d.Sides[i]))
	}
	slices.SortFunc(e.Sides, compareSides)
	return e, true
}

// longestSide is how much of a side is written down for people, in bytes.
const longestSide = 120

func sideOf(s *schema.Side) AcknowledgedSide {
	text := text.Collapse(s.Text)
	if len(text) > longestSide {
		text = strings.ToValidUTF8(text[:longestSide], "") + "…"
	}
	return AcknowledgedSide{Page: s.Path, Text: text, Hash: hexText(xxh3.Hash(fold(nil, []byte(s.Key))))}
}

func compareSides(a, b AcknowledgedSide) int {
	return strings.Compare(a.Page+"\x00"+a.Hash, b.Page+"\x00"+b.Hash)
}

// sidesKey identifies an entry and its contradiction by the text of the sides.
func sidesKey(sides []AcknowledgedSide) string {
	var b strings.Builder
	for _, s := range sides {
		b.WriteString(s.Page + "\x00" + s.Hash + "\x00")
	}
	return b.String()
}

// pagesKey identifies contradictions that may be the same although every side changed.
func pagesKey(e *AcknowledgedEntry) string {
	var b strings.Builder
	b.WriteString(e.Rule + "\x00" + strings.ToLower(e.About) + "\x00")
	for _, s := range e.Sides {
		b.WriteString(s.Page + "\x00")
	}
	return b.String()
}

// With returns the entries with one more, which takes the place of those that
// replaced reports.
func (a *Acknowledgements) With(e AcknowledgedEntry, replaced func(*AcknowledgedEntry) bool) *Acknowledgements {
	out := &Acknowledgements{Path: a.Path, Entries: []AcknowledgedEntry{e}}
	for i := range a.Entries {
		if old := a.Entries[i]; !replaced(&old) && sidesKey(old.Sides) != sidesKey(e.Sides) {
			out.Entries = append(out.Entries, old)
		}
	}
	slices.SortStableFunc(out.Entries, func(a, b AcknowledgedEntry) int {
		return strings.Compare(sidesKey(a.Sides)+a.Rule, sidesKey(b.Sides)+b.Rule)
	})
	return out
}

// AcknowledgedUse is the result of acknowledgements in one run.
type AcknowledgedUse struct {
	// Void are the entries whose contradiction changed, or whose last day has passed.
	Void []VoidAcknowledgement
	// Resolved are the entries that nothing was found for, so that they can go.
	// It is nil unless everything was looked at: all pages, by all rules.
	Resolved []AcknowledgedEntry
}

// VoidAcknowledgement is an acknowledgement that no longer holds, and the
// contradiction that is reported again.
type VoidAcknowledgement struct {
	Entry   *AcknowledgedEntry
	Finding *schema.Diagnostic
	Expired bool
	Changed []ChangedSide // none when it expired
}

// ChangedSide is a side of a contradiction before and after.
type ChangedSide struct {
	Was *AcknowledgedSide // nil for one that was not there
	Now *schema.Side      // nil for one that is gone
}
