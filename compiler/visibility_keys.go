package compiler

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// lines searches every line of src[at:stop] for keys at any depth. flow is set for JSON,
// where keys follow brackets and commas.
func (h *headSearch) lines(at, stop int, flow bool) {
	for at < stop {
		from, end, next, _ := nextLine(h.src[:stop], at)
		h.line(from, end, flow)
		at = next
	}
	h.flush(nil)
}

// line searches one line: the key that it begins with, and those behind the
// brackets and commas of a map in it.
func (h *headSearch) line(from, end int, flow bool) {
	line := h.src[from:end]
	if text := trimInvisible(line); len(text) == 0 || text[0] == '#' || conflictMark(line) { // nothing, or a comment
		return
	}
	h.flush(line)
	h.indent = len(line) - len(bytes.TrimLeft(line, " \t"))
	start, unclosed := from, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '"', '\'':
			if close := quoteEnd(line, i); close > 0 {
				i = close
			}
		case '[':
			if unclosed {
				continue
			}
			if close := listEnd(line, i); close > 0 {
				i = close
			} else {
				unclosed = true
			}
		case '{', ',', '}':
			if flow = flow || c == '{'; flow {
				h.entry(start, from+i, c == '{')
				start = from + i + 1
			}
		case '#':
			if i > 0 && isBlankByte(line[i-1]) && !flow {
				i = len(line)
			}
		}
	}
	h.entry(start, end, false)
}

// listEnd returns the place of the bracket that closes the one at i, 0 when it
// is not closed on the line.
func listEnd(line []byte, i int) int {
	depth := 0
	for ; i < len(line); i++ {
		switch line[i] {
		case '"', '\'':
			if close := quoteEnd(line, i); close > 0 {
				i = close
			}
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// quoteEnd returns the place of the quote that closes the one at i, 0 when that
// is an apostrophe or is not closed on the line.
func quoteEnd(line []byte, i int) int {
	if i > 0 && !isBlankByte(line[i-1]) && strings.IndexByte("{[,:=(", line[i-1]) < 0 {
		return 0
	}
	for j := i + 1; j < len(line); j++ {
		switch {
		case line[j] == '\\' && line[i] == '"':
			j++
		case line[j] == line[i]:
			return j
		}
	}
	return 0
}

func isBlankByte(c byte) bool { return c == ' ' || c == '\t' }

// entry reads key: value or key = value; isMap is set when a map follows it.
func (h *headSearch) entry(from, end int, isMap bool) {
	text := h.src[from:min(end, from+4<<10)]
	sep := bytes.IndexAny(text, ":=：")
	if sep < 0 && bytes.HasPrefix(bytes.TrimSpace(text), []byte("? ")) {
		sep = len(text) // its value is on the next line
	}
	if sep < 0 || sep > 200 {
		return
	}
	_, width := utf8.DecodeRune(text[sep:])
	keyAt := trimSpanFunc(h.src, schema.Span{Start: from, End: from + sep}, func(r rune) bool {
		return invisible(r) || strings.ContainsRune("\"'`?*-[]({}<>+,", r)
	})
	key := strings.Trim(unescaped(string(keyAt.In(h.src))), `\`)
	for strings.HasPrefix(key, "!") || strings.HasPrefix(key, "&") { // a tag or an anchor
		_, rest, ok := strings.Cut(key, " ")
		if !ok {
			return
		}
		key = strings.TrimSpace(rest)
	}
	if i := strings.LastIndexByte(key, '.'); i >= 0 { // params.draft
		key = strings.Trim(key[i+1:], "\"' ")
	}
	if _, kind := visibilityKey(key); kind == keyNone && !isTags(key) {
		return
	}
	at := trimSpanFunc(h.src, schema.Span{Start: min(from+sep+width, end), End: end}, func(r rune) bool { return invisible(r) || r == ':' || r == '=' || r == '>' || r == '：' })
	n := lineNode(h.src, at)
	if isMap && n.Kind == schema.KindNull {
		n = &schema.Node{Kind: schema.KindMap, Span: schema.Span{Start: end, End: end + 1}}
	}
	if n.Kind != schema.KindNull {
		h.mark(key, keyAt, n)
	} else {
		h.open = &openKey{key: key, span: keyAt, indent: h.indent}
	}
}

func isTags(key string) bool {
	return strings.EqualFold(key, "tags") || strings.EqualFold(key, "tag")
}

// flush gives an open key the line that follows as its value, if that stands
// deeper than the key or is an item of a list.
func (h *headSearch) flush(line []byte) {
	o := h.open
	if o == nil {
		return
	}
	h.open = nil
	n := &schema.Node{}
	trimmed := trimInvisible(line)
	indent := len(line) - len(bytes.TrimLeft(line, " \t"))
	if len(trimmed) > 0 && (indent > o.indent || trimmed[0] == '-' || trimmed[0] == ':' || !bytes.ContainsAny(trimmed, ":=")) && trimmed[0] != '}' && trimmed[0] != ']' {
		n = &schema.Node{Kind: schema.KindString, Text: strings.Trim(string(trimmed), "-:[], \t"), Quoted: true}
	}
	h.mark(o.key, o.span, n)
}

// mark reports a key with its value.
func (h *headSearch) mark(key string, at schema.Span, n *schema.Node) {
	m, ok := markOf(key, n)
	if !ok && isTags(key) {
		// No parser reads these tags, so that the rule for tags does not see them.
		m, ok = schema.VisibilityMark{Key: key, Span: n.Span}, slices.ContainsFunc(n.Scalars(), func(s *schema.Node) bool {
			w := strings.TrimPrefix(foldWord(s.Text), "#")
			return w == "draft" || w == "private"
		})
	}
	if !ok {
		return
	}
	alias := strings.HasPrefix(n.Text, "*")
	if _, kind := visibilityKey(key); kind == keyShows && alias { // what it stands for can't be read
		m.Level = schema.Private
	}
	if h.strict && m.Suggest == "" {
		return
	}
	if !h.foreign {
		m.Unread, m.Draft = true, false
	}
	h.found(m, at)
}

// lineNode reads a value of one line in YAML, TOML or JSON, as far as it takes
// to tell truths, words and lists.
func lineNode(src []byte, at schema.Span) *schema.Node {
	text := unescaped(strings.TrimRight(string(at.In(src[:min(len(src), at.Start+4<<10, max(at.End, at.Start))])), ", \t"))
	for strings.HasPrefix(text, "!") || strings.HasPrefix(text, "&") {
		_, text, _ = strings.Cut(text, " ")
		text = strings.TrimSpace(text)
	}
	if i := strings.Index(text, " #"); i >= 0 && !strings.ContainsAny(text[:1], `"'`) {
		text = strings.TrimSpace(text[:i])
	}
	switch {
	case strings.Trim(text, "|>+-[0123456789\"'") == "" && strings.ContainsAny(text, "|>[") && !strings.Contains(text, "]"),
		text == "", text == `"""`, text == "'''", strings.HasPrefix(text, "#"):
		return &schema.Node{Span: schema.Span{Start: at.Start, End: at.Start}} // none, or on the lines below
	case strings.HasPrefix(text, "["):
		n := &schema.Node{Kind: schema.KindList, Span: at}
		for it := range strings.SplitSeq(strings.Trim(text, "[] "), ",") {
			if it = strings.TrimSpace(it); it != "" {
				n.Items = append(n.Items, &schema.Node{Kind: schema.KindString, Text: it, Span: at})
			}
		}
		return n
	}
	return &schema.Node{Kind: schema.KindString, Text: text, Quoted: text[0] == '"' || text[0] == '\'', Span: at}
}

// unescaped undoes the escapes of characters that JSON, TOML and YAML share.
func unescaped(s string) string {
	if !strings.Contains(s, `\u`) && !strings.Contains(s, `\x`) && !strings.Contains(s, `\U`) {
		return s
	}
	if t, err := strconv.Unquote(`"` + strings.Trim(s, `"`) + `"`); err == nil {
		return t
	}
	return s
}

// headFence returns what a line that opens or closes front matter is made of:
// '-', '+', ';', or '.' for one that only closes; 0 for another line. lang is
// the format that stands behind it.
func headFence(line []byte) (mark rune, lang string) {
	if len(line) == 0 {
		return 0, ""
	}
	width, i := 0, 0
	for i < len(line) {
		r, n := utf8.DecodeRune(line[i:])
		kind := r
		switch r {
		case '-', '+', ';', '.':
			width++
		case '–', '—', '―', '−': // what editors make of hyphens
			kind = '-'
			width += 2
		default:
			kind = 0
		}
		if kind == 0 || mark != 0 && kind != mark {
			break
		}
		mark = kind
		i += n
	}
	rest := strings.ToLower(strings.TrimSpace(string(line[i:min(len(line), i+64)])))
	switch {
	case width < 3 || mark == '.' && rest != "":
		return 0, ""
	case rest == "", rest == "yaml", rest == "yml", rest == "toml", strings.HasPrefix(rest, "json"):
		return mark, rest
	case rest[0] == '#' && rest != "":
		return mark, ""
	}
	return 0, ""
}

// conflictMark reports whether a line is one that git writes around the sides
// of a conflict.
func conflictMark(line []byte) bool {
	for _, m := range []string{"<<<<<<<", "=======", ">>>>>>>", "|||||||"} {
		if bytes.HasPrefix(line, []byte(m)) && (len(line) == 7 || line[7] == ' ' || line[7] == '\r') {
			return true
		}
	}
	return false
}

func atxHeading(line []byte) bool {
	n := 0
	for n < len(line) && line[n] == '#' {
		n++
	}
	return n > 0 && n <= 6 && (n == len(line) || isBlankByte(line[n]))
}

// jsonStart reports whether a line begins an object, and no template or
// attribute list.
func jsonStart(line []byte) bool {
	rest := trimInvisible(line[1:])
	return len(rest) == 0 || strings.IndexByte("{%#:!.", rest[0]) < 0
}

// invisible reports whether a character leaves no mark on a page.
func invisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r)
}

func trimInvisible(b []byte) []byte { return bytes.TrimFunc(b, invisible) }

// trimSpanFunc takes the characters that cut accepts off both ends.
func trimSpanFunc(src []byte, s schema.Span, cut func(rune) bool) schema.Span {
	b := s.In(src)
	s.Start += len(b) - len(bytes.TrimLeftFunc(b, cut))
	s.End = s.Start + len(bytes.TrimFunc(b, cut))
	return s
}
