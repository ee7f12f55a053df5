package importer

import (
	"context"
	"path"
	"strings"

	"github.com/loopwiki/wiki/compiler/exchange/okf"
	"github.com/loopwiki/wiki/schema"
)

// fromOKF makes relative links of those from the root of the bundle, which lead elsewhere
// on GitHub and below a folder of a wiki. Links stay markdown: they say where they lead
// without a resolver, and work wherever the pages are read. The front matter of the format
// is understood as it is.
func fromOKF(_ context.Context, c *conversion) error {
	for p := range c.each {
		seen := map[schema.Span]bool{}
		for l, res := range c.wiki.Links(p) {
			l = l.As(res)
			if !l.Markdown() || l.Field != "" || !strings.HasPrefix(l.Target, "/") || seen[l.Dest] {
				continue
			}
			if res.Kind != schema.TargetPage && res.Kind != schema.TargetFile {
				continue
			}
			seen[l.Dest] = true
			old := string(l.Dest.In(p.Source))
			rest := ""
			if i := strings.IndexAny(old, "#?"); i >= 0 {
				rest = old[i:]
			}
			c.relink(p, l.Dest, okf.Relative(p.Path, res.Path)+rest)
		}
		if v := p.Front.Get("okf_version").ScalarText(); v != "" && v != okf.Version && p.Path == "index.md" {
			c.note(p, -1, "the bundle declares OKF %s; it was read as %s", v, okf.Version)
		}
	}
	return nil
}

// fromObsidian notes what only Obsidian reads. Its links, aliases, callouts, comments and
// embeds are those of a wiki already.
func fromObsidian(_ context.Context, c *conversion) error {
	for _, name := range c.files {
		switch path.Ext(name) {
		case ".canvas", ".base":
			c.notes = append(c.notes, Note{name, 0, "copied; only Obsidian reads it, and its links are not rewritten"})
		}
	}
	return nil
}
