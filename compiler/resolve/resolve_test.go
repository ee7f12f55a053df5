package resolve

import (
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// page makes a page for a path; extra words after it are "title=", "alias="
// and "id=" values, headings ("# Text", "## Text") and blocks ("^name").
func page(spec string) *schema.Page {
	parts := strings.Split(spec, " | ")
	p := &schema.Page{Path: parts[0], ID: schema.PageID(strings.TrimSuffix(parts[0], ".md"))}
	p.Title = strings.TrimSuffix(path.Base(p.Path), ".md")
	for _, x := range parts[1:] {
		kind, rest, _ := strings.Cut(x, "=")
		switch {
		case strings.HasPrefix(x, "#"):
			text := strings.TrimLeft(x, "#")
			p.Headings = append(p.Headings, schema.Heading{Level: len(x) - len(text), Text: strings.TrimSpace(text),
				ID: strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), " ", "-")})
		case strings.HasPrefix(x, "^"):
			p.Blocks = append(p.Blocks, schema.BlockID{Name: x[1:]})
		case kind == "title":
			p.Title = rest
		case kind == "alias":
			p.Meta.Aliases = append(p.Meta.Aliases, schema.Alias{Name: rest})
		case kind == "id":
			p.Meta.ID = rest
		}
	}
	return p
}

func pages(specs ...string) []*schema.Page {
	var out []*schema.Page
	for _, s := range specs {
		out = append(out, page(s))
	}
	slices.SortFunc(out, func(a, b *schema.Page) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// links parses "[[x]]" and "(x)" as a link would be after parsing.
func link(s string) *schema.Link {
	l := &schema.Link{Syntax: schema.SyntaxWikilink, Raw: strings.TrimSuffix(strings.TrimPrefix(s, "[["), "]]")}
	if strings.HasPrefix(s, "(") {
		l.Syntax, l.Raw = schema.SyntaxInline, s[1:len(s)-1]
	}
	if name, label, ok := strings.Cut(l.Raw, "|"); ok {
		l.Raw, l.Label = name, label
	}
	l.Target, l.Fragment, l.Hash = strings.Cut(l.Raw, "#")
	return l
}

// show is a resolution in one line.
func show(r schema.Resolution) string {
	var b strings.Builder
	if r.OK() {
		b.WriteString(r.Path)
	} else {
		b.WriteString("broken " + string(r.Broken))
		if r.Path != "" {
			b.WriteString(" " + r.Path)
		}
	}
	if r.Anchor != "" {
		b.WriteString("#" + r.Anchor)
	}
	b.WriteString(" by " + r.By.String())
	if r.AnchorMissing {
		b.WriteString(", no such anchor")
	}
	if r.CaseOnly {
		b.WriteString(", case")
	}
	if len(r.Candidates) > 1 {
		b.WriteString(", of " + strings.Join(r.Candidates, " "))
	}
	return b.String()
}

var house = []string{
	"index.md", "notes/Alpha.md | # Alpha | ## First part | ### Deep | ## Second: part! | ### Deep | ^b1",
	"notes/beta.md | title=The Beta Page | alias=Bee | id=b-42", "deep/er/beta.md", "C#.md | # C#", "C.md | # Sharp",
	"a#b#c.md", "guide/index.md", "v1.2 notes.md", "Emoji 🎉 100% [x].md", "caf\u00e9.md", "guide/Set Up.md | # Set Up", "日本語.md | # 日本語の見出し",
}

func TestResolve(t *testing.T) {
	t.Parallel()
	files := []string{"img/Pic One.png", "notes/data.csv"}
	outside := func(p string) bool { return p == "src/a.go" || p == "raw/paper.md" || p == "top.png" }
	x := NewIndex(pages(house...), files, schema.LinkProfile{}, Place{Name: "wiki", RootPath: "wiki", Outside: outside})
	obsidian := NewIndex(pages(house...), files, schema.LinkProfile{VaultMarkdown: true}, Place{RootPath: "."})
	logseq := NewIndex(pages("pages/area___topic.md"), nil, schema.LinkProfile{Underscores: true}, Place{RootPath: "."})
	dendron := NewIndex(pages("a.b.c.md", "a.md"), nil, schema.LinkProfile{Dots: true}, Place{RootPath: "."})
	part := NewIndex(pages("index.md", "wiki-en/glossary.md", "wiki-ru/glossary.md", "ru/glossary.md"), nil, schema.LinkProfile{}, Place{RootPath: "."})
	for _, tt := range []struct {
		x          *Index
		from, link string
		want       string
	}{
		{x, "index.md", "[[Alpha]]", "notes/Alpha.md by suffix"},
		{x, "index.md", "[[alpha]]", "notes/Alpha.md by suffix, case"},
		{x, "index.md", "[[notes/Alpha]]", "notes/Alpha.md by root"},
		{x, "index.md", "[[notes/Alpha.md]]", "notes/Alpha.md by root"},
		{x, "index.md", "[[Notes/Alpha]]", "notes/Alpha.md by root, case"},
		{x, "index.md", "[[beta]]", "notes/beta.md by suffix, of notes/beta.md deep/er/beta.md"},
		{x, "deep/er/x.md", "[[beta]]", "deep/er/beta.md by suffix, of notes/beta.md deep/er/beta.md"},
		{x, "index.md", "[[er/beta]]", "deep/er/beta.md by suffix"},
		{x, "index.md", "[[/deep/er/beta]]", "deep/er/beta.md by root"},
		{x, "notes/Alpha.md", "[[./beta]]", "notes/beta.md by relative"},
		{x, "notes/Alpha.md", "[[../index]]", "index.md by relative"},
		{x, "notes/Alpha.md", "[[../../src/a.go]]", "../src/a.go by relative"},
		{x, "notes/Alpha.md", "[[../../../etc/passwd]]", "broken escapes ../../etc/passwd by nothing"},
		{x, "index.md", "[[raw/paper]]", "../raw/paper.md by repository"},
		{x, "index.md", "[[wiki/notes/beta]]", "notes/beta.md by repository"},
		{part, "index.md", "[[en/glossary]]", "wiki-en/glossary.md by suffix"},
		{part, "index.md", "[[n/glossary]]", "broken missing by nothing"},
		{part, "index.md", "[[ru/glossary]]", "ru/glossary.md by root"},
		{x, "index.md", "[[Bee]]", "notes/beta.md by alias"},
		{x, "index.md", "[[the beta page]]", "notes/beta.md by title"},
		{x, "index.md", "[[b-42]]", "notes/beta.md by id"},
		{x, "index.md", "[[set-up]]", "guide/Set Up.md by slug"},
		{x, "index.md", "[[guide/set_up]]", "guide/Set Up.md by slug"},
		{x, "index.md", "[[other/set_up]]", "broken missing by nothing"},
		{x, "index.md", "[[guide]]", "guide/index.md by index"},
		{x, "index.md", "[[nothing]]", "broken missing by nothing"},
		{x, "index.md", "[[]]", "broken empty by nothing"},
		{x, "index.md", "[[{{name}}]]", "broken template {{name}} by nothing"},
		{x, "index.md", "[[<name>]]", "broken template <name> by nothing"},
		{x, "index.md", "[[...]]", "broken template ... by nothing"},
		{x, "index.md", "[[:alpha:]]", "broken template :alpha: by nothing"},
		{x, "index.md", "[[1,2], [3,4]]", "broken template 1,2], [3,4 by nothing"},
		{x, "index.md", "[[nothing...]]", "broken missing by nothing"},

		{x, "index.md", "[[C#]]", "C#.md by suffix"},
		{x, "index.md", "[[C##C#]]", "C#.md#c# by suffix"},
		{x, "index.md", "[[C#Sharp]]", "C.md#sharp by suffix"},
		{x, "index.md", "[[a#b#c]]", "a#b#c.md by suffix"},
		{x, "index.md", "[[v1.2 notes]]", "v1.2 notes.md by suffix"},
		{x, "index.md", "[[Emoji 🎉 100% [x]]]", "Emoji 🎉 100% [x].md by suffix"},
		{x, "index.md", "[[cafe\u0301]]", "caf\u00e9.md by suffix"},
		{x, "index.md", "[[日本語#日本語の見出し]]", "日本語.md#日本語の見出し by suffix"},

		{x, "index.md", "[[Alpha#First part]]", "notes/Alpha.md#first-part by suffix"},
		{x, "index.md", "[[Alpha#second part]]", "notes/Alpha.md#second:-part! by suffix"},
		{x, "index.md", "[[Alpha#Alpha#First part#Deep]]", "notes/Alpha.md#deep by suffix"},
		{x, "index.md", "[[Alpha#First part#Second part]]", "notes/Alpha.md by suffix, no such anchor"},
		{x, "index.md", "[[Alpha#`First` *part*]]", "notes/Alpha.md#first-part by suffix"},
		{x, "index.md", "[[Alpha#Nope]]", "notes/Alpha.md by suffix, no such anchor"},
		{x, "index.md", "[[Alpha#^b1]]", "notes/Alpha.md#^b1 by suffix"},
		{x, "index.md", "[[Alpha#^b2]]", "notes/Alpha.md by suffix, no such anchor"},
		{x, "notes/Alpha.md", "[[#First part]]", "notes/Alpha.md#first-part by self"},
		{x, "notes/Alpha.md", "(#first-part)", "notes/Alpha.md#first-part by self"},

		{x, "index.md", "(notes/Alpha.md)", "notes/Alpha.md by relative"},
		{x, "index.md", "(notes/alpha.md)", "notes/Alpha.md by relative, case"},
		{x, "index.md", "(notes/beta)", "notes/beta.md by extension"},
		{x, "index.md", "(Alpha.md)", "broken missing by nothing"},
		{x, "guide/index.md", "(notes/Alpha.md)", "broken missing notes/Alpha.md by root"},
		{x, "guide/index.md", "(wiki/notes/Alpha.md)", "broken missing notes/Alpha.md by parent"},
		{x, "index.md", "(/notes/Alpha.md)", "notes/Alpha.md by root"},
		{x, "index.md", "(/top.png)", "../top.png by repository"},
		{x, "index.md", "(/wiki/notes/Alpha.md)", "notes/Alpha.md by repository"},
		{x, "index.md", "(guide/)", "guide/index.md by index"},
		{x, "index.md", "(deep/er)", "deep/er by relative"},
		{x, "index.md", "(img/Pic One.png)", "img/Pic One.png by relative"},
		{x, "index.md", "(notes/Alpha.md?plain=1#first-part)", "notes/Alpha.md#first-part by relative"},
		{x, "index.md", "(notes/Alpha.md#L10-L20)", "notes/Alpha.md by relative"},
		{x, "index.md", "(notes/Alpha.md#Later)", "notes/Alpha.md by relative, no such anchor"},
		{x, "notes/Alpha.md", "(../../src/a.go)", "../src/a.go by relative"},
		{x, "notes/Alpha.md", "(../../src/b.go)", "broken missing ../src/b.go by nothing"},
		{x, "notes/Alpha.md", "(../../../x)", "broken escapes ../../x by nothing"},
		{x, "index.md", "(C:\\Users\\x.md)", "broken local by nothing"},
		{x, "index.md", "(c:\\Users\\x.md)", "broken local by nothing"},
		{x, "index.md", "(z:/x.md)", "broken local by nothing"},
		{x, "index.md", "(1:/x.md)", "broken missing by nothing"},
		{x, "index.md", "(file:///etc/passwd)", "broken local by nothing"},
		{x, "index.md", "(FILE:///c:/x.md)", "broken local by nothing"},
		{x, "index.md", "(C#.md)", "C#.md by relative"},

		{obsidian, "guide/index.md", "(Alpha.md)", "notes/Alpha.md by vault"},
		{obsidian, "guide/index.md", "(../nowhere/Alpha.md)", "broken missing by nothing"},
		{logseq, "pages/x.md", "[[area/topic]]", "pages/area___topic.md by suffix"},
		{dendron, "a.md", "[[a.b.c]]", "a.b.c.md by suffix"},
	} {
		from := page(tt.from)
		for _, s := range house {
			if strings.HasPrefix(s, tt.from+" |") {
				from = page(s)
			}
		}
		if got := show(tt.x.Resolve(from, link(tt.link))); got != tt.want {
			t.Errorf("from %s: %s\n got %s\nwant %s", tt.from, tt.link, got, tt.want)
		}
	}
}

var nameGen = rapid.SampledFrom([]string{"a", "A", "b", "c d", "c-d", "é", "e\u0301", "x#y", "deep"})

// TestOrderIndependent checks that what a link means never depends on the order
// in which the files were found.
func TestOrderIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		specs := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
			spec := strings.Join(rapid.SliceOfN(nameGen, 1, 3).Draw(t, "path"), "/") + ".md"
			if rapid.Bool().Draw(t, "has alias") {
				spec += " | alias=" + nameGen.Draw(t, "alias")
			}
			return spec
		}), 1, 12, func(s string) string { p, _, _ := strings.Cut(s, " | "); return p }).Draw(t, "pages")
		target := rapid.SliceOfN(nameGen, 1, 3).Draw(t, "target")
		l := link("[[" + strings.Join(target, "/") + "]]")
		if rapid.Bool().Draw(t, "markdown") {
			l = link("(" + strings.Join(target, "/") + ".md)")
		}
		from := page(specs[0])
		sorted := pages(specs...)
		want := show(NewIndex(sorted, nil, schema.LinkProfile{}, Place{RootPath: "."}).Resolve(from, l))
		shuffled := rapid.Permutation(sorted).Draw(t, "order")
		if got := show(NewIndex(shuffled, nil, schema.LinkProfile{}, Place{RootPath: "."}).Resolve(from, l)); got != want {
			t.Fatalf("%s in another order: %s, want %s", l.Raw, got, want)
		}
	})
}

// FuzzResolve checks that no link makes the resolver panic, leave the
// repository, or resolve to something that is not there.
func FuzzResolve(f *testing.F) {
	x := NewIndex(pages(house...), []string{"img/p.png"}, schema.LinkProfile{VaultMarkdown: true}, Place{Name: "wiki", RootPath: "wiki",
		Outside: func(p string) bool { return p == "src/a.go" }})
	for _, s := range schematest.Vary(300, "Alpha#A#B", "../x", "/", "//", "#^", "C##", "....//", "a\x00b", strings.Repeat("#", 300), "%2e%2e/", "..", "\xff", "../src/a.go", "./../img/p.png?a#b") {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, raw string, wiki bool) {
		l := &schema.Link{Raw: raw, Syntax: schema.SyntaxInline}
		l.Target, l.Fragment, l.Hash = strings.Cut(raw, "#")
		if wiki {
			l.Syntax = schema.SyntaxWikilink
		}
		r := x.Resolve(page("notes/Alpha.md"), l)
		switch r.Kind {
		case schema.TargetOutside:
			if path.Join("wiki", r.Path) != "src/a.go" {
				t.Errorf("%q leads outside to %s", raw, r.Path)
			}
		case schema.TargetPage, schema.TargetFile:
			if _, ok := x.exact[norm.NFC.String(r.Path)]; !ok {
				t.Errorf("%q leads to %s, which is not there", raw, r.Path)
			}
		case schema.TargetNone:
			if r.Broken == schema.BrokenNot {
				t.Errorf("%q is broken without a reason", raw)
			}
		}
	})
}
