package rules

import (
	"bytes"
	"fmt"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "broken-image",
	Group:    linter.Links,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "An image on a page does not exist.",
	Doc: `Readers see a broken image. Usually the file was moved without its link, or was never committed.

Correct the path, or add the file. If exactly one image elsewhere has the same name, the message suggests it.
Images missing because a whole folder is missing are reported as one finding with a count.

Switch it off if a later build step adds the images.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d images share one cause: %s", n, first.Message)
	},
	Local: true,
	Check: func(p *linter.Pass) {
		away := newAbsent(p)
		defer away.skip("image")
		for s := range sites(p) {
			switch {
			case !s.image() || s.published(p) || away.knows(s):
			case s.missing() && s.Link.Syntax == schema.SyntaxWikilink:
				reportMissing(p, s, fmt.Sprintf("the image %q does not exist", s.Link.Target), "correct the name, or add the file")
			case s.missing():
				missingFile(p, s, shownAs(s))
			case s.Res.Kind == schema.TargetNone && s.Res.Broken == schema.BrokenEmpty:
				lowerSeverity(p.Report(s.Page.Path, s.at(), "the image has no path; add the path of its file"), s.Page)
			}
		}
	},
})

// shownAs is the text displayed for the link.
func shownAs(s site) string {
	tag, html := bytes.CutPrefix(s.Link.Span.In(s.Page.Source), []byte("<"))
	name := bytes.Fields(bytes.ToLower(tag))
	if !html || len(name) == 0 {
		return "image"
	}
	switch string(name[0]) {
	case "img":
		return "image"
	case "video":
		return "video"
	case "audio":
		return "audio file"
	}
	return "file"
}
