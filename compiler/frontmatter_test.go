package compiler

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

func TestSplitFrontmatter(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src, yaml, body string
		found, unclosed       bool
	}{
		{name: "none", src: "# A\n", body: "# A\n"},
		{name: "empty file"},
		{name: "simple", src: "---\na: b\n---\n# A\n", yaml: "a: b\n", body: "# A\n", found: true},
		{name: "dots", src: "---\na: b\n...\n# A\n", yaml: "a: b\n", body: "# A\n", found: true},
		{name: "crlf", src: "---\r\na: b\r\n---\r\n# A\r\n", yaml: "a: b\r\n", body: "# A\r\n", found: true},
		{name: "byte order mark", src: "\ufeff---\na: b\n---\n# A\n", yaml: "a: b\n", body: "# A\n", found: true},
		{name: "mark without frontmatter", src: "\ufeff# A\n", body: "# A\n"},
		{name: "blank lines before", src: "\n  \n---\na: b\n---\nx", yaml: "a: b\n", body: "x", found: true},
		{name: "trailing blanks", src: "---  \na: b\n---\t\nx", yaml: "a: b\n", body: "x", found: true},
		{name: "empty block", src: "---\n---\nx", body: "x", found: true},
		{name: "blank block", src: "---\n\n# c\n---\nx", yaml: "\n# c\n", body: "x", found: true},
		{name: "no final newline", src: "---\na: b\n---", yaml: "a: b\n", found: true},
		{name: "fence in a block scalar", src: "---\na: |\n  x\n  ---\n  y\nb: c\n---\nz", yaml: "a: |\n  x\n  ---\n  y\nb: c\n", body: "z", found: true},
		{name: "not at the head", src: "x\n---\na: b\n---\n", body: "x\n---\na: b\n---\n"},
		{name: "long fence", src: "----\na: b\n----\n", body: "----\na: b\n----\n"},
		{name: "unclosed", src: "---\ntitle: x\ntags:\n  - a\n\n# A\n", yaml: "title: x\ntags:\n  - a\n", body: "\n# A\n", found: true, unclosed: true},
		{name: "unclosed above a heading", src: "---\ntitle: x\n# A\ntext\n", yaml: "title: x\n", body: "# A\ntext\n", found: true, unclosed: true},
		{name: "unclosed above a later break", src: "---\ntitle: x\n# A\nsome text\nmore text\n---\nz\n", yaml: "title: x\n", body: "# A\nsome text\nmore text\n---\nz\n", found: true, unclosed: true},
		{name: "thematic break", src: "---\nsome text here\n", body: "---\nsome text here\n"},
		{name: "two thematic breaks", src: "---\n\nSome text here.\n\n---\nMore: text\n", body: "---\n\nSome text here.\n\n---\nMore: text\n"},
		{name: "fence alone", src: "---\n", body: "---\n"},
		{name: "one bad line", src: "---\n@bad\ntitle: x\n---\ny", yaml: "@bad\ntitle: x\n", body: "y", found: true},
		{name: "template", src: "---\n{{front}}\ntitle: x\n---\ny", yaml: "{{front}}\ntitle: x\n", body: "y", found: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			fb := splitFrontmatter([]byte(tt.src))
			got := []any{fb.found, fb.unclosed, string(fb.yaml.In([]byte(tt.src))), tt.src[fb.body:]}
			if diff := cmp.Diff([]any{tt.found, tt.unclosed, tt.yaml, tt.body}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if fb.found && !strings.HasPrefix(string(fb.span.In([]byte(tt.src))), "---") {
				t.Errorf("span %v does not begin with the fence", fb.span)
			}
		})
	}
}

// read compiles the front matter of one file.
func read(src string) *schema.Page {
	p := &schema.Page{Path: "a.md", Source: []byte(src)}
	readFrontmatter(p)
	return p
}

func TestMetaSpellings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, front string
		got         func(*schema.Page) any
		want        any
	}{
		{"id", "slug: x", func(p *schema.Page) any { return p.Meta.ID }, "x"},
		{"name is a title", "name: X", func(p *schema.Page) any { return p.Title }, "X"},
		{"title before name", "name: X\nTitle: Y", func(p *schema.Page) any { return p.Title }, "Y"},
		{"kind before category", "category: c\nkind: k", func(p *schema.Page) any { return p.Meta.Type }, "k"},
		{"type of another type", "type: {a: b}\nkind: k", func(p *schema.Page) any { return p.Meta.Type }, "k"},
		{"summary", "abstract: s", func(p *schema.Page) any { return p.Meta.Summary }, "s"},
		{"title of a bad line", "title: Foo: bar\ntags: [x]", func(p *schema.Page) any { return p.Title + p.Tags[0].Name }, "Foo: barx"},
		{"status", "lifecycle: Archived", func(p *schema.Page) any { return p.Meta.Status.Class }, schema.StatusDeprecated},
		{"status word unknown", "status: external", func(p *schema.Page) any { return p.Meta.Status.Word + string(p.Meta.Status.Class) }, "external"},
		{"confidence", "base_confidence: 0.8", func(p *schema.Page) any { return p.Meta.Confidence }, "0.8"},
		{"created", "date: 2026-01-02", func(p *schema.Page) any { return p.Meta.Created.String() }, "2026-01-02"},
		{"updated with hyphens", "last-updated: 2026-01-02T03:04:05+01:00", func(p *schema.Page) any { return p.Meta.Updated.Time.Format(time.RFC3339) }, "2026-01-02T02:04:05Z"},
		{"updated in a map", "generated:\n  by: process:x\n  at: 2026-01-02", func(p *schema.Page) any { return p.Meta.Updated.String() }, "2026-01-02"},
		{"epoch seconds", "updated: 1767312000", func(p *schema.Page) any { return p.Meta.Updated.String() }, "2026-01-02"},
		{"epoch milliseconds", "timestamp: 1767312000000", func(p *schema.Page) any { return p.Meta.Updated.String() }, "2026-01-02"},
		{"commit", "updated: 1234E56", func(p *schema.Page) any { return p.Meta.Updated.Commit }, "1234e56"},
		{"moment that is none", "updated: soon\nmodified: 2026-01-02", func(p *schema.Page) any { return p.Meta.Updated.Key }, "modified"},
		{"expiry", "review_by: 2026-01-02", func(p *schema.Page) any { return p.Meta.Expires.String() }, "2026-01-02"},
		{"time to live", "updated: 2026-01-02\nstale_ttl: 2w", func(p *schema.Page) any { return p.Meta.Expires.String() }, "2026-01-16"},
		{"draft", "draft: true", func(p *schema.Page) any { return p.Meta.Draft }, true},
		{"verified", "verified: 2026-01-02", verified, "2026-01-02||"},
		{"verified map", "verified: {by: human:x, at: 2026-01-02}", verified, "2026-01-02|human:x|"},
		{"verified list", "verified:\n  - by: human:x\n    at: 2026-01-02\n  - 2026-01-03", verified, "2026-01-02|human:x| 2026-01-03||"},
		{"verified against", "verified-against:\n  app: abc1234\n  lib: def5678", verified, "abc1234||app def5678||lib"},
		{"reviewed", "reviewed: true", verified, "||"},
		{"not reviewed", "reviewed: false", verified, ""},
		{"aliases", "aliases: [A b, 12, true]", func(p *schema.Page) any { return fmt.Sprint(names(p.Meta.Aliases)) }, "[A b 12 true]"},
		{"alias", "ALIAS: x", func(p *schema.Page) any { return fmt.Sprint(names(p.Meta.Aliases)) }, "[x]"},
		{"relations", "superseded_by: \"[[New]]\"\ncontradictedBy: [a, '[[B|b]]']\nedges:\n  - { type: uses, target: c.md }", relations,
			"superseded-by New, contradicts a, contradicts B, uses c.md"},
		{"sources", "sources:\n  - raw/a.md\n  - \"[[B]]\"\n  - id: s1\n    resource: https://x.org\n    title: T\ncovers: src/a.go#L1-L2", sources,
			"sources raw/a.md, sources B, sources:s1 https://x.org, covers src/a.go:1-2"},
		{"unquoted wikilink source", "source: [[B]]", sources, "source B"},
		{"nothing readable", "verified: [[[]]]\ntags: {a: b}\naliases: {x: [y]}\nsources: [null, true]\nupdated: [x]", relations, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tt.got(read("---\n"+tt.front+"\n---\n"))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func verified(p *schema.Page) any {
	var out []string
	for _, v := range p.Meta.Verified {
		out = append(out, v.At.String()+"|"+v.By+"|"+v.Against)
	}
	return strings.Join(out, " ")
}

func names(as []schema.Alias) (out []string) {
	for _, a := range as {
		out = append(out, a.Name)
	}
	return out
}

func relations(p *schema.Page) any {
	var out []string
	for _, r := range p.Meta.Relations {
		out = append(out, string(r.Kind)+" "+r.Target)
	}
	return strings.Join(out, ", ")
}

func sources(p *schema.Page) any {
	var out []string
	for _, s := range p.Meta.Sources {
		w := s.Key
		if s.ID != "" {
			w += ":" + s.ID
		}
		w += " " + s.Anchor.Path + s.Anchor.URL
		if s.Anchor.FromLine > 0 {
			w += fmt.Sprintf(":%d-%d", s.Anchor.FromLine, s.Anchor.ToLine)
		}
		out = append(out, w)
	}
	return strings.Join(out, ", ")
}

func TestFrontTagsHaveExactSpans(t *testing.T) {
	t.Parallel()
	src := "---\ntags: [a, \"b c\", '#d']\ntopics: machine learning, é\ntag: x #c\n---\n"
	p := read(src)
	var got []string
	for _, g := range p.Tags {
		got = append(got, g.Field+" "+g.Name+" "+src[g.Span.Start:g.Span.End])
	}
	want := []string{"tags a a", "tags b c b c", "tags d #d", "tag x x", "topics machine learning machine learning", "topics é é"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := len(read("---\ntags: one two\n---\n").Tags); got != 2 {
		t.Errorf("tags between spaces: %d, want 2", got)
	}
}

func TestFrontLinks(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, front, want string }{
		{"quoted", `a: "[[x]]"`, "wikilink a [[x]] x|x||"},
		{"label and heading", `a: 'see [[x y#H|z]] now'`, "wikilink a [[x y#H|z]] x y#H|x y|H|z"},
		{"unquoted", "a: [[x]]", "wikilink a [[x]] x|x||"},
		{"unquoted with label", "a: [[x|y]]", "wikilink a [[x|y]] x|x||y"},
		{"unquoted with a comma", "a: [[x, y]]", "wikilink a [[x, y]] x, y|x, y||"},
		{"unquoted with text", "a: [[x]], [[y]]", "wikilink a [[x]] x|x|| wikilink a [[y]] y|y||"},
		{"unquoted embed", "a: ![[x.png]]", "wikilink a ![[x.png]] x.png|x.png||"},
		{"list", "a:\n  - \"[[x]]\"\n  - [[y]]\n  - z", "wikilink a [[x]] x|x|| wikilink a [[y]] y|y||"},
		{"list of lists", "a: [[x], [y]]", ""},
		{"markdown", `a: "[T](b%20c.md#h)"`, "markdown a [T](b%20c.md#h) b c.md#h|b c.md|h|T"},
		{"markdown unquoted", `a: see [T](<b c.md>) and`, "markdown a [T](<b c.md>) b c.md|b c.md||T"},
		{"external", `a: "[T](https://x.org/a_(b))"`, "markdown a [T](https://x.org/a_(b)) https://x.org/a_(b)|https://x.org/a_(b)||T"},
		{"nested", "a:\n  b:\n    - c: '[[x]]'", "wikilink a [[x]] x|x||"},
		{"escapes", `a: "[[x \"q\"]]"`, `wikilink a [[x \"q\"]] x "q"|x "q"||`},
		{"block", "a: |\n  one [[x]]\n  [[y\n  z]]", "wikilink a [[x]] x|x||"},
		{"nothing", "a: [x]\nb: '[[]]'\nc: '[[ | ]]'\nd: 'f[0](y'\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, newline := range []string{"\n", "\r\n"} {
				src := strings.ReplaceAll("---\n"+tt.front+"\n---\n", "\n", newline)
				var got []string
				for _, l := range read(src).Links {
					got = append(got, fmt.Sprintf("%v %s %s %s|%s|%s|%s", l.Syntax, l.Field, src[l.Span.Start:l.Span.End], l.Raw, l.Target, l.Fragment, l.Label))
					if l.Embed != (src[l.Span.Start] == '!') || l.External != strings.Contains(l.Raw, "://") {
						t.Errorf("embed %v, external %v", l.Embed, l.External)
					}
					if d := src[l.Dest.Start:l.Dest.End]; !strings.Contains(src[l.Span.Start:l.Span.End], d) || d == "" {
						t.Errorf("destination %q", d)
					}
				}
				if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestFrontmatterFaults(t *testing.T) {
	t.Parallel()
	tests := []struct{ src, kind, at string }{
		{"---\na: b\n", "frontmatter-unclosed", "---"},
		{"---\na: b: c\n---\n", "frontmatter-invalid", "b: c"},
		{"---\na: b\na: c\n---\n", "duplicate-key", "a"},
		{"---\n- a: b\n---\n", "frontmatter-invalid", "- a: b"},
		{"---\na: b\n---\n", "", ""},
	}
	for _, tt := range tests {
		p := read(tt.src)
		kind, at := "", ""
		for _, f := range p.Faults {
			kind, at = string(f.Kind), tt.src[f.Span.Start:f.Span.End]
		}
		if kind != tt.kind || at != tt.at {
			t.Errorf("%q: fault %s at %q, want %s at %q", tt.src, kind, at, tt.kind, tt.at)
		}
	}
}

func FuzzFrontmatter(f *testing.F) {
	for _, s := range schematest.Vary(400, "---\na: b\n---\nx", "\ufeff\n---\r\ntags: [a, #b]\r\n...\r\n", "---\na: [[x|y]], ![[z]]\n---\n", "---\na: \"[[x\\\"]]\"\n",
		"---\nverified: {by: x, at: 2026-01-02}\nsources: [[a], {path: b}]\n---\n", "---\na: |\n  ---\n  [x](y)\n---\n", "---\ntext\n---\n", "---\nupdated: 99999999999\nstale_ttl: 9m\n---\n") {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4096 {
			return
		}
		before := bytes.Clone(src)
		p := &schema.Page{Source: src}
		readFrontmatter(p)
		if !bytes.Equal(before, src) {
			t.Fatal("the source was changed")
		}
		in := func(what string, s schema.Span) {
			if s.Start < 0 || s.End < s.Start || s.End > len(src) {
				t.Fatalf("%s: span %v of %d bytes", what, s, len(src))
			}
		}
		if p.Body < 0 || p.Body > len(src) {
			t.Fatalf("body at %d of %d", p.Body, len(src))
		}
		if p.Front != nil {
			in("front", p.Front.Span)
			p.Front.Root.Walk(func(n *schema.Node) { in("node", n.Span) })
		}
		for _, l := range p.Links {
			in("link", l.Span)
			in("destination", l.Dest)
			if l.Dest.Start < l.Span.Start || l.Dest.End > l.Span.End {
				t.Fatalf("destination %v outside of %v", l.Dest, l.Span)
			}
		}
		for _, g := range p.Tags {
			in("tag", g.Span)
		}
		for _, s := range p.Meta.Sources {
			in("source", s.Span)
		}
		for _, f := range p.Faults {
			in("fault", f.Span)
		}
	})
}

// TestFrontmatterOfRealWikis reads every page that the corpora hold. None has a
// fault but those of real/ that are no YAML, which are counted.
func TestFrontmatterOfRealWikis(t *testing.T) {
	t.Parallel()
	root := schematest.Shared(t, "corpora")
	bad := map[string]schema.FaultKind{}
	invalid := map[string]int{} // by corpus
	got, pages, fronts := map[string]schema.FaultKind{}, map[string]int{}, map[string]int{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		p := &schema.Page{Path: rel, Source: src}
		readFrontmatter(p)
		corpus := strings.Join(strings.SplitN(rel, "/", 3)[:min(2, strings.Count(rel, "/")+1)], "/")
		pages[corpus]++
		if p.Front != nil {
			fronts[corpus]++
		}
		if len(p.Faults) > 0 && strings.HasPrefix(rel, "real/") {
			invalid[corpus]++
			return nil
		}
		for _, f := range p.Faults {
			got[rel] = f.Kind
			t.Logf("%s: %s: %q: %s", rel, f.Kind, f.Span.In(src), f.Message)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(bad, got); diff != "" {
		t.Errorf("pages with faults (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"real/kit-starters": 3, "real/vamsee-all": 33}, invalid); diff != "" {
		t.Errorf("pages with invalid front matter (-want +got):\n%s", diff)
	}
	for corpus, want := range map[string]int{"olas-wiki/.wiki": 49, "tasks-demo-vault/vault": 64, "tasks-demo-vault/docs": 103} {
		if fronts[corpus] != want {
			t.Errorf("%s: %d pages of %d have frontmatter, want %d", corpus, fronts[corpus], pages[corpus], want)
		}
	}
}
