package main

import (
	"fmt"
	"path"

	"github.com/loopwiki/wiki/compiler/exchange/importer"
	"github.com/loopwiki/wiki/schema/text"
)

// importDocument is the output of wiki import --json.
type importDocument struct {
	Version int             `json:"version" jsonschema:"version of this document, 1"`
	Format  string          `json:"format"`
	Into    string          `json:"into" jsonschema:"the folder"`
	Done    bool            `json:"done" jsonschema:"false with --dry-run, and if files are in the way"`
	Pages   int             `json:"pages"`
	Files   []importedFile  `json:"files"`
	Renamed []renamedFile   `json:"renamed" jsonschema:"files with another path below the folder than in the source"`
	Links   []rewrittenLink `json:"links" jsonschema:"links that are written otherwise"`
	Keys    []renamedKey    `json:"keys" jsonschema:"keys of front matter with another name or place"`
	Notes   []noteDocument  `json:"notes" jsonschema:"what could not be said, or was not taken in; paths are of the source"`
}

type importedFile struct {
	Path  string         `json:"path" jsonschema:"below the folder"`
	From  string         `json:"from" jsonschema:"below the source"`
	State importer.State `json:"state" jsonschema:"new, unchanged or conflict"`
}

type renamedFile struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type rewrittenLink struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

type renamedKey struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// reportImport says what an import did, or would do.
func (p *program) reportImport(o importOptions, opt importer.Options, im *importer.Import, conflicts int) error {
	into := p.shorten(path.Join(opt.Root, opt.Into))
	fresh := 0
	for _, f := range im.Files {
		switch f.State {
		case importer.New:
			fresh++
		case importer.Conflict:
			p.say("in the way: %s", f.Path)
		}
	}
	if o.json {
		doc := importDocument{Version: 1, Format: opt.Format, Into: into, Done: conflicts == 0 && !o.dryRun, Pages: im.Pages,
			Files: []importedFile{}, Renamed: []renamedFile{}, Links: []rewrittenLink{}, Keys: []renamedKey{}, Notes: []noteDocument{}}
		for _, f := range im.Files {
			doc.Files = append(doc.Files, importedFile{f.Path, f.From, f.State})
		}
		for _, m := range im.Renamed {
			doc.Renamed = append(doc.Renamed, renamedFile(m))
		}
		for _, l := range im.Links {
			doc.Links = append(doc.Links, rewrittenLink(l))
		}
		for _, k := range im.Keys {
			doc.Keys = append(doc.Keys, renamedKey(k))
		}
		for _, n := range im.Notes {
			doc.Notes = append(doc.Notes, noteDocument(n))
		}
		if err := p.json(doc); err != nil {
			return err
		}
	} else if conflicts == 0 {
		p.listImport(im)
	}
	if conflicts > 0 {
		p.say("%s in the way in %s; nothing was written", text.Count(conflicts, "file"), into)
		p.say("hint: import into another folder with --into, or move these files away")
		return found()
	}
	verb := map[bool]string{false: "imported", true: "would import"}[o.dryRun]
	p.say("%s %s into %s: %s, %d new, %d unchanged; %s renamed, %s rewritten", verb, text.Count(im.Pages, "page"), into,
		text.Count(len(im.Files), "file"), fresh, len(im.Files)-fresh, text.Count(len(im.Renamed), "file"), text.Count(len(im.Links), "link"))
	return nil
}

// listImport lists the changes of an import, the first of each kind without -v.
func (p *program) listImport(im *importer.Import) {
	list := func(n int, line func(i int) string) {
		for i := range n {
			if i == maxNotes && !p.verbose {
				p.say("  and %d more; -v lists them", n-i)
				return
			}
			p.say("  %s", line(i))
		}
	}
	head := func(n int, title string) bool {
		if n > 0 {
			p.say("%s:", title)
		}
		return n > 0
	}
	if head(len(im.Renamed), "renamed") {
		list(len(im.Renamed), func(i int) string { return im.Renamed[i].From + " to " + im.Renamed[i].To })
	}
	if head(len(im.Links), "links rewritten") {
		list(len(im.Links), func(i int) string {
			l := im.Links[i]
			return fmt.Sprintf("%s:%d: %s to %s", l.Path, l.Line, l.Old, l.New)
		})
	}
	if head(len(im.Keys), "keys renamed") {
		list(len(im.Keys), func(i int) string { return im.Keys[i].Path + ": " + im.Keys[i].Old + " to " + im.Keys[i].New })
	}
	if head(len(im.Notes), "not said, or left out") {
		list(len(im.Notes), func(i int) string {
			n := im.Notes[i]
			if n.Line > 0 {
				return fmt.Sprintf("%s:%d: %s", n.Path, n.Line, n.Text)
			}
			return n.Path + ": " + n.Text
		})
	}
}
