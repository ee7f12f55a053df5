package tracker

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/tracker/mcp"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestReadItemsHides checks that no item holds a value that its server was given, nor a
// token that nobody sees is cut in two.
func TestReadItemsHides(t *testing.T) {
	t.Parallel()
	token := "ghp_" + strings.Repeat("a1B2c3D4e", 4)
	answer := `[{"id": "x", "title": "the word is hunter2!", "body": "ghp_\u200b` + token[4:] + `", "url": "https://a.b/?k=hunter2!", "labels": ["hunter2!"]}, {"id": "hunter2!", "title": "a"}, {"id": "-9223372036854775807", "title": "b"}, {"id": "9223372036854775807", "title": "c"}]`
	items, err := readItems([]byte(answer), []string{"hunter2!"})
	if err != nil || len(items) != 3 {
		t.Fatalf("%+v, %v", items, err)
	}
	if items[0].Title != "b" || items[1].Title != "c" {
		t.Errorf("out of order: %+v", items)
	}
	x := items[2]
	for _, text := range append([]string{x.Title, x.Text, x.URL}, x.Labels...) {
		if strings.Contains(text, "hunter2!") || strings.Contains(text, token) || strings.Contains(text, "\u200b") {
			t.Errorf("a secret, or what hides one, is in %q", text)
		}
	}
}

func TestReadItems(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer string
		want   []loops.Item
	}{
		"none":                {`[]`, []loops.Item{}},
		"numbers in order":    {`[{"number": 10, "title": "b"}, {"number": 9, "title": "a"}]`, []loops.Item{{ID: "9", Title: "a", Labels: []string{}}, {ID: "10", Title: "b", Labels: []string{}}}},
		"under a name":        {`{"total": 1, "nodes": [{"id": "x", "name": "n", "text": "t", "web_url": "http://a.b/c", "labels": ["z", "a", "a"]}]}`, []loops.Item{{ID: "x", Title: "n", Text: "t", URL: "http://a.b/c", Labels: []string{"a", "z"}}}},
		"one that is no item": {`[1, null, {"id": "x"}, {"title": "y"}, {"id": "x", "title": " a \n b "}]`, []loops.Item{{ID: "x", Title: "a b", Labels: []string{}}}},
		"the same twice":      {`[{"id": "x", "title": "1"}, {"id": "x", "title": "2"}]`, []loops.Item{{ID: "x", Title: "1", Labels: []string{}}}},
		"addresses":           {`[{"id": "x", "title": "1", "url": "https://user:word@a.b/"}]`, []loops.Item{{ID: "x", Title: "1", Labels: []string{}}}},
	} {
		got, err := readItems([]byte(c.answer), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	for _, answer := range []string{"", "{}", `{"issues": 1}`, `"text"`, "[", "null"} {
		if _, err := readItems([]byte(answer), nil); err == nil {
			t.Errorf("%q is taken", answer)
		}
	}
	many := "[" + strings.TrimSuffix(strings.Repeat(`{"id": "ID", "title": "t", "body": "`+strings.Repeat("ä", loops.MaxItemText)+`"},`, loops.MaxItems+1), ",") + "]"
	for i := range loops.MaxItems + 1 {
		many = strings.Replace(many, "ID", strconv.Itoa(i), 1)
	}
	got, err := readItems([]byte(many), nil)
	if err != nil || len(got) != loops.MaxItems || len(got[0].Text) > loops.MaxItemText || !utf8.ValidString(got[0].Text) {
		t.Errorf("%d items, %v", len(got), err)
	}
}

func FuzzReadItems(f *testing.F) {
	for _, seed := range schematest.Vary(300, `[{"number": 1, "title": "a", "body": "b", "labels": [{"name": "c"}], "url": "https://a.b"}]`, `{"issues": [{"id": "\u202e", "title": "\u0000"}]}`, `[[[`) {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		items, err := readItems(answer, nil)
		if err != nil {
			return
		}
		if len(items) > loops.MaxItems {
			t.Errorf("%d items", len(items))
		}
		for _, it := range items {
			if it.ID == "" || it.Title == "" || len(it.Text) > loops.MaxItemText || it.Labels == nil {
				t.Errorf("%+v", it)
			}
			for _, s := range append([]string{it.ID, it.Title, it.URL}, it.Labels...) {
				if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
					t.Errorf("%q", s)
				}
			}
		}
	})
}

func TestTyped(t *testing.T) {
	t.Parallel()
	got, err := typed(map[string]string{"a": "5", "b": "5", "c": "true", "d": `["x"]`, "e": "0.5"}, map[string]string{"a": "integer", "c": "boolean", "d": "array", "e": "number"})
	if diff := cmp.Diff(map[string]any{"a": int64(5), "b": "5", "c": true, "d": []any{"x"}, "e": 0.5}, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if _, err := typed(map[string]string{"a": "five"}, map[string]string{"a": "integer"}); err == nil || err.Error() != `argument a: "five" is not a integer` {
		t.Error(err)
	}
}

// TestDigestIsOfAllThatWasRead checks that nothing can change behind an approval.
func TestDigestIsOfAllThatWasRead(t *testing.T) {
	t.Parallel()
	conf := schema.LoopConnector{Argv: []string{"npx", "board"}, Items: schema.LoopConnectorCall{Arguments: map[string]string{"state": "open"}}}
	tool := mcp.Tool{Definition: []byte(`{"name": "list"}`)}
	root := t.TempDir()
	digest := func(c schema.LoopConnector, tool *mcp.Tool) string {
		t.Helper()
		d, err := listing(root, c, tool.Definition)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := digest(conf, &tool)
	if digest(conf, &tool) != first {
		t.Error("the same is not the same")
	}
	other := conf
	other.Argv = []string{"npx", "other"}
	asked := conf
	asked.Items.Arguments = map[string]string{"state": "closed"}
	for _, d := range []string{digest(other, &tool), digest(asked, &tool), digest(conf, &mcp.Tool{Definition: []byte(`{"name": "list", "description": "deletes"}`)})} {
		if d == first {
			t.Error("a change keeps its approval")
		}
	}
	// A word of the command line that names a file of the repository stands for its bytes.
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, argv := range [][]string{{"node", "board.mjs"}, {"./board.mjs"}, {filepath.Join(root, "board.mjs")}, {"npx", "--import=./board.mjs"}} {
		script := schema.LoopConnector{Argv: argv}
		write("board.mjs", "list()")
		before := digest(script, &tool)
		write("board.mjs", "deleteAll()")
		if digest(script, &tool) == before {
			t.Errorf("%q: another script keeps its approval", argv)
		}
	}
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if files, err := scripts(root, []string{"sh", outside, "../outside", "", "."}); err != nil || len(files) != 0 {
		t.Errorf("what lies outside is read: %v, %v", files, err)
	}
}

func TestApprovals(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	approved := func() bool {
		t.Helper()
		ok, err := Approved(root, "board", "list", "d1")
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if approved() {
		t.Error("nobody approved")
	}
	for _, a := range []Approval{{Connector: "board", Tool: "list", Digest: "d2", By: "ada"}, {Connector: "other", Tool: "list", Digest: "d1", By: "ada"}, {Connector: "board", Tool: "list", Digest: "d1"}} {
		if err := Approve(root, a); err != nil {
			t.Fatal(err)
		}
	}
	if approved() {
		t.Error("what was approved is another thing, or by nobody")
	}
	if err := Approve(root, Approval{Connector: "board", Tool: "list", Digest: "d1", By: "ada"}); err != nil || !approved() {
		t.Errorf("approved, and not found: %v", err)
	}
	file := filepath.Join(root, filepath.FromSlash(ApprovalsFile))
	for text, want := range map[string]string{"\n{\n": ApprovalsFile + ":2:1: invalid line", `{"version": 3}`: "upgrade wiki"} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Approved(root, "board", "list", "d1"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestProgramsOfTheRepositoryAreNotTaken(t *testing.T) {
	t.Parallel()
	if found, err := lookPath("."+string(filepath.ListSeparator)+"bin", "gh"); err == nil {
		t.Errorf("found %s", found)
	}
}

func FuzzJournal(f *testing.F) {
	for _, seed := range []string{`{"version": 1, "event": "begun", "approval": "a"}` + "\n\n" + `{"version": 1, "event": "done", "approval": "a"}`, "{", "null", `{"version": 2}`, "[]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := parseLines(CallsFile, text, func(e CallEntry) int { return e.Version }, callVersion)
		if err != nil {
			return
		}
		for _, e := range all {
			if e.Version > callVersion {
				t.Errorf("version %d is read", e.Version)
			}
		}
		if n := begun(all, all, "a"); n > len(all) {
			t.Errorf("%d of %d lines begin", n, len(all))
		}
	})
}

// A kind that wiki.yaml may name can be connected to.
func TestConnectorKindsAreRegistered(t *testing.T) {
	t.Parallel()
	for _, k := range schema.ConnectorKinds {
		if _, err := Open(Place{}, "issues", schema.LoopConnector{Kind: k.Name}); err != nil {
			t.Error(err)
		}
	}
	if len(kinds) != len(schema.ConnectorKinds) {
		t.Errorf("%d kinds are registered, %d can be configured", len(kinds), len(schema.ConnectorKinds))
	}
	if _, err := Open(Place{}, "issues", schema.LoopConnector{Kind: "jira"}); err == nil || !strings.Contains(err.Error(), "want "+schema.ConnectorKinds[0].Name) {
		t.Errorf("got %v", err)
	}
}
