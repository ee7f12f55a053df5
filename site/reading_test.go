package site

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

func TestWikilinkText(t *testing.T) {
	t.Parallel()
	pages := []string{
		"concepts/agent-workspace.md", "# Agent workspace\n\n## Set up\n", "Token refresh.md", "# Renewing tokens\n", "other/secret-plan.md", "---\nprivate: true\n---\n# The secret title\n",
		"index.md", "# Home\n\n[[concepts/agent-workspace]], [[agent-workspace#Set up]], [[agent-workspace|mine]], [[Token refresh]], [[other/secret-plan]], [[not-there]]\n",
	}
	for _, c := range []struct {
		name, config string
		want         []string
	}{
		{"titles", "", []string{`>Agent workspace</a>`, `>Agent workspace &gt; Set up</a>`, `>mine</a>`, `>Token refresh</a>`, `>other/secret-plan</span>`, `>not-there</`}},
		{"as written", "site: {link_text: written}\n", []string{`>concepts/agent-workspace</a>`, `>agent-workspace &gt; Set up</a>`, `>mine</a>`, `>Token refresh</a>`, `>other/secret-plan</span>`, `>not-there</`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := siteOf(t, append([]string{"wiki.yaml", "root: .\n" + c.config}, pages...)...)
			html := render(t, s, "index.html")
			for _, want := range c.want {
				if !strings.Contains(html, want) {
					t.Errorf("no %s in %s", want, html)
				}
			}
			for _, name := range s.Files() {
				if strings.Contains(render(t, s, name), "secret title") {
					t.Errorf("%s has the title of a private page", name)
				}
			}
		})
	}
}

func TestTaskStates(t *testing.T) {
	t.Parallel()
	html := render(t, siteOf(t, "index.md", "# Home\n\n- [ ] open\n- [x] done\n- [/] half\n- [-] not\n- [\"] said\n"), "index.html")
	for _, want := range []string{
		`<input aria-label="to do" type="checkbox" disabled> open`,
		`<input aria-label="done" type="checkbox" disabled checked> done`,
		`<span class="box" role="img" aria-label="in progress">/</span> half`,
		`<span class="box" role="img" aria-label="cancelled">-</span> not`,
		`<span class="box" role="img" aria-label="marked &#34;">&quot;</span> said`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in %s", want, html)
		}
	}
}

// A formula that can't be converted shows its source, marked, and is a note of the
// build with its place. Money and variables are no formulas.
func TestFormulas(t *testing.T) {
	t.Parallel()
	s := siteOf(t, "index.md", "# Home\n\n$x^2$ costs $5 or $10 in $HOME/$USER.\n\n$\\nosuch$ and\n\n$$\n\\frac{a}\n$$\n\n![[part]]\n", "part.md", "# Part\n\n$\\nosuch$ $\\href{javascript:alert(1)}{x}$\n")
	html := render(t, s, "index.html")
	for _, want := range []string{
		`<span class="math"><math><msup><mi>x</mi>`, "costs $5 or $10 in $HOME/$USER.",
		`<span class="math failed" title="unsupported function name: \nosuch">\nosuch</span>`,
		`<div class="math display failed" title="`, `\frac{a}</div>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in %s", want, html)
		}
	}
	want := []string{
		`index.md:5: formula shown as source: unsupported function name: \nosuch`,
		`index.md:7: formula shown as source: unexpected end of input in a macro argument, expected '}'`,
		`part.md:3: formula shown as source: unsupported function name: \href`,
		`part.md:3: formula shown as source: unsupported function name: \nosuch`,
	}
	if got := buildTo(t, s, t.TempDir()).Notes; strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("notes %q, want %q", got, want)
	}
	if strings.Contains(html, "style=") {
		t.Error("the page has a style attribute, which the policy forbids")
	}
}

// A page with very many formulas stays within its time.
func TestTooManyFormulasShowTheirSource(t *testing.T) {
	t.Parallel()
	html := render(t, siteOf(t, "index.md", "# Home\n\n"+strings.Repeat("$"+strings.Repeat("x", 100)+"$\n\n", 700)), "index.html")
	if shown, failed := strings.Count(html, "<math"), strings.Count(html, "too many formulas"); shown != schema.MaxFormulas/100 || failed != 700-shown {
		t.Errorf("%d formulas shown and %d not, want %d and %d", shown, failed, schema.MaxFormulas/100, 700-schema.MaxFormulas/100)
	}
}
