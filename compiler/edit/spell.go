package edit

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// respell returns the edit that makes link l of page p (page q after the move), which
// led to was, lead to want: in its present style, or in the next longer spelling that
// works. ok is false if none does.
func (r *relinker) respell(p, q *schema.Page, l *schema.Link, was, want *schema.Resolution) (e schema.Edit, ok bool) {
	at := l.Dest
	if at.Len() == 0 {
		return e, false
	}
	if e, ok := r.renameTarget(p, q, l, was, want); ok {
		return e, true
	}
	names, rest := r.pathNames(q, l, was, want), suffixOf(l, was)
	if !l.Markdown() {
		names = r.wikiNames(q, l, was, want)
	}
	for _, name := range names {
		for _, fragment := range r.fragments(l, was, rest) {
			try := *l
			try.Raw, try.Target, try.Wiki = name+fragment, name, nil
			if fragment != rest {
				_, try.Fragment, try.Hash = strings.Cut(fragment, "#")
			}
			now := r.after.Resolve(q, &try)
			now.Wiki = was.Wiki
			if !sound(was, &now, want) {
				continue
			}
			if text, ok := written(p, l, at, name, fragment, fragment != rest); ok {
				return schema.Edit{Path: q.Path, Span: at, Text: text + labelFor(p, l, was)}, true
			}
		}
	}
	return e, false
}

// suffixOf is the decoded query and fragment of a link.
func suffixOf(l *schema.Link, was *schema.Resolution) string {
	rest := ""
	if l.Markdown() {
		if i := strings.IndexByte(l.Target, '?'); i >= 0 {
			rest = l.Target[i:]
		}
	}
	switch {
	case !l.Hash:
		return rest
	case was.Fragment == "" && l.Fragment != "": // the # is part of the name
		return ""
	}
	return rest + "#" + l.Fragment
}

// stemOf leaves out the extension of a page.
func stemOf(p string) string {
	if namesPage(p) {
		return strings.TrimSuffix(p, path.Ext(p))
	}
	return p
}

// namesPage reports whether a name as written has the extension of a page.
func namesPage(name string) bool {
	ext := path.Ext(name)
	return strings.EqualFold(ext, ".md") || strings.EqualFold(ext, ".markdown")
}

// wikiNames are the ways to name a file in a wikilink, that which is most like
// the link first: by as much of its path, then by more and more of it.
func (r *relinker) wikiNames(q *schema.Page, l *schema.Link, was, want *schema.Resolution) []string {
	full := want.Path
	if !namesPage(l.Target) {
		full = stemOf(full)
	}
	var names []string
	switch {
	case want.Kind == schema.TargetOutside && was.By == schema.ByRepository:
		return nil // found from the repository, wherever the page lies
	case want.Kind == schema.TargetFolder:
		full = want.Path
	}
	old := strings.TrimPrefix(l.Target, "/")
	switch {
	case strings.HasPrefix(old, "./") || strings.HasPrefix(old, "../"):
		rel := relative(q.Path, full)
		if !strings.HasPrefix(rel, "../") {
			rel = "./" + rel
		}
		names = append(names, rel)
	case strings.HasPrefix(l.Target, "/"):
		names = append(names, "/"+full)
	case was.By == schema.ByRepository:
		names = append(names, r.space.RootPath+"/"+full)
	case was.By == schema.ByIndex:
		names = append(names, tails(path.Dir(full), old)...)
	}
	if r.space.Dialect.Profile.Underscores && strings.Contains(old, "/") {
		names = append(names, strings.ReplaceAll(path.Base(full), "___", "/"))
	}
	if strings.HasPrefix(full, "../") {
		return names
	}
	if was.By == schema.ByRoot {
		names = append(names, full)
	}
	names = append(names, tails(full, old)...)
	return append(names, "/"+full)
}

// tails are the ends of a path, beginning with as many parts as old has.
func tails(full, old string) []string {
	parts := strings.Split(full, "/")
	var out []string
	for n := 1 + strings.Count(strings.Trim(old, "/"), "/"); n < len(parts); n++ {
		out = append(out, strings.Join(parts[len(parts)-n:], "/"))
	}
	return append(out, full)
}

// pathNames are the ways to name a file in a destination of markdown or HTML.
func (r *relinker) pathNames(q *schema.Page, l *schema.Link, was, want *schema.Resolution) []string {
	old, _, _ := strings.Cut(l.Target, "?")
	if was.By == schema.BySite {
		return nil // an address, which moves with the settings of the site
	}
	full := want.Path
	// A link to a folder leads to its index page, as long as there is one.
	if want.Kind == schema.TargetPage && !namesPage(old) && stemOf(path.Base(was.Path)) != path.Base(old) && isIndex(full) && isIndex(was.Path) {
		full = path.Dir(full)
	} else if !namesPage(old) && was.By != schema.ByRelative && was.By != schema.ByRoot {
		full = stemOf(full)
	}
	slash := ""
	if strings.HasSuffix(old, "/") && full != want.Path || want.Kind == schema.TargetFolder && strings.HasSuffix(old, "/") {
		slash = "/"
	}
	if strings.HasPrefix(old, "/") {
		if was.By == schema.ByRepository && want.Kind != schema.TargetOutside {
			return []string{"/" + r.space.RootPath + "/" + full + slash, "/" + r.space.RootPath + "/" + want.Path}
		}
		return []string{"/" + full + slash, "/" + want.Path}
	}
	rel := relative(q.Path, full)
	if strings.HasPrefix(old, "./") && !strings.HasPrefix(rel, "../") {
		rel = "./" + rel
	}
	var names []string
	if was.By == schema.ByVault && !strings.HasPrefix(old, "../") {
		names = tails(full, old)
	}
	return append(names, rel+slash, relative(q.Path, want.Path))
}

// isIndex reports whether a page can be the index of its folder.
func isIndex(p string) bool {
	return slices.Contains([]string{"index", "_index", "readme"}, strings.ToLower(stemOf(path.Base(p))))
}

// relative returns the path of a file or folder relative to the folder of a page.
func relative(page, file string) string {
	var from []string
	if dir := folder(page); dir != "" {
		from = strings.Split(dir, "/")
	}
	to := strings.Split(file, "/")
	if file == "." || file == "" {
		to = nil
	}
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	if len(from) == 0 && len(to) == 0 {
		return "./"
	}
	return strings.TrimSuffix(strings.Repeat("../", len(from))+strings.Join(to, "/"), "/")
}

// written escapes a name for its place in the page, with the suffix of the link, or
// another one.
func written(p *schema.Page, l *schema.Link, at schema.Span, name, suffix string, other bool) (text string, ok bool) {
	old := string(at.In(p.Source))
	kept := old[suffixAt(l, old):]
	if other {
		if kept, ok = writtenFragment(p, l, at, suffix); !ok {
			return "", false
		}
	}
	switch {
	case name == l.Target:
		return old[:suffixAt(l, old)] + kept, true
	case l.Syntax == schema.SyntaxWikilink:
		if strings.ContainsAny(name, "[]|\n\r") {
			return "", false
		}
		text = name
	case l.Syntax == schema.SyntaxHTML:
		text = strings.ReplaceAll(escapeURL(name, old), "&", "&amp;")
	case at.Start > 0 && p.Source[at.Start-1] == '<':
		text = strings.NewReplacer("%", "%25", "<", "%3C", ">", "%3E", "#", "%23", "?", "%3F", "\\", "%5C").Replace(name)
	default:
		text = escapeURL(name, old)
	}
	if l.Field != "" {
		if text, ok = inValue(p, l.Block, text); !ok {
			return "", false
		}
	}
	return text + kept, true
}

// suffixAt is where the fragment or query of a destination begins as written.
func suffixAt(l *schema.Link, old string) int {
	marks := "#?"
	if !l.Markdown() {
		marks = "#"
	}
	if !l.Hash && (!l.Markdown() || !strings.Contains(l.Target, "?")) {
		return len(old)
	}
	for i := range len(old) {
		if strings.IndexByte(marks, old[i]) >= 0 && (l.Syntax != schema.SyntaxHTML || i == 0 || old[i-1] != '&') {
			return i
		}
	}
	return len(old)
}

// escapeURL percent-encodes characters that aren't allowed in a destination without
// angle brackets, and non-ASCII letters if the old destination did.
func escapeURL(p, old string) string {
	const hex = "0123456789ABCDEF"
	ascii := strings.Contains(old, "%C") || strings.Contains(old, "%c") || strings.Contains(old, "%E") || strings.Contains(old, "%e")
	var b strings.Builder
	for i := range len(p) {
		switch c := p[i]; {
		case c <= ' ' || c == 0x7f || strings.IndexByte("()<>%#?\"\\[]", c) >= 0 || ascii && c >= 0x80:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// inValue writes a text as a part of the front matter value at a place.
func inValue(p *schema.Page, value schema.Span, text string) (string, bool) {
	if strings.ContainsAny(text, "\n\r") {
		return "", false
	}
	switch quote := value.In(p.Source); {
	case len(quote) > 0 && quote[0] == '"':
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text), true
	case len(quote) > 0 && quote[0] == '\'':
		return strings.ReplaceAll(text, "'", "''"), true
	}
	return text, !strings.ContainsAny(text, `"'\{}`) && !strings.Contains(text, ": ") && !strings.Contains(text, " #")
}

// labelFor keeps what a reader sees of a link by a title or an alias, which the
// new path does not say.
func labelFor(p *schema.Page, l *schema.Link, was *schema.Resolution) string {
	if l.Syntax != schema.SyntaxWikilink || l.Embed || l.Field != "" || l.LabelAt.Len() > 0 || was.By != schema.ByAlias && was.By != schema.ByTitle {
		return ""
	}
	i, _ := slices.BinarySearchFunc(p.Tables, l.Span.Start, func(t schema.Table, at int) int { return cmp.Compare(t.Span.End, at+1) })
	if i < len(p.Tables) && p.Tables[i].Span.Contains(l.Span.Start) {
		return `\|` + l.Target
	}
	return "|" + l.Target
}
