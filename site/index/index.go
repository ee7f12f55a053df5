// Package index builds the search index that the site's own script reads: one
// file that works from a web server without any program and from a disk.
//
// The file is a classic script that sets self["wiki.index"], because browsers do
// not let a page opened from a disk fetch anything else. Scores are computed
// here, so that the browser only adds them up. See [Index.Build] for the format.
package index

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/compiler"
)

// Version of the format of the index.
const Version = 1

// How many words in a field count more than in the text.
const (
	titleWeight   = 5
	headingWeight = 3
	tagWeight     = 3
	bodyWeight    = 1
)

// BM25 (Robertson and Zaragoza, 2009): k1 bounds what repetition adds, b says
// how much long pages are held back.
const (
	k1 = 1.2
	b  = 0.6
)

// summaryLength bounds the text kept for a result, in bytes.
const summaryLength = 150

// Document is a page as the index sees it.
type Document struct {
	Href     string // below the root of the site
	Title    string
	Folder   string // as shown above the title
	Summary  string
	Names    []string // other names of the page; they weigh as much as the title
	Tags     []string
	Sections []compiler.Section
	Past     string // "superseded" or "deprecated", why the page is not to be relied on; else empty
}

// Analyzed is a document's share of an index. It holds no running text.
type Analyzed struct {
	href, title, folder, summary string
	headings, past               string
	terms                        []byte // numbers and weights; see pack
	length                       float64
}

// headingLine is a heading's text, followed by a tab and its id when the
// script can not tell it from the text.
func headingLine(s compiler.Section) string {
	text := strings.Join(strings.Fields(s.Heading), " ")
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

// summary is what stands under a result: the page's own summary, else as much
// of its text as is short.
func summary(d Document) string {
	text := strings.TrimSpace(d.Summary)
	for _, s := range d.Sections {
		if len(text) >= summaryLength/2 {
			break
		}
		// Many pages say their summary again in their first sentence.
		if t := strings.TrimPrefix(strings.TrimSpace(s.Text), text); t != "" {
			text = strings.TrimSpace(text + " " + strings.TrimSpace(t[:min(len(t), 2*summaryLength)]))
		}
	}
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "")
	if len(text) <= summaryLength {
		return text
	}
	cut := strings.LastIndexByte(text[:summaryLength], ' ')
	if cut < summaryLength/2 {
		cut = summaryLength
	}
	return strings.TrimRight(strings.ToValidUTF8(text[:cut], ""), " ,.;:") + "…"
}

// file is the index as it is written. Documents are numbered in the order
// they were given in, the most linked first, which settles ties.
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
	// Postings are parted by spaces, one entry a term: numbers in base 32,
	// lowest digit first, digits from the upper half of the alphabet when more
	// follow. A number is 16 times the distance from the document before, plus
	// the score of the term in it, 1 to 15.
	Postings string `json:"postings"` // the last field
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// posting is a document's number, and the score of a term in it in the lowest
// four bits.
type posting uint32

// Build writes the index of documents that x has analyzed, as a script.
func (x *Index) Build(docs []*Analyzed) ([]byte, error) {
	terms, postings, count := x.invert(docs)
	f := file{Version: Version, Past: map[int]string{}}
	var hrefs, titles, folders, summaries, headings []string
	for i, d := range docs {
		if d.past != "" {
			f.Past[i] = d.past
		}
		hrefs = append(hrefs, d.href)
		titles = append(titles, oneLine(d.title))
		folders = append(folders, oneLine(d.folder))
		summaries = append(summaries, strings.ReplaceAll(d.summary, "\f", " "))
		headings = append(headings, strings.ReplaceAll(d.headings, "\f", " "))
	}
	f.Hrefs, f.Titles, f.Folders = frontCode(hrefs, "\n"), strings.Join(titles, "\n"), frontCode(folders, "\n")
	f.Summaries, f.Headings = strings.Join(summaries, "\f"), strings.Join(headings, "\f")
	f.Terms = frontCode(terms, " ")
	var out bytes.Buffer
	out.WriteString(`self["wiki.index"]=`)
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(f); err != nil {
		return nil, fmt.Errorf("encode the search index: %w", err)
	}
	// The postings, which are most of the file and need no escapes, go to their place at its end.
	b := bytes.TrimSuffix(out.Bytes(), []byte("\"}\n"))
	b = slices.Grow(b, 3*count)
	for i, list := range postings {
		if i > 0 {
			b = append(b, ' ')
		}
		b = appendPostings(b, list)
	}
	return append(b, "\"};\n"...), nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// invert turns documents with terms into terms, in order, with documents, of
// which it returns the number too.
func (x *Index) invert(docs []*Analyzed) (terms []string, lists [][]posting, count int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	total := 0.0
	counts := make([]int, len(x.terms))
	for _, d := range docs {
		total += d.length
		d.unpack(func(id, _ uint64) {
			counts[id]++
			count++
		})
	}
	mean := max(1, total/float64(max(1, len(docs))))
	byID := make([][]posting, len(x.terms))
	room := make([]posting, count)
	for id, n := range counts {
		byID[id], room = room[:0:n], room[n:]
	}
	for i, d := range docs {
		d.unpack(func(id, weight uint64) {
			byID[id] = append(byID[id], posting(i)<<4|posting(impact(float64(weight), d.length/mean)))
		})
	}
	ids := make([]uint32, 0, len(x.terms))
	for id, n := range counts {
		if n > 0 {
			ids = append(ids, uint32(id))
		}
	}
	slices.SortFunc(ids, func(a, b uint32) int { return strings.Compare(x.terms[a], x.terms[b]) })
	for _, id := range ids {
		terms, lists = append(terms, x.terms[id]), append(lists, byID[id])
	}
	return terms, lists, count
}

// impact is BM25 without the rarity of the term, which the script knows from
// the number of its documents, in fifteenths of its limit k1+1.
func impact(tf, length float64) uint8 {
	score := tf / (tf + k1*(1-b+b*length))
	return uint8(min(15, max(1, math.Round(score*15))))
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

func appendPostings(b []byte, list []posting) []byte {
	last := posting(0)
	for _, p := range list {
		doc := p >> 4
		v := (doc-last)<<4 | p&15
		for v >= 32 {
			b = append(b, digits[32+v&31])
			v >>= 5
		}
		b = append(b, digits[v])
		last = doc
	}
	return b
}
