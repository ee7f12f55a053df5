package lsp

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	schematext "github.com/loopwiki/wiki/schema/text"
)

// counter counts words.
type counter map[string]int

func (c counter) add(word string) {
	if word != "" && !strings.ContainsAny(word, "\r\n") {
		c[word]++
	}
}

// items returns the words that fit, the most frequent first.
func (c counter) items(typed string, kind int, noun string) []item {
	var out []item
	words := slices.SortedFunc(maps.Keys(c), func(a, b string) int { return cmp.Or(c[b]-c[a], strings.Compare(a, b)) })
	for _, w := range words {
		if rank := match(w, typed); rank > 0 {
			detail := ""
			if c[w] > 0 {
				detail = schematext.Count(c[w], noun)
			}
			out = append(out, item{completionItem{Label: w, Kind: kind, Detail: detail}, w, rank * 1_000_000})
			out[len(out)-1].rank += min(c[w], 999_999)
		}
	}
	return out
}

// inFront reports whether an offset is in the front matter, or in lines that begin one.
func (v *view) inFront(p *schema.Page, offset int) bool {
	if p.Front != nil {
		return offset > p.Front.Span.Start && offset < p.Body
	}
	before := p.Source[p.Lines.Line(1).Start:max(offset, p.Lines.Line(1).Start)]
	return bytes.HasPrefix(before, []byte("---\n")) && bytes.Count(before, []byte("\n---")) == 0
}

// completeFront offers the keys of the vocabulary, the dialect and other pages, and behind
// a key its values there.
func (v *view) completeFront(c completing) completionList {
	key, value, isValue := strings.Cut(c.line, ":")
	if item := strings.TrimLeft(c.line, " "); strings.HasPrefix(item, "- ") {
		key, value, isValue = keyAbove(c.page, c.offset), item[2:], true
	}
	if !isValue {
		if strings.TrimLeft(c.line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") != "" {
			return completionList{Items: []completionItem{}}
		}
		end := ": "
		if strings.Contains(c.after, ":") {
			end = ""
		}
		return v.offer(c, c.line, v.keyItems(c), end)
	}
	typed := strings.TrimLeft(value[strings.LastIndexAny(value, "[,")+1:], " \"'")
	return v.offer(c, typed, v.valueItems(c, strings.TrimSpace(key), typed), "")
}

// keyAbove is the key that a list in front matter belongs to.
func keyAbove(p *schema.Page, offset int) string {
	for n := p.Lines.LineOf(offset); n > 0; n-- {
		line := string(p.Lines.Line(n).In(p.Source))
		if key, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(strings.TrimLeft(line, " "), "-") {
			return strings.TrimSpace(key)
		}
	}
	return ""
}

func (v *view) keyItems(c completing) []item {
	count := counter{}
	d := v.wiki.Workspace().Dialect
	for _, w := range schema.Vocabulary {
		count[w.Spellings[0]] = 0
	}
	for _, key := range d.Required {
		count[key] = 0
	}
	for key := range d.Values {
		count[key] = 0
	}
	there := map[string]bool{}
	v.pairs(func(p *schema.Page, pair *schema.Pair) {
		if p != c.page {
			count.add(pair.Key)
		} else if pair.KeySpan.End != c.offset {
			there[pair.Key] = true
		}
	})
	maps.DeleteFunc(count, func(key string, _ int) bool { return there[key] })
	return count.items(c.line, completeField, "page")
}

// pairs calls f for each key of each page.
func (v *view) pairs(f func(*schema.Page, *schema.Pair)) {
	for _, p := range v.wiki.Pages() {
		if p.Front == nil || p.Front.Root == nil {
			continue
		}
		for i := range p.Front.Root.Pairs {
			f(p, &p.Front.Root.Pairs[i])
		}
	}
}

func (v *view) valueItems(c completing, key, typed string) []item {
	if schema.FieldOf(key) == schema.FieldTags {
		return v.tagItems(c, typed)
	}
	count := counter{}
	for field, values := range v.wiki.Workspace().Dialect.Values {
		if schema.SameKey(field, key) {
			for _, word := range values {
				count[word] = 0
			}
		}
	}
	v.pairs(func(p *schema.Page, pair *schema.Pair) {
		if p == c.page || !schema.SameKey(pair.Key, key) {
			return
		}
		for _, n := range pair.Value.Scalars() {
			if n.Kind == schema.KindString || n.Kind == schema.KindBool {
				count.add(n.Text)
			}
		}
	})
	return count.items(typed, completeValue, "page")
}
