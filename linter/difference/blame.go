package difference

import (
	"context"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/schema"
)

// BlameVersion is the version of a [Blamed].
const BlameVersion = 1

// Blamed are the claims of a page with their origins.
type Blamed struct {
	Version int      `json:"version"`
	Path    string   `json:"path"`
	Claims  []Origin `json:"claims" jsonschema:"in the order of the page"`
}

// Origin is a claim with the commit since which the page states it with its value,
// wherever on the page it was and however it was worded.
type Origin struct {
	Claim
	Commit string `json:"commit,omitempty" jsonschema:"empty for what is not committed"`
	Author string `json:"author,omitempty"`
	Date   string `json:"date,omitempty" jsonschema:"2006-01-02"`
	Was    string `json:"was,omitempty" jsonschema:"the value before that commit, if the page had another one"`
}

// mostVersions bounds how many versions of a page are read.
const mostVersions = 1000

// Blame finds the commit of each claim of a page. The page's history is followed through
// its former names. The errors are those of git.
func Blame(ctx context.Context, w *compiler.Wiki, page *schema.Page) (*Blamed, error) {
	repository, err := w.Repository(ctx)
	if err != nil {
		return nil, err
	}
	r, out := newReader(w), &Blamed{Version: BlameVersion, Path: page.Path, Claims: []Origin{}}
	open := r.claims(page)
	for i := range open {
		out.Claims = append(out.Claims, Origin{Claim: open[i].Claim})
	}
	for _, path := range append([]string{page.Path}, repository.Former(page.Path)...) {
		if len(open) == 0 {
			break
		}
		err := history.Versions(ctx, w.Workspace().Root, path, mostVersions, func(c history.Commit, content []byte) bool {
			open = out.earlier(c, r.claims(w.ReadAs(page, content)), open)
			return len(open) > 0
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// earlier looks for claims in an earlier version of the page, and returns those whose
// origin may lie still further back.
func (b *Blamed) earlier(c history.Commit, then, open []stated) (still []stated) {
	matchClaims(then, open, func(_, now *stated) {
		o := &b.Claims[now.at]
		o.Commit, o.Author, o.Date = c.ID, c.Author, c.Time.UTC().Format(time.DateOnly)
		still = append(still, *now)
	}, func(was, now *stated) { b.Claims[now.at].Was = was.Text })
	return still
}
