package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema"
)

// renaming is what a rename at a place is about.
type renaming struct {
	at      schema.Span // of the name, on the page of the cursor
	name    string      // as it is now
	page    *schema.Page
	heading int  // of page, -1 for none
	file    bool // page gets another file name, for the heading -1
	title   bool // the heading, or the front matter, is the page's title
}

// renamingAt finds what can be renamed at a place: the page or the heading that a link
// leads to, the title of the page, or a heading of it.
func (v *view) renamingAt(p *schema.Page, offset int) (renaming, bool) {
	if l, res := v.linkAt(p, offset); l != nil {
		return v.linked(p, l, res, offset)
	}
	if titleAt(p, offset) {
		r := renaming{page: p, heading: -1, title: true}
		if pair := titlePair(p); pair != nil {
			r.at, r.name = pair.Value.Span, p.Title
			return r, true
		}
		r.heading = slices.IndexFunc(p.Headings, func(h schema.Heading) bool { return h.Level == 1 })
		at, ok := edit.HeadingText(p, r.heading)
		r.at, r.name = at, string(at.In(p.Source))
		return r, ok
	}
	if i := headingAt(p, offset); i >= 0 {
		at, ok := edit.HeadingText(p, i)
		return renaming{at: at, name: string(at.In(p.Source)), page: p, heading: i}, ok
	}
	return renaming{}, false
}

// linked is renamingAt for a link: the heading that it names if the cursor is on that,
// else the file of its page.
func (v *view) linked(p *schema.Page, l *schema.Link, res *schema.Resolution, offset int) (renaming, bool) {
	target := v.wiki.Page(res.Page)
	if res.Kind != schema.TargetPage || target == nil {
		return renaming{}, false
	}
	at := l.Dest
	if at.Len() == 0 || at.Start < l.Span.Start || at.End > l.Span.End { // as of a reference
		at = l.Span
	}
	hash := bytes.IndexByte(at.In(p.Source), '#')
	if hash >= 0 && (offset > at.Start+hash || res.By == schema.BySelf) {
		i := slices.IndexFunc(target.Headings, func(h schema.Heading) bool { return h.ID == res.Anchor })
		if i < 0 {
			return renaming{}, false
		}
		if _, ok := edit.HeadingText(target, i); !ok {
			return renaming{}, false
		}
		return renaming{at: schema.Span{Start: at.Start + hash + 1, End: at.End}, name: target.Headings[i].Text, page: target, heading: i}, true
	}
	if hash >= 0 {
		at.End = at.Start + hash
	}
	return renaming{at: at, name: stem(target.Path), page: target, heading: -1, file: true}, true
}

// stem is the name of a file without the extension of a page.
func stem(p string) string {
	base := path.Base(p)
	if isPage(base) {
		base = strings.TrimSuffix(base, path.Ext(base))
	}
	return base
}

func (v *view) prepareRename(_ context.Context, p positionParams) (*prepareRenameResult, error) {
	page, offset := v.at(p)
	if page == nil {
		return nil, nil
	}
	r, ok := v.renamingAt(page, offset)
	if !ok {
		return nil, nil
	}
	return &prepareRenameResult{v.text(page).span(r.at), r.name}, nil
}

func (v *view) rename(ctx context.Context, p renameParams) (*workspaceEdit, error) {
	page, offset := v.at(p.positionParams)
	if page == nil {
		return nil, errors.New("the file is not a page of the wiki")
	}
	r, ok := v.renamingAt(page, offset)
	if !ok {
		return nil, errors.New("nothing to rename here: put the cursor on a link, a heading or the title")
	}
	name := strings.TrimSpace(p.NewName)
	var moved *edit.Moved
	var err error
	switch {
	case r.file:
		moved, err = v.renameFile(ctx, r.page, name)
	case r.title:
		moved, err = v.renameTitle(ctx, r, name)
	default:
		moved, err = edit.RenameHeading(ctx, v.wiki, r.page, r.heading, name)
	}
	if err != nil {
		return nil, err
	}
	return v.workspaceEdit(moved.Changes.List())
}

// renameFile gives a page another file name in its folder; a name with a slash is a path
// below the root.
func (v *view) renameFile(ctx context.Context, p *schema.Page, name string) (*edit.Moved, error) {
	to := path.Join(path.Dir(p.Path), name)
	if strings.Contains(name, "/") {
		to = strings.TrimPrefix(name, "/")
	}
	if !isPage(to) {
		to += path.Ext(p.Path)
	}
	if name == "" || strings.ContainsAny(name, "\\\r\n\x00") {
		return nil, fmt.Errorf("%q is no name of a page", name)
	}
	moves, _, err := edit.Plan(v.wiki, p.Path, to)
	if err != nil {
		return nil, err
	}
	return edit.Move(ctx, v.wiki, moves, edit.MoveOptions{Redirect: true})
}

// renameTitle gives a page another title, and its file another name if that is spelled
// from the title.
func (v *view) renameTitle(ctx context.Context, r renaming, name string) (*edit.Moved, error) {
	if name == "" || strings.ContainsAny(name, "\r\n") {
		return nil, errors.New("a title needs a text on one line")
	}
	text := name
	if r.heading < 0 {
		text = quoted(name, string(r.at.In(r.page.Source)))
	}
	edits := []schema.Edit{{Path: r.page.Path, Span: r.at, Text: text}}
	var moves []schema.Move
	if to := respelled(stem(r.page.Path), r.page.Title, name); to != "" {
		move := schema.Move{From: r.page.Path, To: path.Join(path.Dir(r.page.Path), to) + path.Ext(r.page.Path)}
		if move.From != move.To {
			moves = []schema.Move{move}
		}
	}
	return edit.Move(ctx, v.wiki, moves, edit.MoveOptions{Edits: edits, Redirect: len(moves) > 0})
}

// quoted writes a title as YAML in the quotes of the old one.
func quoted(title, old string) string {
	if strings.HasPrefix(old, "'") {
		return "'" + strings.ReplaceAll(title, "'", "''") + "'"
	}
	if strings.HasPrefix(old, `"`) || strings.ContainsAny(title, ":#'\"[]{},&*!|>%@`") || strings.HasPrefix(title, "-") || strings.HasPrefix(title, "?") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(title) + `"`
	}
	return title
}

// respelled returns the file name for a new title, in the way in which the old one was
// spelled from the old title; "" if it was not.
func respelled(name, oldTitle, newTitle string) string {
	for _, gap := range []string{" ", "-", "_"} {
		for _, lower := range []bool{false, true} {
			spell := func(title string) string {
				words := strings.FieldsFunc(title, func(r rune) bool {
					return strings.ContainsRune(" -_/\\:*?\"<>|#^[]", r)
				})
				s := strings.Join(words, gap)
				if lower {
					s = strings.ToLower(s)
				}
				return s
			}
			if name == spell(oldTitle) {
				return spell(newTitle)
			}
		}
	}
	return ""
}

// willRenameFiles answers with the edits of links before the client renames files.
func (v *view) willRenameFiles(ctx context.Context, p renameFilesParams) (*workspaceEdit, error) {
	var moves []schema.Move
	root := v.wiki.Workspace().Root
	for _, f := range p.Files {
		from, err := pathOf(f.OldURI)
		if err != nil {
			return nil, err
		}
		to, err := pathOf(f.NewURI)
		if err != nil {
			return nil, err
		}
		old, inside := below(root, from)
		next, stays := below(root, to)
		if inside && stays {
			moves = append(moves, edit.Below(v.wiki, old, next)...)
		}
	}
	if len(moves) == 0 {
		return nil, nil
	}
	moved, err := edit.Move(ctx, v.wiki, moves, edit.MoveOptions{Redirect: true})
	if err != nil {
		return nil, err
	}
	var edits []edit.Change
	for _, c := range moved.Changes.List() {
		if c.To = c.From; c.New != nil {
			edits = append(edits, c)
		}
	}
	return v.workspaceEdit(edits)
}
