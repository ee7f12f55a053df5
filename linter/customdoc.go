package linter

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// document returns what a rule of wiki.yaml does, in markdown: what its author
// says about it, then its definition in words.
func (c *custom) document() string {
	var b strings.Builder
	if doc := strings.TrimSpace(c.Doc); doc != "" {
		b.WriteString(doc + "\n\n")
	}
	verb := "requires"
	if c.Forbid != nil {
		verb = "forbids"
	}
	fmt.Fprintf(&b, "A rule of this wiki, defined in line %d of wiki.yaml. It %s %s", c.At.Line, verb, describeCondition(c.cond))
	if len(c.Types) > 0 {
		b.WriteString(" on pages of type " + codeList(c.Types, " or "))
	}
	if len(c.Paths) > 0 {
		b.WriteString(" in " + codeList(c.Paths, ", "))
	}
	if len(c.Except) > 0 {
		b.WriteString(" but not in " + codeList(c.Except, ", "))
	}
	b.WriteString(".")
	if c.Fix != nil {
		fmt.Fprintf(&b, " Its unsafe fix writes %s.", inlineCode(c.Fix.Replace))
	}
	return b.String()
}

func describeCondition(c *schema.Condition) string {
	switch {
	case c.Heading != nil:
		s := "a heading"
		if c.Heading.Level > 0 {
			s += fmt.Sprintf(" of level %d", c.Heading.Level)
		}
		if c.Heading.Text != "" {
			return s + " " + inlineCode(c.Heading.Text)
		}
		if c.Heading.Pattern != "" {
			s += " that matches " + inlineCode(c.Heading.Pattern)
		}
		return s
	case c.Field != nil:
		s := "the field " + inlineCode(c.Field.Name)
		if c.Field.Value != "" {
			s += " with a value that matches " + inlineCode(c.Field.Value)
		}
		return s
	case c.Link != nil:
		s := "a link"
		if c.Link.Kind != "" {
			s += " of the kind " + c.Link.Kind
		}
		if c.Link.Host != "" {
			s += " to the host " + inlineCode(c.Link.Host)
		}
		if c.Link.Target != "" {
			s += " whose destination matches " + inlineCode(c.Link.Target)
		}
		return s
	}
	in := c.In
	if in == "" {
		in = schema.ConditionPlaces[0]
	}
	return "the pattern " + inlineCode(c.Pattern) + " in " + map[string]string{"text": "running text", "code": "code",
		"heading": "headings", "frontmatter": "front matter", "source": "the raw file"}[in]
}

func codeList(items []string, sep string) string {
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = inlineCode(it)
	}
	return strings.Join(out, sep)
}

// inlineCode writes text as a code span, fenced by more backticks than it holds.
func inlineCode(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if text == "" {
		return "nothing"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}
