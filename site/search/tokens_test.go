package search

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// vector is a text and what both sides of the search make of it.
type vector struct {
	Text  string   `json:"text"`
	Fold  string   `json:"fold"`
	Terms []string `json:"terms"` // in the index, in order
	Query []string `json:"query"` // as words of a query; parts of identifiers begin with "+", beginnings of words end in "…"
	Said  []string `json:"said"`  // as words of a phrase
	Stems []string `json:"stems"` // of its terms
	Slug  string   `json:"slug"`
}

// samples are chosen for where languages, scripts and programs differ.
var samples = []string{
	"", "  ", "The quick brown fox", "Café crème brûlée", "STRASSE Straße", "Ærø Øresund Łódź", "İstanbul ısı",
	"ΟΔΟΣ οδός", "ﬁne ½ Ⅳ ｆｕｌｌ", "parseHTTPRequest snake_case_name __init__ kebab-case", "UTF8String v1.2.3 x86_64 iPhone",
	"wiki.lock a/b/c.go:12-30 foo@bar", "知識コンパイラ", "知", "東京タワー Tower", "Go言語で書く", "한국어 문서", "ภาษาไทย",
	"مُحَمَّد שָׁלוֹם", "Привет Ёлка", "naïve coöperate", "e\u0301te\u0301", "emoji 🚀 rocket", "C++ C# F# .NET g++ i++ C", "C#言語とC++。", "a++b a#b x+y #12 C##", "end.Next ...more ASP.NET .gitignore ‘.net’",
	"don't l’avocat d'Urgell dell'arte", "Out-Default --dry-run ERR-2041 2026-01-03 -x- a--b co-知", "ພາສາລາວ", "ភាសាខ្មែរ", "မြန်မာဘာသာ", "œuvre ﬂeuve Æsop Weiß",
	"token: refreshing refreshed refreshes tokens policies policy running runs boxes process analysis bus compiler compile compiled compilation slowly",
	"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee", "A B C", "_", "12345 3.14", "getURLForID",
}

func vectors() []vector {
	var out []vector
	for _, s := range samples {
		v := vector{Text: s, Fold: Fold(s), Terms: []string{}, Query: []string{}, Said: append([]string{}, plainWords(s)...), Stems: []string{}, Slug: Slug(s)}
		Terms(s, func(t string) {
			v.Terms = append(v.Terms, t)
			v.Stems = append(v.Stems, stem(t))
		})
		for _, w := range words(s) {
			v.Query = append(v.Query, map[bool]string{true: "+"}[w.part]+w.text+map[bool]string{true: "…"}[w.open])
		}
		out = append(out, v)
	}
	return out
}

func TestVectors(t *testing.T) {
	t.Parallel()
	got, err := json.MarshalIndent(vectors(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	name := filepath.Join("testdata", "vectors.json")
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the terms of a text changed (-want +got):\n%s", diff)
	}
}

func TestTerms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"parseHTTPRequest": "parsehttprequest parse http request",
		"snake_case":       "snake_case snake case",
		"__init__":         "init",
		"Café":             "cafe",
		"知識庫":              "知識 識庫 庫",
		"Go言語":             "go 言語 語",
		"Straße":           "strasse",
	} {
		var got []string
		Terms(text, func(s string) { got = append(got, s) })
		if strings.Join(got, " ") != want {
			t.Errorf("Terms(%q) = %v, want %s", text, got, want)
		}
	}
}

// node runs a script with the site's search script loaded as s, and
// input on its standard input as the variable input.
func node(t *testing.T, script string, input []byte) []byte {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("WIKI_REQUIRE"), ","), "node") {
			t.Fatal("node is required here and is not installed")
		}
		t.Skip("node is not installed")
	}
	assets, err := filepath.Abs("../theme/assets")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, "-e", `
		const fs = require("fs"); globalThis.self = globalThis;
		for (const name of ["search.js", "search-more.js"]) require("vm").runInThisContext(fs.readFileSync(process.argv[1] + "/" + name, "utf8"));
		const input = fs.readFileSync(0, "utf8"); const s = self["wiki.search"];`+script, assets)
	cmd.Stdin = strings.NewReader(string(input))
	out, err := cmd.Output()
	if err != nil {
		if e, ok := err.(*exec.ExitError); ok {
			t.Fatalf("node: %v\n%s", err, e.Stderr)
		}
		t.Fatal(err)
	}
	return out
}

func TestScriptAgrees(t *testing.T) {
	t.Parallel()
	input, err := os.ReadFile(filepath.Join("testdata", "vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	out := node(t, `console.log(JSON.stringify(JSON.parse(input).map((v) => ({ ...v,
		fold: s.fold(v.text), slug: s.slug(v.text), said: s.said(v.text), stems: v.terms.map(s.stem),
		query: s.queryWords(v.text).map((w) => (w.part ? "+" : "") + w.text + (w.open ? "…" : "")) }))))`, input)
	var want, got []vector
	if err := json.Unmarshal(input, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if strings.ContainsAny(want[i].Text, "Σİ") {
			want[i].Slug = got[i].Slug // stored with its id for that reason
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the script reads texts otherwise (-go +script):\n%s", diff)
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range samples {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "")
		seen := map[string]bool{}
		Terms(s, func(term string) {
			if term == "" || !utf8.ValidString(term) || strings.ContainsAny(term, " \n\f") {
				t.Errorf("Terms(%q) has %q", s, term)
			}
			seen[term] = true
		})
		for _, w := range words(s) {
			if !seen[w.text] {
				t.Errorf("the query %q asks for %q, under which its own text is not found", s, w.text)
			}
		}
	})
}
