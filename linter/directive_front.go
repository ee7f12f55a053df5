package linter

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// disableField is the key of a page's front matter, and the key in it, under
// which rules are listed that do not report on the page: lint: {disable: […]},
// or spelled flat, lint.disable: or lint-disable:.
const (
	lintField    = "lint"
	disableField = "disable"
)

var flatFields = []string{lintField + "." + disableField, lintField + "-" + disableField}

// SuppressionField reports whether a key of front matter belongs to the linter.
func SuppressionField(key string) bool {
	return schema.SameKey(key, lintField) || flatField(key)
}

func flatField(key string) bool {
	return schema.SameKey(key, flatFields[0]) || schema.SameKey(key, flatFields[1])
}

// parseFront reads lint.disable in front matter. A rule is a text, alone or in a list,
// with the reason after -- as in a comment, or a map of rule and reason; true stands for
// all rules.
func parseFront(page *schema.Page) []Suppression {
	if page.Front == nil || page.Front.Root == nil {
		return nil
	}
	var out []Suppression
	for i := range page.Front.Root.Pairs {
		pair := &page.Front.Root.Pairs[i]
		switch {
		case flatField(pair.Key):
			out = append(out, frontEntries(page, pair, pair)...)
		case schema.SameKey(pair.Key, lintField) && pair.Value.Kind == schema.KindMap:
			for j := range pair.Value.Pairs {
				inner := &pair.Value.Pairs[j]
				whole := inner
				if len(pair.Value.Pairs) == 1 {
					whole = pair
				}
				if schema.SameKey(inner.Key, disableField) {
					out = append(out, frontEntries(page, inner, whole)...)
				} else if near, ok := schema.Nearest(inner.Key, []string{disableField}); ok {
					out = append(out, Suppression{Path: page.Path, By: ByFrontmatter, Span: inner.KeySpan, scope: scopeFile,
						Fault: fmt.Sprintf("unknown key %q under lint; did you mean %q?", inner.Key, near)})
				}
			}
		}
	}
	return out
}

// frontEntries reads the value of the field; whole is removed with its only entry.
func frontEntries(page *schema.Page, field, whole *schema.Pair) []Suppression {
	all := schema.Span{Start: whole.KeySpan.Start, End: whole.Value.Span.End}
	if field.Value.Kind != schema.KindList {
		if field.Value.Kind == schema.KindNull {
			return nil
		}
		s := frontEntry(page, field.Value)
		s.entry.field = all
		return []Suppression{s}
	}
	out := make([]Suppression, len(field.Value.Items))
	for i, it := range field.Value.Items {
		out[i] = frontEntry(page, it)
		out[i].entry = entry{field: all, list: field.Value, item: i}
	}
	return out
}

// entry is where a suppression is in the frontmatter.
type entry struct {
	field schema.Span  // all of the field, or of what holds nothing else
	list  *schema.Node // nil when the field holds one value
	item  int
}

// longList is how many entries a list may have for each to look at all others.
const longList = 100

// Cut returns the span to delete when the suppression is removed: the comment; for an
// entry in front matter, the item with its dash or comma, or the whole field if it is
// the last one. gone reports which entries of the page are removed too; the suppression
// itself always is.
func (s *Suppression) Cut(page *schema.Page, gone func(*schema.Node) bool) schema.Span {
	list := s.entry.list
	switch {
	case s.By != ByFrontmatter:
		return s.Span
	case list == nil:
		return s.entry.field
	}
	goes := func(i int) bool { return i == s.entry.item || len(list.Items) <= longList && gone(list.Items[i]) }
	kept := 0
	for kept < len(list.Items) && goes(kept) {
		kept++
	}
	if kept == len(list.Items) {
		return s.entry.field
	}
	i, at := s.entry.item, list.Items[s.entry.item].Span
	switch {
	case page.Source[list.Span.Start] != '[': // a block, with a dash before each
		before := bytes.TrimRight(page.Source[:at.Start], " \t")
		if bytes.HasSuffix(before, []byte("-")) {
			at.Start = len(before) - 1
		}
	case i < kept:
		at.End = list.Items[i+1].Span.Start
	default:
		at.Start = list.Items[i-1].Span.End
	}
	return at
}

func frontEntry(page *schema.Page, n *schema.Node) Suppression {
	s := Suppression{Path: page.Path, By: ByFrontmatter, Span: n.Span, scope: scopeFile}
	switch {
	case n.Kind == schema.KindMap:
		rule, reason := n.Get("rule"), n.Get("reason")
		if !rule.IsScalar() || reason != nil && !reason.IsScalar() && reason.Kind != schema.KindNull || len(n.Pairs) > 2 || len(n.Pairs) == 2 && reason == nil {
			s.Fault = "lint.disable has an invalid entry; expected RULE, or {rule: RULE, reason: why}"
			return s
		}
		s.Rules = []SuppressedRule{{ID: rule.Text, Span: rule.Span}}
		if reason != nil {
			s.Reason = reason.Text
		}
	case n.Kind == schema.KindBool && strings.EqualFold(n.Text, "true"):
	case n.Kind == schema.KindString && (!n.Quoted || string(n.Span.In(page.Source)) == n.Text):
		s.read(page.Source, n.Span)
	case n.Kind == schema.KindString: // in quotes: what is in them has no exact place
		s.read([]byte(n.Text), schema.Span{End: len(n.Text)})
		for i := range s.Rules {
			s.Rules[i].Span = n.Span
		}
	default:
		s.Fault = fmt.Sprintf("lint.disable has a %s as an entry; expected RULE, or {rule: RULE, reason: why}", n.Kind)
	}
	if s.Fault == "" && len(s.Rules) == 0 && n.Kind != schema.KindBool {
		s.Fault = "lint.disable has an empty entry; expected RULE, or {rule: RULE, reason: why}"
	}
	return s
}
