package site

import (
	"bytes"
	"html"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/site/theme"
)

// finish does what rendered text still needs: links marked with [plainHref]
// and [brokenHref] become text, footnotes that name a source lead to it,
// tables written as HTML scroll by themselves, and checkboxes have a name. It
// appends the text to dst. In src every element is closed where a browser closes
// it, and so it is in what finish makes.
func finish(dst, src []byte, w *theme.Words, sources []theme.Source, media string) ([]byte, remoteMedia) {
	f := finisher{words: w, media: media, out: slices.Grow(dst, len(src)+len(src)/16)}
	for _, s := range sources {
		if f.sources == nil {
			f.sources = map[string]bool{}
		}
		f.sources[s.ID] = s.ID != ""
	}
	for len(src) > 0 {
		at := bytes.IndexByte(src, '<')
		if at < 0 {
			break
		}
		f.out = append(f.out, src[:at]...)
		src = src[at:]
		tag := src[:tagEnd(src)]
		src = src[len(tag):]
		f.tag(tag)
		f.wrapper = bytes.HasPrefix(tag, wrapper)
	}
	return append(f.out, src...), f.remote
}

var wrapper = []byte(`<div class="table"`)

func (f *finisher) str(s string) { f.out = append(f.out, s...) }

// finisher rewrites some tags of a text as they go by.
type finisher struct {
	out     []byte
	words   *theme.Words
	links   []bool // of the links that are open: whether it became text
	sources map[string]bool
	source  bool   // a reference to a source is open
	tables  []bool // of the tables that are open: whether it was wrapped here
	wrapper bool   // the tag before wraps a table
	media   string // the result of media on other hosts, see [schema.SiteConfig]
	remote  remoteMedia
	gone    bool // text is instead of the last image or recording
}

func (f *finisher) tag(tag []byte) {
	switch string(tagName(tag)) {
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
				f.str("</span>")
				return
			}
		}
	case "img", "audio", "video":
		if f.gone = f.replaceMedia(tag); f.gone {
			return
		}
	case "/audio", "/video":
		if f.gone {
			return
		}
	case "sup":
		if id := attribute(tag, "data-source"); f.sources[html.UnescapeString(id)] && !f.source && len(f.links) == 0 {
			f.source = true
			f.str(`<sup class="source"><a href="#source-` + escapeFragment(html.UnescapeString(id)) + `">`)
			return
		}
	case "/sup":
		if f.source {
			f.source = false
			f.str("</a>")
		}
	case "input": // a checkbox of a task, the only one that is let through
		if mark := attribute(tag, "data-task"); mark != "" {
			label := f.words.Reading.Task(html.UnescapeString(mark))
			f.str(`<span class="box" role="img" aria-label="` + html.EscapeString(label) + `">` + mark + "</span>")
			return
		}
		if attribute(tag, "aria-label") == "" {
			label := f.words.TaskOpen
			if bytes.Contains(tag, []byte(" checked")) {
				label = f.words.TaskDone
			}
			f.str(`<input aria-label="` + html.EscapeString(label) + `"`)
			tag = tag[len("<input"):]
		}
	case "table":
		if f.tables = append(f.tables, !f.wrapper); !f.wrapper {
			f.str(`<div class="table" tabindex="0" role="group">`)
		}
	case "/table":
		if n := len(f.tables); n > 0 {
			wrapped := f.tables[n-1]
			if f.tables = f.tables[:n-1]; wrapped {
				f.str("</table></div>")
				return
			}
		}
	}
	f.out = append(f.out, tag...)
}

// text opens a span instead of an element whose address is only a mark.
func (f *finisher) text(tag []byte) bool {
	switch {
	case bytes.IndexByte(tag, '?') < 0: // most
		return false
	case bytes.Contains(tag, []byte(`="`+plainHref+`"`)):
		f.str(`<span class="plain">`)
	case bytes.Contains(tag, []byte(`="`+brokenHref+`"`)):
		f.str(`<span class="broken" title="` + html.EscapeString(f.words.BrokenLink) + `">`)
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

func tagName(tag []byte) []byte {
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
			return bytes.ToLower(name)
		}
	}
	return name
}

// attribute returns the value of an attribute as it is written.
func attribute(tag []byte, name string) string {
	_, rest, ok := bytes.Cut(tag, []byte(" "+name+`="`))
	if !ok {
		return ""
	}
	value, _, _ := bytes.Cut(rest, []byte{'"'})
	return string(value)
}
