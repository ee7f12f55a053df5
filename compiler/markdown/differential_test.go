package markdown

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"

	"github.com/loopwiki/wiki/schema"
)

// pieces are what random pages are made of.
var pieces = []string{
	"*", "**", "_", "__", "`", "``", "[", "]", "](", "[a]", "[a]: b", "(", ")", "!", "![", "<", ">", "</", "\\", " ", "  ", "\n", "\n\n",
	"a", "b", "&", "&amp;", "&#42;", "~", "~~", "#", "|", "-", "> ", "1. ", "- ", "\"", "'", "<a>", "<b c='", "<!--", "-->", "http:a", "\t", "ä", "\r\n",
}

func randomPage(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(24) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// foreign reports whether a page holds syntax that goldmark does not have.
func foreign(src string) bool {
	p := &schema.Page{Path: "a.md", Source: []byte(src), Lines: schema.NewLineIndex([]byte(src))}
	root, s := parseTree(p, schema.Limits{}.OrDefault())
	if root == nil {
		return true
	}
	for _, f := range s.faults {
		if f.Kind == schema.FaultMalformedWikilink {
			return true
		}
	}
	found := false
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *block:
			found = found || n.form == blockComment || n.form == blockMath || n.form == blockCallout
		case *inline:
			switch n.form {
			case formMark, formMath, formDisplay, formWikilink, formTag, formBlockID, formCitation, formInlineNote:
				found = true
			case formComment:
				found = found || s.src[n.span.Start] == '%'
			case formTask:
				found = found || strings.IndexByte(" xX", s.src[n.inner.Start]) < 0
			}
		}
		if found {
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return found
}

// TestRandomPages compares our HTML with goldmark's on random pages.
func TestRandomPages(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for range 20_000 {
		src := randomPage(r)
		if foreign(src) {
			continue
		}
		compared++
		if want, got := theirs(t, src), ours(t, src); want != got {
			t.Fatalf("%q differs (-goldmark +ours)\n%s", src, cmp.Diff(want, got))
		}
	}
	if compared < 10_000 {
		t.Errorf("only %d pages were compared", compared)
	}
}
