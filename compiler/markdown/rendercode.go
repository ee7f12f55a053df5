package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/loopwiki/wiki/schema"
)

func (r *renderer) code(n ast.Node, lang string) {
	code := codeLines(r.src, n)
	switch lang {
	case "math":
		r.displayMath(n, n.Pos(), code)
		return
	case "mermaid":
		r.mermaid = true
		r.str(`<pre class="mermaid"`)
		r.id(n)
		r.str(">")
		r.text(code)
		r.str("</pre>\n")
		return
	}
	info := r.fenceInfo(n)
	if info.title != "" {
		r.str(`<figure class="code"`)
		r.id(n)
		r.str("><figcaption>")
		r.textOf(info.title)
		r.str("</figcaption><pre")
	} else {
		r.str("<pre")
		r.id(n)
	}
	r.str("><code")
	if lang != "" {
		r.attr("class", "language-"+strings.Join(strings.Fields(lang), "-")) // one class, none of the site's
	}
	r.str(">")
	r.str(info.mark(r.highlighted(lang, code), lang == "diff" || lang == "patch"))
	r.str("</code></pre>")
	if info.title != "" {
		r.str("</figure>")
	}
	r.str("\n")
}

// highlighted is code as HTML.
func (r *renderer) highlighted(lang string, code []byte) string {
	if r.opt.Highlight != nil && lang != "" {
		if html, ok := r.opt.Highlight(lang, code); ok {
			return html
		}
	}
	r.buf = appendHTML(r.buf[:0], code)
	return string(r.buf)
}

// fenceInfo is what the info string of a fence says beside the language.
type fenceInfo struct {
	title string
	lines []lineRange
}

// lineRange is a range of lines that are marked, counted from one.
type lineRange struct{ from, to int }

// maxRanges bounds the ranges of one fence.
const maxRanges = 100

var (
	infoTitle = schema.Expression(`(?:^|\s)title=(?:"([^"]*)"|'([^']*)'|([^\s"'{}]+))`)
	infoLines = schema.Expression(`(?:^|\s|[a-zA-Z])\{([0-9][0-9,\s-]*)\}`)
)

func (r *renderer) fenceInfo(n ast.Node) (info fenceInfo) {
	fence, ok := n.(*ast.FencedCodeBlock)
	if !ok || fence.Info == nil {
		return info
	}
	written := string(unescape(nil, fence.Info.Segment.Value(r.src)))
	if m := infoTitle().FindStringSubmatch(written); m != nil {
		info.title = strings.TrimSpace(m[1] + m[2] + m[3])
	}
	m := infoLines().FindStringSubmatch(written)
	if m == nil {
		return info
	}
	for one := range strings.SplitSeq(m[1], ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(one), "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(strings.TrimSpace(from))
		last, err2 := strconv.Atoi(strings.TrimSpace(to))
		if err == nil && err2 == nil && len(info.lines) < maxRanges {
			info.lines = append(info.lines, lineRange{first, last})
		}
	}
	return info
}

// mark puts the lines that are marked, and those that a diff adds and removes, in an
// element of their own. A token that goes on behind the end of a line is closed and
// opened again.
func (i *fenceInfo) mark(html string, diff bool) string {
	if len(i.lines) == 0 && !diff {
		return html
	}
	var b strings.Builder
	token, n := "", 0
	for line := range strings.Lines(html) {
		n++
		text, hasEnd := strings.CutSuffix(line, "\n")
		if rest, ended := strings.CutPrefix(text, "</span>"); ended && token != "" {
			text = rest
		} else {
			text = token + text
		}
		if at := strings.LastIndex(text, "<span"); at > strings.LastIndex(text, "</span>") {
			token = text[at : at+strings.IndexByte(text[at:], '>')+1]
			text += "</span>"
		} else {
			token = ""
		}
		if name := i.element(n, text, diff); name != "" {
			text = "<" + name + ` class="line">` + text + "</" + name + ">"
		}
		b.WriteString(text)
		if hasEnd {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// element is the name of the element that the n-th line is in, or "".
func (i *fenceInfo) element(n int, text string, diff bool) string {
	for _, r := range i.lines {
		if r.from <= n && n <= r.to {
			return "mark"
		}
	}
	if strings.HasPrefix(text, "<span") {
		_, text, _ = strings.Cut(text, ">")
	}
	switch {
	case !diff || strings.HasPrefix(text, "+++") || strings.HasPrefix(text, "---"):
		return ""
	case strings.HasPrefix(text, "+"):
		return "ins"
	case strings.HasPrefix(text, "-"):
		return "del"
	}
	return ""
}
