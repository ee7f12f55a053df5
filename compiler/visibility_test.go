package compiler

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

func visibilityOf(src string) *schema.Page {
	p := &schema.Page{Path: "p.md", Source: []byte(src)}
	readFrontmatter(p)
	return p
}

// values are what people write behind a key that hides a page, and what the
// page is with each of them.
var hidingValues = []struct {
	value string
	level schema.VisibilityLevel
}{
	{"true", schema.Private}, {"True", schema.Private}, {"TRUE", schema.Private}, {"yes", schema.Private}, {"Yes", schema.Private},
	{"y", schema.Private}, {"on", schema.Private}, {"ON", schema.Private}, {"1", schema.Private}, {"t", schema.Private},
	{`"true"`, schema.Private}, {"'yes'", schema.Private}, {"[true]", schema.Private}, {"true # not yet", schema.Private},
	{"true\u00a0", schema.Private}, {"true\u00a0# later", schema.Private}, {"\u200btrue", schema.Private}, {"true\ufeff", schema.Private},
	{"ｔｒｕｅ", schema.Private}, {"ok", schema.Private}, {"✓", schema.Private}, {"✅", schema.Private}, {"maybe", schema.Private},
	{`"not yet"`, schema.Private}, {"alice", schema.Private}, {"2", schema.Private}, {"2030-01-01", schema.Private}, {"{{draft}}", schema.Private},
	{"[[Other page]]", schema.Private}, {"[false, true]", schema.Private}, {"tru", schema.Private}, {"\"#yes\"", schema.Private},
	{"false", schema.Public}, {"False", schema.Public}, {"no", schema.Public}, {"n", schema.Public}, {"off", schema.Public},
	{"0", schema.Public}, {"none", schema.Public}, {`""`, schema.Public}, {"[]", schema.Public}, {`"false"`, schema.Public},
	{"[false]", schema.Public}, {"false # true", schema.Public}, {"false\u00a0", schema.Public}, {"ｆａｌｓｅ", schema.Public},
}

func TestHidingValuesInEveryFormat(t *testing.T) {
	t.Parallel()
	formats := map[string]string{
		"yaml":            "---\ntitle: x\n%[1]s: %[2]s\n---\n# A\n",
		"byte order mark": "\ufeff---\n%[1]s: %[2]s\n---\n# A\n",
		"crlf":            "---\r\n%[1]s: %[2]s\r\n---\r\n# A\r\n",
		"key in quotes":   "---\n\"%[1]s\" : %[2]s\n---\n",
		"complex key":     "---\n? %[1]s\n: %[2]s\n---\n",
		"merge":           "---\n<<: {%[1]s: %[2]s}\n---\n",
		"flow":            "---\n{title: x, %[1]s: %[2]s }\n---\n",
		"anchor":          "---\nbase: &b %[2]s\n%[1]s: *b\n---\n",
		"given twice":     "---\n%[1]s: false\ntitle: x\n%[1]s: %[2]s\n---\n",
		"toml":            "+++\ntitle = \"x\"\n%[1]s = %[2]s\n+++\n# A\n",
		"toml in dashes":  "---toml\n%[1]s = %[2]s\n---\n",
		"toml table":      "+++\n[params]\n%[1]s = %[2]s\n+++\n",
		"json":            "{\n  \"title\": \"x, y\",\n  \"%[1]s\": %[2]s\n}\n# A\n",
		"json, one line":  "{\"title\": \"x, y\", \"%[1]s\": %[2]s}\n# A\n",
		"semicolons":      ";;;\n\"%[1]s\": %[2]s\n;;;\n# A\n",
		"dashes, json":    "---json\n{\"%[1]s\": %[2]s}\n---\n",
		"invalid":         "---\ntitle: a: b\n%[1]s: %[2]s\n---\n# A\n",
		"invalid, nested": "---\ntitle: a: b\nmeta: [x\n  %[1]s: %[2]s\n---\n# A\n",
		"unclosed":        "---\ntitle: x\n%[1]s: %[2]s\n\n# A\n",
		"unclosed, blank": "---\ntitle: x\n\n%[1]s: %[2]s\nb: c\n\n# A\n",
		"second block":    "---\ntitle: x\n---\n\n---\n%[1]s: %[2]s\n---\n# A\n",
		"behind comment":  "<!-- generated -->\n---\n%[1]s: %[2]s\n---\n# A\n",
		"behind comments": "<!-- one\ntwo -->\n%%%% three %%%%\n\n---\ntitle: x\n%[1]s: %[2]s\n---\n# A\n",
		"behind text":     "Here is the page:\n\n---\ntitle: x\n%[1]s: %[2]s\n---\n# A\n",
		"wide colon":      "---\ntitle: x\n%[1]s： %[2]s\n---\n# A\n",
		"in code":         "```markdown\n---\n%[1]s: %[2]s\n---\n# A\n```\n",
		"no-break space":  "\u00a0---\u00a0\n%[1]s: %[2]s\n\u00a0---\n# A\n",
		"long dashes":     "—-\n%[1]s: %[2]s\n—-\n# A\n",
		"conflict inside": "---\ntitle: x\n<<<<<<< HEAD\n%[1]s: false\n=======\n%[1]s: %[2]s\n>>>>>>> b\n---\n# A\n",
		"conflict around": "<<<<<<< HEAD\n---\ntitle: x\n=======\n---\n%[1]s: %[2]s\n>>>>>>> b\ntags: [a]\n---\n# A\n",
		"too long":        "---\n%[1]s: %[2]s\nlong: " + strings.Repeat("x", 1<<20) + "\n---\n# A\n",
	}
	skip := func(format, value string) bool { // the value is not one of the format
		switch format {
		case "flow", "merge":
			return strings.Contains(value, "#") || strings.Contains(value, "{")
		case "unclosed, blank": // these lines may be text: only what is beyond doubt counts
			n := lineNode([]byte(value), schema.Span{End: len(value)})
			w, _ := truthOf(n)
			return w != saysTrue && w != saysFalse
		}
		return false
	}
	for format, src := range formats {
		for _, key := range []string{"draft", "Private", "HIDDEN", "internal"} {
			for _, v := range hidingValues {
				if skip(format, v.value) {
					continue
				}
				page := visibilityOf(fmt.Sprintf(src, key, v.value))
				if level, _ := page.Visibility.Level(false); level != v.level {
					t.Errorf("%s: %s: %s is %v, want %v", format, key, v.value, level, v.level)
				}
			}
		}
	}
}

func TestVisibilityOfKeysAndValues(t *testing.T) {
	t.Parallel()
	tests := map[string]schema.VisibilityLevel{
		"publish: false": schema.Private, "published: no": schema.Private, "public: off": schema.Private, "dg-publish: 0": schema.Private,
		"dg_publish: 'false'": schema.Private, "DG Publish: n": schema.Private, "publish: [false]": schema.Private, "publish: []": schema.Private,
		"publish:": schema.Private, "publish: null": schema.Private, "publish: \"\"": schema.Private, "publish: never": schema.Private,
		"publish: not yet": schema.Private, "publish: No, later": schema.Private, "publish: fаlse": schema.Private, "publish: 0.0": schema.Private,
		"published: null": schema.Private, "publish: ❌": schema.Private, "public: private": schema.Private, "publish: |\n  false": schema.Private,
		"publish: true": schema.Public, "publish: yes": schema.Public, "published:": schema.Public, "published: 2099-01-01": schema.Public,
		"published: 2024": schema.Public, "published: March 3, 2024": schema.Public, "published: 1700000000": schema.Public,
		"published: Nature": schema.Public, "public: https://example.org/no": schema.Public, "publish: norway": schema.Public,
		"visibility: private": schema.Private, "access: Internal": schema.Private, "visibility: team": schema.Private, "visibility: [me]": schema.Private,
		"visibility: unlisted": schema.Unlisted, "visibility: public": schema.Public, "access: public": schema.Public, "visibility:": schema.Public,
		"access: 2024-05-01": schema.Public, "visibility: {a: b}": schema.Private,
		"status: draft": schema.Private, "state: Private": schema.Private, "status: unpublished": schema.Private, "lifecycle: draft": schema.Private,
		"status: \"draft \"": schema.Private, "status: [draft]": schema.Private, "status: draft standard": schema.Public, "status: wip": schema.Public,
		"status: private beta": schema.Public, "status: active": schema.Public, "state: published": schema.Public,
		"unlisted: true": schema.Unlisted, "unlisted: maybe": schema.Unlisted, "unlisted: no": schema.Public,
		"unlisted: true\nprivate: yes": schema.Private, "is_draft: true": schema.Private, "isDraft: yes": schema.Private, "unpublished: true": schema.Private,
		"publish: 0x0": schema.Private, "publish: 0o0": schema.Private, "publish: -0": schema.Private, "publish: 00": schema.Private, "publish: 0b0": schema.Private,
		"params: {draft: true}": schema.Private, "params:\n  publish: no": schema.Private, "Params: {page: {private: 1}}": schema.Private, "params.draft: yes": schema.Private,
		"extra:\n  unlisted: true": schema.Unlisted, "params: {draft: false}": schema.Public, "params: {color: {private: true}}": schema.Public,
		"draft: !!bool yes": schema.Private, "draft: !!str false": schema.Public, "draft: |\n  true": schema.Private, "draft:\n  - true": schema.Private,
		"draft:": schema.Public, "draft: ~": schema.Public, "draft: {}": schema.Private, "draft:\n  until: monday": schema.Private,
		"source: {private: true}": schema.Public, "drafts: true": schema.Public, "title: draft": schema.Public, "date: 2999-01-01": schema.Public,
		"draft: false\nDraft: yes": schema.Private, "ｄｒａｆｔ: true": schema.Private, "dra\u200bft: true": schema.Private,
	}
	for front, want := range tests {
		page := visibilityOf("---\ntitle: x\n" + front + "\n---\n# A\n")
		if got, _ := page.Visibility.Level(false); got != want {
			t.Errorf("%q is %v, want %v (%+v)", front, got, want, page.Visibility.Marks)
		}
	}
}

func TestProseDoesNotHidePages(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"# Hugo\n\nA draft has this:\n\n```yaml\n---\ndraft: true\n---\n```\n",
		"Text first.\n\n```toml\n+++\ndraft = true\n+++\n```\n",
		"```yaml\ndraft: true\n```\n",
		"# A\n\n---\ndraft: true\n---\n",
		"Private: this page is about privacy.\n\ndraft: true\n",
		"Some text\nmore text\n\n---\n\nHidden: a word.\nText follows here.\nAnd more of it.\n\n---\n",
		"---\ntitle: x\n---\nText.\n\n---\ndraft: true\n---\n",
		"---\n\n# Design\n\nStatus: draft\n\nText.\n",
		"<!--\n---\ndraft: true\n---\n-->\n# A\n",
		"{: .draft}\nText\n",
		"{{draft: true}}\n",
		"---\ntitle: x\n---\n\n```toml\n+++\ndraft = true\n+++\n```\n\nText.\n",
		"```yaml\n---\ndraft: true\n---\n```\n\n# A\n\n```sh\nls\n```\n",
		"---\n\nText.\n\n```yaml\ndraft: true\n```\n\n---\n",
		"---\ntitle: x\n---\n{\"draft\": false}\n",
	} {
		if level, why := visibilityOf(src).Visibility.Level(false); level != schema.Public {
			t.Errorf("%q is %v by %+v", src, level, why)
		}
	}
}

func TestVisibilityMarks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src                  string
		value                string
		plain, unread, draft bool
		suggest              string
	}{
		{"---\ndraft: true\n---\n", "true", true, false, true, "true"},
		{"---\ndraft: true # later\n---\n", "true", true, false, true, "true"},
		{"---\ndraft: yes\n---\n", "yes", false, false, true, "true"},
		{"---\nprivate: alice\n---\n", "alice", false, false, false, ""},
		{"---\nstatus: Draft\n---\n", "Draft", true, false, true, ""},
		{"---\npublish:\n---\n", "", false, false, false, ""},
		{"+++\ndraft = true\n+++\n", "true", true, false, true, "true"},
		{"{\"draft\": true}\n", "true", true, false, true, "true"},
		{"<!-- x -->\n---\ndraft: true\n---\n", "true", true, true, false, "true"},
	}
	for _, tt := range tests {
		page := visibilityOf(tt.src)
		if len(page.Visibility.Marks) != 1 {
			t.Errorf("%q has the marks %+v, want one", tt.src, page.Visibility.Marks)
			continue
		}
		m := page.Visibility.Marks[0]
		if m.Value != tt.value || m.Plain != tt.plain || m.Unread != tt.unread || m.Draft != tt.draft || m.Suggest != tt.suggest {
			t.Errorf("%q: %+v", tt.src, m)
		}
		if tt.value != "" && string(m.Span.In(page.Source)) != tt.value {
			t.Errorf("%q: the span is %q", tt.src, m.Span.In(page.Source))
		}
	}
}

func TestUnparsedFrontMatterIsNotText(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"+++\ntitle = \"x\"\n+++\nBODY\n", "{\n \"title\": \"x\"\n}\nBODY\n", ";;;\n{\"a\": 1}\n;;;\nBODY\n"} {
		if p := visibilityOf(src); src[p.Body:] != "BODY\n" {
			t.Errorf("the body of %q is %q", src, src[p.Body:])
		}
	}
}

func TestDraftInUTF16(t *testing.T) {
	t.Parallel()
	for _, bom := range []bool{true, false} {
		var b []byte
		text := "---\ntitle: x\ndraft: true\n---\n# A\n"
		if bom {
			text = "\ufeff" + text
		}
		for _, u := range utf16.Encode([]rune(text)) {
			b = append(b, byte(u), byte(u>>8))
		}
		if level, _ := visibilityOf(string(b)).Visibility.Level(false); level != schema.Private {
			t.Errorf("a draft in UTF-16 (byte order mark: %v) is %v", bom, level)
		}
	}
}

// TestMisplacedFrontMatterHidesThePage has values that no parser reads, since their
// block is not the page's front matter.
func TestMisplacedFrontMatterHidesThePage(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"---\ntitle: x\n---\n{\"draft\": true}\n\n# A\n",
		"---\ntitle: x\n---\n\n{\n  \"publish\": false\n}\n# A\n",
		"---\nmade by hand\ndraft: true\n\n# A\n",
		"---\nOne.\nTwo.\nThree.\nprivate: yes\n---\n# A\n",
		"---\n" + strings.Repeat("Words.\n", 30) + "draft: true\n---\n# A\n",
		"---\n# about\n---\ndraft: true\n---\n# A\n",
		"draft: true\n---\n# A\n",
		"```markdown\n---\ndraft: true\n---\n# A\n\n```js\nx\n```\n\nText.\n```\n",
	} {
		page := visibilityOf(src)
		if level, why := page.Visibility.Level(false); level != schema.Private || !why.Unread {
			t.Errorf("%.60q is %v by %+v", src, level, why)
		}
	}
}

// TestUnparsableTags are marks that hide nothing, for lint.
func TestUnparsableTags(t *testing.T) {
	t.Parallel()
	page := visibilityOf("+++\ntags = [\"a\", \"draft\"]\n+++\n# A\n")
	if m := page.Visibility.Marks; len(m) != 1 || m[0].Level != schema.Public || m[0].Plain {
		t.Errorf("the marks are %+v", m)
	}
}

func FuzzVisibility(f *testing.F) {
	for _, form := range schematest.Vary(60,
		"---\ndraft: yes\n---\n# A\n", "+++\ndraft = true\n+++\n", "{\"draft\": [true]}\n", "<!-- x -->\n---\npublish: no\n---\n",
		"<<<<<<< a\n---\ndraft: true\n=======\n---\n>>>>>>> b\n", "---\na: b: c\nprivate:\n  - yes\n---\n", "draft:: true\n", "---\na: {draft: true,\n---\n") {
		f.Add(form)
	}
	f.Fuzz(func(t *testing.T, src string) {
		page := visibilityOf(src)
		for _, m := range page.Visibility.Marks {
			if m.Span.Start < 0 || m.Span.End > len(src) || m.Span.End < m.Span.Start {
				t.Fatalf("the span %v is not in the page", m.Span)
			}
		}
		if page.Body < 0 || page.Body > len(src) {
			t.Fatalf("the body begins at %d of %d", page.Body, len(src))
		}
		// A draft stays one, whatever else its front matter holds.
		if fb := splitFrontmatter(page.Source); fb.found && !fb.unclosed && len(page.Faults) == 0 && page.Front.Root != nil && page.Front.Root.Span.Start == fb.yaml.Start {
			more := src[:fb.yaml.Start] + "draft: true\n" + src[fb.yaml.Start:]
			if level, _ := visibilityOf(more).Visibility.Level(false); level != schema.Private {
				t.Fatalf("%q is %v", more, level)
			}
		}
	})
}

func TestEscapedKeysAndValues(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"{\"dr\\u0061ft\": true}\n", "{\"publish\": \"f\\u0061lse\"}\n", "+++\n\"dr\\u0061ft\" = true\n+++\n", "---\n\"dr\\u0061ft\": \"\\x79es\"\n---\n",
		"{\"\\u0064raft\": true}\n", "+++\n\"\\U00000064raft\" = true\n+++\n", "---\na: [\n\"\\x64raft\": true\n---\n", "---\n\"\\x64raft\": true\n---\n",
	} {
		if level, _ := visibilityOf(src).Visibility.Level(false); level != schema.Private {
			t.Errorf("%q is %v", src, level)
		}
	}
}
