package serve

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Fragments of markup: elements that browsers move, close or nest by special rules, text
// that ends them, and what markdown makes of it.
var (
	randomTags = strings.Fields("table table table tbody thead tfoot tr td th caption colgroup col p p a a form select option optgroup input button svg math template noscript style script iframe plaintext xmp title textarea details details summary summary ruby rt rp rb " +
		"h1 h2 h3 h4 li ul ol dl dt dd b i u em strong span div div blockquote pre code br hr img article main header footer nav section aside body html head frameset noembed noframes listing marquee object applet nobr font center image mtext mi mglyph annotation-xml desc foreignObject text tspan g path rect a use animate set kbd sub sup q del ins")
	randomAttrs = []string{"", "", "", ` x`, ` title="a>b"`, ` title='"'`, ` id=content`, ` name=q`, ` class="top"`, ` href="javascript:JS!"`, ` href=#`, ` src=pic.png`, ` onerror=JS!`, ` onclick='JS!'`, ` style="position:fixed;inset:0"`, ` open`, ` colspan=9`, ` align=right`, ` dir=rtl`, ` /`, ` "`, ` =`, ` a="`, ` a='<b`, "\n b=c", ` autofocus onfocus=JS!`, ` title="</article>"`, ` title="-->"`, ` encoding="text/html"`, ` width=999999`}
	randomBits  = []string{"x", "words of a page", "\n", "\n\n", "\n\n", "\n\n", " ", "<!--", "-->", "<!-- c -->", "<!-->", "<!--->", "--!>", "<![CDATA[", "]]>", "<?x", "?>", "<!x>", "</ x>", "<", ">", "\"", "'", "`", "```\n", "~~~\n", "$$\n", "$x$", "&lt;", "&#60;p&#62;", "&amp;", "&nbsp", "\x00", "\u2028", "\u202e", "\ufeff", "\xff", "*", "**", "_", "~~", "==", "[a](b)", "[a](<javascript:JS!>)", "![a](pic.png)", "[[index]]", "[[index|<b>]]", "![[index]]", "[^1]", "\n[^1]: ", "^[x <table>]", "\n# ", "\n## ", "\n- ", "\n1. ", "\n> ", "\n> [!note]- ", "\n| a | b |\n|---|---|\n| ", " | ", "\n    ", "\n---\n", "\n===\n", "%%", "{#content .top}", " ^content\n", "#tag", "@x", "\\", "<https://x.test>", "- [x] ", ": ", "|"}
)

// randomWiki makes pages of random fragments, the same ones in every run.
func randomWiki(pages int) map[string]string {
	files := map[string]string{"wiki/pic.png": png, "wiki/undefined": asJS, "wiki/index.md": "# Start\n\nText of the start.\n"}
	for i := range pages {
		r := rand.New(rand.NewPCG(20, uint64(i)))
		var b strings.Builder
		fmt.Fprintf(&b, "# Random %d\n\nMARKa%d\n\n", i, i)
		var open []string
		for range 10 + r.IntN(60) {
			switch tag := randomTags[r.IntN(len(randomTags))]; r.IntN(8) {
			case 0, 1, 2:
				if r.IntN(9) == 0 {
					tag = strings.ToUpper(tag)
				}
				b.WriteString("<" + tag + randomAttrs[r.IntN(len(randomAttrs))] + randomAttrs[r.IntN(len(randomAttrs))] + ">")
				open = append(open, tag)
			case 3:
				b.WriteString("</" + tag + ">") // of something else, most often
			case 4:
				if len(open) > 0 {
					at := r.IntN(len(open))
					b.WriteString("</" + open[at] + ">")
					open = append(open[:at], open[at+1:]...)
				}
			default:
				b.WriteString(randomBits[r.IntN(len(randomBits))])
			}
			if r.IntN(6) == 0 {
				fmt.Fprintf(&b, "MARKb%d ", i)
			}
		}
		// No mark is required at the end: unclosed markup may swallow it.
		fmt.Fprintf(&b, "\n\nMARKc%d\n", i)
		files[fmt.Sprintf("wiki/r%03d.md", i)] = b.String()
	}
	return files
}
