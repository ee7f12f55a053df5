package rules

import (
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// shownChanges are the rules whose safe fixes change visible words, with the visible
// part of their edits. The fixes of other rules change no word.
var shownChanges = map[string]func(removed, inserted string) (gone, new []string){
	"forbidden-term":       asWritten, // the word to use in its place
	"path-mention-missing": asWritten, // the path that the file has now
	"snippet-drift":        asWritten, // the lines that the code has now
	"source-moved":         asWritten, // the path or the lines that the source has now
	"index-stale-summary":  asWritten, // the summary that the page has now
	"index-missing-entry":  entryText, // a line with the title of the page and its summary
	"index-dead-entry":     entryText, // a line is taken out
	"log-missing":          entryText, // a heading with the day, and a line
}

// unseenRunes are the rules whose safe fixes add or remove only markup or invisible
// characters.
var unseenRunes = map[string]func(r rune) bool{
	"table-shape":          func(r rune) bool { return strings.ContainsRune("|-:\\`", r) },
	"encoding":             func(r rune) bool { return r == unicode.ReplacementChar || unicode.IsControl(r) },
	"invisible-characters": func(r rune) bool { return unicode.Is(unicode.Cf, r) || strings.ContainsRune("-[]`", r) }, // what it kept from being markup
}

func asWritten(removed, inserted string) (gone, new []string) {
	return strings.Fields(removed), strings.Fields(inserted)
}

// linkLabel matches a wikilink with its label, or a markdown link.
var linkLabel = regexp.MustCompile(`\[\[(?:[^\]|]*\|)?([^\]]*)\]\]|\[([^\]]*)\]\([^)]*\)`)

// entryText is the visible text of lines with a link, in a list or below a heading.
func entryText(removed, inserted string) (gone, new []string) {
	seen := func(s string) (out []string) {
		for _, w := range strings.Fields(linkLabel.ReplaceAllString(s, "$1$2")) {
			if w = strings.Trim(w, "*_`"); strings.Trim(w, "#-+|") != "" {
				out = append(out, w)
			}
		}
		return out
	}
	return seen(removed), seen(inserted)
}

// sharedWikis are folders of shared wikis, below the shared data.
func sharedWikis(t *testing.T) []string {
	list := []string{"corpora/loop-standards"}
	for _, c := range compilertest.Corpora {
		list = append(list, c.Path)
	}
	for name, root := range map[string]string{
		"metidos": ".wiki", "praxis": "docs/wiki", "kit-starters": "starters", "foam-docs": "docs", "logseq-docs": ".",
		"vscode-demo-vault": "demo-vault", "vamsee-all": "wikis", "powershell-docs": "reference",
	} {
		list = append(list, filepath.ToSlash(filepath.Join("corpora/real", name, root)))
	}
	slices.Sort(list)
	return list
}

// TestSafeFixesLoseNothing applies all safe fixes to the shared wikis, rule by rule:
// readers see the same words as before but for what shownChanges says.
func TestSafeFixesLoseNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it renders thousands of pages")
	}
	var fixing []string
	var all []*linter.Rule // contradictions have no fix and take longest
	for _, r := range linter.Rules() {
		if r.Group != linter.Contradiction && r.Group != linter.Judged {
			all = append(all, r)
		}
		if r.Fix == linter.SafeFix && r.ID != "external-link" {
			fixing = append(fixing, r.ID)
		}
	}
	for _, path := range sharedWikis(t) {
		t.Run(path, func(t *testing.T) {
			w := compilertest.Compile(t, schematest.Shared(t, path))
			if len(w.Pages()) == 0 {
				return
			}
			res, err := linter.Run(t.Context(), w, linter.Config{Rules: all, Today: today})
			if err != nil {
				t.Fatal(err)
			}
			for _, rule := range fixing {
				sameWords(t, w, rule, res.Findings)
			}
		})
	}
}

// sameWords applies the safe fixes of one rule and compares the pages that they touch.
func sameWords(t *testing.T, w *compiler.Wiki, rule string, found []schema.Diagnostic) {
	t.Helper()
	c := edit.New(w)
	edits := map[string][]schema.Edit{}
	for _, d := range found {
		i := slices.IndexFunc(d.Fixes, func(f schema.Fix) bool { return f.Safe && len(f.Moves) == 0 })
		if d.Rule != rule || i < 0 || slices.ContainsFunc(d.Fixes[i].Edits, func(e schema.Edit) bool {
			return slices.ContainsFunc(edits[e.Path], func(o schema.Edit) bool { return o.Span.Overlaps(e.Span) || o.Span == e.Span })
		}) {
			continue
		}
		for _, e := range d.Fixes[i].Edits {
			edits[e.Path] = append(edits[e.Path], e)
		}
	}
	for _, path := range sortedKeys(edits) {
		if err := c.Edit(edits[path]...); err != nil {
			t.Fatalf("%s: %v", rule, err)
		}
	}
	if len(edits) == 0 {
		return
	}
	after, err := w.WithOverlay(t.Context(), c.Overlay())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d pages", rule, len(edits))
	for _, path := range sortedKeys(edits) {
		id := schema.PageID(strings.TrimSuffix(path, ".md"))
		old, now := w.Page(id), after.Page(id)
		if old == nil || now == nil {
			continue
		}
		compareWords(t, rule, path, shownWords(w, old), shownWords(after, now), old, edits[path])
	}
}

func compareWords(t *testing.T, rule, path string, before, after []string, page *schema.Page, edits []schema.Edit) {
	t.Helper()
	if drop := unseenRunes[rule]; drop != nil {
		a, b := visibleRunes(before, drop), visibleRunes(after, drop)
		if rest := lost(a, b); rest != "" || rule != "table-shape" && len(a) != len(b) { // cells that were cut off are shown again
			t.Errorf("%s changes what %s shows: %d bytes become %d, lost is %.60q", rule, path, len(a), len(b), rest)
		}
		return
	}
	balance := map[string]int{}
	count := func(words []string, n int) {
		for _, w := range words {
			balance[w] += n
		}
	}
	count(before, -1)
	count(after, 1)
	if seen := shownChanges[rule]; seen != nil {
		for _, e := range edits {
			from, to := wholeWords(page.Source, e.Span)
			prefix, suffix := string(page.Source[from:e.Span.Start]), string(page.Source[e.Span.End:to])
			gone, inserted := seen(string(page.Source[from:to]), prefix+e.Text+suffix)
			count(gone, 1)
			count(inserted, -1)
		}
	}
	var out []string
	for w, n := range balance {
		if n != 0 {
			out = append(out, fmt.Sprintf("%+d %q", n, w))
		}
	}
	slices.Sort(out)
	if len(out) > 0 {
		t.Errorf("%s changes what %s shows: %s", rule, path, strings.Join(out[:min(len(out), 12)], ", "))
	}
}

// lost returns what of a text, from some place on, is not in another one in the same
// order; "" when all of it is.
func lost(before, after string) string {
	for i := range len(before) {
		k := strings.IndexByte(after, before[i])
		if k < 0 {
			return before[i:]
		}
		after = after[k+1:]
	}
	return ""
}

// visibleRunes are the characters of words without those that drop names.
func visibleRunes(words []string, drop func(r rune) bool) string {
	return strings.Map(func(r rune) rune {
		if drop(r) {
			return -1
		}
		return r
	}, strings.Join(words, ""))
}

// wholeWords widens a span to the words that it begins and ends in.
func wholeWords(src []byte, s schema.Span) (from, to int) {
	space := func(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }
	from, to = s.Start, s.End
	if s.Len() == 0 && (from == 0 || space(src[from-1])) {
		return from, to
	}
	for from > 0 && !space(src[from-1]) {
		from--
	}
	for to < len(src) && !space(src[to]) {
		to++
	}
	return from, to
}

var htmlTag = regexp.MustCompile(`<[^>]*>`)

// shownWords are the words of a page as it is built; two forms of a character in
// Unicode look the same.
func shownWords(w *compiler.Wiki, page *schema.Page) []string {
	body := string(w.Render(page, compiler.RenderOptions{}).HTML)
	for _, block := range []string{"</p>", "</li>", "</td>", "</th>", "</h1>", "</h2>", "</h3>", "</h4>", "</h5>", "</h6>", "<br", "</dt>", "</dd>", "</div>", "</tr>"} {
		body = strings.ReplaceAll(body, block, " "+block)
	}
	return strings.Fields(norm.NFC.String(html.UnescapeString(htmlTag.ReplaceAllString(body, ""))))
}
