package site

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/exchange/llms"
	"github.com/loopwiki/wiki/schema"
)

// secrets are what a page that is not published says, by where it says it. No two begin or
// end alike, and the test looks for them without their first letters too: an index may keep
// only what differs from the word before.
var secrets = []struct{ where, word string }{
	{"folder", "kwyfoldjq"}, {"name", "bvxnamekz"}, {"title", "zhqtitlewv"}, {"alias", "xjfaliasgk"}, {"redirect", "qpzredirvx"},
	{"tag", "fgjtagqwk"}, {"type", "vkqtypejx"}, {"summary", "jzxsummqf"}, {"author", "wqvauthzj"}, {"heading", "gxkheadjv"}, {"text", "yqjtextzw"},
	{"link text", "hvqlabelxz"}, {"asset", "mzjassetqx"}, {"fact", "rqxfactwj"}, {"permalink", "dkzpermaqv"}, {"fence", "nxvfencejz"}, {"block", "cjqblockxw"},
	{"id", "pxwidqkzj"}, {"date", "2031-03-17"},
}

func secretOf(where string) string {
	for _, s := range secrets {
		if s.where == where {
			return s.word
		}
	}
	panic(where)
}

// withheldPage is a page with a secretOf in every part. Its first line of front matter says
// that it is not published.
func withheldPage(mark string) string {
	w := secretOf
	return "-- " + w("folder") + "/" + w("name") + ".md --\n" + strings.TrimSuffix(mark, "\n") + "\ntitle: " + w("title") + "\naliases: [" + w("alias") + "]\nredirect_from: [/" + w("redirect") + "]\ntags: [" + w("tag") +
		"]\ntype: " + w("type") + "\nsummary: " + w("summary") + "\nauthor: " + w("author") + "\nid: " + w("id") + "\npermalink: /" + w("permalink") + "\nupdated: " + w("date") + "\nsupersedes: \"[[open]]\"\n---\n# " + w("title") + "\n\n## " + w("heading") +
		"\n\n" + w("text") + " links to [[open|" + w("link text") + "]] and [[other]]. Open is mentioned here. ^" + w("block") + "\n\n| setting | value |\n|---|---|\n| limit | " + w("fact") + " |\n\n```go\n" + w("fence") + "()\n```\n\n$$\n" + w("text") +
		"\n$$\n\n```mermaid\ngraph TD; " + w("text") + "-->b\n```\n\n![[" + w("asset") + ".txt]]\n\n-----BEGIN PGP MESSAGE-----\n" + w("text") + "\n-----END PGP MESSAGE-----\n-- " + w("folder") + "/" + w("asset") + ".txt --\n" + w("text") + "\n"
}

// openPages link to the page in every way that has a text of its own.
func openPages() string {
	in := secretOf("folder") + "/" + secretOf("name")
	return "-- wiki.yaml --\nsite: {repo: \"https://git.example/r\", url: \"https://wiki.example\", edit_url: \"https://git.example/e/{path}\"}\n-- index.md --\n# Start\n\nSee [[open]].\n-- open.md --\n---\ntitle: Open\nupdated: 2026-01-02\ntags: [shown]\nsources: [" + in + ".md]\nrelated: [\"[[" +
		secretOf("name") + "]]\"]\nsuperseded_by: \"[[" + secretOf("name") + "]]\"\n---\n# Open\n\nOne [[" + in + "|label one]], two [label two](" + in + ".md), three [label three][ref], four [[" + secretOf("name") + "#" + secretOf("heading") + "|label four]], <a href=\"" + in +
		".md\">label five</a>, ![[" + secretOf("name") + "|label six]], [[" + secretOf("alias") + "|label seven]], [[" + secretOf("title") + "|label eight]], [label nine](" + in + ".md#" + secretOf("heading") + " \"a title\").\n\n| setting | value |\n|---|---|\n| limit | [[" + secretOf("name") +
		"\\|label ten]] |\n| other | 4 |\n\n[ref]: " + in + ".md\n-- other.md --\n---\nupdated: 2026-01-03\n---\n# Other\n\nSee [[open]] and [[index]].\n"
}

// published returns the files of a site that hold a word, by name or content. Of
// compressed ones it is the content that counts.
func published(t *testing.T, files map[string]string, word string) (out []string) {
	t.Helper()
	for name, content := range files {
		if strings.HasPrefix(content, "\x1f\x8b") {
			z, err := gzip.NewReader(strings.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			content = string(b)
		}
		plain, err := url.PathUnescape(name)
		if err != nil {
			plain = name
		}
		if bytes.Contains(bytes.ToLower([]byte(plain+"\n"+content)), []byte(word)) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// around returns a word with the text on both sides.
func around(content, word string) string {
	i := strings.Index(strings.ToLower(content), word)
	return content[max(0, i-100):min(len(content), max(0, i)+100)]
}

// everything builds a wiki with all that a site can show: facts, mentions and
// contradictions of all pages.
func everything(t *testing.T, archive string) map[string]string {
	t.Helper()
	w := compilertest.Compile(t, compilertest.Write(t, archive))
	facts := func(p *schema.Page) (out []schema.Claim) {
		for i := range p.Tables {
			out = append(out, schema.Claim{From: schema.OriginTable, Attr: schema.Attribute{Name: "value"}, Text: string(p.Tables[i].Span.In(p.Source)), Span: p.Tables[i].Span})
		}
		return out
	}
	var mentions []schema.Mention
	contradiction := schema.Contradiction{About: "limit"}
	for _, p := range w.Pages() {
		i := strings.Index(string(p.Source), "| limit ")
		if i < 0 {
			continue
		}
		span := schema.Span{Start: i, End: i + len("| limit ")}
		contradiction.Sides = append(contradiction.Sides, schema.Side{Path: p.Path, Span: span, Text: "limit"})
		for _, other := range w.Pages() {
			mentions = append(mentions, schema.Mention{Path: p.Path, Span: span, Of: other.Path})
		}
	}
	dir := t.TempDir()
	buildTo(t, layOut(t, w, Options{Facts: facts, Mentions: mentions, Contradictions: []schema.Contradiction{contradiction}}), dir)
	return tree(t, dir)
}

// TestWithheldPagesAreInNoFile looks for what pages that are not published say, and for
// what links call them, in the names and contents of all files of the site.
func TestWithheldPagesAreInNoFile(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"---\nprivate: true", "---\ndraft: yes", "---\npublish: false", "---\nvisibility: team", "---\nstatus: draft", "---\nprivate: [1\nx: {"} {
		t.Run(mark[4:], func(t *testing.T) {
			t.Parallel()
			files := everything(t, openPages()+withheldPage(mark))
			for _, s := range secrets {
				for _, word := range []string{s.word, s.word[3:]} {
					if found := published(t, files, word); len(found) > 0 {
						t.Errorf("%s (%s) is in %v:\n%s", word, s.where, found, around(files[found[0]], word))
					}
				}
			}
			for _, name := range []string{"open.html", "open.md", "llms-full.txt"} {
				for i, label := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"} {
					if !strings.Contains(files[name], "label "+label) {
						t.Errorf("%s: the text of link %d is gone", name, i+1)
					}
				}
			}
		})
	}
}

// TestUnlistedPagesAreInTheirOwnFilesOnly has a page that is reached by links alone: the
// pages that link to it have its address, and what it says is in its own files.
func TestUnlistedPagesAreInTheirOwnFilesOnly(t *testing.T) {
	t.Parallel()
	files := everything(t, strings.ReplaceAll(openPages(), "![[", "[[")+withheldPage("---\nunlisted: true"))
	own := []string{manifestName}
	for name := range files {
		for _, where := range []string{"name", "permalink", "alias", "redirect", "asset"} {
			if strings.Contains(name, secretOf(where)) {
				own = append(own, name)
			}
		}
	}
	for _, s := range secrets {
		for _, name := range published(t, files, s.word) {
			address := slices.Contains([]string{"folder", "name", "title", "alias", "heading", "permalink"}, s.where)
			if !slices.Contains(own, name) && !(address && (strings.HasPrefix(name, "open.") || name == llms.FullName)) {
				t.Errorf("%s (%s) is in %s:\n%s", s.word, s.where, name, around(files[name], s.word))
			}
		}
	}
	if len(own) < 6 {
		t.Errorf("the page has the files %v", own)
	}
}

// TestSourcesLoseCommentsAndLinks has both in one page: what hides one must not keep the other.
func TestSourcesLoseCommentsAndLinks(t *testing.T) {
	t.Parallel()
	facts := func(p *schema.Page) []schema.Claim {
		return []schema.Claim{
			{From: schema.OriginFrontmatter, Attr: schema.Attribute{Name: "ticket"}, Text: "W-1"},
			{From: schema.OriginTable, Attr: schema.Attribute{Name: "WHISPER"}, Text: "7", Span: schema.Span{Start: len(p.Source), End: len(p.Source)}},
			{From: schema.OriginTable, Attr: schema.Attribute{Name: "limit"}, Text: "9", Span: schema.Span{Start: len(p.Source), End: len(p.Source)}},
		}
	}
	w := wikiOf(t,
		"a.md", "---\nticket: W-1\n---\n# A\n\nBefore %%WHISPER%% and [a label](secret.md) <!-- WHISPER --> after.\n",
		"secret.md", "---\nprivate: true\n---\n# Secret\n")
	s := layOut(t, w, Options{Facts: facts})
	for name, wants := range map[string][2]string{"a.md": {"Before  and a label  after.", "secret.md"}, "a.json": {`"limit"`, "W-1"}} {
		got := render(t, s, name)
		if !strings.Contains(got, wants[0]) || strings.Contains(got, "WHISPER") || strings.Contains(got, wants[1]) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
