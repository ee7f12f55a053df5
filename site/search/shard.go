package search

import (
	"cmp"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"
)

// Version of the format of the site's index.
const Version = 4

// Root is the name of the file with which a search begins. The others are named by their
// content.
const Root = "root.js"

// What files hold, in bytes, before they are compressed.
const (
	leastShard    = 5 << 10 // of terms, about; cut at the next stem chosen by its hash
	leastUnspaced = 2500    // the same for pairs of characters, of which a query has many
	cutEvery      = 24      // one of so many stems
	mostCards     = 1900
	cardsOfFile   = 8
	shardsOfList  = 64
	mostLexicon   = 12 << 10
)

// root is the file of that name.
type root struct {
	Version int    `json:"version"`
	Docs    int    `json:"docs"`
	Past    string `json:"past"`   // the documents not to be relied on, as a filter
	Firsts  string `json:"firsts"` // the first stem of every list of shards, front-coded
	Lists   string `json:"lists"`  // their names, one after another
	Cards   string `json:"cards"`  // the ends of the names of the cards' files, which begin with their number
	Sizes   string `json:"sizes"`  // how many cards each has
	Lexicon string `json:"lexicon"`
}

// lexicon is the file that leads to those of terms by their first letters, and by their last.
type lexicon struct {
	Heads, Tails lexiconSide
}

type lexiconSide struct {
	Firsts string // front-coded
	Names  string
}

// Lengths of names of files.
const (
	nameLength = 6
	cardsEnd   = 4
)

// parts are the files of an index, by name.
type parts map[string][]byte

// Parts returns the index of documents that x has analyzed as files, which are classic
// scripts: browsers do not let a page opened from a disk fetch anything else. Each gives
// self["wiki.part"] its name and its text.
func (x *Collector) Parts(docs []*Analyzed) map[string][]byte {
	t := x.invert(docs)
	w := &writer{x: x, t: t, docs: docs, dfs: t.counts(), parts: parts{}}
	r := root{Version: Version, Docs: len(docs)}
	w.shards(&r)
	var past []uint32
	for i, d := range docs {
		if d.past != "" {
			past = append(past, uint32(i))
		}
	}
	c := newCoder()
	filterLists(past).write(c, nil, nil)
	r.Past = c.String()
	w.cards(&r)
	r.Lexicon = w.lexicon()
	w.parts.put(Root, mustJSON(r))
	return w.parts
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // of texts and numbers it has no reason to
	}
	return string(b)
}

// put adds a file.
func (p parts) put(name, content string) {
	p[name] = fmt.Appendf(nil, "self[\"wiki.part\"](%q,%s)\n", strings.TrimSuffix(name, ".js"), mustJSON(content))
}

// add adds a file named by its content, and returns the name.
func (p parts) add(content string) string {
	for seed := uint64(0); ; seed++ {
		name := nameOf(content, seed)[:nameLength]
		if p[name+".js"] == nil {
			p.put(name+".js", content)
			return name
		}
	}
}

var nameDigits = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func nameOf(content string, seed uint64) string {
	return nameDigits.EncodeToString(binary.BigEndian.AppendUint64(nil, xxh3.HashStringSeed(content, seed)))
}

// writer makes the files of an index.
type writer struct {
	x     *Collector
	t     *table
	docs  []*Analyzed
	dfs   []int // of terms
	parts parts
}

// counts returns on how many pages every term is.
func (t *table) counts() []int {
	out := make([]int, len(t.terms))
	inParallel(len(out), 256, func(i int) { out[i] = t.df(i) })
	return out
}

// inParallel calls f with all numbers below n, some at a time.
func inParallel(n, step int, f func(i int)) {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < n; from += step {
		g.Go(func() error {
			for i := from; i < min(n, from+step); i++ {
				f(i)
			}
			return nil
		})
	}
	_ = g.Wait() // f can't fail
}

// row is one line of a shard.
type row struct {
	stem, text string
	size       int // about so many digits
	lists
}

// shards writes the lists of terms, of beginnings of terms, and of filters. A shard has the
// name of the file of the rest, its texts, front-coded, and their lists. The root leads to
// lists of shards, by their first stems, and these to the shards.
func (w *writer) shards(r *root) {
	rows := slices.Concat(w.terms(), w.beginnings(), w.filters())
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(compareScript(a.stem, b.stem), compareScript(a.text, b.text)) })
	var cuts [][]row
	var names, firsts []string
	for len(rows) > 0 {
		n := shardEnd(rows)
		firsts = append(firsts, rows[0].stem)
		cuts, rows = append(cuts, rows[:n]), rows[n:]
	}
	for _, s := range w.encoded(cuts) {
		name := ""
		if s.rest != "" {
			name = w.parts.add(s.rest)
		}
		names = append(names, w.parts.add(name+s.lists))
	}
	var heads []string
	for from := 0; from < len(names); from += shardsOfList {
		to := min(from+shardsOfList, len(names))
		heads = append(heads, firsts[from])
		r.Lists += w.parts.add(frontCode(firsts[from:to], " ") + "," + strings.Join(names[from:to], ""))
	}
	r.Firsts = frontCode(heads, " ")
}

// shardEnd returns how many rows go into the next shard. Where it ends depends on the stems
// around, so that other shards stay as they are when one changes.
func shardEnd(rows []row) int {
	size, pairs := 0, isPair(rows[0].stem)
	for i, r := range rows {
		least := leastShard
		if pairs {
			least = leastUnspaced
		}
		if i > 0 && r.stem != rows[i-1].stem &&
			(size > 2*least || size > least && xxh3.HashString(r.stem)%cutEvery == 0 || isPair(r.stem) != pairs) {
			return i
		}
		size += r.size + 8
	}
	return len(rows)
}

func isPair(stem string) bool {
	r, _ := utf8.DecodeRuneInString(stem)
	return isUnspaced(r)
}

// encoded is the text of a shard, and that of the lists that it does not have.
type encoded struct{ lists, rest string }

func (w *writer) encoded(cuts [][]row) []encoded {
	out := make([]encoded, len(cuts))
	rooms := sync.Pool{New: func() any { return new(room) }}
	inParallel(len(cuts), 1, func(i int) {
		in, c, rest := rooms.Get().(*room), newCoder(), newCoder()
		var texts []string
		for _, r := range cuts[i] {
			texts = append(texts, r.text)
			r.write(c, rest, in)
		}
		rooms.Put(in)
		out[i] = encoded{"," + frontCode(texts, " ") + "," + c.String(), rest.String()}
	})
	return out
}

// compareScript orders texts like scripts do, by the units of UTF-16.
func compareScript(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if x, y := a[i], b[i]; x != y {
			if x >= 0xee && y >= 0xee && (x >= 0xf0) != (y >= 0xf0) {
				return cmp.Compare(y, x) // surrogates come before the end of the basic plane
			}
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}

func (w *writer) terms() []row {
	named := make([][]namedDoc, len(w.t.terms))
	for i, d := range w.docs {
		for _, n := range d.named {
			if at, ok := slices.BinarySearch(w.t.terms, w.x.terms[n.id]); ok {
				named[at] = append(named[at], namedDoc{uint32(i), n.sizes})
			}
		}
	}
	rows := make([]row, len(w.t.terms))
	for i, text := range w.t.terms {
		listed := min(w.dfs[i], mostDocs)
		rows[i] = row{stem(text), text, len(text) + listed + listed*w.t.units(i)/w.dfs[i], termLists{w.t, i, named[i]}}
	}
	return rows
}

// namedDoc is a document with a name that has a word, and the sizes of such names.
type namedDoc struct{ doc, sizes uint32 }

// beginnings makes the rows of those that many terms have. Their texts end in an asterisk.
func (w *writer) beginnings() []row {
	found := make([][]row, len(w.t.terms))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	w.eachBeginning(0, 0, len(w.t.terms), func(from, to, length int) {
		g.Go(func() error {
			s := &sums{}
			w.below(from, to, length, func(text string, from, to int) {
				b := w.t.merge(text, from, to, s)
				found[from] = append(found[from], row{text, text + "*", 3 * len(b.list), b})
			})
			return nil
		})
	})
	_ = g.Wait() // nothing in it fails
	return slices.Concat(found...)
}

// below calls f with a beginning, if it has a list of its own, and all that begin with it.
func (w *writer) below(from, to, length int, f func(text string, from, to int)) {
	text := w.t.terms[from][:length]
	at := from
	if w.t.terms[from] == text {
		at++
	}
	listed := 0
	for i := at; i < to; i++ {
		listed += min(w.dfs[i], mostDocs)
	}
	if listed <= wide {
		return
	}
	f(text, at, to)
	w.eachBeginning(length, at, to, func(from, to, length int) { w.below(from, to, length, f) })
}

// eachBeginning parts terms that share so many bytes by the next character.
func (w *writer) eachBeginning(shared, from, to int, f func(from, to, length int)) {
	for from < to {
		_, n := utf8.DecodeRuneInString(w.t.terms[from][shared:])
		end := from + 1
		for end < to && strings.HasPrefix(w.t.terms[end], w.t.terms[from][:shared+n]) {
			end++
		}
		f(from, end, shared+n)
		from = end
	}
}

// filters makes the rows of what queries may ask of documents. All are listed.
func (w *writer) filters() []row {
	docs := map[string][]uint32{}
	for i, d := range w.docs {
		for _, f := range d.filters {
			f = filterKey(f)
			if list := docs[f]; len(list) == 0 || list[len(list)-1] != uint32(i) {
				docs[f] = append(list, uint32(i))
			}
		}
	}
	var rows []row
	for _, f := range slices.Sorted(maps.Keys(docs)) {
		rows = append(rows, row{f, f, len(f) + len(docs[f]), filterLists(docs[f])})
	}
	return rows
}

// filterKey is the text of a filter's row, without what rows are made of.
func filterKey(f string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == ',' || r < ' ' {
			return '_'
		}
		return r
	}, f)
}

// cards writes what results show, a few documents a file.
func (w *writer) cards(r *root) {
	var names, sizes strings.Builder
	for from := 0; from < len(w.docs); {
		var list []string
		for size := 0; from < len(w.docs) && len(list) < cardsOfFile; from++ {
			c := strings.ReplaceAll(card(w.docs[from]), "\f", " ")
			if size += len(c); size > mostCards && list != nil {
				break
			}
			list = append(list, c)
		}
		content := strings.Join(list, "\f")
		end := nameOf(content, 0)[:cardsEnd]
		w.parts.put(fmt.Sprintf("%d-%s.js", sizes.Len(), end), content)
		names.WriteString(end)
		sizes.WriteByte(digits[len(list)])
	}
	r.Cards, r.Sizes = names.String(), sizes.String()
}

// lexicon writes the terms that a mistyped word may stand for, by their first letters and
// by their last, each with how frequent it is, and returns the name of its first file.
func (w *writer) lexicon() string {
	type entry struct {
		text string
		df   byte
	}
	var heads, tails []entry
	for i, term := range w.t.terms {
		if !corrects(term) {
			continue
		}
		df := digits[min(bits.Len(uint(w.dfs[i])), len(digits)-1)]
		heads = append(heads, entry{term, df})
		letters := []rune(term)
		slices.Reverse(letters)
		tails = append(tails, entry{string(letters), df})
	}
	side := func(list []entry) lexiconSide {
		slices.SortFunc(list, func(a, b entry) int { return compareScript(a.text, b.text) })
		var firsts, names []string
		for len(list) > 0 {
			var texts []string
			var dfs []byte
			for size := 0; len(texts) < len(list) && size < mostLexicon; {
				e := list[len(texts)]
				if n := len(texts); n > 0 {
					size += len(e.text) - len(commonHead(e.text, texts[n-1])) + 3
				}
				texts, dfs = append(texts, e.text), append(dfs, e.df)
			}
			firsts = append(firsts, list[0].text)
			names = append(names, w.parts.add(frontCode(texts, " ")+","+string(dfs)))
			list = list[len(texts):]
		}
		return lexiconSide{frontCode(firsts, " "), strings.Join(names, "")}
	}
	return w.parts.add(mustJSON(lexicon{side(heads), side(tails)}))
}

func commonHead(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}
