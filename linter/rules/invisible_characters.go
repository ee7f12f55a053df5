package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "invisible-characters",
	Group:    linter.Hygiene,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A page contains invisible characters.",
	Doc: `Search doesn't find a word with a zero-width space in it. Direction overrides show a line of code in another
order than it runs (Trojan Source). Tag characters and runs of variation selectors can hide whole sentences
that only programs read, such as prompt injections.

Not reported: joiners in emoji and in scripts that need them, direction marks next to right-to-left text, and
a byte order mark at the beginning, which encoding reports. The safe fix removes characters whose removal
changes nothing visible; where they may separate markup there is no fix.

In raw sources it is info.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages share one cause: %s", n, first.Message)
	},
	CheckPage: invisible,
})

// mostEdits is how many places of a page one fix fixes.
const mostEdits = 10_000

// invisible reports each kind of character once for a page, and apart from the
// others those that no fix takes out.
func invisible(p *linter.Pass, page *schema.Page) {
	odd := scanFact.Of(p, page).odd
	if len(odd) == 0 || !utf8.Valid(page.Source) {
		return // in another encoding the bytes are other characters; encoding reports it
	}
	type group struct {
		kind  string
		apart bool
	}
	src := page.Source
	runs, order := map[group][]oddRun{}, []group{}
	line := direction{src: src}
	for _, r := range oddRuns(src, odd) {
		kind := r.kind(src, &line)
		if kind == "" {
			continue
		}
		g := group{kind, r.separatesMarkup(src)}
		if runs[g] == nil {
			order = append(order, g)
		}
		if len(runs[g]) < mostEdits {
			runs[g] = append(runs[g], r)
		}
	}
	for _, g := range order {
		reportInvisible(p, page, g.kind, runs[g], g.apart)
	}
}

func reportInvisible(p *linter.Pass, page *schema.Page, kind string, runs []oddRun, apart bool) {
	count, spelled := 0, ""
	fix := schema.Fix{Title: "remove the invisible characters", Safe: true}
	for _, r := range runs {
		count += r.count
		if spelled == "" {
			spelled = r.hidden(page.Source)
		}
		fix.Edits = append(fix.Edits, schema.Edit{Path: page.Path, Span: r.Span})
	}
	remedy := "remove it"
	switch {
	case spelled != "":
		remedy = fmt.Sprintf("decoded, it says %q; remove it", short(spelled))
	case count > 1:
		remedy = fmt.Sprintf("remove it, here and in %s on the page", text.Count(count-1, "more place"))
	}
	if apart {
		remedy += ", unless it separates the markup beside it on purpose"
	}
	d := p.ReportCause(kind, page.Path, runs[0].Span, "invisible text: %s; %s", kind, remedy)
	if spelled == "" {
		lowerSeverity(d, page)
	}
	if !apart {
		d.Fixes = []schema.Fix{fix}
	}
}

// oddRun is one or more odd characters of a kind beside each other.
type oddRun struct {
	schema.Span
	first rune
	count int
}

// oddRuns gathers the odd characters of a page into runs.
func oddRuns(src []byte, odd []int) []oddRun {
	var out []oddRun
	for _, at := range odd {
		r, size := utf8.DecodeRune(src[at:])
		if k := len(out) - 1; k >= 0 && out[k].End == at && oddName(out[k].first) == oddName(r) {
			out[k].End += size
			out[k].count++
			continue
		}
		out = append(out, oddRun{schema.Span{Start: at, End: at + size}, r, 1})
	}
	return out
}

// oddName names a character that is not seen, or returns "".
func oddName(r rune) string {
	switch {
	case r == 0xAD:
		return "a soft hyphen (U+00AD)"
	case r == 0x200B:
		return "a zero-width space (U+200B)"
	case r == 0x200C:
		return "a zero-width non-joiner (U+200C)"
	case r == 0x200D:
		return "a zero-width joiner (U+200D)"
	case r == 0x200E || r == 0x200F || r == 0x061C:
		return fmt.Sprintf("a text direction mark (U+%04X)", r)
	case 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069:
		return "a text direction override (U+202A-202E, U+2066-2069)"
	case r == 0xFEFF:
		return "a byte order mark within the text (U+FEFF)"
	case r == 0x2060:
		return "a word joiner (U+2060)"
	case 0x2061 <= r && r <= 0x2064:
		return "an invisible math operator (U+2061-2064)"
	case 0xFE00 <= r && r <= 0xFE0F || 0xE0100 <= r && r <= 0xE01EF:
		return "variation selectors (U+FE00-FE0F, U+E0100-E01EF) without effect"
	case 0xE0000 <= r && r <= 0xE007F:
		return "tag characters (U+E0000-E007F)"
	case r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0:
		return fmt.Sprintf("a Hangul filler (U+%04X)", r)
	case r == 0x180E || r == 0x034F || 0x206A <= r && r <= 0x206F || 0xFFF9 <= r && r <= 0xFFFB:
		return fmt.Sprintf("an invisible format character (U+%04X)", r)
	}
	return ""
}

// kind names the problem of a run, "" if it is legitimate.
func (r oddRun) kind(src []byte, line *direction) string {
	before, _ := utf8.DecodeLastRune(src[:r.Start])
	after, _ := utf8.DecodeRune(src[r.End:])
	switch {
	case r.first == 0x200C || r.first == 0x200D:
		if unicode.In(before, joining...) || unicode.In(after, joining...) || pictured(before) && pictured(after) {
			return ""
		}
	case r.first == 0x200B:
		if unicode.In(before, unspaced...) || unicode.In(after, unspaced...) {
			return ""
		}
	case r.first == 0x200E || r.first == 0x200F || r.first == 0x061C:
		if line.rightToLeft(r.Start) {
			return ""
		}
	case 0x202A <= r.first && r.first <= 0x202E || 0x2066 <= r.first && r.first <= 0x2069:
		if line.rightToLeft(r.Start) && !overrides(r.In(src)) {
			return ""
		}
	case 0xFE00 <= r.first && r.first <= 0xFE0F:
		if r.count == 1 {
			return ""
		}
	case 0xE0100 <= r.first && r.first <= 0xE01EF:
		if r.count == 1 && unicode.Is(unicode.Han, before) {
			return ""
		}
	case 0xE0000 <= r.first && r.first <= 0xE007F:
		if before == 0x1F3F4 && r.count <= 7 && strings.HasSuffix(string(r.In(src)), "\U000E007F") {
			return "" // the flag of a part of a country
		}
	case r.first == 0x180E:
		if unicode.Is(unicode.Mongolian, before) || unicode.Is(unicode.Mongolian, after) {
			return ""
		}
	case r.first == 0x115F || r.first == 0x1160:
		if unicode.Is(unicode.Hangul, before) || unicode.Is(unicode.Hangul, after) {
			return ""
		}
	}
	return oddName(r.first)
}

// joining are the scripts whose letters are shaped by joiners, and unspaced
// those that write no spaces between words.
var (
	joining = []*unicode.RangeTable{unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Mongolian,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
		unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Tibetan, unicode.Myanmar, unicode.Khmer, unicode.Balinese, unicode.Javanese}
	unspaced = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese,
		unicode.Balinese, unicode.Tai_Le, unicode.Han, unicode.Hiragana, unicode.Katakana}
	rtlScripts = []*unicode.RangeTable{unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic}
)

// pictured reports whether r may be part of an emoji.
func pictured(r rune) bool {
	return r == 0xFE0F || r >= 0x1F000 && r < 0x20000 || 0x2190 <= r && r <= 0x2BFF || r == 0x3030 || r == 0x303D
}

// direction knows of the line that was asked for last whether it holds text
// from right to left, so that a line is read once however often it is asked for.
type direction struct {
	src  []byte
	line schema.Span
	rtl  bool
}

// rightToLeft reports whether there is text from right to left in the line
// that offset at is in.
func (d *direction) rightToLeft(at int) bool {
	if d.line.Contains(at) {
		return d.rtl
	}
	d.line = schema.Span{Start: bytes.LastIndexByte(d.src[:at], '\n') + 1, End: len(d.src)}
	if i := bytes.IndexByte(d.src[at:], '\n'); i >= 0 {
		d.line.End = at + i
	}
	d.rtl = bytes.ContainsFunc(d.line.In(d.src), func(c rune) bool { return c >= 0x590 && unicode.In(c, rtlScripts...) })
	return d.rtl
}

// overrides reports whether a run shows letters in an order that is not theirs.
func overrides(run []byte) bool {
	return slices.ContainsFunc([]rune(string(run)), func(r rune) bool { return r == 0x202D || r == 0x202E })
}

// hidden returns the ASCII text spelled by tag characters or variation selectors, "" if
// it is less than a word.
func (r oddRun) hidden(src []byte) string {
	var b strings.Builder
	for _, c := range string(r.In(src)) {
		switch {
		case 0xE0000 <= c && c < 0xE007F:
			c -= 0xE0000
		case 0xE0100 <= c && c <= 0xE01EF: // which hold the bytes from 16 on
			c += 16 - 0xE0100
		}
		if ' ' <= c && c < 0x7F {
			b.WriteByte(byte(c))
		}
	}
	if b.Len() < 3 {
		return ""
	}
	return strings.TrimSpace(b.String())
}

// separatesMarkup reports whether a run holds pieces of markup separatesMarkup that would mean
// something else together, as in a mention or in shown backticks.
func (r oddRun) separatesMarkup(src []byte) bool {
	if 0xE0000 <= r.first || r.first == 0xAD {
		return false
	}
	mark := func(c byte) bool { return c < 0x80 && !asciiWord[c] && strings.IndexByte(" \t\r\n.,;:?/-()", c) < 0 }
	return r.Start > 0 && mark(src[r.Start-1]) || r.End < len(src) && mark(src[r.End])
}
