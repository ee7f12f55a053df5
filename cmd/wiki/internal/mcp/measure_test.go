package mcp

import (
	"context"
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/loopwiki/wiki/site/pack"
	"github.com/loopwiki/wiki/site/search"
)

var measure = flag.String("measure", "", "measure calls about the wiki in `DIR`")

// TestMeasure prints how long calls about a wiki take: the first ones, and then those of a
// hundred questions that are words of its pages.
func TestMeasure(t *testing.T) {
	schematest.Need(t, "-measure", *measure != "", "name a wiki with -measure DIR")
	s := serverOf(t, *measure, func(o *Options) {
		o.Index = func(ctx context.Context, w *compiler.Wiki) (*search.Index, error) {
			return search.Of(ctx, w, "measured")
		}
	})
	timed := func(tool string, in args) time.Duration {
		from := time.Now()
		call(t, s, tool, in)
		return time.Since(from)
	}
	t.Logf("first list_pages, which compiles: %v", timed("list_pages", args{"limit": 1}))
	t.Logf("first search: %v", timed("search", args{"query": "overview"}))
	t.Logf("first context_pack: %v", timed("context_pack", args{"query": "overview"}))
	w, err := compiler.Compile(t.Context(), detected(t), compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	questions := questionsOf(w)
	index, err := search.Of(t.Context(), w, "measured")
	if err != nil {
		t.Fatal(err)
	}
	report := func(what string, took []time.Duration) {
		slices.Sort(took)
		t.Logf("%s, over %d calls: median %v, 95th percentile %v", what, len(took), took[len(took)/2], took[len(took)*95/100])
	}
	var took []time.Duration
	for _, q := range questions {
		least := time.Hour // of five, so that other work of the machine counts less
		for range 5 {
			from := time.Now()
			if _, err := index.Search(t.Context(), q, pack.Pages); err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(from))
		}
		took = append(took, least)
	}
	report("a search alone", took)
	for _, tool := range []string{"list_pages", "search", "context_pack"} {
		var took []time.Duration
		for _, q := range questions {
			in := args{"query": q}
			if tool == "list_pages" {
				in = args{"limit": 1}
			}
			took = append(took, timed(tool, in))
		}
		report(tool, took)
	}
}

func detected(t *testing.T) *compiler.Workspace {
	t.Helper()
	ws, err := compiler.Detect(*measure, "")
	if err != nil {
		t.Fatal(err)
	}
	return ws
}

// questionsOf returns four words in a row of each of a hundred pages.
func questionsOf(w *compiler.Wiki) []string {
	var out []string
	for i := range 100 {
		p := w.Pages()[i*len(w.Pages())/100]
		for _, section := range w.Text(p) {
			if words := strings.Fields(section.Text); len(words) > 20 {
				out = append(out, strings.Join(words[10:14], " "))
				break
			}
		}
	}
	return out
}
