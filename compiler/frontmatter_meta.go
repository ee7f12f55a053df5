package compiler

import (
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// metaReader turns front matter into one vocabulary.
type metaReader struct{ page *schema.Page }

// readMeta fills in p.Meta, p.Title and the front matter's tags.
func readMeta(p *schema.Page) {
	r := &metaReader{page: p}
	m := &p.Meta
	m.ID, _ = r.text(schema.FieldID)
	if title, _ := r.text(schema.FieldTitle); title != "" {
		p.Title = title
	}
	m.Type, _ = r.text(schema.FieldTypeName)
	m.Subtype, _ = r.text(schema.FieldSubtype)
	m.Summary, _ = r.text(schema.FieldSummary)
	m.Confidence, _ = r.text(schema.FieldConfidence)
	m.Volatility, _ = r.text(schema.FieldVolatility)
	if word, n := r.text(schema.FieldStatus); n != nil {
		m.Status = schema.Status{Word: word, Class: schema.StatusWord(word), Span: n.Span}
	}
	m.Created = r.moment(schema.FieldCreated)
	m.Updated = r.moment(schema.FieldUpdated)
	r.verified()
	r.expires()
	m.Aliases = r.names(schema.FieldAliases)
	m.Redirects = r.names(schema.FieldRedirects)
	r.tags()
	r.sources()
	r.relations()
}

// text returns the first spelling of a field that holds text, and its node.
// Of a list it is the first item.
func (r *metaReader) text(f schema.FieldName) (string, *schema.Node) {
	for _, p := range r.page.Front.LookupAll(f) {
		list := p.Value.Scalars()
		if len(list) == 0 || list[0].Kind == schema.KindBool {
			continue
		}
		if s := strings.TrimSpace(list[0].Text); s != "" {
			return s, list[0]
		}
	}
	return "", nil
}

// moment returns the first spelling of a field that holds a moment.
func (r *metaReader) moment(f schema.FieldName) schema.Moment {
	for _, p := range r.page.Front.LookupAll(f) {
		if m, ok := parseMoment(p.Value, p.Key); ok {
			return m
		}
	}
	return schema.Moment{}
}

// parseMoment reads a date, a date-time, seconds or milliseconds since 1970,
// or a commit id. A commit id may look like a number, 1234e56, to YAML.
func parseMoment(n *schema.Node, key string) (schema.Moment, bool) {
	if !n.IsScalar() {
		return schema.Moment{}, false
	}
	m := schema.Moment{Key: key, Span: n.Span}
	s := strings.TrimSpace(n.Text)
	if t, day, ok := schema.ParseTime(s); ok {
		m.Time, m.Day = t, day
		return m, true
	}
	if n.Kind == schema.KindInt || n.Kind == schema.KindString {
		if v, err := strconv.ParseInt(s, 10, 64); err == nil && v > 0 {
			switch len(s) {
			case 9, 10:
				m.Time = time.Unix(v, 0).UTC()
				return m, true
			case 12, 13:
				m.Time = time.UnixMilli(v).UTC()
				return m, true
			}
		}
	}
	if schema.IsCommit(s) {
		m.Commit = strings.ToLower(s)
		return m, true
	}
	return schema.Moment{}, false
}

// verified reads a date, a commit, true, a map {by, at}, a map of repositories
// to commits, or a list of these.
func (r *metaReader) verified() {
	for _, p := range r.page.Front.LookupAll(schema.FieldVerified) {
		nodes := []*schema.Node{p.Value}
		if p.Value.Kind == schema.KindList {
			nodes = p.Value.Items
		}
		for _, n := range nodes {
			r.verification(n, p.Key)
		}
	}
}

func (r *metaReader) verification(n *schema.Node, key string) {
	m := &r.page.Meta
	switch at, ok := parseMoment(n, key); {
	case ok:
		m.Verified = append(m.Verified, schema.Verification{At: at})
	case n.Kind == schema.KindBool && strings.EqualFold(n.Text, "true"):
		m.Verified = append(m.Verified, schema.Verification{At: schema.Moment{Key: key, Span: n.Span}})
	case n.Kind == schema.KindString && isActor(n.Text):
		m.Verified = append(m.Verified, schema.Verification{By: n.Text, At: schema.Moment{Key: key, Span: n.Span}})
	case n.Kind == schema.KindMap:
		r.verificationMap(n, key)
	}
}

func (r *metaReader) verificationMap(n *schema.Node, key string) {
	m := &r.page.Meta
	v := schema.Verification{At: schema.Moment{Key: key, Span: n.Span}}
	known := false
	for _, p := range n.Pairs {
		switch strings.ToLower(p.Key) {
		case "by", "actor", "who", "reviewer":
			known = true
			if p.Value.IsScalar() {
				v.By = p.Value.Text
			}
		case "at", "on", "date", "when", "commit", "rev":
			known = true
			if at, ok := parseMoment(p.Value, key); ok && v.At.IsZero() {
				v.At = at
			}
		}
	}
	if known {
		m.Verified = append(m.Verified, v)
		return
	}
	for _, p := range n.Pairs {
		if at, ok := parseMoment(p.Value, key); ok {
			m.Verified = append(m.Verified, schema.Verification{At: at, Against: p.Key})
		}
	}
}

// isActor reports whether s names who did something as OKF does: human:x,
// process:x or product/version.
func isActor(s string) bool {
	return strings.HasPrefix(s, "human:") || strings.HasPrefix(s, "process:") ||
		strings.Count(s, "/") == 1 && !strings.ContainsAny(s, " \t") && s[0] != '/' && s[len(s)-1] != '/'
}

// expires reads an expiry, or a time to live that counts from when the page
// was last verified, updated or created.
func (r *metaReader) expires() {
	m := &r.page.Meta
	for _, p := range r.page.Front.LookupAll(schema.FieldExpires) {
		if at, ok := parseMoment(p.Value, p.Key); ok && at.Commit == "" && !isDays(p.Value) {
			m.Expires = at
			return
		}
		days, ok := parseTTL(p.Value)
		if !ok {
			continue
		}
		var from time.Time
		for _, v := range m.Verified {
			if v.At.Time.After(from) {
				from = v.At.Time
			}
		}
		if from.IsZero() {
			from = m.Updated.Time
		}
		if from.IsZero() {
			from = m.Created.Time
		}
		if !from.IsZero() {
			m.Expires = schema.Moment{Time: from.AddDate(0, 0, days), Day: true, Key: p.Key, Span: p.Value.Span}
			return
		}
	}
}

func isDays(n *schema.Node) bool { _, ok := parseTTL(n); return ok }

// parseTTL reads 90, 90d, 12w, 6m, 1y, P90D and the like as days; a month is
// 30 days and a year 365.
func parseTTL(n *schema.Node) (days int, ok bool) {
	if n.Kind != schema.KindInt && n.Kind != schema.KindString {
		return 0, false
	}
	s := strings.ToLower(strings.TrimSpace(n.Text))
	s = strings.TrimPrefix(s, "p")
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	v, err := strconv.Atoi(s[:i])
	if err != nil || v > 36500 {
		return 0, false
	}
	switch strings.TrimSpace(s[i:]) {
	case "", "d", "day", "days":
		return v, true
	case "w", "week", "weeks":
		return v * 7, true
	case "m", "mo", "month", "months":
		return v * 30, true
	case "y", "year", "years":
		return v * 365, true
	}
	return 0, false
}

// names reads a list or a scalar; values of other types are read as text.
func (r *metaReader) names(field schema.FieldName) []schema.Alias {
	var out []schema.Alias
	for _, p := range r.page.Front.LookupAll(field) {
		for _, n := range p.Value.Scalars() {
			if name := strings.TrimSpace(n.Text); name != "" {
				span, exact := textSpan(r.page.Source, n)
				if !exact {
					span = n.Span
				}
				out = append(out, schema.Alias{Name: name, Span: span})
			}
		}
	}
	return out
}

// tags reads a list, or a string of tags separated by commas or spaces; topics, which
// may be phrases, only by commas.
func (r *metaReader) tags() {
	for _, p := range r.page.Front.LookupAll(schema.FieldTags) {
		if p.Value.IsScalar() {
			spaces := !schema.SameKey(p.Key, "topics") && !strings.Contains(p.Value.Text, ",")
			r.tagPieces(p.Value, p.Key, spaces)
			continue
		}
		for _, n := range p.Value.Scalars() {
			r.tagPieces(n, p.Key, false)
		}
	}
}

func (r *metaReader) tagPieces(n *schema.Node, key string, spaces bool) {
	span, exact := textSpan(r.page.Source, n)
	cut := func(c rune) bool { return c == ',' || c == '\n' || spaces && (c == ' ' || c == '\t') }
	at := 0
	for at <= len(n.Text) {
		end := len(n.Text)
		if i := strings.IndexFunc(n.Text[at:], cut); i >= 0 {
			end = at + i
		}
		piece := n.Text[at:end]
		word := strings.TrimSpace(piece)
		if name := strings.TrimSpace(strings.TrimLeft(word, "#")); name != "" && !strings.Contains(name, "[[") {
			tag := schema.Tag{Name: name, Field: key, Span: n.Span}
			if exact {
				start := span.Start + at + strings.Index(piece, word)
				tag.Span = schema.Span{Start: start, End: start + len(word)}
			}
			r.page.Tags = append(r.page.Tags, tag)
		}
		at = end + 1
	}
}

// sources reads strings, wikilinks, objects, and lists of them.
func (r *metaReader) sources() {
	for _, p := range r.page.Front.LookupAll(schema.FieldSources) {
		if p.Value.Kind == schema.KindList && !isBracketLink(r.page.Source, p.Value) {
			for _, n := range p.Value.Items {
				r.source(n, p.Key)
			}
			continue
		}
		r.source(p.Value, p.Key)
	}
}

func (r *metaReader) source(n *schema.Node, key string) {
	switch {
	case n.IsScalar() || isBracketLink(r.page.Source, n):
		r.addSource(n, schema.SourceRef{Key: key})
	case n.Kind == schema.KindMap:
		var place *schema.Node
		for _, name := range []string{"resource", "path", "file", "url", "href", "source", "uri", "link", "page"} {
			if place = n.Get(name); place.IsScalar() || place != nil && isBracketLink(r.page.Source, place) {
				break
			}
			place = nil
		}
		ref := schema.SourceRef{Key: key, ID: n.Get("id").ScalarText(), Title: n.Get("title").ScalarText()}
		if commit := n.Get("commit").ScalarText(); schema.IsCommit(commit) {
			ref.Commit = strings.ToLower(commit)
		}
		if place != nil {
			r.addSource(place, ref)
		} else if ref.ID != "" || ref.Title != "" {
			ref.Span = n.Span
			r.page.Meta.Sources = append(r.page.Meta.Sources, ref)
		}
	}
}

// addSource appends the source that n names, a link's brackets taken off.
func (r *metaReader) addSource(n *schema.Node, ref schema.SourceRef) {
	text, span := strings.TrimSpace(n.Text), n.Span
	if n.IsScalar() {
		if s, exact := textSpan(r.page.Source, n); exact {
			span = s
		}
	} else {
		text = string(n.Span.In(r.page.Source))
	}
	if links := valueLinks(text, 0, nil); len(links) == 1 && links[0].Span.Len() == len(text) {
		text = links[0].Raw
		if ref.Title == "" {
			ref.Title = links[0].Label
		}
	}
	if text == "" {
		return
	}
	ref.Anchor, ref.Span = schema.ParseAnchor(text), span
	r.page.Meta.Sources = append(r.page.Meta.Sources, ref)
}

// relations reads what the page says about its place among others: what it
// supersedes and contradicts, and typed edges.
func (r *metaReader) relations() {
	for _, f := range []struct {
		field schema.FieldName
		kind  schema.RelationKind
	}{
		{schema.FieldSupersedes, schema.RelationSupersedes},
		{schema.FieldSupersededBy, schema.RelationSupersededBy},
		{schema.FieldContradicts, schema.RelationContradicts},
	} {
		for _, p := range r.page.Front.LookupAll(f.field) {
			r.relation(p.Value, f.kind)
		}
	}
	for i := range r.page.Front.Root.Pairs {
		p := &r.page.Front.Root.Pairs[i]
		if p.Value.Kind != schema.KindList || !schema.SameKey(p.Key, "edges") && !schema.SameKey(p.Key, "relations") && !schema.SameKey(p.Key, "relationships") {
			continue
		}
		for _, n := range p.Value.Items {
			if kind := first(n, "type", "rel", "relation", "kind").ScalarText(); kind != "" {
				r.relation(first(n, "target", "to", "page"), schema.RelationKind(kind))
			}
		}
	}
}

// first returns the value of the first of some keys that a map has.
func first(n *schema.Node, keys ...string) *schema.Node {
	for _, k := range keys {
		if v := n.Get(k); v != nil {
			return v
		}
	}
	return nil
}

func (r *metaReader) relation(n *schema.Node, kind schema.RelationKind) {
	switch {
	case n == nil || n.Kind == schema.KindBool:
	case n.Kind == schema.KindList && !isBracketLink(r.page.Source, n):
		for _, it := range n.Items {
			if it.Kind != schema.KindList || isBracketLink(r.page.Source, it) {
				r.relation(it, kind)
			}
		}
	case n.Kind == schema.KindMap:
		if t := first(n, "target", "page", "to", "path", "id"); t.IsScalar() {
			r.relation(t, kind)
		}
	default:
		text := strings.TrimSpace(n.Text)
		if !n.IsScalar() {
			text = string(n.Span.In(r.page.Source))
		}
		if links := valueLinks(text, 0, nil); len(links) > 0 {
			for _, l := range links {
				r.page.Meta.Relations = append(r.page.Meta.Relations, schema.Relation{Kind: kind, Target: l.Raw, Span: n.Span})
			}
		} else if text != "" {
			r.page.Meta.Relations = append(r.page.Meta.Relations, schema.Relation{Kind: kind, Target: text, Span: n.Span})
		}
	}
}
