package edit

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// values rewrites what names a moved file without being a link: paths and names
// in the front matter of page p, which is q after the move, and sources that its
// text cites.
func (r *relinker) values(p, q *schema.Page) {
	if p.Front != nil && p.Front.Root != nil {
		f := frontOf(p)
		for i := range p.Front.Root.Pairs {
			pair := &p.Front.Root.Pairs[i]
			field := schema.FieldOf(pair.Key)
			if !namesFiles(field) {
				continue
			}
			pair.Value.Walk(func(n *schema.Node) {
				switch {
				case n.Kind != schema.KindString || f.inLink(n.Span):
				case f.relations[n.Span]:
					r.relation(p, q, n)
				default:
					r.value(p, q, n, field)
				}
			})
		}
	}
	for _, c := range p.Citations {
		name := c.Ref.Path
		i := strings.Index(c.Ref.Raw, name)
		if now, ok := r.rename(p, q, name, true); ok && i >= 0 {
			at := schema.Span{Start: c.Span.Start + i, End: c.Span.Start + i + len(name)}
			r.rewrite(p, q, at, now, !strings.ContainsAny(now, " ,[]()`"))
		}
	}
}

// namesFiles reports whether the values of a field can be names of files: of a
// field that the vocabulary knows it says so, of others it may be.
func namesFiles(f schema.FieldName) bool {
	switch f {
	case "", schema.FieldSources, schema.FieldSupersedes, schema.FieldSupersededBy, schema.FieldContradicts:
		return true
	}
	return false
}

// front knows what stands in a page's frontmatter where.
type front struct {
	links     []schema.Span // in order
	relations map[schema.Span]bool
}

func frontOf(p *schema.Page) front {
	f := front{relations: make(map[schema.Span]bool, len(p.Meta.Relations))}
	for i := range p.Links {
		if p.Links[i].Field != "" {
			f.links = append(f.links, p.Links[i].Span)
		}
	}
	slices.SortFunc(f.links, func(a, b schema.Span) int { return cmp.Compare(a.Start, b.Start) })
	for _, rel := range p.Meta.Relations {
		f.relations[rel.Span] = true
	}
	return f
}

// inLink reports whether a link stands at a place, or around it.
func (f front) inLink(at schema.Span) bool {
	i, _ := slices.BinarySearchFunc(f.links, at.Start, func(s schema.Span, start int) int { return cmp.Compare(s.End, start+1) })
	return i < len(f.links) && f.links[i].Overlaps(at)
}

// value rewrites one scalar of the frontmatter when it names a moved file.
func (r *relinker) value(p, q *schema.Page, n *schema.Node, field schema.FieldName) {
	at, ok := textAt(p, n)
	if !ok {
		return
	}
	text := strings.TrimSpace(n.Text)
	name, source := text, field == schema.FieldSources
	if source {
		name = schema.ParseAnchor(text).Path
	}
	i := strings.Index(n.Text, name)
	if name == "" || i < 0 {
		return
	}
	if now, ok := r.rename(p, q, name, source); ok {
		at = schema.Span{Start: at.Start + i, End: at.Start + i + len(name)}
		text, ok := inValue(p, n.Span, now)
		r.rewrite(p, q, at, text, ok && (n.Quoted || plainScalar(now)))
	}
}

// plainScalar reports whether a text can stand in YAML without quotes, in a
// list in brackets too.
func plainScalar(s string) bool {
	return s != "" && !strings.ContainsAny(s, ",[]{}\"'\\:#") && !strings.ContainsAny(s[:1], "&*!|>%@`-?. ") && strings.TrimSpace(s) == s ||
		strings.HasPrefix(s, "../") && plainScalar(strings.TrimLeft(s, "./"))
}

// textAt is the span of a scalar's text, without quotes; ok is false if it contains
// escapes.
func textAt(p *schema.Page, n *schema.Node) (at schema.Span, ok bool) {
	at = n.Span
	if n.Quoted && at.Len() >= 2 {
		at = schema.Span{Start: at.Start + 1, End: at.End - 1}
	}
	return at, string(at.In(p.Source)) == n.Text && n.Text != ""
}

// relation rewrites a relation that names a page without brackets, which means
// what a wikilink would.
func (r *relinker) relation(p, q *schema.Page, n *schema.Node) {
	at, ok := textAt(p, n)
	if !ok {
		return
	}
	text := strings.TrimSpace(n.Text)
	target, fragment, hash := strings.Cut(text, "#")
	l := &schema.Link{Syntax: schema.SyntaxValue, Raw: text, Target: strings.TrimSpace(target), Fragment: fragment, Hash: hash,
		External: schema.IsExternal(text), Dest: at, Block: n.Span, Field: "relation"}
	was, now := r.before.Resolve(p, l), r.after.Resolve(q, l)
	want := was
	want.Path = r.target(&was)
	if l.External || !was.OK() || sound(&was, &now, &want) {
		return
	}
	e, ok := r.respellValue(p, q, l, &was, &want)
	r.rewrite(p, q, at, e, ok)
}

// respellValue is respell for a name that is not a link.
func (r *relinker) respellValue(p, q *schema.Page, l *schema.Link, was, want *schema.Resolution) (string, bool) {
	rest := suffixOf(l, was)
	for _, name := range r.wikiNames(q, l, was, want) {
		try := *l
		try.Raw, try.Target = name+rest, name
		if now := r.after.Resolve(q, &try); sound(was, &now, want) {
			text, ok := inValue(p, l.Block, name)
			return text + rest, ok
		}
	}
	return "", false
}

// rename returns the new form of a path in plain text after the move. The path is
// relative to the wiki's root, the repository or the page's folder, or only to the last
// one if it begins with a dot. ok is false if it names no file, or its meaning doesn't
// change. loose allows paths without .md.
func (r *relinker) rename(p, q *schema.Page, name string, loose bool) (now string, ok bool) {
	ext := path.Ext(name)
	if ext == "" && (!loose || !strings.Contains(name, "/")) || strings.ContainsAny(name, "\n\x00") || schema.IsExternal(name) {
		return "", false
	}
	dotted := strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../")
	clean := strings.TrimPrefix(path.Clean(name), "/")
	below, inRoot := strings.CutPrefix(clean, r.space.RootPath+"/")
	form := func(full string) string {
		if namesPage(name) || !namesPage(full) {
			return full
		}
		return stemOf(full)
	}
	switch file := ""; {
	case !dotted && r.names(clean, &file):
		now = strings.Repeat("/", len(name)-len(strings.TrimPrefix(name, "/"))) + form(r.moved(file))
	case !dotted && inRoot && r.names(below, &file):
		now = r.space.RootPath + "/" + form(r.moved(file))
	case r.names(path.Join(path.Dir(p.Path), name), &file):
		now = relative(q.Path, form(r.moved(file)))
		if strings.HasPrefix(name, "./") && !strings.HasPrefix(now, "../") {
			now = "./" + now
		}
	default:
		return r.outside(p, q, name, dotted)
	}
	return now, now != name
}

// outside is rename for a path from the page's folder to a file of the
// repository that is not of the wiki.
func (r *relinker) outside(p, q *schema.Page, name string, dotted bool) (now string, ok bool) {
	full := path.Join(path.Dir(p.Path), name)
	if !dotted || path.Dir(p.Path) == path.Dir(q.Path) {
		return "", false
	}
	res := r.before.Resolve(p, &schema.Link{Syntax: schema.SyntaxInline, Raw: name, Target: name})
	if res.Kind != schema.TargetOutside {
		return "", false
	}
	now = relative(q.Path, full)
	return now, now != name
}

// names reports whether a path is that of a file of the wiki, with .md put
// behind it if need be, and says which.
func (r *relinker) names(p string, file *string) bool {
	for _, full := range [...]string{p, p + ".md"} {
		if r.files()[full] {
			*file = full
			return true
		}
	}
	return false
}

// files are the paths of all files of the wiki before the move.
func (r *relinker) files() map[string]bool {
	if r.known == nil {
		r.known = map[string]bool{}
		for _, p := range r.before.Pages() {
			r.known[p.Path] = true
		}
		for _, f := range r.before.Files() {
			r.known[f] = true
		}
	}
	return r.known
}

// rewrite notes the edit of a mention that is not a link, or that it can't be made.
func (r *relinker) rewrite(p, q *schema.Page, at schema.Span, text string, ok bool) {
	m := Relinked{q.Path, p.Lines.Position(at.Start), string(at.In(p.Source)), text}
	if !ok {
		r.out.Left = append(r.out.Left, m)
		return
	}
	r.todo = append(r.todo, schema.Edit{Path: q.Path, Span: r.place(p, at), Text: text})
	r.out.Links = append(r.out.Links, m)
}
