package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "broken-link",
	Group:    linter.Links,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A markdown link points to a file that does not exist.",
	Doc: `A reader who clicks gets an error page, and every tool that follows links stops there. Correct the path, or
add the file.

Links resolve as on GitHub: relative to the page's folder, with exact letter case and file extension; a link
that begins with a slash is looked up from the root of the wiki or of the repository. In an Obsidian vault
links are looked up in the whole vault, as Obsidian does.

A link that works only without ` + "`.md`" + ` is a warning with a safe fix, because only some tools accept it; in
a VitePress site it is info. Where the settings of Docusaurus or VitePress are found, links resolve as on the site too: from
the folder of the docs, by ` + "`id:`" + ` and ` + "`slug:`" + `, by addresses and in the public folder. In raw sources, which are kept as collected, a broken link is info.

Links into one missing folder are grouped into one finding, and so are paths relative to the wiki root, or to
the folder above it, instead of the page's folder; ` + "`wiki lint --fix`" + ` rewrites those.

A path with a space that is not in angle brackets is not a link, and readers see the brackets. If the file exists, that is
a warning with a safe fix, except in vaults, whose programs accept it.

If most links that begin with a slash are broken, they are probably site URLs, and you get one warning. Map
them in wiki.yaml, for example ` + "`links: {/docs/: guide}`" + ` with a folder below the wiki root, or ` + "`-`" + ` for pages
outside this wiki.

Links into a submodule that is not checked out are skipped, and the report says so.

Switch it off for folders copied from elsewhere without their link targets.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d links share one cause: %s", n, first.Message)
	},
	Local: true,
	Check: func(p *linter.Pass) {
		seen, away := map[schema.Edit]bool{}, newAbsent(p)
		var addresses []site
		for s := range sites(p) {
			if s.published(p) {
				addresses = append(addresses, s)
				continue
			}
			if !s.Link.Markdown() || s.image() || s.Link.Field != "" || s.missing() && machinePath(s.Link.Raw) {
				continue
			}
			if s.Link.Syntax == schema.SyntaxReference { // many links share one definition
				at := schema.Edit{Path: s.Page.Path, Span: s.Link.Dest}
				if seen[at] {
					continue
				}
				seen[at] = true
			}
			if !away.knows(s) {
				brokenLink(p, s)
			}
		}
		away.skip("link")
		spacedLinks(p)
		if len(addresses) > 0 && !p.Focused() {
			s := addresses[0]
			d := p.Report(s.Page.Path, s.at(), "no known folder for site URLs such as %q (%s); %s", s.Link.Target, text.Count(len(addresses), "link"), mapping(p, addresses))
			d.Severity = schema.Warning
		}
	},
})

// mostMapped bounds how many links a folder is tried with, mostFolders how many.
const (
	mostMapped  = 200
	mostFolders = 500
)

// mapping is the remedy for links to addresses on a site: the folder that nearly all
// of them resolve in, if there is one.
func mapping(p *linter.Pass, addresses []site) string {
	n := nameFact.Of(p)
	there := func(folder string, s site) bool {
		to := strings.TrimPrefix(path.Join(folder, s.Link.Target), "/")
		return n.folders[to] || slices.Contains(n.inFolder[path.Dir(to)], to) || slices.Contains(n.inFolder[path.Dir(to)], to+".md")
	}
	tried := addresses[:min(len(addresses), mostMapped)]
	folders := sortedKeys(n.folders)
	for _, folder := range folders[:min(len(folders), mostFolders)] {
		found := 0
		for _, s := range tried {
			if there(folder, s) {
				found++
			}
		}
		if 10*found >= 9*len(tried) {
			return fmt.Sprintf("map them in wiki.yaml, links: {/: %s}, or ignore them, links: {/: -}", folder)
		}
	}
	return "if they are outside this wiki, ignore them in wiki.yaml, links: {/: -}"
}

// siteFact reports whether links that begin with a slash are site URLs: most of them
// don't resolve at the wiki's root, and links: is not set.
var siteFact = linter.NewFact(func(w *compiler.Wiki) bool {
	found, missing := 0, 0
	for _, page := range w.Pages() {
		for l, res := range w.Links(page) {
			switch {
			case !l.Markdown() || !strings.HasPrefix(l.Target, "/") || page.Layer == schema.LayerSource:
			case strings.Trim(l.Target, "/") == "": // the root is there, whichever is meant
			case res.OK():
				found++
			default:
				missing++
			}
		}
	}
	return missing > found && len(w.Config().Links) == 0 && !w.Workspace().Dialect.Profile.RootAbsolute
})

// published reports whether the link is a site URL without a mapping to the wiki.
func (s site) published(p *linter.Pass) bool {
	return s.missing() && s.Link.Markdown() && strings.HasPrefix(s.Link.Target, "/") && s.Page.Layer != schema.LayerSource && siteFact.Of(p)
}

func brokenLink(p *linter.Pass, s site) {
	id, block := s.Link.BlockReference()
	switch {
	case s.missing() && block && p.Wiki.Workspace().Dialect.Profile.Outline:
		lowerSeverity(p.Report(s.Page.Path, s.at(), "no block has the id %s; correct the id, or link to the page", id), s.Page)
	case s.missing():
		missingFile(p, s, "file")
	case s.Res.Kind == schema.TargetNone && s.Res.Broken == schema.BrokenEmpty && stem(s.Page.Path) == summary: // a chapter that is planned
	case s.Res.Kind == schema.TargetNone && s.Res.Broken == schema.BrokenEmpty:
		d := p.Report(s.Page.Path, s.at(), "the link%s has no destination; add one, or remove the brackets", named(s.Link.Label))
		lowerSeverity(d, s.Page)
	case s.Res.By == schema.ByExtension, s.Res.By == schema.BySite && !strings.HasPrefix(s.Link.Target, "/"):
		looseLink(p, s)
	}
}

// spacedLinks reports text that is not a link only because its destination contains a
// space.
func spacedLinks(p *linter.Pass) {
	if p.Wiki.Workspace().Dialect.Profile.VaultMarkdown {
		return
	}
	for _, page := range p.Pages() {
		for _, f := range page.Faults {
			if f.Kind != schema.FaultSpacedDestination {
				continue
			}
			dest := string(f.Span.In(page.Source))
			l := schema.Link{Syntax: schema.SyntaxInline, Raw: dest}
			l.Target, l.Fragment, l.Hash = strings.Cut(dest, "#")
			res := p.Wiki.Resolve(page, &l)
			if res.Kind != schema.TargetPage && res.Kind != schema.TargetFile {
				continue
			}
			d := p.Report(page.Path, f.Span, "%q contains a space and is not rendered as a link; write <%s>", dest, dest)
			d.Severity = schema.Warning
			if !res.AnchorMissing {
				d.Fixes = []schema.Fix{{Title: "put the path in angle brackets", Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: f.Span, Text: "<" + dest + ">"}}}}
			}
			lowerSeverity(d, page)
		}
	}
}

func named(label string) string {
	if label == "" {
		return ""
	}
	return fmt.Sprintf(" %q", short(label))
}

// missingFile reports a markdown link or image whose file is not there. Links
// into a folder that does not exist share that as their cause.
func missingFile(p *linter.Pass, s site, noun string) {
	n := nameFact.Of(p)
	file := linkedFile(s)
	if strings.HasPrefix(s.Link.Target, "/") && p.Wiki.Published(s.Page) { // generators make pages that no file tells of
		d := reportMissing(p, s, fmt.Sprintf("no page at %q on the site", s.Link.Target), "correct the address, or remove the link")
		d.Severity = schema.Warning
		soften(d, s)
		return
	}
	if s.Res.Path != "" && (s.Res.By == schema.ByRoot || s.Res.By == schema.ByParent) {
		countedFrom(p, s, n)
		return
	}
	if dir := n.absent(file); dir != "" {
		if g := n.meant(s.Page, s.Link.Target, true); g.Path == "" {
			d := p.ReportCause("folder:"+dir, s.Page.Path, s.at(), "%q does not exist (no such folder: %q); restore the folder, or remove the links into it", file, dir)
			soften(d, s)
			return
		}
	}
	if inCopy(p, s) {
		return
	}
	if strings.HasPrefix(s.Link.Target, "/") { // what may be meant is shown as the page would write it
		file = "/" + file
	}
	reportMissing(p, s, fmt.Sprintf("the %s %q does not exist", noun, file), "correct the path, or add the file")
}

// inCopy reports whether the link leads somewhere from a copy of its page, which lies
// where the file does that it probably means. Such pages are published from there.
func inCopy(p *linter.Pass, s site) bool {
	n := nameFact.Of(p)
	g := n.meant(s.Page, s.Link.Target, true)
	own := portraitFact.Of(p, s.Page)
	if g.Path == "" || own.body == nil {
		return false
	}
	folder := n.inFolder[path.Dir(g.Path)]
	for _, file := range folder[:min(len(folder), manySiblings)] {
		page := p.Wiki.Page(schema.PageID(strings.TrimSuffix(file, ".md")))
		if page == nil || page == s.Page {
			continue
		}
		if of := portraitFact.Of(p, page); of.body != nil && own.sameBody(of) {
			res := p.Wiki.Resolve(page, s.Link)
			return res.OK()
		}
	}
	return false
}

// countedFrom reports a link whose path counts from another folder than that of
// its page, which links of whole wikis do: that is one cause.
func countedFrom(p *linter.Pass, s site, n *names) {
	from := "the wiki root"
	if s.Res.By == schema.ByParent {
		from = "the folder above the wiki root"
	}
	d := p.ReportCause("from:"+from, s.Page.Path, s.at(), "the path %q is relative to %s, but links resolve relative to their page; write %q",
		s.Link.Target, from, schema.RelativePath(s.Page.Path, s.Res.Path))
	d.Fixes = n.rewriting(s, s.Res.Path, true)
	soften(d, s)
}

// looseLink reports a markdown link that works only in some tools.
func looseLink(p *linter.Pass, s site) {
	n := nameFact.Of(p)
	if s.Res.Kind != schema.TargetPage && s.Res.Kind != schema.TargetFile && s.Res.Kind != schema.TargetOutside {
		return
	}
	written := path.Join(path.Dir(s.Page.Path), s.Link.Target)
	tools, severity := "tools that add .md", schema.Warning
	switch {
	case s.Res.By == schema.BySite:
		tools = "Docusaurus"
	case p.Wiki.Generator().MditSlugs: // VitePress, which knows no other way to write it
		severity = schema.Info
	}
	if s.Res.By == schema.ByExtension && s.Res.Kind == schema.TargetPage && !strings.HasPrefix(s.Res.Path, written) {
		return // it counts from the page's own folder on a site, and would not lead there otherwise
	}
	d := p.ReportCause("only in "+tools, s.Page.Path, s.at(), "the link %q works only in %s; write %q", s.Link.Raw, tools, schema.RelativePath(s.Page.Path, s.Res.Path))
	d.Severity = severity
	d.Fixes = n.rewriting(s, s.Res.Path, true)
	lowerSeverity(d, s.Page)
}
