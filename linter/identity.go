package linter

import (
	"encoding/binary"
	"encoding/hex"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/schema"
)

// A finding is identified by its rule, its page, the normalised text at its position,
// and its number among equal ones. One without extent, with secret text, or in a file
// that is not a page, is identified by its message without numbers. Lines and offsets
// don't count: moved text is the same text.

// identifiedText is how much of a place counts: beyond it, text may change and
// the finding stays the same.
const identifiedText = 4 << 10

// identify hashes the texts that identify findings, before the findings of page rules
// are cached.
func identify(found []finding, page func(path string) *schema.Page) {
	var buf []byte
	for i := range found {
		f := &found[i]
		if f.text != 0 {
			continue
		}
		buf = buf[:0]
		if p := page(f.Path); p != nil && p.Path == f.Path && f.Span.Len() > 0 && !f.Secret {
			buf = normalise(append(buf, 't'), f.Span.In(p.Source))
		} else {
			buf = withoutNumbers(normalise(append(buf, 'm'), []byte(f.Message)))
		}
		f.text = xxh3.Hash(buf)
	}
}

// normalise appends the beginning of a text in lower case, every run of white
// space as one space, so that wrapping a line again makes no other text of it.
func normalise(dst, text []byte) []byte {
	return fold(dst, text[:min(len(text), identifiedText)])
}

// fold is normalise for all of a text.
func fold(dst, text []byte) []byte {
	begin, gap := len(dst), false
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		i += size
		if unicode.IsSpace(r) {
			gap = len(dst) > begin
			continue
		}
		if gap {
			dst, gap = append(dst, ' '), false
		}
		if r < utf8.RuneSelf {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			dst = append(dst, byte(r))
		} else {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// withoutNumbers replaces every run of digits by one, in place: how many words a
// page has changes from day to day, and that it has too many does not.
func withoutNumbers(text []byte) []byte {
	out := text[:0]
	in := false
	for _, c := range text {
		digit := '0' <= c && c <= '9'
		if digit && in {
			continue
		}
		if in = digit; digit {
			c = '0'
		}
		out = append(out, c)
	}
	return out
}

// manyAlike is how many findings on a page are compared with each other rather
// than counted in a map.
const manyAlike = 8

// number numbers equal findings; found is in order of path.
func number(found []finding) {
	for from := 0; from < len(found); {
		to := from + 1
		for to < len(found) && found[to].Path == found[from].Path {
			to++
		}
		numberPage(found[from:to])
		from = to
	}
}

func numberPage(found []finding) {
	if len(found) > manyAlike {
		seen := make(map[uint64]int, len(found))
		for i := range found {
			f := &found[i]
			f.nth = seen[f.text]
			seen[f.text]++
		}
		return
	}
	for i := range found {
		found[i].nth = 0
		for j := range found[:i] {
			if found[j].text == found[i].text {
				found[i].nth++
			}
		}
	}
}

// fingerprint names a finding.
func (f *finding) fingerprint() string {
	return hashed(f.Rule, f.Path, f.text, f.nth)
}

// causePrint identifies a group of findings; groups with one cause differ in severity.
func causePrint(rule, cause string, nth int) string {
	return hashed(rule, "", xxh3.HashString("c"+cause), nth)
}

func hashed(rule, path string, text uint64, nth int) string {
	b := make([]byte, 0, 128)
	b = append(append(append(b, rule...), 0), path...)
	b = binary.BigEndian.AppendUint64(append(b, 0), text)
	b = binary.BigEndian.AppendUint64(b, uint64(nth))
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, xxh3.Hash(b)))
}
