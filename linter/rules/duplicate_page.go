package rules

import (
	"fmt"
	"path"
	"slices"

	"github.com/loopwiki/wiki/compiler/identity"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "duplicate-page",
	Group:    linter.Gaps,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "Two pages have nearly the same content.",
	Doc: `Somebody copied a page, or an agent didn't find it and wrote it again. From then on, one of the two is
corrected and the other is not. Merge them, and make the removed name an alias of the remaining page.

Two pages are duplicates if 85 % of their five-word sequences match; pages under 60 words are not compared.
Two pages in one folder, or of the same declared type, with the same title of two or more words are reported
too. A title shared by three or more pages is a pattern and not reported.

Not reported: translations and versions of a page and pages of a series (` + "`wiki doctor`" + ` lists them), pages
named after dates, licences and similar files, drafts, inactive pages, raw sources, templates and indexes. A
folder copied with all its pages is one finding.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages were copied as a group; keep one copy of each. First: %s", n, first.Message)
	},
	Check: duplicatePage,
	// Each page is read while it is at hand, and all of them at the same time.
	CheckPage: func(p *linter.Pass, page *schema.Page) { portraitFact.Of(p, page) },
})

const leastShared = 0.85 // of the runs of two pages that say the same

// copied is a page with the first page that duplicates it.
type copied struct{ page, of *schema.Page }

func duplicatePage(p *linter.Pass) {
	var pages []*portrait
	for _, page := range p.Wiki.Pages() {
		if of := portraitFact.Of(p, page); !of.exempt && listed(p.Wiki, page) {
			pages = append(pages, of)
		}
	}
	twins := sameBodies(p.Wiki.Identity(), pages)
	folders := map[[2]string]int{}
	for _, c := range twins {
		folders[[2]string{path.Dir(c.of.Path), path.Dir(c.page.Path)}]++
	}
	done := map[*schema.Page]bool{}
	for _, c := range twins {
		done[c.page], done[c.of] = true, true
		from, to := path.Dir(c.of.Path), path.Dir(c.page.Path)
		cause := "page:" + c.of.Path
		if from != to && folders[[2]string{from, to}] > 2 {
			cause = "folder:" + from + "\x00" + to
		}
		d := p.ReportCause(cause, c.page.Path, titleAt(c.page), "%q is nearly identical to %q; merge the two, or remove one", c.page.Path, c.of.Path)
		d.Related = []schema.Related{{Path: c.of.Path, Span: titleAt(c.of), Message: "the other copy"}}
	}
	sameTitles(p, pages, done)
}

// portrait is the data by which pages are compared.
type portrait struct {
	page   *schema.Page
	title  string  // folded
	body   *sketch // nil when it is too short
	exempt bool    // one of many that are alike by their kind: named after a day, or a licence
}

var portraitFact = linter.NewPageFact(func(page *schema.Page) *portrait {
	_, dated := leadingDay(stem(page.Path))
	return &portrait{page: page, title: fold(page.Title), body: newSketch(page),
		exempt: dated || schema.RepositoryPage(path.Base(page.Path)) || unread(page) || page.Layer == schema.LayerSource}
})

// sameBodies returns the pages that say the same as one before them, in order.
func sameBodies(ids *identity.Set, pages []*portrait) []copied {
	leaders := newBands(len(pages))
	var out []copied
	for i, page := range pages {
		if page.body == nil {
			continue
		}
		var of *schema.Page
		tried := [sketchBands]int32{}
		for b, key := range page.body.keys {
			if key == 0 {
				continue
			}
			j := leaders.first(key, int32(i))
			if j == int32(i) {
				continue
			}
			tried[b] = j + 1
			if of != nil || slices.Contains(tried[:b], j+1) {
				continue
			}
			if other := pages[j]; page.sameBody(other) && !ids.Apart(page.page.Path, other.page.Path) {
				of = other.page
			}
		}
		if of != nil {
			out = append(out, copied{page.page, of})
		}
	}
	return out
}

// sameBody reports whether two pages say the same.
func (a *portrait) sameBody(b *portrait) bool {
	return a.body.like(b.body) >= leastShared &&
		sharedRuns(a.page.Source[a.page.Body:], b.page.Source[b.page.Body:]) >= leastShared
}

// sameTitles reports pairs of pages that have one title.
func sameTitles(p *linter.Pass, pages []*portrait, done map[*schema.Page]bool) {
	byTitle := make(map[string]int32, len(pages)) // to the first page, counted from 1, or -1 for more than two
	pairs := map[string]int32{}                   // to the second
	for i, page := range pages {
		switch first := byTitle[page.title]; {
		case first == 0:
			byTitle[page.title] = int32(i) + 1
		case pairs[page.title] == 0:
			pairs[page.title] = int32(i) + 1
		default:
			byTitle[page.title] = -1
		}
	}
	for _, title := range sortedKeys(pairs) {
		if byTitle[title] > 0 {
			sameTitle(p, pages[pairs[title]-1].page, pages[byTitle[title]-1].page, done)
		}
	}
}

// sameTitle reports a page that has the title of another one.
func sameTitle(p *linter.Pass, page, other *schema.Page, done map[*schema.Page]bool) {
	words := weighty(page.Title)
	apart := path.Dir(page.Path) != path.Dir(other.Path) && (page.Meta.Type == "" || fold(page.Meta.Type) != fold(other.Meta.Type))
	if apart || done[page] || done[other] || p.Wiki.Identity().Apart(page.Path, other.Path) ||
		len(words) < 2 || !slices.ContainsFunc(words, func(w string) bool { return !everyday[w] }) {
		return
	}
	d := p.Report(page.Path, titleAt(page), "%q has the same title as %q, %q; merge the two, or give them distinct titles", page.Path, other.Path, page.Title)
	d.Related = []schema.Related{{Path: other.Path, Span: titleAt(other), Message: "has the same title"}}
}
