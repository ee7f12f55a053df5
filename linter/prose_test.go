package linter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

func TestTextOfAPage(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- a.md --\n---\ntitle: A\n---\n# One `two` [three](four.md) #\n\nFive [six](seven.md) [[eight|nine]] [[ten]] `eleven` <b>twelve</b>\n![thirteen](x.png)\n\n"+
		"Set\next\n===\n\n##\n\n``` sh\nfourteen\n```\n<!-- fifteen -->\n")
	page := compilertest.Compile(t, dir).Pages()[0]
	for _, c := range []struct {
		name string
		of   func(*schema.Page) []schema.Span
		want string
	}{
		{"prose", Prose, "Five twelve"},
		{"text", Text, "Five six nine twelve"},
		{"words", Words, "One three Five six nine twelve Set ext"},
		{"code", Code, "two eleven fourteen"},
	} {
		var got []string
		for _, s := range c.of(page) {
			got = append(got, strings.Fields(string(s.In(page.Source)))...)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	for i, want := range []string{"One `two` [three](four.md)", "Set\next", ""} {
		if got := string(HeadingText(page, &page.Headings[i]).In(page.Source)); got != want {
			t.Errorf("heading %d: got %q, want %q", i, got, want)
		}
	}
}
