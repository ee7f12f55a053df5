package edit

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// MoveOptions say how files are moved.
type MoveOptions struct {
	// Redirect notes the former address of every page in its front matter, so
	// that the site leads from there to the page. Raw sources are left alone.
	Redirect bool
	// Done says that the files are in their new places already: only links are
	// rewritten.
	Done bool
	// Edits are made first: new texts of headings and titles, which links by their
	// names then follow. They add and remove no heading and no link.
	Edits []schema.Edit
}

// Moved is the result of moving files.
type Moved struct {
	Changes *Changes
	Moves   []schema.Move // of all files, in order
	Links   []Relinked    // that were rewritten, in order of page and place
	// Found are links that led nowhere and lead to a moved file now.
	Found []Relinked
	// Left are mentions of a moved file that can't be rewritten for its new path.
	Left []Relinked
}

// Relinked is a link, or another mention of a file, before and after the move.
type Relinked struct {
	Path     string          // of its page, after the move
	At       schema.Position // in its page before the move
	Old, New string          // the destination as written
}

// LinkError is a link that would mean something else after a move, and that no
// spelling makes mean what it did.
type LinkError struct {
	Path string // of its page, before the move
	At   schema.Position
	Raw  string
	To   string // what it has to lead to, after the move
	Then string // what it would lead to as it is, empty for nothing
}

func (e *LinkError) Error() string {
	then := "nowhere"
	if e.Then != "" {
		then = "to " + e.Then
	}
	return fmt.Sprintf("%s:%d:%d: after the move, the link %q would lead %s, and can't be written to lead to %s; nothing was changed", e.Path, e.At.Line, e.At.Column, e.Raw, then, e.To)
}

// Hint says what to do about it.
func (e *LinkError) Hint() string { return "choose another name, or change that link first" }

// Move returns the changes that give files of w other paths and keep the meaning
// of every link: of those that lead to the files, of those in them, and of those
// that the new names would capture. A link keeps its style where that still
// works; else it becomes the next longer spelling that does. What comes out is
// compiled in memory, and every link of the wiki compared; one that would mean
// something else is a [*LinkError].
func Move(ctx context.Context, w *compiler.Wiki, moves []schema.Move, opt MoveOptions) (*Moved, error) {
	out := &Moved{Changes: New(w), Moves: slices.Clone(moves)}
	slices.SortFunc(out.Moves, func(a, b schema.Move) int { return strings.Compare(a.From, b.From) })
	r := &relinker{to: map[string]string{}, from: map[string]string{}, out: out, space: w.Workspace(), edits: map[schema.Edit]bool{}}
	for _, m := range out.Moves {
		r.to[m.From], r.from[m.To] = m.To, m.From
	}
	var err error
	if opt.Done {
		r.after = w
		r.before, err = movedBack(ctx, w, out.Moves)
	} else {
		if err := cmp.Or(out.Changes.Edit(opt.Edits...), out.Changes.Move(out.Moves...)); err != nil {
			return nil, err
		}
		r.before = w
		r.after, err = w.WithOverlay(ctx, out.Changes.Overlay())
	}
	if err == nil {
		err = r.renamed(opt.Edits)
	}
	if err != nil {
		return nil, err
	}
	if err := r.relink(ctx); err != nil {
		return nil, err
	}
	if opt.Redirect {
		err = r.redirect(ctx)
	}
	return out, err
}

// movedBack returns the wiki before the files were moved by hand.
func movedBack(ctx context.Context, w *compiler.Wiki, moves []schema.Move) (*compiler.Wiki, error) {
	o := compiler.Overlay{}
	maps.Copy(o, w.Overlay())
	for _, m := range moves {
		o[m.To] = nil
	}
	known := New(w)
	for _, m := range moves {
		if !known.Exists(m.To) {
			return nil, fmt.Errorf("%s: %w", m.To, fs.ErrNotExist)
		}
		src, _ := known.Content(m.To)
		o[m.From] = append([]byte{}, src...)
	}
	return w.WithOverlay(ctx, o)
}

// relinker rewrites what a move makes mean something else.
type relinker struct {
	before, after *compiler.Wiki
	space         *compiler.Workspace
	to, from      map[string]string // paths before to paths after, and back
	out           *Moved
	edits         map[schema.Edit]bool // of places that are rewritten, without text
	todo          []schema.Edit
	known         map[string]bool // see files
	renames       map[schema.PageID]*newNames
	lenient       bool // a link that no spelling saves is left, and noted
}

// moved returns where the file at a path is after the move.
func (r *relinker) moved(p string) string { return cmp.Or(r.to[p], p) }

// relink rewrites links and other mentions, and checks that their meaning is unchanged.
func (r *relinker) relink(ctx context.Context) error {
	pages := map[string]*schema.Page{}
	for _, p := range r.after.Pages() {
		pages[p.Path] = p
	}
	want := map[string][]schema.Resolution{}
	for _, p := range r.before.Pages() {
		q := pages[r.moved(p.Path)]
		if r.lenient && (q == nil || len(q.Links) != len(p.Links)) {
			continue
		}
		if q == nil || len(q.Links) != len(p.Links) {
			return fmt.Errorf("%s would not be a page of the wiki as %s: choose a name that ends in .md, in a folder that is not ignored", p.Path, r.moved(p.Path))
		}
		wanted, err := r.links(p, q)
		if err != nil {
			return err
		}
		want[q.Path] = wanted
		r.values(p, q)
	}
	if len(r.todo) == 0 {
		return nil
	}
	if err := r.out.Changes.Edit(r.todo...); err != nil {
		return err
	}
	final, err := r.after.WithOverlay(ctx, r.out.Changes.Overlay())
	if err != nil {
		return err
	}
	return r.verify(final, want)
}

// verify checks that every link resolves to its intended target.
func (r *relinker) verify(final *compiler.Wiki, want map[string][]schema.Resolution) error {
	for _, p := range final.Pages() {
		wanted, ok := want[p.Path]
		if !ok && r.lenient {
			continue // not of this transfer
		}
		if len(wanted) != len(p.Links) && r.lenient {
			r.out.Left = append(r.out.Left, Relinked{Path: p.Path})
			continue
		}
		if len(wanted) != len(p.Links) {
			return fmt.Errorf("%s can't be rewritten: its links would not be parsed as links with the new names; choose a simpler name", p.Path)
		}
		for j := range p.Links {
			got := final.Resolution(p, j)
			if wanted[j].Kind != schema.TargetNone && !sameMeaning(&wanted[j], got) || wanted[j].Kind == schema.TargetNone && got.OK() {
				if r.lenient {
					r.out.Left = append(r.out.Left, Relinked{p.Path, p.Lines.Position(p.Links[j].Span.Start), p.Links[j].Raw, p.Links[j].Raw})
					continue
				}
				return unlike(p, &p.Links[j], &wanted[j], got)
			}
		}
	}
	return nil
}

// unlike is the error for a link that would mean something else.
func unlike(p *schema.Page, l *schema.Link, want, got *schema.Resolution) error {
	e := &LinkError{Path: p.Path, At: p.Lines.Position(l.Span.Start), Raw: l.Raw, To: cmp.Or(want.Path, "the same target")}
	if got.OK() && got.Path != want.Path {
		e.Then = cmp.Or(got.Path, "the wiki root")
	}
	return e
}

// sameMeaning reports whether two resolutions lead to one place.
func sameMeaning(a, b *schema.Resolution) bool {
	return a.Kind == b.Kind && a.OK() && a.Path == b.Path && a.Anchor == b.Anchor && a.AnchorMissing == b.AnchorMissing
}

// links finds what the links of page p, which is q after the move, have to lead
// to, and rewrites those that do not.
func (r *relinker) links(p, q *schema.Page) ([]schema.Resolution, error) {
	want := make([]schema.Resolution, len(p.Links))
	for j := range p.Links {
		was, now := r.before.Resolution(p, j), r.after.Resolution(q, j)
		want[j] = *was
		want[j].Path, want[j].Anchor = r.target(was), r.anchor(was)
		l := p.Links[j].As(was)
		switch {
		case was.Kind == schema.TargetExternal:
		case !was.OK():
			if want[j] = *now; now.OK() {
				r.out.Found = append(r.out.Found, Relinked{q.Path, p.Lines.Position(l.Span.Start), l.Raw, l.Raw})
			}
		case sound(was, now, &want[j]):
		default:
			e, ok := r.respell(p, q, l, was, &want[j])
			if !ok && r.lenient {
				e, ok = r.respellLoosely(p, q, l, was, &want[j])
			}
			if !ok && r.lenient {
				want[j] = *now
				r.out.Left = append(r.out.Left, Relinked{q.Path, p.Lines.Position(l.Span.Start), l.Raw, l.Raw})
				continue
			}
			if !ok {
				return nil, unlike(p, l, &want[j], now)
			}
			e.Span = r.place(p, e.Span)
			if place := (schema.Edit{Path: q.Path, Span: e.Span}); !r.edits[place] { // definitions are shared
				r.edits[place] = true
				r.todo = append(r.todo, e)
				r.out.Links = append(r.out.Links, Relinked{q.Path, p.Lines.Position(l.Span.Start), string(e.Span.In(q.Source)), e.Text})
			}
		}
	}
	return want, nil
}

// target is the path that a link which led to res has to lead to after the move.
func (r *relinker) target(res *schema.Resolution) string {
	if res.Kind != schema.TargetFolder {
		return r.moved(res.Path)
	}
	return r.movedFolder(res.Path)
}

// movedFolder returns where a folder is after the move: elsewhere if all that
// is in it is moved there.
func (r *relinker) movedFolder(dir string) string {
	to := ""
	for _, m := range r.out.Moves {
		rest, ok := strings.CutPrefix(m.From, dir+"/")
		if !ok {
			continue
		}
		at, ok := strings.CutSuffix(m.To, "/"+rest)
		if !ok || to != "" && to != at {
			return dir
		}
		to = at
	}
	if to == "" || slices.ContainsFunc(r.after.Pages(), func(p *schema.Page) bool { return strings.HasPrefix(p.Path, dir+"/") }) ||
		slices.ContainsFunc(r.after.Files(), func(f string) bool { return strings.HasPrefix(f, dir+"/") }) {
		return dir
	}
	return to
}

// sound reports whether a link that led to was and now leads to now is as good
// as before: it means the same, by as strict a rung of the ladder, without
// having become ambiguous.
func sound(was, now, want *schema.Resolution) bool {
	return sameMeaning(want, now) && rung(now.By) <= rung(was.By) && now.Wiki == was.Wiki && (was.CaseOnly || !now.CaseOnly) &&
		(now.GitHub || !was.GitHub) && (len(now.Candidates) == 0 || len(was.Candidates) > 0)
}

// rung ranks resolutions by how much is guessed; the plain ways to write a path rank the
// same.
func rung(by schema.ResolvedBy) schema.ResolvedBy {
	if by <= schema.BySuffix {
		return schema.BySuffix
	}
	return by
}

// Below returns the moves of every file of the wiki at or below from to the
// same place at or below to.
func Below(w *compiler.Wiki, from, to string) []schema.Move {
	var out []schema.Move
	add := func(p string) {
		if rest, ok := strings.CutPrefix(p, from+"/"); ok {
			out = append(out, schema.Move{From: p, To: path.Join(to, rest)})
		} else if p == from {
			out = append(out, schema.Move{From: p, To: to})
		}
	}
	for _, p := range w.Pages() {
		add(p.Path)
	}
	for _, f := range w.Files() {
		add(f)
	}
	return out
}

// Plan returns the moves that give a file, or all files of a folder, another
// path. When nothing of the wiki is at from, and something is at to, it was
// moved by hand already, and done is set. The error says what can't be.
func Plan(w *compiler.Wiki, from, to string) (moves []schema.Move, done bool, err error) {
	for _, p := range []string{from, to} {
		if err := local(p); err != nil {
			return nil, false, err
		}
	}
	moves = Below(w, from, to)
	if len(moves) == 0 {
		for _, m := range Below(w, to, from) {
			moves = append(moves, schema.Move{From: m.To, To: m.From})
		}
		if len(moves) == 0 {
			return nil, false, fmt.Errorf("the wiki has no page, file or folder %s: %w", from, fs.ErrNotExist)
		}
		return moves, true, nil
	}
	switch {
	case from == to:
		return nil, false, fmt.Errorf("%s already has that path", from)
	case strings.HasPrefix(to, from+"/"):
		return nil, false, fmt.Errorf("%s can't be moved into itself", from)
	case namesPage(from) && !namesPage(to):
		return nil, false, fmt.Errorf("%s would not be a page as %s: use a name that ends in .md", from, to)
	}
	return moves, false, nil
}
