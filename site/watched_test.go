package site

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

func TestStaleCitationsAreMarkedAtTheirPlace(t *testing.T) {
	t.Parallel()
	text := "# Ports\n\nSee `src/a.go:7`, [a.go](https://example.org/a.go#L9) and (src/a.go:12), but `src/a.go:20`.\n"
	w := compilertest.Compile(t, compilertest.Write(t, "-- ports.md --\n"+text))
	at := func(s string) schema.Span {
		i := strings.Index(text, s)
		return schema.Span{Start: i, End: i + len(s)}
	}
	s := layOut(t, w, Options{Watched: map[string]schema.Watched{"ports.md": {Stale: []schema.StaleMark{
		{Span: at("src/a.go:7"), Moved: "src/a.go:9"},
		{Span: at("https://example.org/a.go#L9"), Now: "if a < b {"},
		{Span: at("src/a.go:12"), Says: "4,096"},
	}}}})
	page := render(t, s, "ports.html")
	for _, want := range []string{
		`<span class="stale" title="The cited lines are now at src/a.go:9"><code>src/a.go:7</code></span>`,
		`<span class="stale" title="The cited lines changed after this was written: if a &lt; b {"><a `,
		`<span class="stale" title="The cited lines no longer have 4,096"><cite class="citation">src/a.go:12</cite></span>`,
		`but <code>src/a.go:20</code>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
}
