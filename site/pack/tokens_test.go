package pack

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema/schematest"
	"pgregory.net/rapid"
)

// measured are texts with their tokens in o200k, as gpt-tokenizer 3 counts them.
var measured = map[string]int{"english": 3408, "chinese": 900, "code": 3885, "tables": 3662}

func TestTokensAreEstimatedFromAbove(t *testing.T) {
	t.Parallel()
	for name, tokens := range measured {
		src, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		got := Tokens(string(src))
		t.Logf("%s: %d for %d tokens, %.3f", name, got, tokens, float64(got)/float64(tokens))
		if got < tokens || got*10 > tokens*13 {
			t.Errorf("%s: %d for %d tokens", name, got, tokens)
		}
	}
}

// TestTokensAgainstTokenizer counts the tokens of pages of public wikis with the tokenizer,
// if gpt-tokenizer is in the folder of WIKI_TOKENIZER.
func TestTokensAgainstTokenizer(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("WIKI_TOKENIZER")
	schematest.Need(t, "gpt-tokenizer", dir != "", "set WIKI_TOKENIZER to a folder with gpt-tokenizer from npm")
	texts := map[string][]string{}
	for kind, glob := range map[string]string{
		"english": "real/vamsee-all/*/*/*.md", "prose": "real/praxis/docs/wiki/*.md", "manual": "real/powershell-docs/*/*/*/*.md", "chinese": "codebase-wikis/*/*/*.md",
	} {
		names, err := filepath.Glob(filepath.Join(schematest.Shared(t, "corpora"), filepath.FromSlash(glob)))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: no pages (%v)", kind, err)
		}
		var text strings.Builder
		for _, name := range names[:min(len(names), 400)] {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			text.WriteString(strings.ToValidUTF8(string(src), ""))
			if text.Len() > 12_000 {
				texts[kind] = append(texts[kind], text.String()[:min(text.Len(), 20_000)])
				text.Reset()
			}
		}
	}
	for kind, list := range texts {
		least, most := 9.0, 0.0
		for i, n := range counted(t, dir, list) {
			ratio := float64(Tokens(strings.ToValidUTF8(list[i], ""))) / float64(n)
			least, most = min(least, ratio), max(most, ratio)
		}
		t.Logf("%s: %d texts, %.3f to %.3f", kind, len(list), least, most)
		if least < 1 || most > 1.3 {
			t.Errorf("%s: estimates are %.3f to %.3f of the tokens", kind, least, most)
		}
	}
}

// counted returns the tokens of texts as the tokenizer counts them.
func counted(t *testing.T, dir string, texts []string) (out []int) {
	t.Helper()
	for i := range texts {
		texts[i] = strings.ToValidUTF8(texts[i], "")
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", "-e", `const {encode} = require("gpt-tokenizer/encoding/o200k_base"); let s = "";
		process.stdin.on("data", (d) => s += d).on("end", () => console.log(JSON.stringify(JSON.parse(s).map((t) => encode(t, {allowedSpecial: "all"}).length))))`)
	c.Dir, c.Stdin = dir, strings.NewReader(string(in))
	got, err := c.Output()
	if err == nil {
		err = json.Unmarshal(got, &out)
	}
	if err != nil || len(out) != len(texts) {
		t.Fatalf("%v: %s", err, got)
	}
	return out
}

// TestTokensAddUp checks that texts apart have no fewer tokens than together, so that the
// sum of sections bounds a pack.
func TestTokensAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.StringN(0, 60, -1), 1, 6).Draw(t, "parts")
		sum := 0
		for _, p := range parts {
			sum += Tokens(p) + 1
		}
		if whole := Tokens(strings.Join(parts, "\n")); whole > sum+2 {
			t.Fatalf("%d for %s, at most %d", whole, strconv.Quote(strings.Join(parts, "|")), sum)
		}
	})
}
