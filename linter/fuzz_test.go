package linter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// Whatever a page holds, its directives are in it, and where a rule is
// suppressed is in order and within the page.
func FuzzDirectives(f *testing.F) {
	for _, s := range []string{
		"---\nlint: {disable: [a, {rule: b, reason: c}]}\n---\n<!-- wiki-lint-disable-next-line a, b -- c -->\n\nx\n",
		"---\nlint-disable: \"a -- b\"\n---\n%% wiki-lint-disable %%\nx <!-- wiki-lint-disable-line -->\n%% wiki-lint-enable %%\n",
		"<!-- wiki-lint-disable a --><!-- wiki-lint-disable a,b —c --><!-- wiki-lint-enable b -->",
		"<!--wiki-lint-disable-file a--><!-- wiki-lint: disable --><!-- wiki-lint-disabl -->\r\n<!---->",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		page := &schema.Page{Path: "a.md", Source: []byte(src), Lines: schema.NewLineIndex([]byte(src))}
		if rest, ok := strings.CutPrefix(src, "---\n"); ok {
			if end := strings.Index(rest, "\n---"); end >= 0 {
				root, _ := yaml.Parse([]byte(rest[:end+1]), 4)
				page.Front = &schema.Frontmatter{Span: schema.Span{End: 4 + end + 4}, Root: root}
				page.Body = page.Front.Span.End
			}
		}
		for at := page.Body; at < len(src); {
			from := strings.Index(src[at:], "<!--")
			if from < 0 {
				break
			}
			to := strings.Index(src[at+from:], "-->")
			if to < 0 {
				break
			}
			page.Comments = append(page.Comments, schema.Span{Start: at + from, End: at + from + to + 3})
			at += from + to + 3
		}
		ps := readSuppressions(page)
		if ps == nil {
			return
		}
		for i := range ps.list {
			s := &ps.list[i]
			for _, r := range s.Rules {
				if r.ID == "" || r.Span.Start < 0 || r.Span.End > len(src) || s.By == ByComment && string(r.Span.In(page.Source)) != r.ID {
					t.Errorf("the rule %+v of %q", r, s.Span.In(page.Source))
				}
			}
			if strings.ContainsAny(s.Reason, "\r\n") && s.By == ByComment {
				t.Errorf("the reason %q", s.Reason)
			}
			cut := s.Cut(page, func(*schema.Node) bool { return true })
			if cut.Start < 0 || cut.End > len(src) || cut.End < cut.Start {
				t.Errorf("%+v is cut by %+v", s, cut)
			}
		}
		for rule, c := range ps.byRule {
			for _, list := range [][]stretch{c.lines, c.blocks} {
				for i, st := range list {
					if st.start < 0 || st.end < st.start || st.end > len(src)+1 || i > 0 && list[i-1].end > st.start {
						t.Errorf("%q is suppressed at %+v", rule, list)
					}
				}
			}
		}
	})
}

// A baseline that can be read is written and read again as it is.
func FuzzReadBaseline(f *testing.F) {
	f.Add([]byte(`{"version":1,"findings":[{"rule":"a","path":"a.md","text":"0123456789abcdef","count":2,"since":"2026-01-02"}]}`))
	f.Add([]byte("{\n\"version\": 1,\n\"findings\": [\n<<<<<<< HEAD\n"))
	f.Add([]byte("\ufeff{\"findings\":[],\"findings\":[{}],\"version\":1}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		b, err := ReadBaseline("b.json", src)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("%q", err)
			}
			return
		}
		again, err := ReadBaseline("b.json", b.JSON())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(b.Entries, again.Entries); diff != "" {
			t.Error(diff)
		}
	})
}
