package identity_test

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/identity"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// wiki makes pages of paths. "path lang=de id=x" gives frontmatter.
func wiki(list string) []*schema.Page {
	var pages []*schema.Page
	for line := range strings.SplitSeq(strings.TrimSpace(list), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		p := &schema.Page{Path: fields[0]}
		var front strings.Builder
		for _, f := range fields[1:] {
			key, value, _ := strings.Cut(f, "=")
			if key == "id" {
				p.Meta.ID = value
			}
			front.WriteString(key + ": " + value + "\n")
		}
		if front.Len() > 0 {
			root, _ := yaml.Parse([]byte(front.String()), 0)
			p.Front = &schema.Frontmatter{Root: root}
		}
		pages = append(pages, p)
	}
	return pages
}

func TestRelatedPages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, pages, a, b string
		want              string // of translations, versions, series, editions
	}{
		{"language folders", "en/a.md\nde/a.md", "en/a.md", "de/a.md", "translations editions"},
		{"other pages of two languages", "en/a.md\nde/a.md\nen/b.md", "en/b.md", "de/a.md", "editions"},
		{"two pages of one language", "en/a.md\nde/a.md\nen/b.md", "en/b.md", "en/a.md", ""},
		{"default language at the top", "a.md\npt-BR/a.md", "a.md", "pt-BR/a.md", "translations editions"},
		{"language in the file name", "a.md\na.zh-CN.md", "a.md", "a.zh-CN.md", "translations editions"},
		{"readme in two languages", "README.md\nREADME_de.md", "README.md", "README_de.md", "translations editions"},
		{"words after a hyphen", "log.md\nlog-in.md", "log.md", "log-in.md", ""},
		{"docusaurus", "docs/a.md\ni18n/fr/docusaurus-plugin-content-docs/current/a.md\nversioned_docs/version-1.0/a.md",
			"docs/a.md", "i18n/fr/docusaurus-plugin-content-docs/current/a.md", "translations editions"},
		{"docusaurus versions", "docs/a.md\nversioned_docs/version-1.0/a.md", "docs/a.md", "versioned_docs/version-1.0/a.md", "versions editions"},
		{"departments are no languages", "hr/a.md\nhr/b.md\nhr/c.md\nit/d.md\nit/e.md\nhr/index.md\nit/index.md", "hr/index.md", "it/index.md", ""},
		{"lang and id", "x/one.md lang=en id=7\ny/eins.md lang=de id=7", "x/one.md", "y/eins.md", "translations editions"},
		{"lang and file name", "posts/a.md lang=en\nbeitraege/a.md lang=de", "posts/a.md", "beitraege/a.md", "translations editions"},
		{"lang and index", "posts/index.md lang=en\nother/index.md lang=de", "posts/index.md", "other/index.md", "editions"},
		{"version folders", "r/5.1/a.md\nr/7.4/a.md", "r/5.1/a.md", "r/7.4/a.md", "versions editions"},
		{"other pages of two versions", "r/5.1/a.md\nr/7.4/a.md\nr/7.4/b.md", "r/5.1/a.md", "r/7.4/b.md", "editions"},
		{"page beside versions", "r/5.1/a.md\nr/7.4/a.md\nr/guide/b.md", "r/5.1/a.md", "r/guide/b.md", ""},
		{"latest", "1.x/a.md\nlatest/a.md", "1.x/a.md", "latest/a.md", "versions editions"},
		{"names of versions without a number", "dev/a.md\nmain/a.md", "dev/a.md", "main/a.md", ""},
		{"commits", "p/c9dd949/a.md\np/f91c12b/a.md", "p/c9dd949/a.md", "p/f91c12b/a.md", "versions editions"},
		{"packages", "x@v1.2.0/a.md\nx@v1.3.0/a.md", "x@v1.2.0/a.md", "x@v1.3.0/a.md", "versions editions"},
		{"pre-releases", "2.0-rc1/a.md\n2.0/a.md", "2.0-rc1/a.md", "2.0/a.md", "versions editions"},
		{"folders with words", "10-bases/a.md\n11-acids/a.md", "10-bases/a.md", "11-acids/a.md", ""},
		{"hexadecimal words", "defaced/a.md\nfaceted/a.md", "defaced/a.md", "faceted/a.md", ""},
		{"versions in names", "audit-v10.md\naudit-v11.md", "audit-v10.md", "audit-v11.md", "series"},
		{"first version without a number", "audit.md\naudit-v2.md", "audit.md", "audit-v2.md", "series"},
		{"copy", "page.md\npage-2.md", "page.md", "page-2.md", ""},
		{"manuals", "reference-7-4.md\nreference-7-5-1.md", "reference-7-4.md", "reference-7-5-1.md", "series"},
		{"months", "report-march-2026.md\nreport-april-2026.md", "report-march-2026.md", "report-april-2026.md", "series"},
		{"days and topics", "2026-01-02-a.md\n2026-01-03-b.md", "2026-01-02-a.md", "2026-01-03-b.md", ""},
		{"ids of notes", "202601020304.md\n202601020305.md", "202601020304.md", "202601020305.md", ""},
		{"series in two languages", "en/w-1.md\nde/w-1.md\nde/w-2.md\nen/w-2.md", "en/w-1.md", "de/w-2.md", "series editions"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := identity.Of(wiki(tt.pages), schema.IdentityConfig{})
			if got := related(s, tt.a, tt.b); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if got := related(s, tt.b, tt.a); got != tt.want {
				t.Errorf("the other way round %q, want %q", got, tt.want)
			}
			if got := related(s, tt.a, tt.a); got != "" {
				t.Errorf("of one page %q", got)
			}
		})
	}
}

func related(s *identity.Set, a, b string) string {
	var out []string
	for _, r := range []struct {
		name string
		of   func(a, b string) bool
	}{{"translations", s.Translations}, {"versions", s.Versions}, {"series", s.Series}, {"editions", s.Editions}} {
		if r.of(a, b) {
			out = append(out, r.name)
		}
	}
	return strings.Join(out, " ")
}

func TestConfigurationOverridesDetection(t *testing.T) {
	t.Parallel()
	pages := wiki("guide/german/a.md\nguide/english/a.md\nm/old/a.md\nm/new/a.md\nx/p.md\nx/q.md\nw-1.md\nw-2.md")
	s := identity.Of(pages, schema.IdentityConfig{
		Languages: []string{"guide/*"}, Versions: []string{"m/old/", "m/new"}, Series: []string{"x/*.md"}, Distinct: []string{"w-*.md"},
	})
	for pair, want := range map[string]string{
		"guide/german/a.md guide/english/a.md": "translations editions",
		"m/old/a.md m/new/a.md":                "versions editions",
		"x/p.md x/q.md":                        "series",
		"w-1.md w-2.md":                        "",
	} {
		a, b, _ := strings.Cut(pair, " ")
		if got := related(s, a, b); got != want {
			t.Errorf("%s: %q, want %q", pair, got, want)
		}
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	s := identity.Of(wiki("r/5.1/a.md\nr/7.4/a.md\nr/7.4/b.md\nw-1.md\nw-2.md\nw-3.md"), schema.IdentityConfig{})
	if f := s.Folders(); len(f) != 2 || f[1] != (identity.Edition{Kind: "version", Folder: "r/7.4", Name: "7.4", Pages: 2, Shared: 1}) {
		t.Errorf("folders %+v", f)
	}
	if g := s.AllSeries(); len(g) != 1 || g[0] != (identity.Group{Kind: "series", Name: "w-#", Pages: 3, First: "w-1.md"}) {
		t.Errorf("series %+v", g)
	}
}

func FuzzRelated(f *testing.F) {
	f.Add("en/a.md", "de/a.md")
	f.Add("r/v5.1/w-1.zh-CN.md", "r/latest/w-january.md")
	f.Fuzz(func(t *testing.T, a, b string) {
		pages := []*schema.Page{{Path: a}}
		if a != b {
			pages = append(pages, &schema.Page{Path: b})
		}
		s := identity.Of(pages, schema.IdentityConfig{})
		if related(s, a, b) != related(s, b, a) || a == b && related(s, a, b) != "" {
			t.Errorf("%q and %q: %q", a, b, related(s, a, b))
		}
	})
}

// TestSuperseded holds which pages are of an older version of their manual.
func TestSuperseded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, pages string
		want        string
	}{
		{"versions", "r/5.1/a.md\nr/7.4/a.md\nr/7.10/a.md\nr/5.1/gone.md", "r/5.1/a.md r/7.4/a.md r/5.1/gone.md"},
		{"versions beside the next one", "docs/a.md\nversioned_docs/version-1.0/a.md\nversioned_docs/version-2.0/a.md", "versioned_docs/version-1.0/a.md versioned_docs/version-2.0/a.md"},
		{"no versions", "a.md\nb/a.md", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pages := wiki(tt.pages)
			s := identity.Of(pages, schema.IdentityConfig{})
			var got []string
			for _, p := range pages {
				if s.Superseded(p.Path) {
					got = append(got, p.Path)
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
