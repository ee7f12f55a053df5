package site

import (
	"bytes"
	"html"
	"strings"

	"github.com/loopwiki/wiki/site/theme"
)

// finish does what rendered text still needs: links marked with [plainHref]
// and [brokenHref] become text, footnotes that name a source lead to it,
// tables written as HTML scroll by themselves, and checkboxes have a name.
func finish(src []byte, w *theme.Words, sources []theme.Source) []byte {
	f := finisher{words: w, sources: map[string]bool{}}
	for _, s := range sources {
		f.sources[s.ID] = s.ID != ""
	}
	f.out.Grow(len(src) + len(src)/16)
	for len(src) > 0 {
		at := bytes.IndexByte(src, '<')
		if at < 0 {
			break
		}
		f.out.Write(src[:at])
		src = src[at:]
		tag := src[:tagEnd(src)]
		src = src[len(tag):]
		f.tag(tag)
		f.wrapper = bytes.HasPrefix(tag, []byte(`<div class="table"`))
	}
	f.out.Write(src)
	for ; f.tables > 0; f.tables-- {
		f.out.WriteString("</table></div>")
	}
	return f.out.Bytes()
}

// finisher rewrites some tags of a text as they go by.
type finisher struct {
	out     bytes.Buffer
	words   *theme.Words
	links   []bool // of the links that are open: whether it became text
	sources map[string]bool
	source  bool // a reference to a source is open
	tables  int  // tables that are wrapped here and open
	wrapper bool // the tag before wraps a table
}

func (f *finisher) tag(tag []byte) {
	switch tagName(tag) {
	case "a":
		text := f.text(tag)
		f.links = append(f.links, text)
		if text {
			return
		}
	case "/a":
		if n := len(f.links); n > 0 {
			text := f.links[n-1]
			f.links = f.links[:n-1]
			if text {
				f.out.WriteString("</span>")
				return
			}
		}
	case "img", "audio", "video":
		if f.text(tag) {
			f.out.WriteString(firstOf(attribute(tag, "alt"), attribute(tag, "aria-label")) + "</span>")
			return
		}
	case "sup":
		if id := attribute(tag, "data-source"); f.sources[html.UnescapeString(id)] && !f.source {
			f.source = true
			f.out.WriteString(`<sup class="source"><a href="#source-` + escapeFragment(html.UnescapeString(id)) + `">`)
			return
		}
	case "/sup":
		if f.source {
			f.source = false
			f.out.WriteString("</a>")
		}
	case "input": // a checkbox of a task, the only one that is let through
		if attribute(tag, "aria-label") == "" {
			label := f.words.TaskOpen
			if bytes.Contains(tag, []byte(" checked")) {
				label = f.words.TaskDone
			}
			f.out.WriteString(`<input aria-label="` + html.EscapeString(label) + `"`)
			tag = tag[len("<input"):]
		}
	case "table":
		if !f.wrapper {
			f.tables++
			f.out.WriteString(`<div class="table" tabindex="0" role="group">`)
		}
	case "/table":
		if f.tables > 0 {
			f.tables--
			f.out.WriteString("</table></div>")
			return
		}
	}
	f.out.Write(tag)
}

// text opens a span in place of an element whose address is only a mark.
func (f *finisher) text(tag []byte) bool {
	switch {
	case bytes.Contains(tag, []byte(`="`+plainHref+`"`)):
		f.out.WriteString(`<span class="plain">`)
	case bytes.Contains(tag, []byte(`="`+brokenHref+`"`)):
		f.out.WriteString(`<span class="broken" title="` + html.EscapeString(f.words.BrokenLink) + `">`)
	default:
		return false
	}
	return true
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
	for _, c := range name {
		if c < 'a' && c != '/' && (c < '0' || c > '9') {
			return string(bytes.ToLower(name))
		}
	}
	return string(name)
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
