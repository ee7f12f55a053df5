package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// places writes locations as path:line:character, relative to the client's folder.
func (c *client) places(ls []location) (out []string) {
	for _, l := range ls {
		out = append(out, fmt.Sprintf("%s:%d:%d", strings.TrimPrefix(l.URI, uriOf(c.root)+"/"), l.Range.Start.Line, l.Range.Start.Character))
	}
	return out
}

func TestDefinitionAndReferences(t *testing.T) {
	t.Parallel()
	c := shopClient(t)
	for _, x := range []struct {
		path            string
		line, character int
		definition      string
		references      []string
	}{
		{"wiki/index.md", 2, 6, "wiki/rate-limit.md:0:0", []string{"wiki/index.md:2:2", "wiki/index.md:3:21"}},
		{"wiki/index.md", 3, 35, "wiki/rate-limit.md:9:0", []string{"wiki/index.md:3:21"}},
		{"wiki/rate-limit.md", 7, 32, "wiki/prices.md:9:0", []string{"wiki/rate-limit.md:7:23"}},
		{"wiki/index.md", 5, 20, "", nil},
		{"wiki/prices.md", 9, 4, "", []string{"wiki/rate-limit.md:7:23"}},
		{"wiki/prices.md", 5, 4, "", []string{"wiki/index.md:3:2", "wiki/rate-limit.md:7:23", "wiki/rate-limit.md:11:42"}},
		{"wiki/rate-limit.md", 11, 56, "", []string{"wiki/prices.md:2:7", "wiki/rate-limit.md:11:54"}},
	} {
		var got []location
		c.call("textDocument/definition", c.at(x.path, x.line, x.character), &got)
		if s := strings.Join(c.places(got), " "); s != x.definition {
			t.Errorf("definition at %s:%d:%d: %q, want %q", x.path, x.line, x.character, s, x.definition)
		}
		got = nil
		c.call("textDocument/references", c.at(x.path, x.line, x.character), &got)
		if s := c.places(got); !slices.Equal(s, x.references) {
			t.Errorf("references at %s:%d:%d: %q, want %q", x.path, x.line, x.character, s, x.references)
		}
	}
}

func TestHoverShowsTheTargetAndExplainsFindings(t *testing.T) {
	t.Parallel()
	c := shopClient(t)
	hovered := func(path string, line, character int) string {
		var h hover
		c.call("textDocument/hover", c.at(path, line, character), &h)
		return h.Contents.Value
	}
	if got := hovered("wiki/index.md", 2, 6); !strings.Contains(got, "**Rate limit**") || !strings.Contains(got, "status stable") || !strings.Contains(got, "At most ten calls.") {
		t.Errorf("preview: %s", got)
	}
	if got := hovered("wiki/index.md", 3, 35); !strings.Contains(got, "Each key has its own limit, 💶 included") {
		t.Errorf("preview of a section: %s", got)
	}
	c.open("wiki/index.md")
	if got := hovered("wiki/index.md", 5, 20); !strings.Contains(got, "broken-wikilink") || !strings.Contains(got, "wiki lint --explain broken-wikilink") {
		t.Errorf("finding: %s", got)
	}
}

func TestHoverRendersNothingOfAPage(t *testing.T) {
	t.Parallel()
	c := connect(t, compilertest.Write(t, "-- wiki/index.md --\n[[evil]]\n-- wiki/evil.md --\n# ![x](https://x.example/t.png) <img src=https://x.example/u.png>\n\n`a` ![y](https://x.example/v.png) [c](command:x) \x1b[2J \u202e\n"), capable)
	var h hover
	c.call("textDocument/hover", c.at("wiki/index.md", 0, 4), &h)
	for _, bad := range []string{"![", "](", "<img", "\x1b", "\u202e"} {
		if strings.Contains(strings.NewReplacer(`\[`, "", `\]`, "", `\<`, "").Replace(h.Contents.Value), bad) {
			t.Errorf("%q is in %q", bad, h.Contents.Value)
		}
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	c := shopClient(t)
	c.open("wiki/index.md")
	version := 1
	for _, x := range []struct{ typed, first, text string }{
		{"[[rat", "Rate limit", "rate-limit]]"},
		{"[[tariff", "Tariff (Prices)", "prices]]"},
		{"[[prices#", "Prices", "Prices]]"},
		{"[[prices#ta", "Taxes", "Taxes]]"},
		{"[[rate-limit#^", "^ten", "^ten]]"},
		{"[[#sh", "Shop", "Shop]]"},
		{"[x](pri", "prices.md", "prices.md"},
		{"[x](rate-limit.md#per", "Per key", "per-key"},
		{"#bil", "billing", "billing"},
	} {
		version++
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri("wiki/index.md"), "version": version}, "contentChanges": []any{map[string]any{"text": "# Shop\n\n" + x.typed}}})
		var got completionList
		c.call("textDocument/completion", c.at("wiki/index.md", 2, len(x.typed)), &got)
		if len(got.Items) == 0 || got.Items[0].Label != x.first || got.Items[0].Edit.NewText != x.text {
			t.Errorf("%q: %+v, want %q", x.typed, got.Items, x.first)
		}
	}
	for _, x := range []struct{ typed, has string }{{"ty", "type"}, {"sta", "status"}, {"type: con", "concept"}, {"tags: [bil", "billing"}, {"tags:\n- bil", "billing"}} {
		version++
		text := "---\n" + x.typed
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri("wiki/index.md"), "version": version}, "contentChanges": []any{map[string]any{"text": text + "\n---\n# Shop\n"}}})
		lines := strings.Split(text, "\n")
		var got completionList
		c.call("textDocument/completion", c.at("wiki/index.md", len(lines)-1, len(lines[len(lines)-1])), &got)
		if !slices.ContainsFunc(got.Items, func(i completionItem) bool { return i.Label == x.has }) {
			t.Errorf("front matter %q: %+v, want %q", x.typed, got.Items, x.has)
		}
	}
}

// applied returns the texts that an edit makes of files, and the files it moves.
func (c *client) applied(raw json.RawMessage) (texts, moves map[string]string) {
	c.Helper()
	var e struct {
		DocumentChanges []struct {
			Kind, OldURI, NewURI string
			Document             textDocumentIdentifier `json:"textDocument"`
			Edits                []textEdit
		}
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		c.Fatal(err)
	}
	texts, moves = map[string]string{}, map[string]string{}
	short := func(uri string) string { return strings.TrimPrefix(uri, uriOf(c.root)+"/") }
	for _, d := range e.DocumentChanges {
		if d.Kind == "rename" {
			moves[short(d.OldURI)] = short(d.NewURI)
			continue
		}
		path := short(d.Document.URI)
		doc := newDocument("", "", 0, []byte(c.read(path)), utf16Encoding)
		slices.SortFunc(d.Edits, func(a, b textEdit) int { return doc.offset(b.Range.Start) - doc.offset(a.Range.Start) })
		for _, e := range d.Edits {
			doc = doc.with(0, []contentChange{{&e.Range, e.NewText}})
		}
		texts[path] = string(doc.src)
	}
	return texts, moves
}

func TestRename(t *testing.T) {
	t.Parallel()
	c := shopClient(t)
	for _, x := range []struct {
		what            string
		path            string
		line, character int
		placeholder     string
		name            string
		moves           string
		texts           map[string]string // a part of what each changed file holds
	}{
		{"a page by its link", "wiki/index.md", 2, 6, "rate-limit", "quota", "wiki/rate-limit.md to wiki/quota.md",
			map[string]string{"wiki/index.md": "- [[quota]]: how many calls\n- [[prices|Prices]], [quota](quota.md#per-key)", "wiki/rate-limit.md": "redirect_from"}},
		{"a heading by a link", "wiki/rate-limit.md", 7, 34, "Taxes", "Duties", "",
			map[string]string{"wiki/rate-limit.md": "See [[prices#Duties]]. ^ten", "wiki/prices.md": "## Duties\n"}},
		{"a heading", "wiki/rate-limit.md", 9, 5, "Per key", "For each key 💶", "",
			map[string]string{"wiki/rate-limit.md": "## For each key 💶\n", "wiki/index.md": "[quota](rate-limit.md#for-each-key-"}},
		{"a title", "wiki/rate-limit.md", 5, 4, "Rate limit", "Request quota", "wiki/rate-limit.md to wiki/request-quota.md",
			map[string]string{"wiki/rate-limit.md": "# Request quota\n", "wiki/index.md": "[[request-quota]]"}},
	} {
		var prepared prepareRenameResult
		c.call("textDocument/prepareRename", c.at(x.path, x.line, x.character), &prepared)
		if prepared.Placeholder != x.placeholder {
			t.Errorf("%s: placeholder %q, want %q", x.what, prepared.Placeholder, x.placeholder)
		}
		params := c.at(x.path, x.line, x.character)
		params["newName"] = x.name
		var raw json.RawMessage
		if err := c.try("textDocument/rename", params, &raw); err != nil {
			t.Errorf("%s: %v", x.what, err)
			continue
		}
		texts, moves := c.applied(raw)
		moved := ""
		for from, to := range moves {
			moved = from + " to " + to
		}
		if moved != x.moves {
			t.Errorf("%s: moves %q, want %q", x.what, moved, x.moves)
		}
		for path, part := range x.texts {
			if !strings.Contains(texts[path], part) {
				t.Errorf("%s: %s has no %q:\n%s", x.what, path, part, texts[path])
			}
		}
	}
	for _, name := range []string{"", "../../x", "a\nb", "prices"} {
		params := c.at("wiki/index.md", 2, 6)
		params["newName"] = name
		if err := c.try("textDocument/rename", params, nil); err == nil {
			t.Errorf("rename to %q was not refused", name)
		}
	}
}

func TestWillRenameFiles(t *testing.T) {
	t.Parallel()
	c := shopClient(t)
	var raw json.RawMessage
	c.call("workspace/willRenameFiles", map[string]any{"files": []any{map[string]any{"oldUri": c.uri("wiki/rate-limit.md"), "newUri": c.uri("wiki/limits/quota.md")}}}, &raw)
	texts, moves := c.applied(raw)
	if len(moves) > 0 || !strings.Contains(texts["wiki/index.md"], "[[quota]]: how many calls") || !strings.Contains(texts["wiki/index.md"], "(limits/quota.md#per-key)") {
		t.Errorf("%q %q", moves, texts)
	}
}

func TestCodeActions(t *testing.T) {
	t.Parallel()
	c := connect(t, compilertest.Write(t, shop+"-- wiki/typo.md --\n# Typo\n\nSee [x](Prices.md) and [[rate-limt]].\n"), capable)
	c.open("wiki/typo.md")
	c.waitFor("wiki/typo.md", "wrong case", has("link-case"))
	var actions []struct {
		Title       string
		IsPreferred bool
		Edit        json.RawMessage
	}
	c.call("textDocument/codeAction", map[string]any{"textDocument": c.doc("wiki/typo.md"), "range": textRange{position{2, 0}, position{2, 40}}, "context": map[string]any{"diagnostics": []any{}}}, &actions)
	var all []string
	for _, a := range actions {
		texts, _ := c.applied(a.Edit)
		all = append(all, fmt.Sprintf("%s %v %q", a.Title, a.IsPreferred, texts["wiki/typo.md"]))
	}
	list := strings.Join(all, "\n")
	for _, part := range []string{
		`true "# Typo\n\nSee [x](prices.md) and [[rate-limt]].\n"`,
		`(review it) false "# Typo\n\nSee [x](Prices.md) and [[rate-limit]].\n"`,
		`suppress link-case on this line false "# Typo\n\n<!-- wiki-lint-disable-next-line link-case -->\nSee [x]`,
	} {
		if !strings.Contains(list, part) {
			t.Errorf("no action %s in\n%s", part, list)
		}
	}
}

func TestSymbolsLinksAndFolding(t *testing.T) {
	t.Parallel()
	c := shopClient(t)
	var symbols []documentSymbol
	c.call("textDocument/documentSymbol", map[string]any{"textDocument": c.doc("wiki/rate-limit.md")}, &symbols)
	if len(symbols) != 1 || symbols[0].Name != "Rate limit" || len(symbols[0].Children) != 1 || symbols[0].Children[0].Name != "Per key" {
		t.Errorf("document symbols: %+v", symbols)
	}
	var found []symbolInformation
	c.call("workspace/symbol", map[string]any{"query": "tax"}, &found)
	if len(found) != 1 || found[0].Name != "Taxes" || found[0].Container != "Prices" {
		t.Errorf("workspace symbols: %+v", found)
	}
	var links []documentLink
	c.call("textDocument/documentLink", map[string]any{"textDocument": c.doc("wiki/rate-limit.md")}, &links)
	if len(links) != 2 || links[0].Target != c.uri("wiki/prices.md")+"#L10" || links[0].Tooltip != "Prices" {
		t.Errorf("links: %+v", links)
	}
	var folds []foldingRange
	c.call("textDocument/foldingRange", map[string]any{"textDocument": c.doc("wiki/rate-limit.md")}, &folds)
	if len(folds) != 3 || folds[0] != (foldingRange{Start: 0, End: 4}) {
		t.Errorf("folding: %+v", folds)
	}
}

func TestPullDiagnostics(t *testing.T) {
	t.Parallel()
	c := connect(t, compilertest.Write(t, shop), `{"textDocument": {"diagnostic": {}}}`)
	c.open("wiki/index.md")
	var report diagnosticReport
	c.call("textDocument/diagnostic", map[string]any{"textDocument": c.doc("wiki/index.md")}, &report)
	if report.Kind != "full" || !has("broken-wikilink")(publishParams{Diagnostics: report.Items}) {
		t.Errorf("%+v", report)
	}
}

func (c *client) read(path string) string {
	c.Helper()
	src, err := os.ReadFile(filepath.Join(c.root, filepath.FromSlash(path)))
	if err != nil {
		c.Fatal(err)
	}
	return string(src)
}
