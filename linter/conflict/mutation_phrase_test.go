package conflict

import (
	"fmt"
	"path"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// phrasing puts a claim with another value into words; the body is empty when the
// claim can not be said so. key is what goes into the frontmatter.
type phrasing struct {
	name string
	say  func(c *taken, value string) (front, body string)
}

// phrasings are the ten ways in which each claim is said again.
var phrasings = []phrasing{
	{"same sentence", sameSentence}, {"table row", tableRow}, {"key:: value", inlineField}, {"**Key:** value", boldKey}, {"list under heading", underHeading},
	{"the … of X is V", attributeOf}, {"X has a … of V", hasAttribute}, {"definition list", definition}, {"link as subject", linkedSubject}, {"frontmatter", inFrontmatter},
}

func (c *taken) link() string {
	if c.owner == nil {
		return ""
	}
	target := strings.TrimSuffix(path.Base(c.owner.Path), ".md")
	switch {
	case len(c.owner.Meta.Aliases) > 0:
		return "[[" + target + "|" + c.owner.Meta.Aliases[0].Name + "]]"
	case c.spoken():
		return "[[" + target + "|" + c.title + "]]"
	}
	return "[[" + target + "]]"
}

// spoken reports whether the name can stand in a sentence.
func (c *taken) spoken() bool { return !strings.ContainsAny(c.title, ":,;()&—–·") }

// predicate is the sentence without its subject, empty when that is not the first
// words up to the verb.
func (c *taken) predicate() string {
	for _, subject := range []string{"It ", "The " + strings.ToLower(c.title) + " ", c.title + " ", "The " + c.title + " ", "`" + c.title + "` "} {
		if rest, ok := strings.CutPrefix(c.head, subject); ok {
			return rest
		}
	}
	return ""
}

// sentence is the sentence with another value and an explicit subject.
func (c *taken) sentence(value, subject string) string {
	head, tail := c.head, c.tail
	if c.Value.Kind == schema.ValueFact {
		head, value, tail = value, "", ""
	}
	changed := *c
	changed.head = head
	if p := changed.predicate(); p != "" {
		return subject + " " + p + value + tail + "."
	}
	for _, article := range []string{"The ", "A ", "An ", "Each ", "Every "} {
		if rest, ok := strings.CutPrefix(head, article); ok {
			return "In " + subject + ", " + strings.ToLower(article) + rest + value + tail + "."
		}
	}
	return "In " + subject + ", " + head + value + tail + "."
}

func sameSentence(c *taken, value string) (string, string) {
	if c.head == "" {
		return "", tableLike(c, c.title, value) // the same row or field, on another page
	}
	if !c.spoken() {
		return "", ""
	}
	return "", c.sentence(value, c.title)
}

// tableLike is a row with the head that the claim's own table or field has.
func tableLike(c *taken, subject, value string) string {
	return fmt.Sprintf("| Item | %s |\n|---|---|\n| %s | %s |", c.Attr.Name, subject, value)
}

// cell is a value without the noun that is counted, which the attribute names.
func (c *taken) cell(value string) string {
	if c.head != "" {
		value = strings.TrimSpace(strings.TrimSuffix(value, c.attr))
	}
	return value
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func tableRow(c *taken, value string) (string, string) {
	if c.attr == "" {
		return "", ""
	}
	return "", fmt.Sprintf("| Part | %s |\n|---|---|\n| %s | %s |", title(c.attr), c.title, c.cell(value))
}

func inlineField(c *taken, value string) (string, string) {
	if c.attr == "" || c.owner == nil || c.attr == "status" { // that is the state of the page itself
		return "", ""
	}
	return aboutPage(c), strings.ReplaceAll(c.attr, " ", "_") + ":: " + c.cell(value)
}

func boldKey(c *taken, value string) (string, string) {
	if c.attr == "" || c.owner == nil {
		return "", ""
	}
	return aboutPage(c), "- **" + title(c.attr) + ":** " + c.cell(value)
}

func underHeading(c *taken, value string) (string, string) {
	if c.attr == "" {
		return "", ""
	}
	return "", "## " + c.title + "\n\n- " + title(c.attr) + ": " + c.cell(value)
}

func plural(attr string) bool {
	return strings.HasSuffix(attr, "s") && !strings.HasSuffix(attr, "us") && !strings.HasSuffix(attr, "ss")
}

// clause reports whether the attribute and the value can stand in a sentence.
func (c *taken) clause(value string) bool {
	return c.attr != "" && c.spoken() && c.Value.Kind != schema.ValueBool && len(strings.Fields(value)) < 5
}

func attributeOf(c *taken, value string) (string, string) {
	switch {
	case !c.clause(value):
		return "", ""
	case c.head != "" || plural(c.attr):
		return "", "The number of " + c.attr + " of " + c.title + " is " + c.cell(value) + "."
	}
	return "", "The " + c.attr + " of " + c.title + " is " + value + "."
}

func hasAttribute(c *taken, value string) (string, string) {
	switch {
	case !c.clause(value):
		return "", ""
	case c.head != "":
		return "", c.title + " has a total of " + c.cell(value) + " " + c.attr + "."
	case plural(c.attr):
		return "", c.title + " has " + value + " " + c.attr + "."
	case strings.IndexByte("aeiou", c.attr[0]) >= 0:
		return "", c.title + " has an " + c.attr + " of " + value + "."
	}
	return "", c.title + " has a " + c.attr + " of " + value + "."
}

func definition(c *taken, value string) (string, string) {
	if c.attr != "" {
		return "", c.title + "\n: " + title(c.attr) + ": " + c.cell(value)
	}
	head := c.head
	if c.Value.Kind == schema.ValueFact {
		head, value = value, ""
	}
	changed := *c
	changed.head = head
	if p := changed.predicate(); p != "" {
		return "", c.title + "\n: " + title(p+value+c.tail) + "."
	}
	return "", ""
}

func linkedSubject(c *taken, value string) (string, string) {
	switch {
	case c.owner == nil:
		return "", ""
	case c.head != "":
		return "", c.sentence(value, c.link())
	}
	return "", tableLike(c, strings.ReplaceAll(c.link(), "|", "\\|"), value)
}

func inFrontmatter(c *taken, value string) (string, string) {
	if c.attr == "" || c.owner == nil || c.attr == "status" || strings.ContainsAny(c.cell(value), "`:[]{}*") {
		return "", ""
	}
	return aboutPage(c) + strings.ReplaceAll(c.attr, " ", "_") + ": " + c.cell(value) + "\n", "More about it."
}

// aboutPage is the frontmatter of a page that is about the entity.
func aboutPage(c *taken) string { return "component: \"" + c.title + "\"\n" }
