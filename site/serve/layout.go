package serve

import (
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/site"
)

var (
	_ pages    = (*site.Site)(nil)
	_ runPages = (*site.Site)(nil)
)

// layOut lays out the preview of a wiki.
func layOut(w *compiler.Wiki, known Known) (pages, error) {
	s, err := site.New(w, site.Options{
		Live: true, Findings: known.Findings, Contradictions: known.Contradictions, Mentions: known.Mentions, Watched: known.Watched, Runs: known.runs, Fleet: known.fleet,
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}
