package linter

import (
	"bytes"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

func itoa(n int) string { return strconv.Itoa(n) }

// tagHeadings are the headings below which a wiki lists its tags.
var tagHeadings = []string{"tags", "taxonomy", "tag taxonomy", "tag vocabulary", "tag list", "allowed tags", "controlled tags", "tags in use", "the tags"}

func tagHeading(text string) bool {
	return slices.Contains(tagHeadings, strings.ToLower(strings.Trim(text, " :.#0123456789")))
}

// fewestTags is how many tags make a taxonomy: below, it is an example.
const fewestTags = 2

var (
	listItem = schema.Expression(`^\s*[-*+]\s+(.*)$`)
	// tagWord is a tag, bare, in code or with its sign.
	tagWord  = schema.Expression("^(?:`#?([\\p{L}\\p{N}_/-]+)`|#([\\p{L}\\p{N}_/-]+)|([\\p{L}\\p{N}_/-]+))")
	markedOn = schema.Expression("^(?:`#?[\\p{L}\\p{N}_/-]+`|#[\\p{L}\\p{N}_/-]+)")
	// category is a label in bold, or of any words before tags that are marked.
	category = schema.Expression("^(?:\\*\\*[^*]+\\*\\*:?|__[^_]+__:?|[^`#:]{1,40}:)\\s*")
	// meaning begins what a tag stands for.
	meaning = schema.Expression(`^(?:\s+[-–—=→]+\s|\s*[:(]|\s*$)`)
)

// tags reads the tags listed below heading i: a list of them, or a table with
// a column of them. An item of the list that is no tag makes it a list of
// something else, and none of it counts.
func (r *conventionReader) tags(i int) {
	h := &r.page.Headings[i]
	end := len(r.page.Source)
	for _, next := range r.page.Headings[i+1:] {
		if next.Level <= h.Level {
			end = next.Span.Start
			break
		}
	}
	within := schema.Span{Start: h.Span.End, End: end}
	found, odd := r.tagItems(within)
	if len(found) == 0 {
		found = r.tagColumn(within)
	}
	line := r.line(h.Span.Start)
	switch {
	case odd > 0:
		r.c.Understood = append(r.c.Understood, Understood{r.page.Path, line, "no tags: line " + itoa(odd) + " of the list is not one or several tags"})
	case len(found) >= fewestTags:
		r.take(&schema.ConventionBlock{Tags: found}, h.Span)
	}
}

// tagItems reads the lists of a section; odd is the first line with an item
// that is no tag, 0 when there is none.
func (r *conventionReader) tagItems(within schema.Span) (tags []string, odd int) {
	for at, item := range listItems(r.page, within) {
		got := tagsOfItem(item)
		if got == nil {
			return nil, r.line(at)
		}
		tags = append(tags, got...)
	}
	return tags, 0
}

// listItems yields the first lines of the list items in a part of a page, with
// their offsets. What stands in code or comments is none.
func listItems(page *schema.Page, within schema.Span) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		skip := unlisted(page)
		for at := within.Start; at < within.End; {
			for len(skip) > 0 && skip[0].End <= at {
				skip = skip[1:]
			}
			line := page.Source[at:within.End]
			next := within.End
			if n := bytes.IndexByte(line, '\n'); n >= 0 {
				line, next = line[:n], at+n+1
			}
			m := listItem().FindSubmatch(bytes.TrimRight(line, "\r"))
			hidden := len(skip) > 0 && skip[0].Contains(at)
			if m != nil && !hidden && !yield(at, strings.TrimSpace(string(m[1]))) {
				return
			}
			at = next
		}
	}
}

// unlisted returns what of a page holds no lists: code and comments, in order.
func unlisted(page *schema.Page) []schema.Span {
	out := slices.Clone(page.Comments)
	for i := range page.Fences {
		out = append(out, page.Fences[i].Span)
	}
	slices.SortFunc(out, func(a, b schema.Span) int { return a.Start - b.Start })
	return out
}

// tagsOfItem returns the tags of a list item: some, separated by commas; some
// behind the name of their category; or one and what it means. It returns nil
// for anything else.
func tagsOfItem(item string) []string {
	label := category().FindString(item)
	if rest := item[len(label):]; label != "" && markedOn().MatchString(rest) {
		return tagsInRow(rest)
	}
	if strings.HasPrefix(label, "**") || strings.HasPrefix(label, "__") {
		name := strings.Trim(label, "*_: ")
		rest := item[len(label):]
		row := tagsInRow(rest)
		isTag := name != "" && tagWord().FindString(name) == name
		switch {
		case isTag && (meaning().MatchString(" "+rest) || row == nil && name == strings.ToLower(name)):
			return []string{tagName(name)}
		case len(row) > 1:
			return row
		}
		return nil // a category of one tag, or a tag and its meaning in a word
	}
	if tags := tagsInRow(item); tags != nil {
		return tags
	}
	tag := tagWord().FindString(item)
	if tag == "" || !meaning().MatchString(item[len(tag):]) {
		return nil
	}
	return []string{tagName(tag)}
}

// tagsInRow returns tags that are separated by commas or, when marked, by
// white space; nil when anything else stands between them.
func tagsInRow(s string) []string {
	var out []string
	for s = strings.TrimSpace(s); s != ""; {
		tag := tagWord().FindString(s)
		if tag == "" {
			return nil
		}
		out = append(out, tagName(tag))
		rest := strings.TrimLeft(s[len(tag):], " \t")
		switch {
		case rest == "" || rest == ".":
			return out
		case rest[0] == ',' || rest[0] == ';':
			rest = strings.TrimSpace(rest[1:])
		case !markedOn().MatchString(rest) || len(rest) == len(s[len(tag):]):
			return nil
		}
		s = rest
	}
	return out
}

func tagName(written string) string { return strings.Trim(written, "`#") }

// tagColumn reads the column of tags of a table in a section.
func (r *conventionReader) tagColumn(within schema.Span) []string {
	var out []string
	for i := range r.page.Tables {
		t := &r.page.Tables[i]
		if !within.Contains(t.Span.Start) {
			continue
		}
		column := slices.Index(columnNames(t, map[string][]string{"tag": {"tag", "tags"}}), "tag")
		if column < 0 {
			continue
		}
		for _, row := range t.Rows {
			if column >= len(row) || row[column].Span.Len() == 0 {
				continue
			}
			tags := tagsInRow(string(row[column].Span.In(r.page.Source)))
			if tags == nil {
				return nil
			}
			out = append(out, tags...)
		}
	}
	return out
}
