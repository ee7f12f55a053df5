package exchange

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

var update = flag.Bool("update", false, "write the golden files")

// hostile has names that mean something in one format or another.
var hostile = &graph{
	Nodes: []node{
		{ID: "index", Path: "index.md", Title: "Index", Type: "index", Out: 5},
		{ID: `a/quote " and \`, Path: `a/quote " and \.md`, Title: `Say "hi" \N & <b>bold</b> #1; ` + "`code`", In: 1},
		{ID: "a/two\nlines", Path: "a/two\nlines.md", Title: "two\nlines\ttab", Type: "a;b", In: 1, Out: 1},
		{ID: "b c/日本語", Path: "b c/日本語.md", Title: "日本語 🙂", In: 2},
		{ID: "b c/control", Path: "b c/control.md", Title: "bell\a ]]> end", In: 1},
		{ID: "end", Path: "end.md", In: 1, Out: 1},
	},
	Edges: []edge{
		{0, 1, kindLink, 1}, {0, 2, kindEmbed, 1}, {0, 3, kindLink, 3}, {0, 4, kindFrontmatter, 2}, {0, 5, kindLink, 1},
		{2, 3, kindLink, 1}, {5, 5, kindLink, 1},
	},
}

func render(t testing.TB, f Format, g *graph) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := f.write(&out, g); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		got := render(t, f, hostile)
		file := filepath.Join("testdata", "hostile"+f.Extension)
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s:\n%s", f.Name, diff)
		}
	}
}

func TestGraphOfAWiki(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, `
-- index.md --
# Home

[[alpha]], [[alpha|again]], [beta](sub/beta.md), ![[beta]], [[index]], [[nowhere]], [web](https://example.org)
-- alpha.md --
# Alpha

Back to [[index]], see [[picture.png]].
-- picture.png --
x
-- sub/beta.md --
No heading.
`))
	var out bytes.Buffer
	if err := Graph(w, "json", &out); err != nil {
		t.Fatal(err)
	}
	var got jsonDocument
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for i := range got.Nodes {
		got.Nodes[i].Type = "" // the folder's, or none
	}
	want := jsonDocument{Version: 1,
		Nodes: []jsonNode{
			{ID: "alpha", Path: "alpha.md", Title: "Alpha", In: 1, Out: 1},
			{ID: "index", Path: "index.md", Title: "Home", In: 1, Out: 2},
			{ID: "sub/beta", Path: "sub/beta.md", Title: "beta", In: 1},
		},
		Edges: []jsonEdge{
			{"alpha", "index", "link", 1}, {"index", "alpha", "link", 2}, {"index", "sub/beta", "embed", 1}, {"index", "sub/beta", "link", 1},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	err := Graph(w, "svg", io.Discard)
	if err == nil || !strings.Contains(err.Error(), "dot, graphml, json, mermaid") {
		t.Errorf("an unknown format: %v", err)
	}
}

// Every format holds a real wiki, twice the same, with as many edges as the
// graph of the compiler has pairs.
func TestCorpora(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, schematest.Shared(t, "corpora/olas-wiki/.wiki"))
	g := collect(w, nil)
	pairs := map[[2]int]bool{}
	for _, e := range g.Edges {
		pairs[[2]int{e.From, e.To}] = true
	}
	if len(pairs) != w.Graph().Edges() || len(g.Nodes) != len(w.Pages()) || len(pairs) == 0 {
		t.Errorf("%d nodes and %d pairs, want %d and %d", len(g.Nodes), len(pairs), len(w.Pages()), w.Graph().Edges())
	}
	for _, f := range Formats() {
		if !bytes.Equal(render(t, f, g), render(t, f, collect(w, nil))) {
			t.Errorf("%s differs between two runs", f.Name)
		}
	}
}

func TestGraphMLIsXML(t *testing.T) {
	t.Parallel()
	var doc xmlDocument
	if err := xml.Unmarshal(render(t, graphML, hostile), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Graph.Nodes) != len(hostile.Nodes) || len(doc.Graph.Edges) != len(hostile.Edges) {
		t.Fatalf("%d nodes, %d edges", len(doc.Graph.Nodes), len(doc.Graph.Edges))
	}
	declared := map[string]string{}
	for _, k := range doc.Keys {
		declared[k.ID] = k.For
	}
	ids := map[string]bool{}
	for i, n := range doc.Graph.Nodes {
		ids[n.ID] = true
		for _, d := range n.Data {
			if declared[d.Key] != "node" {
				t.Errorf("key %q is not declared for nodes", d.Key)
			}
			if want := hostile.Nodes[i].ID; d.Key == "page" && d.Value != want {
				t.Errorf("page %q, want %q", d.Value, want)
			}
		}
	}
	for _, e := range doc.Graph.Edges {
		if !ids[e.Source] || !ids[e.Target] {
			t.Errorf("edge %s to %s", e.Source, e.Target)
		}
	}
}

// Graphviz checks the dot output, if it is installed.
func TestDotIsReadByGraphviz(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("graphviz is not installed")
	}
	cmd := exec.Command(program, "-Tplain")
	cmd.Stdin = bytes.NewReader(render(t, dot, hostile))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := bytes.Count(out, []byte("\nnode ")); n != len(hostile.Nodes) {
		t.Errorf("%d nodes", n)
	}
}

// Without Graphviz, its lexical rules: outside quoted strings only what
// the language allows, and every string is closed.
func TestDotQuoting(t *testing.T) {
	t.Parallel()
	var outside strings.Builder
	src := string(render(t, dot, hostile))
	quoted := false
	for i := 0; i < len(src); i++ {
		switch {
		case quoted && src[i] == '\\':
			i++
		case src[i] == '"':
			quoted = !quoted
		case !quoted:
			outside.WriteByte(src[i])
		}
	}
	if quoted {
		t.Error("a string is not closed")
	}
	if left := strings.Trim(outside.String(), " \t\nabcdefghijklmnopqrstuvwxyzLR0123456789{}[];=,->"); left != "" {
		t.Errorf("outside of strings: %q", left)
	}
	if n := strings.Count(outside.String(), "{") - strings.Count(outside.String(), "}"); n != 0 {
		t.Errorf("%d braces are open", n)
	}
}

func TestMermaidLimits(t *testing.T) {
	t.Parallel()
	ring := func(nodes, edges int, title string) *graph {
		g := &graph{}
		for i := range nodes {
			g.Nodes = append(g.Nodes, node{ID: fmt.Sprint(i), Title: title})
		}
		for i := range edges {
			g.Edges = append(g.Edges, edge{From: i % nodes, To: (i + 1) % nodes, Kind: kindLink, Count: 1})
		}
		return g
	}
	tests := []struct {
		name  string
		g     *graph
		fails string
	}{
		{"empty", &graph{}, ""},
		{"as many edges as it draws", ring(100, MermaidEdges, "x"), ""},
		{"one more", ring(100, MermaidEdges+1, "x"), "501 edges"},
		{"too long", ring(100, 1, strings.Repeat("é", MermaidChars/100)), "characters"},
	}
	for _, tt := range tests {
		var out bytes.Buffer
		err := mermaid.write(&out, tt.g)
		if (err != nil) != (tt.fails != "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if err != nil && out.Len() > 0 {
			t.Errorf("%s: %d bytes were written all the same", tt.name, out.Len())
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"ok é": "ok é", "a\xffb\xfe": `a\xffb\xfe`, "\uFFFD": "\uFFFD"} {
		if got := valid(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

type brokenWriter struct{}

var errBroken = errors.New("disk full")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrorsAreReported(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		if err := f.write(brokenWriter{}, hostile); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
