package compiler

import (
	"net/url"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// readFrontLinks appends the links in the front matter's values to p.Links:
// wikilinks and markdown links. A wikilink without quotes, key: [[x]], is a
// list in a list to YAML and a link anyway.
func readFrontLinks(p *schema.Page) {
	for i := range p.Front.Root.Pairs {
		pair := &p.Front.Root.Pairs[i]
		p.Links = frontLinks(p.Links, p.Source, pair.Value, pair.Key)
	}
}

func frontLinks(links []schema.Link, src []byte, n *schema.Node, field string) []schema.Link {
	switch {
	case n.Kind == schema.KindString || isBracketLink(src, n):
		span := n.Span
		if span.Start > 0 && src[span.Start-1] == '!' && span.Len() > 0 && src[span.Start] == '[' {
			span.Start-- // ![[x]] without quotes: a tag to YAML
		}
		if !strings.Contains(string(span.In(src)), "[") {
			return links
		}
		from := len(links)
		unescape := func(s string) string { return s }
		switch {
		case !n.Quoted:
		case src[n.Span.Start] == '\'':
			unescape = func(s string) string { return strings.ReplaceAll(s, "''", "'") }
		case src[n.Span.Start] == '"':
			unescape = unescapeDouble
		}
		links = append(links, valueLinks(string(span.In(src)), span.Start, unescape)...)
		for i := from; i < len(links); i++ {
			links[i].Field, links[i].Block = field, n.Span
		}
	case n.Kind == schema.KindList:
		for _, it := range n.Items {
			links = frontLinks(links, src, it, field)
		}
	case n.Kind == schema.KindMap:
		for i := range n.Pairs {
			links = frontLinks(links, src, n.Pairs[i].Value, field)
		}
	}
	return links
}

// isBracketLink reports whether a list is written [[x]]: one list in another
// with nothing between the brackets.
func isBracketLink(src []byte, n *schema.Node) bool {
	if n == nil || n.Kind != schema.KindList || len(n.Items) != 1 || n.Items[0].Kind != schema.KindList || len(n.Items[0].Items) == 0 {
		return false
	}
	in := n.Items[0].Span
	return n.Span.Start+1 == in.Start && n.Span.End-1 == in.End && src[n.Span.Start] == '[' && src[in.Start] == '['
}

// unescapeDouble reverts \" and \\, the escapes of a link in double quotes.
func unescapeDouble(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\/`, `/`).Replace(s)
}

// valueLinks finds the wikilinks and markdown links in text, which is at
// offset base of its file. unescape, when set, undoes what YAML's quotes make
// of a piece of text.
func valueLinks(text string, base int, unescape func(string) string) []schema.Link {
	if unescape == nil {
		unescape = func(s string) string { return s }
	}
	var out []schema.Link
	for i := 0; i < len(text); {
		j := strings.IndexByte(text[i:], '[')
		if j < 0 {
			break
		}
		i += j
		if strings.HasPrefix(text[i:], "[[") {
			if l, end, ok := wikilinkAt(text, i, base, unescape); ok {
				out = append(out, l)
				i = end
				continue
			}
		}
		if l, end, ok := markdownLinkAt(text, i, base, unescape); ok {
			out = append(out, l)
			i = end
			continue
		}
		i++
	}
	return out
}

// The longest link that is looked for; it keeps a run of brackets linear.
const maxLink = 2000

// wikilinkAt reads [[target|label]] at text[i].
func wikilinkAt(text string, i, base int, unescape func(string) string) (l schema.Link, end int, ok bool) {
	j := strings.Index(text[i+2:min(len(text), i+2+maxLink)], "]]")
	if j < 0 {
		return l, 0, false
	}
	inner := text[i+2 : i+2+j]
	end = i + 2 + j + 2
	if strings.ContainsAny(inner, "\n\r") || strings.Contains(inner, "[[") || strings.TrimSpace(inner) == "" {
		return l, 0, false
	}
	at := base + i + 2
	dest, label, hasLabel := strings.Cut(inner, "|")
	l = schema.Link{Syntax: schema.SyntaxWikilink, Span: schema.Span{Start: base + i, End: base + end}}
	if hasLabel {
		l.LabelAt = schema.Span{Start: at + len(dest) + 1, End: at + len(inner)}
		l.Label = strings.TrimSpace(unescape(label))
		dest = strings.TrimSuffix(dest, "\\") // [[a\|b]], as in tables
	}
	if strings.TrimSpace(dest) == "" {
		return l, 0, false
	}
	l.Dest = schema.Span{Start: at, End: at + len(dest)}
	setTarget(&l, unescape(dest))
	setEmbed(&l, text, i)
	return l, end, true
}

// markdownLinkAt reads [label](destination "title") at text[i].
func markdownLinkAt(text string, i, base int, unescape func(string) string) (l schema.Link, end int, ok bool) {
	close := -1
	for j := i + 1; j < len(text) && j-i < maxLink; j++ {
		if c := text[j]; c == '[' || c == '\n' {
			return l, 0, false
		} else if c == ']' {
			close = j
			break
		}
	}
	if close < 0 || close+1 >= len(text) || text[close+1] != '(' {
		return l, 0, false
	}
	from, to, end, ok := destination(text[:min(len(text), close+2+maxLink)], close+2)
	if !ok || from == to {
		return l, 0, false
	}
	l = schema.Link{
		Syntax: schema.SyntaxInline, Span: schema.Span{Start: base + i, End: base + end},
		Dest: schema.Span{Start: base + from, End: base + to}, Label: unescape(text[i+1 : close]),
		LabelAt: schema.Span{Start: base + i + 1, End: base + close},
	}
	setTarget(&l, unescape(text[from:to]))
	if l.External = schema.IsExternal(l.Raw); !l.External {
		// A # that is escaped is part of the name.
		for _, part := range []*string{&l.Target, &l.Fragment} {
			if u, err := url.PathUnescape(*part); err == nil {
				*part = u
			}
		}
		if l.Raw = l.Target; l.Hash {
			l.Raw += "#" + l.Fragment
		}
	}
	setEmbed(&l, text, i)
	return l, end, true
}

// destination reads a link's destination and title up to the closing bracket:
// text[from:to] is the destination, end the offset after the bracket.
func destination(text string, i int) (from, to, end int, ok bool) {
	for i < len(text) && text[i] == ' ' {
		i++
	}
	from = i
	if i < len(text) && text[i] == '<' {
		j := strings.IndexAny(text[i:], ">\n")
		if j < 0 || text[i+j] != '>' {
			return 0, 0, 0, false
		}
		from, to, i = i+1, i+j, i+j+1
	} else {
		depth := 0
	scan:
		for ; i < len(text); i++ {
			switch c := text[i]; {
			case c == '(':
				depth++
			case c == ')':
				if depth == 0 {
					break scan
				}
				depth--
			case c <= ' ':
				break scan
			}
		}
		to = i
	}
	for i < len(text) && text[i] == ' ' {
		i++
	}
	if i < len(text) && (text[i] == '"' || text[i] == '\'') {
		j := strings.IndexByte(text[i+1:], text[i])
		if j < 0 {
			return 0, 0, 0, false
		}
		i += j + 2
	}
	if i >= len(text) || text[i] != ')' {
		return 0, 0, 0, false
	}
	return from, to, i + 1, true
}

func setTarget(l *schema.Link, raw string) {
	l.Raw = raw
	target, fragment, hash := strings.Cut(raw, "#")
	l.Target, l.Fragment, l.Hash = strings.TrimSpace(target), fragment, hash
}

func setEmbed(l *schema.Link, text string, i int) {
	if i > 0 && text[i-1] == '!' {
		l.Embed = true
		l.Span.Start--
	}
}
