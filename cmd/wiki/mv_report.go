package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema"
)

// moveDocument is the JSON of mv.
type moveDocument struct {
	Version int         `json:"version"`
	Written bool        `json:"written" jsonschema:"false with --dry-run and --diff"`
	Moves   []movedFile `json:"moves"`
	Links   []movedLink `json:"links" jsonschema:"links and other mentions that were rewritten"`
	Found   []movedLink `json:"found" jsonschema:"broken links that now lead to a moved file"`
	Left    []movedLink `json:"left" jsonschema:"mentions that can't be rewritten for the new path"`
}

type movedFile struct {
	From string `json:"from" jsonschema:"path below the wiki's root"`
	To   string `json:"to"`
}

type movedLink struct {
	Path   string `json:"path" jsonschema:"the page, after the move"`
	Line   int    `json:"line" jsonschema:"before the move, from 1"`
	Column int    `json:"column" jsonschema:"in code points, from 1"`
	Old    string `json:"old" jsonschema:"the destination as written"`
	New    string `json:"new"`
}

func newMoveDocument(m *edit.Moved, written bool) moveDocument {
	d := moveDocument{Version: 1, Written: written, Moves: []movedFile{}, Links: movedLinks(m.Links), Found: movedLinks(m.Found), Left: movedLinks(m.Left)}
	for _, v := range m.Moves {
		d.Moves = append(d.Moves, movedFile{v.From, v.To})
	}
	return d
}

func movedLinks(list []edit.Relinked) []movedLink {
	out := []movedLink{}
	for _, l := range list {
		out = append(out, movedLink{l.Path, l.At.Line, l.At.Column, l.Old, l.New})
	}
	return out
}

// sayMoved prints what may need attention after a move.
func (p *program) sayMoved(ws *compiler.Workspace, m *edit.Moved, old string) {
	for _, l := range m.Found {
		p.say("%s:%d:%d: the broken link %q now leads to the moved page", l.Path, l.At.Line, l.At.Column, l.Old)
	}
	for _, l := range m.Left {
		p.say("%s:%d:%d: %q not changed: the new path can't be written there", l.Path, l.At.Line, l.At.Column, l.Old)
	}
	if keys := configured(ws.Config, old); len(keys) > 0 {
		p.say("wiki.yaml still names %s: see %s", old, strings.Join(keys, ", "))
	}
	if p.verbose {
		for _, l := range m.Links {
			p.say("%s:%d:%d: %s -> %s", l.Path, l.At.Line, l.At.Column, l.Old, l.New)
		}
	}
	if info, err := os.Stat(filepath.Join(ws.Root, filepath.FromSlash(old))); err == nil && info.IsDir() && len(m.Changes.List()) > 0 && !m.Changes.Exists(old) {
		p.say("files that are not part of the wiki stay in %s", old)
	}
}

// relock takes what pages were last known true against along.
func (p *program) relock(ws *compiler.Workspace, m *edit.Moved) {
	switch changed, err := edit.Relock(ws, m.Moves); {
	case err != nil:
		p.say("wiki.lock still has the old paths: %v", err)
	case changed:
		p.say("rewrote wiki.lock")
	}
}

// configured lists the keys of wiki.yaml that contain a path, or one below it.
func configured(cfg *schema.Config, old string) []string {
	var keys []string
	names := func(key string, paths ...string) {
		for _, path := range paths {
			if path = strings.Trim(path, "/"); path == old || strings.HasPrefix(path, old+"/") {
				keys = append(keys, key)
				return
			}
		}
	}
	names("ignore", cfg.Ignore...)
	names("sources", cfg.Sources...)
	for _, t := range sortedKeys(cfg.Frontmatter.Types) {
		names("frontmatter.types."+t+".folder", cfg.Frontmatter.Types[t].Folder)
	}
	for i, o := range cfg.Lint.Overrides {
		names(fmt.Sprintf("lint.overrides[%d].paths", i), o.Paths...)
	}
	return keys
}
