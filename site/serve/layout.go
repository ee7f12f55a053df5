package serve

import (
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site"
)

var _ pages = (*site.Site)(nil)

// layOut lays out the preview of a wiki.
func layOut(w *compiler.Wiki, findings []schema.Diagnostic) (pages, error) {
	s, err := site.New(w, site.Options{Live: true, Findings: findings})
	if err != nil {
		return nil, err
	}
	return s, nil
}
