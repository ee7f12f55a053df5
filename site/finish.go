package site

import (
	"bytes"
	"html"
	"strings"

	"github.com/loopwiki/wiki/site/theme"
)

// finish does what rendered text still needs: links marked with [plainHref]
// become text, links that lead nowhere say so, wide tables scroll by
// themselves.
func finish(src []byte, w *theme.Words) []byte {
	var out bytes.Buffer
	out.Grow(len(src) + len(src)/16)
	var plain []bool // of the links that are open
	tables, wrapped := 0, false
	for len(src) > 0 {
		at := bytes.IndexByte(src, '<')
		if at < 0 {
			break
		}
		out.Write(src[:at])
		src = src[at:]
		tag := src[:tagEnd(src)]
		src = src[len(tag):]
		inWrapper := wrapped
		wrapped = bytes.HasPrefix(tag, []byte(`<div class="table"`))
		switch name := tagName(tag); name {
		case "a":
			isPlain := bytes.Contains(tag, []byte(`="`+plainHref+`"`))
			plain = append(plain, isPlain)
			if isPlain {
				out.WriteString(`<span class="plain">`)
				continue
			}
		case "/a":
			if n := len(plain); n > 0 {
				isPlain := plain[n-1]
				plain = plain[:n-1]
				if isPlain {
					out.WriteString("</span>")
					continue
				}
			}
		case "img":
			if bytes.Contains(tag, []byte(`="`+plainHref+`"`)) {
				out.WriteString(`<span class="plain">` + attribute(tag, "alt") + `</span>`)
				continue
			}
		case "table":
			if !inWrapper { // one written as raw HTML
				tables++
				out.WriteString(`<div class="table" tabindex="0" role="group">`)
			}
		case "/table":
			if tables > 0 {
				tables--
				out.Write(tag)
				out.WriteString("</div>")
				continue
			}
		case "span":
			if bytes.Contains(tag, []byte(`class="broken"`)) && !bytes.Contains(tag, []byte(" title=")) {
				out.WriteString(`<span class="broken" title="` + html.EscapeString(w.BrokenLink) + `"` + strings.Replace(string(tag[len("<span"):]), ` class="broken"`, "", 1))
				continue
			}
		}
		out.Write(tag)
	}
	out.Write(src)
	for ; tables > 0; tables-- {
		out.WriteString("</table></div>")
	}
	return out.Bytes()
}

// splitTitle takes the heading of level one off the beginning of a text. The
// title of a page is shown above its facts.
func splitTitle(src []byte) (id, title string, rest []byte) {
	body := bytes.TrimLeft(src, " \n")
	if !bytes.HasPrefix(body, []byte("<h1")) {
		return "", "", src
	}
	open := body[:tagEnd(body)]
	inner, rest, ok := bytes.Cut(body[len(open):], []byte("</h1>"))
	if !ok {
		return "", "", src
	}
	if i := bytes.Index(inner, []byte(`<a class="anchor"`)); i >= 0 {
		inner = inner[:i]
	}
	return html.UnescapeString(attribute(open, "id")), strings.TrimSpace(string(inner)), rest
}

// tagEnd returns the length of the tag that src begins with. A quoted
// attribute may hold a >.
func tagEnd(src []byte) int {
	quote := byte(0)
	for i := 1; i < len(src); i++ {
		switch c := src[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(src)
}

func tagName(tag []byte) string {
	name := tag[1:]
	if i := bytes.IndexAny(name, " \t\n/>"); i > 0 {
		name = name[:i]
	} else if i == 0 { // an end tag
		if i = bytes.IndexAny(name[1:], " \t\n>"); i >= 0 {
			name = name[:i+1]
		}
	}
	return string(bytes.ToLower(name))
}

// attribute returns the value of an attribute as it is written.
func attribute(tag []byte, name string) string {
	_, rest, ok := strings.Cut(string(tag), " "+name+`="`)
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}
