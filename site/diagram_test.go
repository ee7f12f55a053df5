package site

import (
	"strings"
	"testing"
)

// Only a page with a diagram, its own or one it embeds, loads the scripts and allows
// styles in the page.
func TestPagesWithDiagramsDrawThem(t *testing.T) {
	t.Parallel()
	const diagram = "# Drawn\n\n```mermaid\ngraph TD; A-->B\n```\n"
	s := siteOf(t, "index.md", "# Home\n", "a/drawn.md", diagram, "embeds.md", "# Embeds\n\n![[drawn]]\n", "code.md", "# Code\n\n```go\nmermaid\n```\n")
	for name, want := range map[string]string{"index.html": "", "code.html": "", "a/drawn.html": "../", "embeds.html": "./"} {
		html := render(t, s, name)
		drawn := strings.Contains(html, `<script defer src="`+strings.TrimPrefix(want, "./")+`_wiki/diagrams.js?v=`) && want != ""
		if drawn != (want != "") || strings.Contains(html, "diagrams.js") != drawn || strings.Contains(html, "unsafe-inline") != drawn {
			t.Errorf("%s: drawn is %v, want %v; scripts and policy: %.900s", name, drawn, want != "", html)
		}
	}
	for _, name := range []string{"_wiki/diagrams.js", "_wiki/mermaid.js"} {
		if b, err := s.Render(name); err != nil || len(b) == 0 {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
	}
}

// A site without diagrams that readers may see has no scripts for them.
func TestSiteWithoutDiagramsHasNoMermaid(t *testing.T) {
	t.Parallel()
	s := siteOf(t, "index.md", "# Home\n", "secret.md", "---\nprivate: true\n---\n```mermaid\ngraph TD\n```\n")
	for _, name := range s.Files() {
		if strings.Contains(name, "mermaid") || strings.Contains(name, "diagrams") {
			t.Errorf("the site has %s", name)
		}
	}
}
