package rules

import (
	"path"
	"strings"

	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema"
)

// retarget returns the edits that make the link of s lead to the file or page
// at path to, its fragment and label kept; ok is false when that can't be
// written in the link's syntax.
func (n *names) retarget(s site, to string) (edits []schema.Edit, ok bool) {
	return n.retargetFragment(s, to, "", true)
}

// retargetFragment is retarget with another fragment, unless keep is set.
func (n *names) retargetFragment(s site, to, fragment string, keep bool) ([]schema.Edit, bool) {
	l := s.Link
	if l.Dest.Len() == 0 || l.Syntax == schema.SyntaxHTML || l.Syntax == schema.SyntaxAutolink {
		return nil, false
	}
	old := string(l.Dest.In(s.Page.Source))
	dest, angle := old, false
	if inner, found := strings.CutPrefix(old, "<"); found && strings.HasSuffix(inner, ">") {
		dest, angle = strings.TrimSuffix(inner, ">"), true
	}
	rest := ""
	if keep && l.Hash {
		if i := strings.IndexByte(dest, '#'); i >= 0 {
			rest = dest[i:]
		}
	} else if fragment != "" {
		rest = "#" + fragment
	}
	var text string
	switch {
	case to == s.Page.Path && rest != "":
		text = rest
	case l.Syntax == schema.SyntaxWikilink:
		text = n.wikiName(to, l.Target) + rest
		if strings.ContainsAny(text, "[]|\n") {
			return nil, false
		}
		text = n.keepLabel(s, text)
	default:
		text = n.destination(s, to)
		if angle {
			text = "<" + text + rest + ">"
		} else {
			text = schema.EscapeDestination(text, "") + rest
		}
	}
	if l.Field != "" && strings.ContainsAny(text, "\"'\\") || text == old {
		return nil, false
	}
	return []schema.Edit{{Path: s.Page.Path, Span: l.Dest, Text: text}}, true
}

// destination is how a markdown link of s would name file.
func (n *names) destination(s site, file string) string {
	if n.pageNames && stem(file) != path.Base(file) {
		return stem(file)
	}
	return schema.RelativePath(s.Page.Path, file)
}

// keepLabel returns the destination of a wikilink with the text that a reader has
// seen so far as its label, where the destination alone would show another. A slip
// of the pen is no text to keep.
func (n *names) keepLabel(s site, dest string) string {
	l := s.Link
	shown := func(raw string) string { return strings.ReplaceAll(strings.TrimPrefix(raw, "#"), "#", " > ") }
	label := shown(l.Raw)
	switch {
	case l.Embed || l.Field != "" || l.Label != "" || label == "" || label == shown(dest) || strings.ContainsAny(label, "[]|\n"):
		return dest
	case oneEdit(slug(path.Base(l.Target)), slug(path.Base(dest))):
		return dest
	case n.labelFirst:
		return label + "|" + dest
	}
	return dest + n.bar(s.Page, l.Span) + label
}

// bar is the separator of a wikilink's target and label at a place.
func (n *names) bar(page *schema.Page, at schema.Span) string {
	if inTable(site{Page: page, Link: &schema.Link{Span: at}}) {
		return `\|`
	}
	return "|"
}

// wikiName returns how a wikilink names the file, which may be one that is yet
// to be made: by its name when that is the only one of its kind and was was no
// path, else by its path from the root. Like was it has an extension or not.
func (n *names) wikiName(file, was string) string {
	name := file
	if strings.EqualFold(path.Ext(file), ".md") && !strings.EqualFold(path.Ext(was), ".md") {
		name = file[:len(file)-3]
	}
	if len(n.byName[fold(stem(file))]) <= 1 && !strings.Contains(was, "/") {
		name = path.Base(name)
	}
	return name
}

// rewriting returns a fix that makes the link lead to the file at to, or nil.
func (n *names) rewriting(s site, to string, safe bool) []schema.Fix {
	edits, ok := n.retarget(s, to)
	if !ok {
		return nil
	}
	return []schema.Fix{{Title: "link to " + edits[0].Text, Safe: safe, Edits: edits}}
}

// newline returns the line ending of a page.
func newline(page *schema.Page) string { return edit.Newline(page) }
