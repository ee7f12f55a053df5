package rules

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// typos finds names that equal another one with a letter deleted. It stores hashes,
// since the strings would take many times the size of the names.
type typos struct {
	slugs   []string
	entries []typo // in order
}

// typo is the hash of a slug, or of a slug with one letter deleted.
type typo struct {
	hash uint64
	slug int32 // index into slugs
}

// fewLike bounds how many names of one spelling are compared.
const fewLike = 16

// sort makes the slugs ready to be looked for.
func (t *typos) sort() {
	slices.Sort(t.slugs)
	size := 0
	for _, s := range t.slugs {
		size += len(s) + 1
	}
	t.entries = make([]typo, 0, size)
	var buf []byte
	for i, s := range t.slugs {
		t.entries = append(t.entries, typo{xxh3.HashString(s), int32(i)})
		for at := 0; at < len(s); {
			_, n := utf8.DecodeRuneInString(s[at:])
			if !strings.HasPrefix(s[at+n:], s[at:at+n]) { // the last of equal letters stands for all
				buf = append(append(buf[:0], s[:at]...), s[at+n:]...)
				t.entries = append(t.entries, typo{xxh3.Hash(buf), int32(i)})
			}
			at += n
		}
	}
	slices.SortFunc(t.entries, func(a, b typo) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.slug, b.slug)) })
}

// like returns a few of the slugs, in order, that are s or become s when one
// letter is left out. A clash of hashes may add others.
func (t *typos) like(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		hash := xxh3.HashString(s)
		at, _ := slices.BinarySearchFunc(t.entries, hash, func(e typo, h uint64) int { return cmp.Compare(e.hash, h) })
		for _, e := range t.entries[at:min(len(t.entries), at+fewLike)] {
			if e.hash != hash || !yield(t.slugs[e.slug]) {
				return
			}
		}
	}
}
