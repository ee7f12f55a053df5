package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// privateSpelling is one way to keep a page back, in three formats. Where odd names a format
// by its letter (y, t, j) the value is not a plain truth there, and lint has to name its line.
type privateSpelling struct {
	key, yaml, toml, json string
	odd                   string
}

// same is a value that all formats spell alike.
func privateSame(key, value, odd string) privateSpelling {
	return privateSpelling{key, value, value, value, odd}
}

// privateWord is a word that YAML can write without quotes.
func privateWord(key, word, odd string) privateSpelling {
	quoted := `"` + word + `"`
	return privateSpelling{key, word, quoted, quoted, odd}
}

var privateSpellings = []privateSpelling{
	privateSame("draft", "true", ""),
	privateSame("draft", "1", "ytj"),
	privateSame("draft", `"true"`, "ytj"),
	privateSame("draft", `"yes"`, "ytj"),
	privateSame("draft", `"1"`, "ytj"),
	privateSame("draft", `" true "`, "ytj"),
	privateSame("draft", "[true]", "ytj"),
	privateSame("draft", `["yes"]`, "ytj"),
	{"draft", "true # until June", "true # until June", "true /* until June */", ""},
	{"draft", "true\u00a0", "\"true\u00a0\"", "\"true\u00a0\"", "ytj"},
	privateWord("draft", "yes", "ytj"),
	privateWord("draft", "Yes", "ytj"),
	privateWord("draft", "on", "ytj"),
	privateWord("draft", "On", "ytj"),
	privateWord("draft", "y", "ytj"),
	privateWord("draft", "TRUE", "tj"),
	privateWord("draft", "True", "tj"),
	{"draft", "'YES'", "'YES'", `"YES"`, "ytj"},
	privateSame("Draft", "true", ""),
	privateWord("DRAFT", "ON", "ytj"),
	privateSame("private", "true", ""),
	privateWord("private", "yes", "ytj"),
	privateSame("private", "1", "ytj"),
	privateSame("Private", `"true"`, "ytj"),
	privateSame("hidden", "true", ""),
	privateWord("hidden", "on", "ytj"),
	privateSame("hidden", "[true]", "ytj"),
	privateSame("internal", "true", ""),
	privateWord("internal", "Y", "ytj"),
	privateSame("INTERNAL", `"yes"`, "ytj"),
	privateSame("publish", "false", ""),
	privateWord("publish", "no", "ytj"),
	privateWord("publish", "off", "ytj"),
	privateSame("publish", "0", "ytj"),
	privateSame("publish", `"false"`, "ytj"),
	privateSame("publish", "[false]", "ytj"),
	privateWord("publish", "n", "ytj"),
	privateSame("published", "false", ""),
	privateWord("published", "No", "ytj"),
	privateWord("Published", "FALSE", "tj"),
	privateSame("published", `"0"`, "ytj"),
	privateSame("public", "false", ""),
	privateWord("public", "Off", "ytj"),
	privateSame("dg-publish", "false", ""),
	privateWord("dg-publish", "no", "ytj"),
	privateSame("dg_publish", "0", "ytj"),
	privateWord("visibility", "private", ""),
	privateSame("Visibility", `"PRIVATE"`, ""),
	privateWord("status", "draft", ""),
	privateWord("status", "Private", ""),
	privateWord("status", "unpublished", ""),
	privateSame("status", `["draft"]`, ""),
	privateSame("Status", `" draft "`, ""),
	privateWord("state", "draft", ""),
	privateWord("state", "PRIVATE", ""),
	privateWord("state", "unpublished", ""),
}

// Front matter around one line of its own, which is the sixth of the file.
const (
	privateYAMLPage = "---\ntitle: \"%stitle\"\ntags: [\"%stag\"]\naliases: [\"%salias\", \"old/%sredirect\"]\ndescription: \"%sdesc\"\n%LINE%\n---\n%BODY%"
	privateTOMLPage = "+++\ntitle = \"%stitle\"\ntags = [\"%stag\"]\naliases = [\"%salias\", \"old/%sredirect\"]\ndescription = \"%sdesc\"\n%LINE%\n+++\n%BODY%"
	privateJSONPage = "{\n\"title\": \"%stitle\",\n\"tags\": [\"%stag\"],\n\"aliases\": [\"%salias\", \"old/%sredirect\"],\n\"description\": \"%sdesc\",\n%LINE%\n}\n\n%BODY%"
	privateLine     = 6
)

func privateIn(format, line string) string { return strings.Replace(format, "%LINE%", line, 1) }

// privateMatrix has each spelling in each format.
func privateMatrix() []privatePage {
	var pages []privatePage
	for _, s := range privateSpellings {
		for _, f := range []struct{ name, format, line string }{
			{"yaml", privateYAMLPage, s.key + ": " + s.yaml},
			{"toml", privateTOMLPage, s.key + " = " + s.toml},
			{"json", privateJSONPage, fmt.Sprintf("%q: %s", s.key, s.json)},
		} {
			p := privatePage{name: f.name + "/" + f.line, text: privateIn(f.format, f.line)}
			if strings.Contains(s.odd, f.name[:1]) {
				p.line = privateLine
			}
			pages = append(pages, p)
		}
	}
	return pages
}

func privateLines(name, format string, either bool, lines ...string) []privatePage {
	var pages []privatePage
	for _, line := range lines {
		pages = append(pages, privatePage{name: name + "/" + line, text: privateIn(format, line), either: either})
	}
	return pages
}

// privateYAML are forms that only YAML has.
func privateYAML() []privatePage {
	sure := privateLines("yaml form", privateYAMLPage, false,
		"draft : true", "draft:   true   ", "draft:\ttrue", `"draft": true`, `'draft': yes`, `"\x64raft": true`, "? draft\n: true",
		"draft: !!bool true", `draft: !!bool "yes"`, "draft: !!str true", "draft: |\n  true", "draft: >-\n  yes", "draft: |+\n  on\n",
		"draft:\n  true", "draft: # soon\n  true", "draft:\n- true", "draft:\n  - yes", "draft: &a true", "flag: &a true\ndraft: *a",
		"flag: &a yes\nprivate: *a", "base: &b\n  draft: true\n<<: *b", "<<: {draft: true}", "<<: [{a: b}, {private: yes}]", "base: &b {publish: no}\n!!merge <<: *b",
		"draft: ｔｒｕｅ", "ｄｒａｆｔ: true", "dra\u200bft: true", "draft: tr\u200bue", "draft: \u200btrue", "\u200bdraft: true", "draft\u00a0: true", "draft: \u00a0true",
		"draft: true\u2003", "draft: \u2060yes", "dra\u00adft: true", "draft: true\ufeff", "\ufeffdraft: true", "\u00a0draft: true", "draft\u200b: yes",
		"draft: false\ndraft: true", "draft: true\ndraft: false", "draft: false\nDraft: true", "draft: false\nprivate: true", "publish: true\ndraft: true", "publish: true\npublished: no",
		"status: active\nstate: draft", "status:\ndraft: yes", "Dg-Publish: false", "DG_PUBLISH: FALSE", "dg-publish: [no]", "draft: \"\\u0074rue\"", "draft: [[true]]", "draft: [false, true]",
		"draft: ['true']", "draft:\n\n\n  true", "draft: 01", "draft: 0x1", "draft: 1.0", "draft: +1", "publish: 0.0", "publish: -0", "publish: 0x0", "publish: 00",
		"status: \"draft\u00a0\"", "status: ｄｒａｆｔ", "status: dra\u200bft", "visibility: [private]", "visibility: \"private \"", "status:\n  - private", "status: !!str draft", "status: |\n  draft",
	)
	broken := privateLines("yaml that can't be read", privateYAMLPage, false,
		"a: [\ndraft: true", "a: \"open\ndraft: true", "a: 'open\ndraft: yes", "a: {b: c\nprivate: 1", "\tdraft: true", "a: b: c\ndraft: on", "a: *nobody\ndraft: true",
		"draft: true\na: [", "a: b\n c: d\ndraft: true", "@a: b\ndraft: yes", "a: !!int x\ndraft: true", "a: `x`\npublish: no", "- a\ndraft: true", "%a\nstatus: draft",
		"draft: true\ndraft: [", "draft: \"true", "draft: [true", "draft: 'yes", "a: [\n  draft: true", "a: [\n\"draft\": true", "a: [\nDRAFT :  Yes # x", "a: [\npublish: \"false\"", "a: [\nvisibility: private",
		"a: [\nstate: unpublished", "a: [\ndraft:\n  true", "a: [\r\ndraft: true\r", "a: \xff\xfe\ndraft: true", "a: \x00\ndraft: true", "a: \x07\nprivate: yes", "draft: true\x00", "draft: true\x01",
		"a: [\ndraft = true", "x\ndraft: true",
	)
	either := privateLines("yaml, published or named", privateYAMLPage, true,
		"params: {draft: true}", "params:\n  draft: true", "draft: maybe", "draft: ✓", "draft: ja", "draft: 2", "draft: {value: true}", "draft: {a: b}", "draft: sure", "draft: x", "publish: never", "publish: later",
		"private: me only", "visibility: internal", "visibility: hidden", "status: draft (for review)", "tags: [draft]",
		"tags: [private]", "tags: [Draft, other]", "tags: private, b", "tag: draft", "published: tomorrow", "draft: \"\\\"true\\\"\"", "publish: nope", "draft: tru", "draft: T", "publish: F", "draft: \"true,\"", "draft: true,", "draft: true;", "draft: 'true'.", "draft: \"'true'\"", "draft: ‘true’",
		"draft: “yes”", "draft: yes!", "draft: (true)", "status: Draft.", "a: [\n? draft\n: true", "a: [\n{draft: true}", "hidden: 2099-01-01",
	)
	return append(append(sure, broken...), either...)
}

// privateTOML are forms that only TOML has.
func privateTOML() []privatePage {
	sure := privateLines("toml form", privateTOMLPage, false,
		"draft=true", "  draft  =  true", "\tdraft = true", `"draft" = true`, "'draft' = true", `"\u0064raft" = true`, `draft = """true"""`, "draft = '''\nyes'''", "draft = [\n  true,\n]",
		"draft = false\ndraft = true", "draft = \"\\u0074rue\"", "draft = true # x", "draft = true\r", "[draft]\nvalue = true\n[other]\na = 1\n[x]\nb = 2\n#\ndraft = yes", "draft = 1.0", "draft = 0x1",
		"published = false", "status = 'private'", "visibility = '''private'''", "draft = ['yes']",
	)
	broken := privateLines("toml that can't be read", privateTOMLPage, false,
		"draft = yes", "draft = on", "draft = True", "draft: true", "draft = TRUE", "publish = no", "publish = off", "status = draft", "visibility = private", "a = [\ndraft = true", "a = \"open\ndraft = true", "a =\ndraft = true", "= b\nprivate = 1",
		"a = 1\na = 2\ndraft = true", "draft = true true", "a = \x00\ndraft = true", "draft =\ttrue,",
	)
	return append(sure, append(broken, privateLines("toml, published or named", privateTOMLPage, true, "[params]\ndraft = true", "params.draft = true", "params = {draft = true}", "draft = 2", "tags = [\"draft\"]")...)...)
}

// privateJSON are forms that only JSON has.
func privateJSON() []privatePage {
	sure := privateLines("json form", privateJSONPage, false,
		`"draft":true`, "\t\"draft\"\t:\ttrue", `"\u0064raft": true`, `"draft": "\u0074rue"`, `"draft": false, "draft": true`, "\"draft\":\n true", `"draft": ["1"]`, `"draft": 1.0`, `"draft": 1e0`, `"a": {"b": 1}, "draft": "on"`,
		"\"draft\": true\r", `"publish": 0.0`, `"a": "}", "private": true`, "\"a\": \"\\\"}\", \"hidden\": 1",
	)
	broken := privateLines("json that can't be read", privateJSONPage, false,
		"draft: true", "'draft': true", `"draft": True`, `"draft": yes`, `"draft": true,`, "// x\n\"draft\": true", `"a": [, "draft": true`, "\"a\": \"open,\n\"draft\": true", `"status": draft`, "\"a\": 1\n\"draft\": true", `"draft" = true`, `"publish": False`,
		"\"a\": \x00,\n\"draft\": true", "\"a\": 01,\n\"visibility\": \"private\"",
	)
	pages := append(sure, broken...)
	layouts := map[string]string{
		"one line":                 `{"title": "%stitle", "draft": true}` + "\n\n%BODY%",
		"one line, no blank":       `{"title": "%stitle", "draft": "yes"}` + "\n%BODY%",
		"indented":                 "{\n  \"title\": \"%stitle\",\n  \"draft\": true\n}\n%BODY%",
		"behind the brace":         "{ \"draft\": true,\n  \"title\": \"%stitle\" }\n%BODY%",
		"behind blank lines":       "\n\n{\n\"title\": \"%stitle\",\n\"draft\": true\n}\n\n%BODY%",
		"behind a mark":            "\ufeff{\n\"title\": \"%stitle\",\n\"draft\": true\n}\n\n%BODY%",
		"CRLF":                     "{\r\n\"title\": \"%stitle\",\r\n\"draft\": true\r\n}\r\n\r\n%BODY%",
		"unclosed":                 "{\n\"title\": \"%stitle\",\n\"draft\": true\n\n%BODY%",
		"text behind the brace":    "{\"title\": \"%stitle\", \"draft\": true} %stext\n\n%BODY%",
		"between three semicolons": ";;;\n\"title\": \"%stitle\",\n\"draft\": true\n;;;\n\n%BODY%",
		"between dashes":           "---\n{\"title\": \"%stitle\", \"draft\": true}\n---\n%BODY%",
		"dashes that say json":     "---json\n{\"title\": \"%stitle\", \"draft\": true}\n---\n%BODY%",
	}
	for _, name := range slices.Sorted(maps.Keys(layouts)) {
		pages = append(pages, privatePage{name: "json/" + name, text: layouts[name], either: slices.Contains([]string{"between three semicolons", "text behind the brace", "dashes that say json"}, name)})
	}
	return pages
}

// privateLayouts are pages whose front matter lies where it is not looked for, or can't be
// read as a whole.
func privateLayouts() []privatePage {
	long := strings.Repeat("note: "+strings.Repeat("x", 994)+"\n", 1100)
	var pages []privatePage
	for _, c := range []struct {
		name, text string
		either     bool
	}{
		{"too long, at the head", "---\ndraft: true\n" + long + "---\n%BODY%", false},
		{"too long, at the end", "---\n" + long + "draft: yes\n---\n%BODY%", false},
		{"too long, one value", "---\nnote: " + strings.Repeat("x", 1100<<10) + "\nprivate: on\n---\n%BODY%", false},
		{"too long, toml", "+++\n" + strings.ReplaceAll(strings.ReplaceAll(long, "note: ", "note = '"), "x\n", "x'\n") + "draft = true\n+++\n%BODY%", false},
		{"too long, json", "{\n" + strings.ReplaceAll(strings.ReplaceAll(long, "note: ", "\"note\": \""), "x\n", "x\",\n") + "\"draft\": true\n}\n\n%BODY%", false},
		{"too many keys", "---\n" + privateKeys(12000) + "draft: true\n---\n%BODY%", false},
		{"too deep", "---\na: " + strings.Repeat("[", 3000) + strings.Repeat("]", 3000) + "\ndraft: true\n---\n%BODY%", false},
		{"stands twice", "---\ntitle: \"%stitle\"\n---\n---\ndraft: true\n---\n%BODY%", false},
		{"stands twice, a line between", "---\ntitle: \"%stitle\"\n---\n\n---\ndraft: true\n---\n%BODY%", false},
		{"stands twice, yaml and toml", "---\ntitle: \"%stitle\"\n---\n+++\ndraft = true\n+++\n%BODY%", false},
		{"stands twice, toml and yaml", "+++\ntitle = \"%stitle\"\n+++\n\n---\nprivate: yes\n---\n%BODY%", false},
		{"stands twice, yaml and json", "---\ntitle: \"%stitle\"\n---\n{\"draft\": true}\n\n%BODY%", false},
		{"stands twice, the first is empty", "---\n---\n---\ndraft: true\n---\n%BODY%", false},
		{"behind a comment", "<!-- made by hand -->\n---\ntitle: \"%stitle\"\ndraft: true\n---\n%BODY%", false},
		{"behind a long comment", "<!--\nmade\nby hand\n-->\n\n---\ndraft: yes\n---\n%BODY%", false},
		{"behind two comments", "<!-- a --> <!-- b -->\n<!-- c -->\n---\nprivate: true\n---\n%BODY%", false},
		{"behind a comment, toml", "<!-- made by hand -->\n+++\ndraft = true\n+++\n%BODY%", false},
		{"behind a comment, json", "<!-- made by hand -->\n{\"draft\": true}\n\n%BODY%", false},
		{"behind a comment of Obsidian", "%% made by hand %%\n---\ndraft: true\n---\n%BODY%", false},
		{"behind blank lines", "\n\n \n\t\n---\ndraft: true\n---\n%BODY%", false},
		{"behind no-break space", "\u00a0\n---\ndraft: true\n---\n%BODY%", false},
		{"behind two marks", "\ufeff\ufeff---\ndraft: true\n---\n%BODY%", false},
		{"behind zero width", "\u200b---\ndraft: true\n---\n%BODY%", false},
		{"behind a mark and a blank line", "\ufeff\n---\ndraft: true\n---\n%BODY%", false},
		{"behind a form feed", "\f---\ndraft: true\n---\n%BODY%", false},
		{"behind NUL", "\x00---\ndraft: true\n---\n%BODY%", false},
		{"indented", " ---\n draft: true\n ---\n%BODY%", true},
		{"within conflict markers", "---\ntitle: \"%stitle\"\n<<<<<<< HEAD\ndraft: true\n=======\ndraft: false\n>>>>>>> other\n---\n%BODY%", false},
		{"within conflict markers, the other side", "---\n<<<<<<< HEAD\ntitle: \"%stitle\"\n||||||| base\n=======\npublish: no\n>>>>>>> other\n---\n%BODY%", false},
		{"between conflict markers", "<<<<<<< HEAD\n---\ntitle: \"%stitle\"\n---\n=======\n---\ndraft: true\n---\n>>>>>>> other\n%BODY%", false},
		{"between conflict markers, ours", "<<<<<<< HEAD\n---\ndraft: true\n---\n=======\n---\ndraft: false\n---\n>>>>>>> other\n%BODY%", false},
		{"between conflict markers, toml", "<<<<<<< HEAD\n+++\ndraft = true\n+++\n=======\n+++\n+++\n>>>>>>> other\n%BODY%", false},
		{"conflict markers around all", "<<<<<<< HEAD\n---\ndraft: true\n---\n%BODY%\n=======\n---\ntitle: x\n---\n%BODY%\n>>>>>>> other\n", false},
		{"an opening fence within the conflict", "<<<<<<< HEAD\n---\ntitle: a\n=======\n---\ndraft: true\n>>>>>>> other\n---\n%BODY%", false},
		{"unclosed", "---\ntitle: \"%stitle\"\ndraft: true\n\n%BODY%", false},
		{"unclosed, no title", "---\ndraft: yes\n%BODY%", false},
		{"unclosed, prose first", "---\nmade by hand\ndraft: true\n\n%BODY%", true},
		{"unclosed, toml", "+++\ntitle = \"%stitle\"\ndraft = true\n\n%BODY%", false},
		{"nothing but front matter, unclosed", "---\ntitle: \"%stitle\"\ndraft: true", false},
		{"closed by dots", "---\ndraft: true\n...\n%BODY%", false},
		{"closed by four dashes", "---\ndraft: true\n----\n%BODY%", false},
		{"opened by four dashes", "----\ndraft: true\n----\n%BODY%", true},
		{"opened by dashes and a word", "--- yaml\ndraft: true\n---\n%BODY%", true},
		{"opened by dashes that say yaml", "---yaml\ndraft: true\n---\n%BODY%", true},
		{"opened by dashes that say toml", "---toml\ndraft = true\n---\n%BODY%", true},
		{"opened by dashes and a comment", "--- # about\ndraft: true\n---\n%BODY%", false},
		{"closed by an indented fence", "---\ndraft: true\n ---\n%BODY%", false},
		{"closed by dashes and plus", "---\ndraft: true\n+++\n%BODY%", false},
		{"opened by plus, yaml inside", "+++\ndraft: true\n+++\n%BODY%", false},
		{"toml between dashes", "---\ndraft = true\n---\n%BODY%", false},
		{"spaces behind the fences", "---  \t\ntitle: \"%stitle\"\ndraft: true\n--- \n%BODY%", false},
		{"CRLF", "---\r\ntitle: \"%stitle\"\r\ndraft: yes\r\n---\r\n%BODY%", false},
		{"CR", "---\rtitle: \"%stitle\"\rdraft: yes\r---\r%BODY%", false},
		{"CR, spelled as LF in toml", "+++\rdraft = true\r+++\r%BODY%", false},
		{"a mark", "\ufeff---\ndraft: true\n---\n%BODY%", false},
		{"prose that outweighs the keys", "---\nThis is what I think.\nIt is not much yet.\nRead it later.\ndraft: true\n---\n%BODY%", false},
		{"UTF-16", "\xff\xfe---\ndraft: true\n---\n%BODY%", false},
		{"a page that is too complex", "---\ntitle: \"%stitle\"\ndraft: yes\n---\n%BODY%\n" + strings.Repeat("> ", 400) + "deep\n", false},
		{"a page that is too long", "---\ntitle: \"%stitle\"\ndraft: yes\n---\n%BODY%\n" + strings.Repeat(strings.Repeat("word ", 20)+"\n", 106000), false},
		{"fence of another document", "--- \n# about\n---\ndraft: true\n---\n%BODY%", false},
		{"a document mark first", "%YAML 1.2\n---\ndraft: true\n---\n%BODY%", true},
	} {
		pages = append(pages, privatePage{name: "layout/" + c.name, text: c.text, either: c.either})
	}
	for _, ext := range []string{".MD", ".Md", ".markdown"} {
		pages = append(pages, privatePage{name: "named " + ext, text: "---\ntitle: \"%stitle\"\ndraft: yes\n---\n%BODY%", ext: ext})
	}
	return pages
}

func privateKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: v\n", i)
	}
	return b.String()
}

// privateUTF16 is ASCII text behind a mark of little-endian UTF-16 in that encoding; any
// other text is as it was.
func privateUTF16(s string) string {
	const mark = "\xff\xfe"
	s, is := strings.CutPrefix(s, mark)
	if !is {
		return s
	}
	var b strings.Builder
	b.WriteString(mark)
	for i := range len(s) {
		b.WriteByte(s[i])
		b.WriteByte(0)
	}
	return b.String()
}
