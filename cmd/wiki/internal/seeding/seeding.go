// Package seeding plants contradictions in a wiki without any: it takes values that two pages
// agree on and changes one digit in one of them. It parses raw markdown on its own, so that
// the result doesn't depend on the claims that the rules extract.
package seeding

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
)

// The kinds of fact that are changed.
const (
	Cells     = "cells"     // of tables that share at least three others that agree
	FewCells  = "few cells" // of tables that share fewer
	Fields    = "fields"    // key: value
	Sentences = "sentences" // of pages of which one links to the other
)

// Kinds are all kinds, in the order in which they are printed.
var Kinds = []string{Cells, FewCells, Fields, Sentences}

// Page is a file of a wiki.
type Page struct {
	Path   string
	Source []byte
}

// Place is where a fact stands: the bytes of its value.
type Place struct {
	Path       string
	Start, End int
}

// Seed is a fact that two pages state alike, and what the second is made to state.
type Seed struct {
	Kind  string
	Sides [2]Place
	Was   string
	At    int  // the byte of the second page that is changed
	Now   byte // to what
}

// Apply returns the second page with the change.
func (s *Seed) Apply(src []byte) []byte {
	out := slices.Clone(src)
	out[s.At] = s.Now
	return out
}

// fact is a value under a name on a page.
type fact struct {
	key, value string
	page       int
	table      int // number of the table, -1 for others
	at         int // where the value begins
}

// Pick returns up to n seeds of each kind. apart says of which pages facts aren't compared, linked which link to
// each other; number picks the same seeds again.
func Pick(pages []Page, n int, number uint64, apart, linked func(a, b string) bool) []Seed {
	var out []Seed
	rng := rand.New(rand.NewPCG(number, 0))
	r := &reader{}
	for i := range pages {
		r.read(i, pages[i].Source)
	}
	cells := pairs(pages, r.cells, apart)
	agree := map[[2]int]int{}
	for _, p := range cells {
		if telling(p[0].value) {
			agree[[2]int{p[0].table, p[1].table}]++
		}
	}
	many := func(p [2]fact) bool {
		others := agree[[2]int{p[0].table, p[1].table}]
		if telling(p[0].value) {
			others--
		}
		return others >= 3
	}
	few := func(p [2]fact) bool { return !many(p) }
	link := func(p [2]fact) bool { return linked(pages[p[0].page].Path, pages[p[1].page].Path) }
	any := func([2]fact) bool { return true }
	for _, k := range []struct {
		name  string
		facts [][2]fact
		want  func([2]fact) bool
	}{{Cells, cells, many}, {FewCells, cells, few}, {Fields, pairs(pages, r.fields, apart), any}, {Sentences, pairs(pages, r.sentences, apart), link}} {
		wanted := slices.DeleteFunc(slices.Clone(k.facts), func(p [2]fact) bool { return !k.want(p) })
		rng.Shuffle(len(wanted), func(i, j int) { wanted[i], wanted[j] = wanted[j], wanted[i] })
		for _, p := range wanted[:min(n, len(wanted))] {
			out = append(out, seed(k.name, pages, p, rng))
		}
	}
	return out
}

// telling reports whether a value is more than a 0, a 1 or 100 %.
func telling(value string) bool {
	digits := strings.Trim(value, "*`% ")
	return digits != "0" && digits != "1" && digits != "100"
}

// pairs returns the facts that two pages state alike: of each the first two places that may be compared.
func pairs(pages []Page, facts []fact, apart func(a, b string) bool) (out [][2]fact) {
	slices.SortStableFunc(facts, func(a, b fact) int {
		return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.value, b.value), a.page-b.page, a.at-b.at)
	})
	for i := 0; i+1 < len(facts); i++ {
		a := facts[i]
		if i > 0 && facts[i-1].key == a.key && facts[i-1].value == a.value {
			continue
		}
		for _, b := range facts[i+1:] {
			if b.key != a.key || b.value != a.value {
				break
			}
			if b.page != a.page && !apart(pages[a.page].Path, pages[b.page].Path) {
				out = append(out, [2]fact{a, b})
				break
			}
		}
	}
	return out
}

// seed changes a digit of the second of two facts.
func seed(kind string, pages []Page, p [2]fact, rng *rand.Rand) Seed {
	s := Seed{Kind: kind, Was: p[0].value}
	for i, f := range p {
		s.Sides[i] = Place{pages[f.page].Path, f.at, f.at + len(f.value)}
	}
	var digits []int
	for i := range len(p[1].value) {
		if c := p[1].value[i]; c >= '0' && c <= '9' {
			digits = append(digits, p[1].at+i)
		}
	}
	s.At = digits[rng.IntN(len(digits))]
	was := pages[p[1].page].Source[s.At]
	for s.Now = was; s.Now == was; {
		s.Now = byte('1' + rng.IntN(9))
	}
	return s
}

// reader collects the facts of pages.
type reader struct {
	cells, fields, sentences []fact
	tables                   int
	head                     []string // of the table that is read
}

func (r *reader) read(page int, src []byte) {
	front, fenced, at := false, false, 0
	r.head = nil
	for line := range bytes.Lines(src) {
		text := strings.TrimRight(string(line), "\r\n")
		trimmed := strings.TrimSpace(text)
		start := at + strings.Index(text, trimmed)
		at += len(line)
		if !strings.HasPrefix(trimmed, "|") {
			r.head = nil
		}
		switch {
		case trimmed == "---" && (start == 0 || front):
			front = !front
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fenced = !fenced
		case fenced, trimmed == "", strings.ContainsAny(trimmed[:1], "#><"):
		case strings.HasPrefix(trimmed, "|"):
			r.row(page, trimmed, start)
		case !r.field(page, trimmed, start) && !front:
			r.prose(page, trimmed, start)
		}
	}
}

// row reads a line of a table.
func (r *reader) row(page int, line string, start int) {
	var cells []string
	var at []int
	for from := 1; from <= len(line); {
		end := strings.IndexByte(line[from:], '|')
		if end < 0 {
			break
		}
		cell := line[from : from+end]
		at = append(at, start+from+len(cell)-len(strings.TrimLeft(cell, " ")))
		cells = append(cells, strings.TrimSpace(cell))
		from += end + 1
	}
	if r.head == nil {
		r.head = cells
		r.tables++
		return
	}
	for i := 1; i < len(cells) && i < len(r.head) && cells[0] != ""; i++ {
		if strings.ContainsAny(cells[i], "0123456789") && len(cells[i]) < 80 {
			r.cells = append(r.cells, fact{key: strings.ToLower(r.head[i] + "\x00" + cells[0]), value: cells[i], page: page, table: r.tables, at: at[i]})
		}
	}
}

// field reads a line of the form key: value.
func (r *reader) field(page int, line string, start int) bool {
	key, value, ok := strings.Cut(line, ": ")
	value = strings.TrimSpace(value)
	if !ok || len(key) > 40 || strings.ContainsAny(key, ".,;[") {
		return false
	}
	if strings.ContainsAny(value, "0123456789") && len(value) < 60 {
		r.fields = append(r.fields, fact{key: strings.ToLower(strings.Trim(key, "-* ")), value: value, page: page, table: -1, at: start + strings.LastIndex(line, value)})
	}
	return true
}

// leastWords is how many words a sentence has at least.
const leastWords = 6

// prose reads the sentences of a line; links and paths aren't changed.
func (r *reader) prose(page int, line string, start int) {
	for from := 0; from < len(line); {
		end := len(line)
		if i := strings.Index(line[from:], ". "); i >= 0 {
			end = from + i + 1
		}
		text := strings.TrimSpace(strings.TrimLeft(line[from:end], "-* "))
		if strings.ContainsAny(text, "0123456789") && len(strings.Fields(text)) >= leastWords && len(text) < 500 && !strings.ContainsAny(text, "[]/") {
			r.sentences = append(r.sentences, fact{key: "", value: text, page: page, table: -1, at: start + from + strings.Index(line[from:end], text)})
		}
		from = end
	}
}
