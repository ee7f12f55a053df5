package mcp

import (
	"cmp"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/loopwiki/wiki/site/pack"
)

var compareTokens = flag.Bool("compare-tokens", false, "compare what agents read by MCP and by grep")

// question is a query with the pages that answer it; see the package search.
type question struct {
	Kind  string   `json:"kind"`
	Wiki  string   `json:"wiki"`
	Query string   `json:"query"`
	Pages []string `json:"pages"`
}

// reading is what an agent reads for a question.
type reading struct {
	texts []string
	found bool // a page that answers was among it
}

// TestTokensAgainstGrep answers twenty questions about public wikis by two policies, and
// compares the tokens that are read: those of a tokenizer if gpt-tokenizer is in the folder
// of WIKI_TOKENIZER, else the estimate.
//
//   - mcp: the tool list, a search, and the sections of its best three handles.
//   - grep: for the content words; files are ranked by distinct words, and 40 lines around
//     the best line of three are read, then of three more, and three more, until one
//     answers. That it knows when to stop is in favour of grep.
func TestTokensAgainstGrep(t *testing.T) {
	schematest.Need(t, "-compare-tokens", *compareTokens, "use -compare-tokens")
	corpora := schematest.Shared(t, "corpora")
	src, err := os.ReadFile(filepath.FromSlash("../../../../site/search/testdata/questions.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Questions []question }
	if err := json.Unmarshal(src, &all); err != nil {
		t.Fatal(err)
	}
	questions := slices.DeleteFunc(all.Questions, func(q question) bool { return q.Kind != "question" && q.Kind != "keywords" })[:20]
	tools, sessions, texts := "", map[string]*mcp.ClientSession{}, map[string]map[string]string{}
	var asked, grepped []reading
	for _, q := range questions {
		dir := filepath.Join(corpora, filepath.FromSlash(q.Wiki))
		if sessions[q.Wiki] == nil {
			sessions[q.Wiki] = serverOf(t, dir, func(o *Options) {
				o.Detect = func() (*compiler.Workspace, error) { return compiler.Detect(dir, ".") }
			})
			texts[q.Wiki] = markdownIn(t, dir)
		}
		list, err := sessions[q.Wiki].ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		sent, err := json.Marshal(list.Tools)
		if err != nil {
			t.Fatal(err)
		}
		tools = string(sent)
		asked = append(asked, byMCP(t, sessions[q.Wiki], q))
		grepped = append(grepped, byGrep(texts[q.Wiki], q))
	}
	count := counter(t)
	list := count([]string{tools})
	a, b := count(joined(asked)), count(joined(grepped))
	t.Logf("the tool list has %d tokens", list)
	t.Logf("mcp: %d tokens with the list once, %d with the list for each question; %d of %d answered", a+list, a+len(questions)*list, answered(asked), len(questions))
	t.Logf("grep: %d tokens, %d answered; %.1f and %.1f times those of mcp", b, answered(grepped), float64(b)/float64(a+list), float64(b)/float64(a+len(questions)*list))
	if answered(asked) < answered(grepped) || b < 3*(a+list) {
		t.Error("mcp reads more than a third of the tokens of grep, or answers less")
	}
}

func joined(list []reading) (out []string) {
	for _, r := range list {
		out = append(out, strings.Join(r.texts, "\n"))
	}
	return out
}

func answered(list []reading) (n int) {
	for _, r := range list {
		if r.found {
			n++
		}
	}
	return n
}

// counter counts the tokens of texts.
func counter(t *testing.T) func([]string) int {
	dir := os.Getenv("WIKI_TOKENIZER")
	if dir == "" {
		return func(texts []string) (n int) {
			for _, s := range texts {
				n += pack.Tokens(s)
			}
			return n
		}
	}
	return func(texts []string) (n int) {
		in, err := json.Marshal(texts)
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command("node", "-e", `const {encode} = require("gpt-tokenizer/encoding/o200k_base"); let s = "";
			process.stdin.on("data", (d) => s += d).on("end", () => console.log(JSON.parse(s).reduce((n, t) => n + encode(t, {allowedSpecial: "all"}).length, 0)))`)
		c.Dir, c.Stdin = dir, strings.NewReader(string(in))
		out, err := c.Output()
		if err == nil {
			err = json.Unmarshal(out, &n)
		}
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

var handle = regexp.MustCompile(`(?m)^(\S.*?\.md(?:#\S+)?)  `)

func byMCP(t *testing.T, s *mcp.ClientSession, q question) (r reading) {
	t.Helper()
	res, _ := call(t, s, "search", args{"query": q.Query, "limit": 5})
	r.texts = append(r.texts, res)
	handles := handle.FindAllStringSubmatch(res, 3)
	for _, m := range handles {
		text, _ := call(t, s, "read_page", args{"page": m[1]})
		r.texts = append(r.texts, text)
		page, _, _ := strings.Cut(m[1], "#")
		r.found = r.found || slices.Contains(q.Pages, page)
	}
	return r
}

// common are words that nobody greps for.
var common = strings.Fields("the a an of to in on is are be for how what why do does i and or when with by it as at from this that can if not which where who will you")

var grepWord = regexp.MustCompile(`[\p{L}\p{N}_-]+`)

// contentWords returns the words to grep for; of Chinese, which has no spaces, each two
// characters in a row.
func contentWords(query string) (out []string) {
	for _, w := range grepWord.FindAllString(strings.ToLower(query), -1) {
		runes := []rune(w)
		if !slices.ContainsFunc(runes, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			if len(w) > 2 && !slices.Contains(common, w) {
				out = append(out, w)
			}
			continue
		}
		for i := range len(runes) - 1 {
			if unicode.Is(unicode.Han, runes[i]) && unicode.Is(unicode.Han, runes[i+1]) {
				out = append(out, string(runes[i:i+2]))
			}
		}
	}
	return out
}

// byGrep lists the ten best files too, as grep -l prints them.
func byGrep(texts map[string]string, q question) (r reading) {
	words := contentWords(q.Query)
	hits := func(text string) (n int) {
		text = strings.ToLower(text)
		for _, w := range words {
			if strings.Contains(text, w) {
				n++
			}
		}
		return n
	}
	type file struct {
		name string
		hits int
	}
	var ranked []file
	for name, text := range texts {
		ranked = append(ranked, file{name, hits(text)})
	}
	slices.SortFunc(ranked, func(a, b file) int { return cmp.Or(b.hits-a.hits, strings.Compare(a.name, b.name)) })
	for _, f := range ranked[:min(10, len(ranked))] {
		r.texts = append(r.texts, f.name)
	}
	const around, files, steps = 40, 3, 3
	for i, f := range ranked[:min(files*steps, len(ranked))] {
		if i%files == 0 && r.found {
			break
		}
		lines, best, most := strings.Split(texts[f.name], "\n"), 0, -1
		for k, line := range lines {
			if n := hits(line); n > most {
				best, most = k, n
			}
		}
		r.texts = append(r.texts, strings.Join(lines[max(0, best-around):min(len(lines), best+around+1)], "\n"))
		r.found = r.found || slices.Contains(q.Pages, f.name)
	}
	return r
}

// markdownIn returns the markdown files below a folder, by path.
func markdownIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(name) != ".md" {
			return err
		}
		src, err := os.ReadFile(name)
		if rel, relErr := filepath.Rel(dir, name); relErr == nil {
			out[filepath.ToSlash(rel)] = string(src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
