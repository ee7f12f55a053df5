package schematest

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// awkward are strings inserted into texts: delimiters of the formats, and characters
// that no text should contain.
var awkward = []string{
	"", "\"", "'", "`", "```\n", "\n", "\r\n", "\t", " ", "\x00", "\xff", "\ufeff", "\u202e", "é", "漢", "\\", "/", "..", "-", "---\n", "#", ":", ": ", ",",
	"[", "]", "[[", "{", "}", "(", "<", "<!--", ">", "|", "*", "&", "@", "$", "%", "0", "-1", "99999999999999999999", "1e309", "null",
}

// Vary returns seeds and, behind them, up to n further texts that are made of them: with
// pieces left out, doubled, exchanged or moved, with pieces of each other and bytes changed.
// The same seeds give the same texts, always, so that a test of them is a fuzz test of
// which every run has the same result. A piece is a word, white space or one sign; as far as
// n allows, each is left out once.
func Vary(n int, seeds ...string) []string {
	v := variation{known: map[string]bool{}}
	for _, s := range seeds {
		v.pieces = append(v.pieces, cut(s))
		v.known[s] = true
	}
	out := slices.Clone(seeds)
	for i, s := range seeds {
		h := fnv.New64a()
		h.Write([]byte(s))
		v.random = rand.NewPCG(uint64(len(seeds)), h.Sum64())
		out = append(out, v.of(i, n*(i+1)/len(seeds)-n*i/len(seeds))...)
	}
	return out
}

// cut cuts a text into pieces.
func cut(s string) (pieces []string) {
	last := 0 // the kind of the last piece: a word, white space, or a sign, which stands alone
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		kind := 0
		switch {
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			kind = 1
		case unicode.IsSpace(r):
			kind = 2
		}
		if kind != 0 && kind == last {
			pieces[len(pieces)-1] += s[:size]
		} else {
			pieces = append(pieces, s[:size])
		}
		s, last = s[size:], kind
	}
	return pieces
}

// variation makes texts of the pieces of seeds.
type variation struct {
	pieces [][]string
	known  map[string]bool
	random *rand.PCG
}

// below returns a number from 0 to below n.
func (v *variation) below(n int) int { return int(v.random.Uint64() % uint64(max(n, 1))) }

// of returns up to n texts that are made of a seed.
func (v *variation) of(seed, n int) (out []string) {
	add := func(s string) {
		if len(out) < n && !v.known[s] {
			v.known[s] = true
			out = append(out, s)
		}
	}
	pieces := v.pieces[seed]
	step := max(1, (2*len(pieces)+n)/max(n, 1)) // half of n is for these
	for i := 0; i < len(pieces); i += step {
		add(strings.Join(slices.Delete(slices.Clone(pieces), i, i+1), ""))
	}
	for range 8 * n { // a short seed has few forms
		changed := slices.Clone(pieces)
		for range 1 + v.below(3) {
			changed = v.change(changed)
		}
		add(strings.Join(changed, ""))
	}
	return out
}

// change changes pieces in one of the ways in which texts go wrong.
func (v *variation) change(p []string) []string {
	if len(p) == 0 {
		return []string{awkward[v.below(len(awkward))]}
	}
	i, j := v.below(len(p)), v.below(len(p))
	from, to := min(i, j), min(max(i, j), min(i, j)+8)
	switch v.below(9) {
	case 0:
		return slices.Delete(p, i, i+1)
	case 1: // several, or the end
		if v.below(4) == 0 {
			to = len(p)
		}
		return slices.Delete(p, from, to)
	case 2:
		return slices.Insert(p, i, slices.Clone(p[from:to])...)
	case 3:
		p[i], p[j] = p[j], p[i]
		return p
	case 4: // moved
		moved := slices.Clone(p[from:to])
		p = slices.Delete(p, from, to)
		return slices.Insert(p, v.below(len(p)+1), moved...)
	case 5: // of another seed
		if of := v.pieces[v.below(len(v.pieces))]; len(of) > 0 {
			at := v.below(len(of))
			return slices.Insert(p, i, of[at:min(len(of), at+1+v.below(6))]...)
		}
		return p
	case 6:
		p[i] = awkward[v.below(len(awkward))]
		return p
	case 7:
		return slices.Insert(p, i, awkward[v.below(len(awkward))])
	}
	b := []byte(p[i])
	if len(b) > 0 {
		b[v.below(len(b))] ^= 1 << v.below(8)
	}
	p[i] = string(b)
	return p
}
