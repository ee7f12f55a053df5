package markdown

import (
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// pieces are what random pages are made of.
var pieces = []string{
	"*", "**", "_", "__", "`", "``", "[", "]", "](", "[a]", "[a]: b", "(", ")", "!", "![", "<", ">", "</", "\\", " ", "  ", "\n", "\n\n",
	"a", "b", "&", "&amp;", "&#42;", "~~", "#", "|", "-", "> ", "1. ", "- ", "\"", "'", "<b>", "<b c='", "<!--", "-->", "http:a", "\t", "ä", "\r\n",
}

func randomPage(r *rand.Rand) []string {
	page := make([]string, 1+r.IntN(24))
	for i := range page {
		page[i] = pieces[r.IntN(len(pieces))]
	}
	return page
}

// comparable reports whether goldmark should show a page as we do.
func comparable(src string) bool {
	spans, ok := foreign(src)
	return ok && len(spans) == 0 && !lax.MatchString(src)
}

// differs reports whether goldmark shows a page otherwise than we do.
func differs(t *testing.T, page []string) bool {
	src := strings.Join(page, "")
	return comparable(src) && theirs(t, src) != ours(t, src)
}

// shrink leaves out what a difference does not need.
func shrink(t *testing.T, page []string) []string {
	for n := 8; n > 0; n-- {
		for i := 0; i+n <= len(page); i++ {
			if less := slices.Concat(page[:i], page[i+n:]); differs(t, less) {
				page, i = less, -1
			}
		}
	}
	return page
}

// lax are the places where goldmark is known to leave the specification.
var lax = regexp.MustCompile(strings.Join([]string{
	`(?m)(^|[^~])~([^~]|$)|~~~|\\~`,            // runs of tildes of different length, or escaped
	`\\&`,                                      // a reference whose ampersand is escaped, in a destination
	`\]:\s*\S*[()]|\]\(\s*\S*\(\S*\s`,          // a destination with unbalanced parentheses
	`\]\(\s*<[^>\n]*<`,                         // a destination that begins with < and holds another
	`\]:[^\n]*\n[ \t>]*['"(]`,                  // a title that is none for what follows it
	`^[ \t>]*([-*+]|\d+[.)]).*\]:`,             // a list that begins with a definition is no loose one
	`([-*+]|\d+[.)])\s.*\n[ \t>]*-+[ \t]*\r?$`, // dashes below an item are no row of a table
	`([-*+]|\d+[.)])\r\n`,                      // an empty item before a carriage return
	`\[\s\]\S`,                                 // a checkbox without a space behind it
	`^[ \t>]*>[*_~]`,                           // delimiters behind a quote mark begin a line
	"`[^|\n]*\n[ \t>]*[-|: ]+\r?$",             // one cell above a row of two, behind a backtick
	`!\[[^\]]*<http`,                           // the text of an image keeps addresses
	`\\ +\r?\n`,                                // a backslash before a hard break escapes what begins the next line
	`<![a-z]`,                                  // declarations may be in small letters
}, "|"))

// foreign returns where a page holds syntax that goldmark does not have. The
// page is nil when it is too complex.
func foreign(src string) (spans []schema.Span, ok bool) {
	p := &schema.Page{Path: "a.md", Source: []byte(src), Lines: schema.NewLineIndex([]byte(src))}
	root, s := parseTree(p, schema.Limits{}.OrDefault())
	if root == nil {
		return nil, false
	}
	for _, f := range s.faults {
		if f.Kind == schema.FaultMalformedWikilink {
			spans = append(spans, f.Span)
		}
	}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if span, found := foreignNode(s.src, n); found && entering {
			spans = append(spans, span)
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return spans, true
}

func foreignNode(src []byte, n ast.Node) (span schema.Span, found bool) {
	switch n := n.(type) {
	case *block:
		return n.span, n.form == blockComment || n.form == blockMath || n.form == blockCallout
	case *inline:
		switch n.form {
		case formImage: // of a recording: we show a player
			kind := strings.ToLower(path.Ext(n.link.Target))
			return n.span, audioKinds[kind] || videoKinds[kind]
		case formMark, formMath, formDisplay, formWikilink, formTag, formBlockID, formCitation, formInlineNote:
			return n.span, true
		case formComment:
			return n.span, src[n.span.Start] == '%'
		case formTask:
			return n.span, strings.IndexByte(" xX", src[n.inner.Start]) < 0
		}
	}
	return span, false
}

// TestRandomPages compares our HTML with goldmark's on random pages.
func TestRandomPages(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compared := 0
	pages := 20_000 / schematest.Every(1, 8)
	if testing.Short() {
		pages = 1_000
	}
	for range pages {
		page := randomPage(r)
		if !comparable(strings.Join(page, "")) {
			continue
		}
		compared++
		if differs(t, page) {
			src := strings.Join(shrink(t, page), "")
			t.Fatalf("%q differs (-goldmark +ours)\n%s", src, cmp.Diff(theirs(t, src), ours(t, src)))
		}
	}
	if t.Logf("%d pages compared", compared); compared < pages/2 {
		t.Error("too few pages were compared")
	}
}

// FuzzDifferential does the same for pages that a fuzzer chooses.
func FuzzDifferential(f *testing.F) {
	f.Add([]byte{0, 30, 1, 31, 0, 1})
	f.Add([]byte{38, 4, 24, 4, 38, 4, 30, 4})
	f.Fuzz(func(t *testing.T, choice []byte) {
		var page []string
		for _, b := range choice[:min(len(choice), 60)] {
			page = append(page, pieces[int(b)%len(pieces)])
		}
		if differs(t, page) {
			src := strings.Join(shrink(t, page), "")
			t.Fatalf("%q differs (-goldmark +ours)\n%s", src, cmp.Diff(theirs(t, src), ours(t, src)))
		}
	})
}

// plainer returns a page with a word instead of every piece of syntax that
// goldmark does not have.
func plainer(src string) (string, bool) {
	for range 10 {
		spans, ok := foreign(src)
		if !ok || len(spans) == 0 {
			return src, ok
		}
		slices.SortFunc(spans, func(a, b schema.Span) int { return a.Start - b.Start })
		var b strings.Builder
		at := 0
		for _, span := range spans {
			if span.Start >= at {
				b.WriteString(src[at:span.Start] + "word")
				at = span.End
			}
		}
		src = b.String() + src[at:]
	}
	return src, false
}

// bareLink is a link that shows its address. We find more of them: goldmark
// wants a space before a bare URL.
var bareLink = regexp.MustCompile(`<a href=[^>]*>((https?|ftp)://[^<]*|www\.[^<]*|\S+@[^<]*)</a>`)

// linkedPage is a link to a page by its name in double brackets, which Logseq writes.
var linkedPage = regexp.MustCompile(`<a href=\[\[([^\]>]*)\]\]>`)

// footnoteInItem is a footnote's text in an item of a list. The item is loose, as
// with a link reference definition there; goldmark moves the text out beforehand.
var footnoteInItem = regexp.MustCompile(`(?m)^[ \t]+\[\^[^\]\n]+\]:`)

// differsByDesign are pages of the corpora that goldmark reads otherwise.
var differsByDesign = map[string]string{
	"real/logseq-docs/pages/Queries.md":                                           "a tilde inside of a word strikes nothing through",
	"real/powershell-docs/LICENSE.md":                                             "a byte order mark is no text",
	"real/powershell-docs/reference/5.1/Microsoft.PowerShell.Security/Set-Acl.md": "a carriage return alone ends a line",
}

var markedRows = regexp.MustCompile("(?m)^[> \t]*(?:```|~~~)[`~]*[ \t]*diff")

// TestCorpora compares our HTML with goldmark's on real pages.
func TestCorpora(t *testing.T) {
	dir := corpus(t)
	if testing.Short() {
		t.Skip("parses more than a thousand pages four times each")
	}
	compared, different := 0, 0
	for i, p := range readPages(t, dir) {
		if i%schematest.Every(1, 4) > 0 {
			continue
		}
		src, ok := plainer(string(p.Source[p.Body:]))
		if !ok || footnoteInItem.MatchString(src) {
			t.Logf("%s is not compared", p.Path)
			continue
		}
		if why := differsByDesign[p.Path]; why != "" {
			t.Logf("%s is not compared: %s", p.Path, why)
			continue
		}
		if markedRows.MatchString(src) {
			t.Logf("%s is not compared: rows of a diff are marked", p.Path)
			continue
		}
		compared++
		want := linkedPage.ReplaceAllString(theirs(t, src), "<a href=$1>")
		want, got := bareLink.ReplaceAllString(want, "$1"), bareLink.ReplaceAllString(ours(t, src), "$1")
		if want != got {
			different++
			t.Errorf("%s differs (-goldmark +ours)\n%s", p.Path, cmp.Diff(want, got))
		}
	}
	t.Logf("%d pages compared, %d differ", compared, different)
}
