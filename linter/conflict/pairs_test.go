package conflict

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// excerptPair is a line of testdata/pairs: two excerpts of two pages of one wiki that contradict each other, or only seem to.
type excerptPair struct {
	Kind, Reach   string
	Contradiction bool
	TitleA        string `json:"title_a"`
	A             string `json:"a"`
	TitleB        string `json:"title_b"`
	B             string `json:"b"`
}

// readPairs reads the pairs of a folder.
func readPairs(t *testing.T, dir string) (out []excerptPair) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if len(files) == 0 {
		t.Fatal("no pairs")
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(src)) {
			var p excerptPair
			if err := json.Unmarshal([]byte(line), &p); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			out = append(out, p)
		}
	}
	return out
}

// page returns a page with an excerpt below its title.
func page(path, title, text string) string {
	front := ""
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if meta, body, ok := strings.Cut(rest, "\n---"); ok {
			front, text = "---\n"+meta+"\n---\n", strings.TrimLeft(body, "\n")
		}
	}
	return fmt.Sprintf("-- %s --\n%s# %s\n\n%s\n", path, front, title, text)
}

// slugOf returns a title as the name of a file.
func slugOf(title string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }), "-")
}

// wiki compiles the two excerpts, with so much text besides that it shows which words are rare, and the titles of the
// pairs around it.
func (p *excerptPair) wiki(t *testing.T, around []excerptPair) (w *compiler.Wiki, a, b string) {
	a, b = "components/"+slugOf(p.TitleA)+".md", "reference/"+slugOf(p.TitleB)+".md"
	var files strings.Builder
	files.WriteString(page(a, p.TitleA, p.A) + page(b, p.TitleB, p.B) + "-- z.md --\n# Rooms\n\n")
	for n := range 40 {
		fmt.Fprintf(&files, "The theatre has room number %d on floor %d, which was painted.\n\n", n, n%5)
	}
	seen := map[string]bool{slugOf(p.TitleA): true, slugOf(p.TitleB): true}
	for i := range around {
		for _, title := range []string{around[i].TitleA, around[i].TitleB} {
			if slug := slugOf(title); !seen[slug] {
				seen[slug] = true
				files.WriteString(page("other/"+slug+".md", title, "See there."))
			}
		}
	}
	return compilertest.Compile(t, compilertest.Write(t, files.String())), a, b
}

// pairExamples are the meetings of the two excerpts of all pairs.
func pairExamples(t *testing.T) (out []example) {
	all := readPairs(t, "testdata/pairs")
	for n := range all {
		p := &all[n]
		if p.Reach == "stretch" {
			continue
		}
		w, a, b := p.wiki(t, all[max(0, n-15):min(len(all), n+15)])
		for _, e := range newMatcher(w).measured() {
			if x, y := e.a.said.Path, e.b.said.Path; x != a && y != a || x != b && y != b {
				continue
			}
			one := example{features: e.at, fold: len(readSets), worth: pairWorth, tempt: !p.Contradiction}
			if p.Contradiction {
				one.label = fmt.Sprint("pair ", n)
			}
			out = append(out, one)
		}
	}
	return out
}

// pairWorth is how much a pair of excerpts counts beside one of a set: a wiki says more around it.
const pairWorth = 0.7

// Of pairs written without knowledge of the engine so many are found, and so few of those that only seem to be. Those
// that are held back nobody who works on the engine reads.
func TestPairs(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("each pair is a wiki of its own")
	}
	for _, c := range []struct {
		dir          string
		least, wrong int
	}{{"testdata/pairs", 408, 36}, {"testdata/pairs/held", 44, 4}} {
		t.Run(filepath.Base(c.dir), func(t *testing.T) {
			t.Parallel()
			all := readPairs(t, c.dir)
			every := schematest.Every(1, 5)
			found, wrong, of := 0, 0, 0
			for n := 0; n < len(all); n += every {
				of++
				switch hit := all[n].found(t, all[max(0, n-15):min(len(all), n+15)]); {
				case hit && all[n].Contradiction:
					found++
				case hit:
					wrong++
				}
			}
			t.Logf("of %d pairs %d are found, and %d that only seem to contradict each other", of, found, wrong)
			least, most := c.least, c.wrong
			if every > 1 { // a sample may have a share of them that is a little smaller, or larger
				least, most = c.least*of/len(all)*4/5, c.wrong*of/len(all)+3
			}
			if found < least || wrong > most {
				t.Errorf("%d are found, want %d; %d that only seem to be, want at most %d", found, least, wrong, most)
			}
		})
	}
}

// found reports whether the two excerpts are reported as a contradiction.
func (p *excerptPair) found(t *testing.T, around []excerptPair) bool {
	w, a, b := p.wiki(t, around)
	for _, c := range Search(w, claim.English().Claims) {
		if x, y := c.Sides[0].Path, c.Sides[1].Path; c.Score >= Warns && (x == a && y == b || x == b && y == a) {
			return true
		}
	}
	for _, e := range newMatcher(w).matches() { // [Matches] does not, of so few sayings
		if x, y := e.a.said.Path, e.b.said.Path; e.likely >= matched && (x == a && y == b || x == b && y == a) {
			return true
		}
	}
	return false
}
