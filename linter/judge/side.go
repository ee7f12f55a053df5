package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// side is one of two claims as sent to a judge. It contains the context that gives the
// claim its meaning, and nothing that changes when pages move or lines are added, since
// it is part of the key of a verdict.
type side struct {
	Page    string `json:"page"`              // its title
	Date    string `json:"date,omitempty"`    // that the page gives for itself
	Section string `json:"section,omitempty"` // the headings above it
	Columns string `json:"columns,omitempty"` // the heads of the table that it is a row of
	Text    string `json:"text"`
}

// question is a pair of statements, in an order that does not depend on where
// their pages lie.
type question struct {
	sides   [2]side
	hashes  [2]string // of the sides
	swapped bool      // the first side is B of the doubt
}

// Of makes the judge send the titles of a wiki's pages, and the dates in their front
// matter. Dates of changes are not sent: every edit of a page would void its verdicts.
func (c *Judge) Of(w *compiler.Wiki) *Judge {
	c.Title = func(id schema.PageID) string {
		if page := w.Page(id); page != nil {
			return page.Title
		}
		return string(id)
	}
	c.Date = func(id schema.PageID) string {
		if page := w.Page(id); page != nil && !page.Meta.Created.Time.IsZero() {
			return page.Meta.Created.String()
		}
		return ""
	}
	return c
}

func (c *Judge) sideOf(claim *schema.Claim) side {
	s := side{Page: c.Title(claim.Page), Section: strings.Join(claim.Section, " > "), Text: text.Collapse(claim.Text)}
	if c.Date != nil {
		s.Date = c.Date(claim.Page)
	}
	if claim.From == schema.OriginTable {
		s.Columns = claim.Attr.Name
	}
	return s
}

func (s *side) hash() string {
	return digest(s.Page, s.Date, s.Section, s.Columns, s.Text)
}

// digest is the beginning of the SHA-256 of some texts: anyone who writes a page must
// not be able to make it look like another that was judged.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

func (c *Judge) questionOf(d *schema.Doubt) question {
	q := question{sides: [2]side{c.sideOf(&d.A), c.sideOf(&d.B)}}
	q.hashes = [2]string{q.sides[0].hash(), q.sides[1].hash()}
	if q.hashes[1] < q.hashes[0] {
		q.sides[0], q.sides[1] = q.sides[1], q.sides[0]
		q.hashes[0], q.hashes[1] = q.hashes[1], q.hashes[0]
		q.swapped = true
	}
	return q
}

// quoted reports whether a text contains a quote word for word, ignoring white space,
// and the quote is not empty.
func quoted(s, quote string) bool {
	s, quote = text.Collapse(s), text.Collapse(quote)
	if utf8.RuneCountInString(quote) < 2 || !strings.ContainsFunc(quote, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return false
	}
	for from := 0; ; {
		i := strings.Index(s[from:], quote)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(quote):])
		first, _ := utf8.DecodeRuneInString(quote)
		last, _ := utf8.DecodeLastRuneInString(quote)
		if !(inWord(before) && inWord(first)) && !(inWord(after) && inWord(last)) {
			return true
		}
		from = i + 1
		for from < len(s) && !utf8.RuneStart(s[from]) {
			from++
		}
	}
}

func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// longestText bounds what of a judge's words is kept, in characters.
const longestText = 240

// plain turns a judge's text into one safe line: without control characters and
// bidirectional overrides, and of limited length.
func plain(s string) string {
	s = strings.ToValidUTF8(s, "")
	s = text.Collapse(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Other, r): // control, format, private use
			return -1
		}
		return r
	}, s))
	if r := []rune(s); len(r) > longestText {
		s = string(r[:longestText]) + "…"
	}
	return s
}
