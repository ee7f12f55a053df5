package audit

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
)

// wanting returns a list that asks for pages.
func wanting(pages ...string) string {
	return "{\"version\": 1, \"findings\": [], \"pages\": [\n" + strings.Join(pages, ",\n") + "\n]}"
}

// page returns a page that may be asked for, with some of its text replaced.
func page(old ...string) string {
	return strings.NewReplacer(old...).Replace(`{"page": "wiki/10_DOMAIN/cents.md", "title": "Whole  cents", "why": "Nobody says why.", "cites": [{"at": "src/price.go:3", "quote": "cents int"}]}`)
}

func pagesOf(text string, w *Wiki, most int) ([]loops.NewPage, []string) {
	tree := &Tree{
		FS: fstest.MapFS{
			"src/price.go": {Data: []byte("package price\n\nvar cents int\n")}, "wiki/tax.md": {Data: []byte("# Tax\n")}, "wiki/new.md": {Data: []byte("# New\n")},
		},
		Files: []string{"src/price.go", "wiki/tax.md"}, Test: func(string) bool { return false },
	}
	root, _ := plan.ReadJSON([]byte(text))
	if root == nil {
		return nil, nil
	}
	pages, dropped := tree.Pages(context.Background(), []byte(text), root, w, most)
	var out []string
	for _, d := range dropped {
		out = append(out, d.String())
	}
	return pages, out
}

func theWiki() *Wiki {
	return &Wiki{Root: "wiki", Named: func(title string) bool { return strings.EqualFold(title, "tax") }, Sources: []string{"mail/**"}}
}

func TestPages(t *testing.T) {
	t.Parallel()
	want := loops.NewPage{Path: "wiki/10_DOMAIN/cents.md", Title: "Whole cents", Why: "Nobody says why.", Cites: []string{"src/price.go:3"}}
	got, dropped := pagesOf(wanting(page(), page("cents.md", "rounding.md", "Whole  cents", "Rounding"), page("cents.md", "third.md", "Whole  cents", "Third"), page("10_DOMAIN/", "")), theWiki(), 2)
	rounding := want
	rounding.Path, rounding.Title = "wiki/10_DOMAIN/rounding.md", "Rounding"
	if diff := cmp.Diff([]loops.NewPage{want, rounding}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"findings.json:4: the page wiki/10_DOMAIN/third.md exceeds the limit of 2 pages", "findings.json:5: the page wiki/cents.md is requested twice"}, dropped); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got, dropped := pagesOf(`{"version": 1, "findings": []}`, theWiki(), 2); got != nil || dropped != nil {
		t.Errorf("nothing is asked for: %v, %v", got, dropped)
	}
	// The findings of a list are read whatever it asks for.
	for _, text := range []string{wanting(page()), `{"version": 1, "findings": [], "pages": 3}`} {
		if _, wrong := read(t, text); wrong != nil {
			t.Errorf("%s: %v", text, wrong)
		}
	}
}

func TestPagesThatAreDropped(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want string }{
		"is no list":           {`{"pages": {}}`, `"pages" is not a list`},
		"has an unknown key":   {wanting(page(`"why"`, `"becuase"`)), `unknown key "becuase"`},
		"is no map":            {wanting(`"x"`), "expected a map"},
		"has no title":         {wanting(page("Whole  cents", "")), "the title has 0 bytes"},
		"has a long title":     {wanting(page("Whole  cents", strings.Repeat("x", 81))), "the title has 81 bytes"},
		"says not why":         {wanting(page("Nobody says why.", "")), "\"why\" has 0 bytes"},
		"cites nothing":        {wanting(page(`{"at": "src/price.go:3", "quote": "cents int"}`, "")), "it cites 0 places"},
		"cites no file":        {wanting(page("price.go", "nowhere.go")), "but the file does not exist"},
		"cites no line":        {wanting(page(":3", "")), `expected "path:line"`},
		"quotes what is not":   {wanting(page("cents int", "euros int")), "quotes text that is not in"},
		"leaves the wiki":      {wanting(page("wiki/10_DOMAIN/cents.md", "src/cents.md")), "expected one below wiki/"},
		"leaves it by dots":    {wanting(page("10_DOMAIN", "../src")), "path "},
		"leaves the root":      {wanting(page("wiki/", "/wiki/")), "path "},
		"is hidden":            {wanting(page("10_DOMAIN", ".claude")), "path "},
		"is no page":           {wanting(page("cents.md", "cents.sh")), "path "},
		"is there":             {wanting(page("10_DOMAIN/cents", "tax")), "wiki/tax.md already exists"},
		"is there, in capital": {wanting(page("10_DOMAIN/cents", "Tax")), "path "},
		"is there untracked":   {wanting(page("10_DOMAIN/cents", "new")), "wiki/new.md already exists"},
		"is called so":         {wanting(page("Whole  cents", "Tax")), `a page named "Tax" already exists`},
		"is an index":          {wanting(page("cents.md", "index.md")), "is not a place for concept pages"},
		"is the log":           {wanting(page("10_DOMAIN", "90_LOG")), "is not a place for concept pages"},
		"instructs agents":     {wanting(page("cents.md", "claude.md")), "is not a place for concept pages"},
		"is a raw source":      {wanting(page("10_DOMAIN", "raw")), "is not a place for concept pages"},
		"is a source by name":  {wanting(page("10_DOMAIN", "mail")), "is not a place for concept pages"},
		"is a template":        {wanting(page("10_DOMAIN", "templates")), "is not a place for concept pages"},
	} {
		got, dropped := pagesOf(tt.text, theWiki(), 2)
		if len(got) != 0 || len(dropped) != 1 || !strings.Contains(dropped[0], tt.want) {
			t.Errorf("one that %s: %v, dropped %q, want %q", name, got, dropped, tt.want)
		}
	}
	whole := theWiki()
	whole.Root = "."
	for _, path := range []string{"plans/2026-07-x.md", "agents/x.md", "security.md"} {
		if got, dropped := pagesOf(wanting(page("wiki/10_DOMAIN/cents.md", path)), whole, 2); len(got) != 0 || len(dropped) != 1 {
			t.Errorf("%s where all is wiki: %v, %q", path, got, dropped)
		}
	}
	for name, w := range map[string]*Wiki{"without a wiki": nil, "without a writer": theWiki()} {
		most := 2
		if w != nil {
			most = 0
		}
		if got, dropped := pagesOf(wanting(page()), w, most); len(got) != 0 || len(dropped) != 1 || !strings.Contains(dropped[0], "there is no wiki, or no agent") {
			t.Errorf("%s: %v, %q", name, got, dropped)
		}
	}
}

func FuzzPages(f *testing.F) {
	f.Add(wanting(page()))
	f.Add(`{"pages": [{"cites": [{}, null]}, null, [], {"page": "wiki/\u0000.md"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		pages, _ := pagesOf(text, theWiki(), MostPages)
		if len(pages) > MostPages {
			t.Fatalf("%d pages", len(pages))
		}
		for _, p := range pages {
			if !strings.HasPrefix(p.Path, "wiki/") || strings.Contains(p.Path, "..") || !strings.HasSuffix(p.Path, ".md") || len(p.Cites) == 0 || len(p.Title) > mostConcept {
				t.Fatalf("%+v", p)
			}
		}
	})
}
