package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
)

// said describes everything a page says, one line each, with every span shown
// as the text it covers.
func said(p *schema.Page) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	in := func(s schema.Span) string { return string(s.In(p.Source)) }
	for _, h := range p.Headings {
		add("h%d %s #%s ‹%s›", h.Level, h.Text, h.ID, in(h.Span))
	}
	for _, l := range p.Links {
		flags := ""
		if l.Embed {
			flags += " embed"
		}
		if l.External {
			flags += " external"
		}
		if l.Hash {
			flags += " #" + l.Fragment
		}
		if l.Wiki != nil {
			flags += " or " + l.Wiki.Raw + " ‹" + in(l.Wiki.Span) + "›"
		}
		add("%s %s%s ‹%s› dest ‹%s› label %q ‹%s›", l.Syntax, l.Target, flags, in(l.Span), in(l.Dest), l.Label, in(l.LabelAt))
	}
	for _, b := range p.Blocks {
		add("block %s ‹%s› of ‹%s›", b.Name, in(b.Span), in(b.Block))
	}
	for _, f := range p.Footnotes {
		add("note %s %v ‹%s›", f.ID, f.Definition, in(f.Span))
	}
	for _, c := range p.Citations {
		add("cite ‹%s› %v", in(c.Span), c.Caret)
	}
	for _, c := range p.Callouts {
		add("callout %s %q %q ‹%s›", c.Type, c.Title, string(rune(c.Fold)), in(c.Span))
	}
	for _, t := range p.Tables {
		var cells []string
		for _, row := range append([][]schema.Cell{t.Head}, t.Rows...) {
			for _, c := range row {
				cells = append(cells, c.Text+"‹"+in(c.Span)+"›")
			}
		}
		add("table %s", strings.Join(cells, " "))
	}
	for _, t := range p.Tasks {
		add("task %c ‹%s›", t.Mark, in(t.Span))
	}
	for _, t := range p.Tags {
		add("tag %s ‹%s›", t.Name, in(t.Span))
	}
	for _, f := range p.Fields {
		add("field %s=%s ‹%s› ‹%s›", f.Key, f.Value, in(f.Span), in(f.Val))
	}
	for _, f := range p.Fences {
		add("fence %s %v ‹%s› content ‹%s›", f.Language, f.Unclosed, in(f.Span), in(f.Content))
	}
	for _, d := range p.Definitions {
		add("definition %s %s %v ‹%s›", d.Label, d.Target, d.Used, in(d.Span))
	}
	for _, c := range p.Comments {
		add("comment ‹%s›", in(c))
	}
	for _, m := range p.Math {
		add("math %v ‹%s›", m.Display, in(m.Span))
	}
	for _, f := range p.Faults {
		add("fault %s ‹%s›", f.Kind, in(f.Span))
	}
	return out
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"wikilink", "a [[b]] c", []string{`wikilink b ‹[[b]]› dest ‹b› label "" ‹›`}},
		{"label", "[[a b|c d]]", []string{`wikilink a b ‹[[a b|c d]]› dest ‹a b› label "c d" ‹c d›`}},
		{"lists of lists", "[[2|3], [5|7]] and [[a] b, [c]]", nil},
		{"brackets in a label", "[[a|b [c] d]]", []string{`wikilink a ‹[[a|b [c] d]]› dest ‹a› label "b [c] d" ‹b [c] d›`}},
		{"heading", "[[a#B]]", []string{`wikilink a #B ‹[[a#B]]› dest ‹a#B› label "" ‹›`}},
		{"nested headings", "[[a#B#C]]", []string{`wikilink a #B#C ‹[[a#B#C]]› dest ‹a#B#C› label "" ‹›`}},
		{"hash in the name", "[[C#]]", []string{`wikilink C # ‹[[C#]]› dest ‹C#› label "" ‹›`}},
		{"own heading", "[[#B]]", []string{`wikilink  #B ‹[[#B]]› dest ‹#B› label "" ‹›`}},
		{"block", "[[a#^b]]", []string{`wikilink a #^b ‹[[a#^b]]› dest ‹a#^b› label "" ‹›`}},
		{"spaced", "[[ a b ]]", []string{`wikilink a b ‹[[ a b ]]› dest ‹a b› label "" ‹›`}},
		{"emoji and percent", "[[🎉 50%]]", []string{`wikilink 🎉 50% ‹[[🎉 50%]]› dest ‹🎉 50%› label "" ‹›`}},
		{"decomposed", "[[e\u0301]]", []string{"wikilink e\u0301 ‹[[e\u0301]]› dest ‹e\u0301› label \"\" ‹›"}},
		{"embed", "![[a.png|200]]", []string{`wikilink a.png embed ‹![[a.png|200]]› dest ‹a.png› label "200" ‹200›`}},
		{"followed by a note", "[[page]](note)", []string{`markdown note or page ‹[[page]]› ‹[[page]](note)› dest ‹note› label "page" ‹[[page]]›`}},
		{"followed by a sentence", "[[page]](a note)", []string{`wikilink page ‹[[page]]› dest ‹page› label "" ‹›`}},
		{"title", "[[Title]](../path.md#x)", []string{`markdown ../path.md #x or Title ‹[[Title]]› ‹[[Title]](../path.md#x)› dest ‹../path.md#x› label "Title" ‹[[Title]]›`}},
		{"in brackets", "[[[a]]]", []string{`wikilink a ‹[[a]]› dest ‹a› label "" ‹›`}},
		{"bracketed link", "[[a](b)]", []string{`markdown b ‹[a](b)› dest ‹b› label "a" ‹a›`}},
		{"malformed", "[[]] [[x|]] [[|x]] [[x", []string{`fault malformed-wikilink ‹[[]]›`, `fault malformed-wikilink ‹[[x|]]›`, `fault malformed-wikilink ‹[[|x]]›`, `fault malformed-wikilink ‹[[x›`}},
		{"escaped", `\[[a]] \[a](b)`, nil},
		{"not in code", "`[[a]]` ``[b](c)``", nil},
		{"not in math", "$a[[b]]$ $$[[c]]$$", []string{`math false ‹$a[[b]]$›`, `math true ‹$$[[c]]$$›`}},
		{"no math", "$5 and $6, $a $ b", nil},
		{"shell variables", "$HOME/$USER and ${A}-${B} of $_x-$_y", nil},
		{"prose between dollars", "the $jobs variable holds, then $x, or $job's name and ($all)", nil},
		{"money before variables", "$5 or $10 in $HOME/$USER and $x^2$", []string{`math false ‹$x^2$›`}},
		{"dollars in math", "$\\$5$", []string{`math false ‹$\$5$›`}},
		{"words in math", "$\\text{for all the} x$, $f sin x$", []string{`math false ‹$\text{for all the} x$›`, `math false ‹$f sin x$›`}},
		{"math before letters", "$X$, $n$th, $A_1$B", []string{`math false ‹$X$›`, `math false ‹$n$›`, `math false ‹$A_1$›`}},
		{"not in comments", "%%[[a]]%% <!--[[b]]--> x", []string{`comment ‹%%[[a]]%%›`, `comment ‹<!--[[b]]-->›`}},
		{"comment block", "a\n\n%%\n[[b]]\n\n[[c]]\n%%\n[[d]]", []string{`wikilink d ‹[[d]]› dest ‹d› label "" ‹›`, "comment ‹%%\n[[b]]\n\n[[c]]\n%%›"}},
		{"math block", "$$\n[[a]]\n\nb\n$$\n\n```math\nx\n```", []string{"fence math false ‹```math\nx\n```› content ‹x\n›", "math true ‹$$\n[[a]]\n\nb\n$$›", "math true ‹```math\nx\n```›"}},
		{"not in raw HTML", "<div>\n[[a]] [b](c)\n</div>", nil},
		{"inline", "[a *b*](c%20d.md#e \"t\")", []string{`markdown c d.md #e ‹[a *b*](c%20d.md#e "t")› dest ‹c%20d.md#e› label "a b" ‹a *b*›`}},
		{"percent-encoded hash", "[a](C%23.md#b)", []string{`markdown C#.md #b ‹[a](C%23.md#b)› dest ‹C%23.md#b› label "a" ‹a›`}},
		{"angle", "[a](<b c.md>)", []string{`markdown b c.md ‹[a](<b c.md>)› dest ‹b c.md› label "a" ‹a›`}},
		{"empty", "[a]()", []string{`markdown  ‹[a]()› dest ‹› label "a" ‹a›`}},
		{"parentheses", "([a](b_(c).md))", []string{`markdown b_(c).md ‹[a](b_(c).md)› dest ‹b_(c).md› label "a" ‹a›`}},
		{"image in a link", "[![a](b.png)](c)", []string{`markdown c ‹[![a](b.png)](c)› dest ‹c› label "" ‹![a](b.png)›`, `markdown b.png embed ‹![a](b.png)› dest ‹b.png› label "a" ‹a›`}},
		{"over lines", "[a\nb](\nc)", []string{"markdown c ‹[a\nb](\nc)› dest ‹c› label \"a b\" ‹a\nb›"}},
		{"in a quote", "> [a\n> b](c) [[d]]", []string{"markdown c ‹[a\n> b](c)› dest ‹c› label \"a b\" ‹a\n> b›", `wikilink d ‹[[d]]› dest ‹d› label "" ‹›`}},
		{"references", "[a][B] [b][] [b]\n\n[b]: <c d> 'e'", []string{`reference c d ‹[a][B]› dest ‹c d› label "a" ‹a›`, `reference c d ‹[b][]› dest ‹c d› label "b" ‹b›`, `reference c d ‹[b]› dest ‹c d› label "b" ‹b›`, `definition b c d true ‹[b]: <c d> 'e'›`}},
		{"undefined", "[a][b] [c][] [d] x[0][1]", []string{`fault undefined-reference ‹[a][b]›`, `fault undefined-reference ‹[c][]›`}},
		{"unused", "[a]: b\n[c]: d", []string{`definition a b false ‹[a]: b›`, `definition c d false ‹[c]: d›`}},
		{"autolinks", "<https://a.b/c> https://d.e/f, x@y.zz www.g.h.", []string{
			`autolink https://a.b/c external ‹<https://a.b/c>› dest ‹https://a.b/c› label "" ‹›`, `autolink https://d.e/f external ‹https://d.e/f› dest ‹https://d.e/f› label "" ‹›`,
			`autolink mailto:x@y.zz external ‹x@y.zz› dest ‹x@y.zz› label "" ‹›`, `autolink http://www.g.h external ‹www.g.h› dest ‹www.g.h› label "" ‹›`}},
		{"html", `<a href="b c.md">x</a> <img src=d.png alt="e">`, []string{`html b c.md ‹<a href="b c.md">› dest ‹b c.md› label "" ‹›`, `html d.png embed ‹<img src=d.png alt="e">› dest ‹d.png› label "e" ‹e›`}},
		{"dropped html", "<script>x</script> <a onclick=x> <b>", []string{`fault html-dropped ‹<script>›`, `fault html-dropped ‹<a onclick=x>›`}},
		{"script", "<script>\nx = '<a href=\"${u}\">'\n</script>\n\n<a href=b>\n", []string{`html b ‹<a href=b>› dest ‹b› label "" ‹›`, `fault html-dropped ‹<script>›`}},
		{"table", "|a|b|\n|-|:-:|\n|[[p\\|l]]| x\\|y |\n", []string{`wikilink p ‹[[p\|l]]› dest ‹p› label "l" ‹l›`, `table a‹a› b‹b› l‹[[p\|l]]› x|y‹x\|y›`}},
		{"headings", "# A *b* [[c|d]]\n## A b d\nE\n===\n### ###\n", []string{`h1 A b d #a-b-d ‹# A *b* [[c|d]]›`, `h2 A b d #a-b-d-1 ‹## A b d›`, "h1 E #e ‹E\n===›", `h3  #section ‹### ###›`, `wikilink c ‹[[c|d]]› dest ‹c› label "d" ‹d›`}},
		{"unicode slugs", "# 日本語 Über_x!\n# e\u0301\n# 🎉", []string{"h1 日本語 Über_x! #日本語-über_x ‹# 日本語 Über_x!›", "h1 e\u0301 #é ‹# e\u0301›", "h1 🎉 #section ‹# 🎉›"}},
		{"slugs beside images", "# ![l](l.png) Logo first\n# Last ![l](l.png)\n# [![b](b.svg)](c) In a link\n# <a name=x></a> Named\n# Between ![l](l.png) words\n# Note <!-- x -->\n# Line<br>\n# ![l](l.png)", []string{
			`h1 Logo first #-logo-first ‹# ![l](l.png) Logo first›`, `h1 Last #last- ‹# Last ![l](l.png)›`, `h1 In a link #-in-a-link ‹# [![b](b.svg)](c) In a link›`,
			`h1 Named #-named ‹# <a name=x></a> Named›`, `h1 Between  words #between--words ‹# Between ![l](l.png) words›`, `h1 Note #note ‹# Note <!-- x -->›`, `h1 Line #line ‹# Line<br>›`, `h1  #section ‹# ![l](l.png)›`,
			`markdown l.png embed ‹![l](l.png)› dest ‹l.png› label "l" ‹l›`, `markdown l.png embed ‹![l](l.png)› dest ‹l.png› label "l" ‹l›`, `markdown l.png embed ‹![l](l.png)› dest ‹l.png› label "l" ‹l›`, `markdown l.png embed ‹![l](l.png)› dest ‹l.png› label "l" ‹l›`,
			`markdown b.svg embed ‹![b](b.svg)› dest ‹b.svg› label "b" ‹b›`, `markdown c ‹[![b](b.svg)](c)› dest ‹c› label "" ‹![b](b.svg)›`, `comment ‹<!-- x -->›`}},
		{"numbered slugs", "# a\n# a-1\n# a", []string{`h1 a #a ‹# a›`, `h1 a-1 #a-1 ‹# a-1›`, `h1 a #a-2 ‹# a›`}},
		{"block ids", "a b ^x\n\n- c ^y\n\n| t |\n|---|\n\n^z", []string{`block x ‹^x› of ‹a b ^x›`, `block y ‹^y› of ‹- c ^y›`, "block z ‹^z› of ‹| t |\n|---|›", `table t‹t›`}},
		{"footnotes", "a[^1] b[^x]\n\n[^1]: c [[d]]", []string{`wikilink d ‹[[d]]› dest ‹d› label "" ‹›`, `note 1 false ‹[^1]›`, `note 1 true ‹[^1]:›`, `fault undefined-reference ‹[^x]›`, `note x false ‹[^x]›`}},
		{"citations", "a ^[f.md:42-58, g.md] (x/y.go:12-30) (z.go:1, `w.go:2`) (no) (a: 1)", []string{`cite ‹f.md:42-58› true`, `cite ‹g.md› true`, `cite ‹x/y.go:12-30› false`, `cite ‹z.go:1› false`, `cite ‹w.go:2› false`}},
		{"callouts", "> [!NOTE]- T *x*\n> [[a]]", []string{`wikilink a ‹[[a]]› dest ‹a› label "" ‹›`, "callout note \"T x\" \"-\" ‹> [!NOTE]- T *x*\n> [[a]]›"}},
		{"tasks", "- [ ] a\n- [x] b\n- [/] c\n- [a](b)", []string{`markdown b ‹[a](b)› dest ‹b› label "a" ‹a›`, `task   ‹[ ] a›`, `task x ‹[x] b›`, `task / ‹[/] c›`}},
		{"tags", "#a #b/c (#日本) x#no #1 `#no` \\#no", []string{`tag a ‹#a›`, `tag b/c ‹#b/c›`, `tag 日本 ‹#日本›`}},
		{"fields", "key:: [[v]]\n\na [k:: v] (l:: w) std::x `no:: x`", []string{`wikilink v ‹[[v]]› dest ‹v› label "" ‹›`, `field key=[[v]] ‹key:: [[v]]› ‹[[v]]›`, `field k=v ‹[k:: v]› ‹v›`, `field l=w ‹(l:: w)› ‹w›`}},
		{"fences", "```Go x\na\n```\n\n    b\n\n```\nc", []string{"fence go false ‹```Go x\na\n```› content ‹a\n›", "fence  false ‹b› content ‹b\n›", "fence  true ‹```\nc› content ‹c›"}},
		{"byte order mark", "\ufeff# A\n[[b]]", []string{`h1 A #a ‹# A›`, `wikilink b ‹[[b]]› dest ‹b› label "" ‹›`}},
		{"crlf", "# A\r\n\r\n[[b]] c\r\n> [[d]]\r\n", []string{`h1 A #a ‹# A›`, `wikilink b ‹[[b]]› dest ‹b› label "" ‹›`, `wikilink d ‹[[d]]› dest ‹d› label "" ‹›`}},
		{"cr", "# A\r\r[[b]] c\r- [[d]]\r", []string{`h1 A #a ‹# A›`, `wikilink b ‹[[b]]› dest ‹b› label "" ‹›`, `wikilink d ‹[[d]]› dest ‹d› label "" ‹›`}},
		{"frontmatter", "---\nx: \"[[no]]\"\n---\n# A\n[[b]]", []string{`h1 A #a ‹# A›`, `wikilink b ‹[[b]]› dest ‹b› label "" ‹›`}},
		{"encoding", "a\xff\x00[[b]]", []string{`wikilink b ‹[[b]]› dest ‹b› label "" ‹›`, "fault encoding ‹\xff›", "fault encoding ‹\x00›"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := pageOf("dir/stem.md", tc.src)
			Parse(p, schema.Limits{})
			got, want := sorted(said(p)), sorted(tc.want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q says (-want +got):\n%s", tc.src, diff)
			}
		})
	}
}

func sorted(in []string) []string {
	out := append([]string{}, in...)
	slices.Sort(out)
	return out
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ front, src, want string }{
		{"F", "# A", "F"}, {"", "x\n\n# A *b*", "A b"}, {"", "## A", "stem"}, {"", "", "stem"},
	} {
		p := pageOf("dir/stem.md", tc.src)
		p.Title = tc.front
		if Parse(p, schema.Limits{}); p.Title != tc.want {
			t.Errorf("title of %q is %q, want %q", tc.src, p.Title, tc.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, h := range hostile {
		f.Add(h.page(60))
	}
	for _, s := range []string{"# A [[b#c|d]]\r\n> [!x]+ y\n> z ^id\n\n[a][b]\n\n[b]: c\n", "|a|\n|-|\n|[[b\\|c]]|\n", "%%\na\n%%b $$\n", "- [x] a\n\t- b:: c ![[d]](e)\n[^1]: x\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p := pageOf("a.md", src)
		Parse(p, schema.Limits{})
		check := func(what string, s schema.Span, openers ...string) {
			if s.Start < 0 || s.End < s.Start || s.End > len(src) {
				t.Fatalf("%s %v outside of %d bytes", what, s, len(src))
			}
			for _, o := range openers {
				if strings.HasPrefix(src[s.Start:s.End], o) {
					return
				}
			}
			if len(openers) > 0 {
				t.Fatalf("%s is %q, want it to begin with one of %q", what, src[s.Start:s.End], openers)
			}
		}
		for _, l := range p.Links {
			switch l.Syntax {
			case schema.SyntaxWikilink:
				check("wikilink", l.Span, "[[", "![[")
				if !strings.HasSuffix(src[:l.Span.End], "]]") {
					t.Fatalf("wikilink ends in %q", src[l.Span.Start:l.Span.End])
				}
			case schema.SyntaxInline, schema.SyntaxReference:
				check("link", l.Span, "[", "![")
			case schema.SyntaxHTML:
				check("tag", l.Span, "<")
			}
			check("link", l.Span)
			check("destination", l.Dest)
			check("label", l.LabelAt)
			check("block", l.Block)
		}
		for _, h := range p.Headings {
			check("heading", h.Span)
			if h.ID == "" {
				t.Fatalf("heading %q has no id", h.Text)
			}
		}
		for _, b := range p.Blocks {
			check("block id", b.Span, "^"+b.Name)
			check("block", b.Block)
		}
		for _, n := range p.Footnotes {
			check("footnote", n.Span, "[^"+n.ID+"]")
		}
		for _, c := range p.Callouts {
			check("callout", c.Span, ">")
		}
		for _, x := range p.Tags {
			check("tag", x.Span, "#"+x.Name)
		}
		for _, x := range p.Tasks {
			check("task", x.Span, "[")
		}
		for _, x := range p.Fields {
			check("field", x.Span)
			check("value", x.Val)
		}
		for _, x := range p.Fences {
			check("fence", x.Span)
			check("content", x.Content)
		}
		for _, x := range p.Definitions {
			check("definition", x.Span, "[")
		}
		for _, x := range p.Comments {
			check("comment", x, "%%", "<!--")
		}
		for _, x := range p.Math {
			check("formula", x.Span, "$", "```", "~~~")
		}
		for _, x := range p.Tables {
			check("table", x.Span)
		}
		for _, x := range p.Citations {
			check("citation", x.Span)
		}
		for _, x := range p.Faults {
			check(string(x.Kind), x.Span)
		}
	})
}
