package schema

// CustomRule is a rule that wiki.yaml defines: a page must not have something,
// or must have it.
type CustomRule struct {
	ID       string     `yaml:"id" json:"id" jsonschema:"name of the rule: lower-case words joined by hyphens"`
	Message  string     `yaml:"message" json:"message" jsonschema:"what is wrong and what to do about it, in one line; {match}, {field}, {value} and {page} are filled in"`
	Severity *Severity  `yaml:"severity" json:"severity,omitempty" jsonschema:"off, info, warning or error; default warning; off runs only with --select"`
	Paths    []string   `yaml:"paths" json:"paths,omitempty" jsonschema:"globs of the pages to check, below the wiki's root; default all but raw sources"`
	Except   []string   `yaml:"except" json:"except,omitempty" jsonschema:"globs of pages to exclude"`
	Types    []string   `yaml:"types" json:"types,omitempty" jsonschema:"page types to check"`
	Forbid   *Condition `yaml:"forbid" json:"forbid,omitempty" jsonschema:"what a page must not have"`
	Require  *Condition `yaml:"require" json:"require,omitempty" jsonschema:"what a page must have"`
	Fix      *CustomFix `yaml:"fix" json:"fix,omitempty" jsonschema:"replacement for a forbidden pattern, applied by wiki lint --fix-unsafe"`
	Doc      string     `yaml:"doc" json:"doc,omitempty" jsonschema:"why, in markdown"`
	At       Position   `yaml:"-" json:"-"` // of the id in wiki.yaml
}

// Condition is the target of a custom rule: exactly one of pattern, heading, field and
// link.
type Condition struct {
	Pattern string            `yaml:"pattern" json:"pattern,omitempty" jsonschema:"regular expression (RE2), at most 1000 bytes; ^ and $ match at the ends of lines"`
	In      string            `yaml:"in" json:"in,omitempty" jsonschema:"where the pattern is looked for: text, code, heading, frontmatter or source; default text"`
	Heading *HeadingCondition `yaml:"heading" json:"heading,omitempty" jsonschema:"a heading"`
	Field   *FieldCondition   `yaml:"field" json:"field,omitempty" jsonschema:"a field of the frontmatter"`
	Link    *LinkCondition    `yaml:"link" json:"link,omitempty" jsonschema:"a link"`
}

// HeadingCondition matches a heading; all given keys must match.
type HeadingCondition struct {
	Text    string `yaml:"text" json:"text,omitempty" jsonschema:"its whole text, ignoring letter case"`
	Pattern string `yaml:"pattern" json:"pattern,omitempty" jsonschema:"regular expression found in its text"`
	Level   int    `yaml:"level" json:"level,omitempty" jsonschema:"its level, 1 to 6"`
}

// FieldCondition is about a field of the frontmatter.
type FieldCondition struct {
	Name  string `yaml:"name" json:"name" jsonschema:"its name; letter case, - and _ are ignored"`
	Value string `yaml:"value" json:"value,omitempty" jsonschema:"regular expression that matches in its value; in every item of a list"`
}

// LinkCondition matches a link; all given keys must match.
type LinkCondition struct {
	Kind   string `yaml:"kind" json:"kind,omitempty" jsonschema:"wikilink, markdown, external, embed or image"`
	Target string `yaml:"target" json:"target,omitempty" jsonschema:"regular expression found in its destination"`
	Host   string `yaml:"host" json:"host,omitempty" jsonschema:"host of its URL, or a parent domain"`
}

// CustomFix is the fix of a custom rule.
type CustomFix struct {
	Replace string `yaml:"replace" json:"replace" jsonschema:"replacement text; $1 and ${name} refer to groups"`
}

// What the words of a custom rule may be.
var (
	// ConditionPlaces are the values of [Condition.In]; the first is the default.
	ConditionPlaces = []string{"text", "code", "heading", "frontmatter", "source"}
	// ConditionLinks are the values of [LinkCondition.Kind].
	ConditionLinks = []string{"wikilink", "markdown", "external", "embed", "image"}
	// MessageWords are the words that [CustomRule.Message] may hold in braces.
	MessageWords = []string{"match", "field", "value", "page"}
)
