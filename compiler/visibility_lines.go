package compiler

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// The head of a page that is searched for front matter which no parser read.
const (
	maxIntroLines = 40      // of text before it
	maxHeadBlock  = 2 << 20 // bytes of a block that splitFrontmatter did not find
)

// headSearch looks for visibility keys in the lines at the head of a page.
// Time is linear in the part that is searched.
type headSearch struct {
	src   []byte
	found func(m schema.VisibilityMark, key schema.Span)

	readable bool // the page's own front matter was read
	first    bool // nothing but blanks stands above
	foreign  bool // the block being searched is whole, and in a format that has no parser here
	strict   bool // only values beyond doubt count: the lines may be text
	conflict bool // between the marks of a merge conflict
	intro    int  // lines of text so far
	indent   int  // of the line being searched

	open *openKey
}

// openKey is a key whose value, if it has one, stands on the lines below.
type openKey struct {
	key    string
	span   schema.Span
	indent int
}

// searchHead searches the lines of front matter that was found and could not be
// read, and then what else at the head looks like front matter: a second block,
// one in TOML or JSON, one behind a comment, text or the marks of a conflict.
// Body moves behind a block that is not YAML.
func searchHead(p *schema.Page, fb frontBlock, readable bool, found func(schema.VisibilityMark, schema.Span)) {
	if text, ok := wideText(p.Source); ok {
		h := &headSearch{src: text, found: func(m schema.VisibilityMark, key schema.Span) {
			if m.Span.Len() == 0 {
				m.Span = key
			}
			m.Value, m.Span = clipped(m.Span.In(text)), schema.Span{End: min(2, len(p.Source))}
			found(m, m.Span)
		}}
		h.head(0)
		return
	}
	h := &headSearch{src: p.Source, found: found, readable: readable}
	if !readable && fb.found {
		h.lines(fb.yaml.Start, fb.yaml.End, false)
	}
	if body := h.head(fb.body); body > p.Body {
		p.Body = body
	}
}

// wideText decodes the head of a file in UTF-16.
func wideText(src []byte) ([]byte, bool) {
	head := src[:min(len(src), 2*maxHeadBlock)&^1]
	var order binary.ByteOrder
	switch {
	case len(head) < 4:
		return nil, false
	case head[0] == 0xff && head[1] == 0xfe, head[1] == 0 && head[3] == 0 && head[0] != 0:
		order = binary.LittleEndian
	case head[0] == 0xfe && head[1] == 0xff, head[0] == 0 && head[2] == 0 && head[1] != 0:
		order = binary.BigEndian
	default:
		return nil, false
	}
	units := make([]uint16, len(head)/2)
	for i := range units {
		units[i] = order.Uint16(head[2*i:])
	}
	return []byte(string(utf16.Decode(units))), true
}

// head walks over the lines from an offset to the first heading, and searches
// every block that looks like front matter. It returns the end of a block of
// TOML or JSON that the page begins with, else 0.
func (h *headSearch) head(at int) (body int) {
	h.first = true
	code := ""
	for {
		from, end, next, ok := nextLine(h.src, at)
		if !ok || h.intro > maxIntroLines {
			return body
		}
		line := trimInvisible(h.src[from:end])
		if n := h.comment(from + bytes.Index(h.src[from:end], line)); code == "" && n > 0 {
			at = n
			continue
		}
		at, h.foreign = next, false
		switch mark, lang := headFence(line); {
		case len(line) == 0:
			continue
		case code != "":
			if bytes.HasPrefix(line, []byte(code)) {
				code = ""
			}
			continue
		case conflictMark(line):
			h.conflict = true
			continue
		case isCodeFence(line):
			if !h.first || h.readable || !h.wrapped(next, line) {
				code = string(line[:3])
			}
		case mark != 0:
			if stop := h.block(next, mark, lang); stop > 0 {
				if h.foreign {
					body = stop
				}
				at = stop
			}
			if h.first && !h.foreign {
				h.prose(next, mark)
			}
		case line[0] == '{' && h.intro == 0 && jsonStart(line):
			at, h.foreign = h.object(from)
			h.foreign = h.foreign && !h.readable
			h.lines(from, at, true)
			if h.foreign {
				body = at
			}
		case atxHeading(line):
			return body
		case h.conflict && lineKind(line) == lineKey:
			h.lines(from, next, false)
		case h.readable:
			return body // a second block stands right behind the first
		default:
			if h.first {
				h.bare(from)
			}
			h.intro++
		}
		h.first = false
	}
}

// lineAt returns the line at an offset, trimmed.
func (h *headSearch) lineAt(at int) []byte {
	from, end, _, _ := nextLine(h.src, at)
	return trimInvisible(h.src[from:end])
}

// comment returns the end of the comment that begins at an offset, with the
// rest of its last line when that is blank; 0 when there is none.
func (h *headSearch) comment(at int) int {
	for _, m := range [][2]string{{"<!--", "-->"}, {"%%", "%%"}} {
		if !bytes.HasPrefix(h.src[at:], []byte(m[0])) {
			continue
		}
		rest := h.src[at+len(m[0]) : min(len(h.src), at+maxHeadBlock)]
		if i := bytes.Index(rest, []byte(m[1])); i >= 0 {
			return at + len(m[0]) + i + len(m[1])
		}
	}
	return 0
}

// block searches the block behind an opening fence and returns the offset
// behind it, 0 when its lines do not look like front matter.
func (h *headSearch) block(at int, mark rune, lang string) (stop int) {
	keys, texts, limit := 0, 0, min(len(h.src), at+maxHeadBlock)
	last, closed, blank, ended := at, false, true, false
	for next := at; next < limit; {
		from, end, after, _ := nextLine(h.src, next)
		line := trimInvisible(h.src[from:end])
		if m, _ := headFence(line); m == mark || m == '.' && mark == '-' {
			last, next, closed = from, after, true
			stop = next
			break
		}
		next = after
		switch kind := lineKind(h.src[from:end]); {
		case conflictMark(line), len(line) == 0, kind == lineBlank, kind == lineInner, len(line) > 0 && strings.IndexByte(`"'{}[],`, line[0]) >= 0:
		case kind == lineKey, bytes.IndexByte(line, '=') > 0, bytes.IndexByte(line, ':') > 0 && mark == ';':
			keys++
		default:
			if texts++; texts > keys+8 {
				next = limit
			}
		}
		// A block without an end goes on to the first text or heading.
		if ended = ended || texts > 0 || blank && atxHeading(line); !ended {
			last, stop = next, next
		}
		blank = len(line) == 0
	}
	json := mark == ';' || strings.HasPrefix(lang, "json")
	if !closed && keys == 0 || closed && texts > keys && !h.conflict {
		return 0
	}
	h.foreign = h.first && closed && (mark == '+' || json || lang == "toml")
	h.lines(at, last, json)
	return stop
}

// prose searches the text behind the fence that a page begins with, for what no
// sentence is: up to the fence below it, else the first paragraph.
func (h *headSearch) prose(at int, mark rune) {
	stop, blank := 0, false
	for n, next := 0, at; n < 5*maxIntroLines; n++ {
		from, end, after, ok := nextLine(h.src, next)
		line := trimInvisible(h.src[from:end])
		if m, _ := headFence(line); m == mark {
			stop = from
			break
		}
		if !ok || isCodeFence(line) || blank && atxHeading(line) {
			break
		}
		if len(line) == 0 {
			blank = true
		} else if !blank {
			stop = after
		}
		next = after
	}
	h.strict = true
	h.lines(at, stop, false)
	h.strict = false
}

// isCodeFence reports whether a line opens or closes a block of code.
func isCodeFence(line []byte) bool {
	return bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))
}

// wrapped reports whether the block of code that a line opens holds front matter
// and all the rest of the page, as agents answer that were asked for a page.
func (h *headSearch) wrapped(at int, open []byte) bool {
	if below, _ := headFence(h.lineAt(at)); below == 0 {
		return false
	}
	depth := 1
	for next := at; next < len(h.src); {
		from, end, after, _ := nextLine(h.src, next)
		line := trimInvisible(h.src[from:end])
		next = after
		switch {
		case !bytes.HasPrefix(line, open[:3]):
			if depth == 0 && len(line) > 0 {
				return false
			}
		case len(bytes.Trim(line, string(open[:1]))) > 0 || depth == 0: // one within opens
			depth++
		default:
			depth--
		}
	}
	return true
}

// bare searches the first paragraph of a page when all its lines are keys, as
// in MultiMarkdown and Logseq.
func (h *headSearch) bare(at int) {
	end := at
	for {
		from, to, next, ok := nextLine(h.src, end)
		line := bytes.TrimSpace(h.src[from:to])
		if mark, _ := headFence(line); !ok || len(line) == 0 || mark != 0 {
			break
		}
		if kind := lineKind(h.src[from:to]); line[0] == '{' || line[0] == '<' || kind != lineKey && !(kind == lineInner && from > at) && !bytes.Contains(line, []byte("::")) || next-at > maxHeadBlock {
			return
		}
		end = next
	}
	h.strict = true
	h.lines(at, end, false)
	h.strict = false
}

// object returns the offset behind the object of JSON at an offset, and whether
// it begins the page and has an end. One without goes on to the first blank line.
func (h *headSearch) object(at int) (stop int, whole bool) {
	depth, quoted, blank := 0, false, 0
	for i := at; i < min(len(h.src), at+maxHeadBlock); i++ {
		switch c := h.src[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '\n':
			if blank == 0 && len(h.lineAt(i+1)) == 0 {
				blank = i + 1
			}
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				_, _, next, _ := nextLine(h.src, i+1)
				return next, h.first
			}
		}
	}
	if blank == 0 {
		blank = min(len(h.src), at+maxHeadBlock)
	}
	return blank, false
}

// lines searches every line of src[at:stop] for keys at any depth. flow is set
// for JSON, where keys stand behind brackets and commas.
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
			if close := listEnd(line, i); close > 0 && !unclosed {
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
		sep = len(text) // its value stands on the next line
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
