package rules

import (
	"slices"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// sketch is what is kept of the words of a page's body to find pages that say
// nearly the same: by one-permutation minwise hashing (Li, Owen and Zhang, One
// Permutation Hashing, 2012), every run of five words falls by its hash into one
// of the bins, and each bin keeps the least. Two pages share as many bins, of
// those that one of them has filled, as they share runs.
type sketch struct {
	words int
	bins  [sketchBins]uint32
	keys  [sketchBands]uint64 // of the bands, 0 for one without any run
}

const (
	sketchBins  = 128
	sketchRun   = 5          // words of one run
	sketchBands = 8          // that are compared: of pages of which 85 % is the same they miss one in 300
	sketchBand  = 4          // bins that must all be equal for two pages to be compared
	emptyBin    = ^uint32(0) // no run fell into it
	fewestWords = 60         // below which two pages are alike for saying little

	fnvPrime = 0x100000001b3 // of Fowler–Noll–Vo, which hashes words
	runPrime = 0x9e3779b97f4a7c15
	// leaving is the fifth power of runPrime: the factor of the word that leaves
	// the run.
	leaving = runPrime * runPrime * runPrime * runPrime * runPrime % (1 << 64)
)

// newSketch returns the sketch of a page, nil for one that is too short.
func newSketch(page *schema.Page) *sketch {
	if page.Words < fewestWords {
		return nil
	}
	s := &sketch{}
	for i := range s.bins {
		s.bins[i] = emptyBin
	}
	eachRun(page.Source[page.Body:], func(h uint64) {
		s.words++
		bin, value := h>>57, uint32(h)&^1
		s.bins[bin] = min(s.bins[bin], value)
	})
	if s.words < fewestWords {
		return nil
	}
	for i := range s.keys {
		s.keys[i] = bandKey(i, s.bins[i*sketchBand:(i+1)*sketchBand])
	}
	return s
}

// bandKey returns a hash of the bins of band i, 0 when they are all empty.
func bandKey(i int, bins []uint32) uint64 {
	h, filled := uint64(i+1), false
	for _, v := range bins {
		h = mix(h ^ uint64(v))
		filled = filled || v != emptyBin
	}
	if !filled {
		return 0
	}
	return h
}

// eachRun calls f with a hash of every run of words of text, which is rolled on
// from one to the next. A word is what is between signs and white space;
// letter case does not count in ASCII.
func eachRun(text []byte, f func(hash uint64)) {
	var ring [sketchRun]uint64 // the words of the run
	n, at := 0, 0
	run, word := uint64(0), uint64(0)
	for i := 0; i <= len(text); i++ {
		if i < len(text) {
			if c := foldedByte[text[i]]; c != 0 {
				word = (word ^ uint64(c)) * fnvPrime
				continue
			}
		}
		if word == 0 {
			continue
		}
		run = run*runPrime + word - ring[at]*leaving
		ring[at] = word
		word = 0
		if at++; at == sketchRun {
			at = 0
		}
		if n++; n >= sketchRun {
			f(mix(run))
		}
	}
}

// foldedByte holds the bytes that words are made of, in lower case, and 0 for
// the others.
var foldedByte = func() (m [256]byte) {
	for c := range m {
		switch {
		case c >= utf8.RuneSelf || asciiWord[c] && !('A' <= c && c <= 'Z'):
			m[c] = byte(c)
		case asciiWord[c]:
			m[c] = byte(c) + 'a' - 'A'
		}
	}
	return m
}()

// mix spreads a hash over all of its bits, as the finalizer of MurmurHash3 does.
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// like returns what part of their runs two pages share, as far as their
// sketches tell, from 0 to 1.
func (s *sketch) like(o *sketch) float64 {
	same, filled := 0, 0
	for i, v := range s.bins {
		if v == emptyBin && o.bins[i] == emptyBin {
			continue
		}
		filled++
		if v == o.bins[i] {
			same++
		}
	}
	return float64(same) / float64(max(1, filled))
}

// sharedRuns returns what part of their runs two texts share, exactly, from 0 to 1.
func sharedRuns(a, b []byte) float64 {
	runs := func(text []byte) []uint64 {
		var out []uint64
		eachRun(text, func(h uint64) { out = append(out, h) })
		slices.Sort(out)
		return slices.Compact(out)
	}
	x, y := runs(a), runs(b)
	both := 0
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] == y[j]:
			both++
			i++
			j++
		case x[i] < y[j]:
			i++
		default:
			j++
		}
	}
	return float64(both) / float64(max(1, len(x)+len(y)-both))
}

// bands finds the first page of those that share a band: a table of open
// addressing, since a map would take most of the time that the rule takes.
type bands struct {
	slots []bandSlot
	mask  uint64
}

type bandSlot struct {
	key  uint64
	page int32
}

// newBands returns a table for the bands of n pages.
func newBands(n int) *bands {
	size := 1
	for size < 2*sketchBands*n {
		size *= 2
	}
	return &bands{slots: make([]bandSlot, size), mask: uint64(size - 1)}
}

// first returns the page that came first with the band, which is page itself
// when there was none. A key is not 0.
func (b *bands) first(key uint64, page int32) int32 {
	for i := key & b.mask; ; i = (i + 1) & b.mask {
		switch s := &b.slots[i]; s.key {
		case key:
			return s.page
		case 0:
			*s = bandSlot{key, page}
			return page
		}
	}
}
