package compiler

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"

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

// openKey is a key whose value, if it has one, is on the lines below.
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
	for end, next := 0, 0; ; {
		from, ok := at, true
		if at >= next { // else a comment ended within the line
			from, end, next, ok = nextLine(h.src, at)
		}
		if !ok || h.intro > maxIntroLines {
			return body
		}
		text := bytes.TrimLeftFunc(h.src[from:end], invisible)
		if n := h.comment(end - len(text)); code == "" && n > 0 {
			at = n
			continue
		}
		line := trimInvisible(text)
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

// comment returns the end of the comment at an offset, including the rest of its last
// line if that is blank; 0 if there is none.
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
		// A block without an end continues to the first text or heading.
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

// prose searches the text after the fence at the beginning of a page for keys: up to the
// next fence, or in the first paragraph.
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
