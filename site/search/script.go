package search

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema/text"
)

// Version of the format of the site's index.
const Version = 2

// summaryLength bounds the text kept for a result, in bytes.
const summaryLength = 150

// headingLine is a heading's text, followed by a tab and its id when the
// script can't tell it from the text.
func headingLine(s compiler.Section) string {
	text := text.Collapse(s.Heading)
	if Slug(text) == s.ID && !strings.ContainsAny(text, "Σİ") { // scripts lower these two in their own way
		return text
	}
	return text + "\t" + s.ID
}

// Slug is the usual id of a heading. The script has the same function; a
// heading whose id differs is stored with it.
func Slug(text string) string {
	var sb strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r == ' ':
			sb.WriteByte('-')
		case r == '-' || isWord(r) && !unicode.Is(unicode.No, r) && !unicode.Is(unicode.Nl, r):
			sb.WriteRune(r)
		}
	}
	return sb.String()
}

// summary is the text below a result: the page's summary, or the beginning of its text.
func summary(d Document) string {
	out := strings.TrimSpace(d.Summary)
	for _, s := range d.Sections {
		if len(out) >= summaryLength/2 {
			break
		}
		// Many pages say their summary again in their first sentence.
		if t := strings.TrimPrefix(strings.TrimSpace(s.Text), out); t != "" {
			out = strings.TrimSpace(out + " " + strings.TrimSpace(t[:min(len(t), 2*summaryLength)]))
		}
	}
	out = strings.ToValidUTF8(text.Collapse(out), "")
	if len(out) <= summaryLength {
		return out
	}
	cut := strings.LastIndexByte(out[:summaryLength], ' ')
	if cut < summaryLength/2 {
		cut = summaryLength
	}
	return strings.TrimRight(strings.ToValidUTF8(out[:cut], ""), " ,.;:") + "…"
}

// file is the index on disk. Documents are numbered in their given order, the most
// linked first, which breaks ties.
type file struct {
	Version int    `json:"version"`
	Hrefs   string `json:"hrefs"` // one a line
	Titles  string `json:"titles"`
	Folders string `json:"folders"` // one a line, front-coded like terms
	// Summaries and Headings have one entry a document, parted by \f.
	Summaries string `json:"summaries"`
	Headings  string `json:"headings"`
	// Past says of the documents that are not to be relied on why, by number.
	Past map[int]string `json:"past,omitempty"`
	// Terms are sorted and parted by spaces. The first character of each says,
	// as its place in digits, how many code points it shares with the one before.
	Terms string `json:"terms"`
	// Units are parted by spaces, one entry a document: how many terms each of its units
	// has, in numbers like those of the postings. The first unit is its head, the others
	// are its sections, each with a line of Headings, which may be empty.
	Units string `json:"units"`
	// Postings are parted by spaces, one entry a term: numbers in base 32,
	// lowest digit first, digits from the upper half of the alphabet when more
	// follow. A number is 16 times the distance from the unit before, plus
	// the weight of the term in it, 1 to 15.
	Postings string `json:"postings"` // the last field
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// Build writes the index of documents that x has analyzed, as a classic script that sets
// self["wiki.index"]: browsers do not let a page opened from a disk fetch anything else.
func (x *Collector) Build(docs []*Analyzed) ([]byte, error) {
	t := x.invert(docs)
	f := file{Version: Version, Past: map[int]string{}}
	var hrefs, titles, folders, summaries, headings []string
	var units []byte
	for i, d := range docs {
		if d.past != "" {
			f.Past[i] = d.past
		}
		hrefs = append(hrefs, d.href)
		titles = append(titles, text.Collapse(d.title))
		folders = append(folders, text.Collapse(d.folder))
		summaries = append(summaries, strings.ReplaceAll(d.summary, "\f", " "))
		headings = append(headings, strings.ReplaceAll(d.headings, "\f", " "))
		for _, u := range d.units {
			units = appendNumber(units, u.length)
		}
		units = append(units, ' ')
	}
	f.Hrefs, f.Titles, f.Folders = frontCode(hrefs, "\n"), strings.Join(titles, "\n"), frontCode(folders, "\n")
	f.Summaries, f.Headings = strings.Join(summaries, "\f"), strings.Join(headings, "\f")
	f.Units, f.Terms = strings.TrimSuffix(string(units), " "), frontCode(t.terms, " ")
	var out bytes.Buffer
	out.WriteString(`self["wiki.index"]=`)
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(f); err != nil {
		return nil, fmt.Errorf("encode the search index: %w", err)
	}
	// The postings, which are most of the file and need no escapes, go to their place at its end.
	b := bytes.TrimSuffix(out.Bytes(), []byte("\"}\n"))
	for i, list := range t.lists {
		if i > 0 {
			b = append(b, ' ')
		}
		for list != "" {
			v, n := uvarint(list)
			b, list = appendNumber(b, uint32(v)), list[n:]
		}
	}
	return append(b, "\"};\n"...), nil
}

// frontCode writes every entry without what it shares with the one before.
func frontCode(list []string, sep string) string {
	var sb strings.Builder
	var last []rune
	for i, s := range list {
		if i > 0 {
			sb.WriteString(sep)
		}
		runes := []rune(s)
		n := 0
		for n < len(runes) && n < len(last) && n < len(digits)-1 && runes[n] == last[n] {
			n++
		}
		sb.WriteByte(digits[n])
		sb.WriteString(string(runes[n:]))
		last = runes
	}
	return sb.String()
}

func appendNumber(b []byte, v uint32) []byte {
	for ; v >= 32; v >>= 5 {
		b = append(b, digits[32+v&31])
	}
	return append(b, digits[v])
}
