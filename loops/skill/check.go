package skill

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/schema/yaml"
)

// What tools take of a skill's frontmatter: those of the specification of agent
// skills first, those of Claude Code after them.
var keys = []string{
	"name", "description", "license", "compatibility", "metadata", "allowed-tools",
	"disable-model-invocation", "user-invocable", "argument-hint", "when_to_use", "model", "effort", "context", "agent", "hooks", "paths", "shell",
}

// The lengths that the specification allows, in characters.
const (
	maxName        = 64
	maxDescription = 1024
	minDescription = 20 // shorter says nothing
)

var (
	validName = schema.Expression(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	// trigger are the words by which descriptions say when.
	trigger = schema.Expression(`(?i)\b(use|used|when|whenever|if|before|after|while|once|trigger(s|ed)?)\b`)
	english = schema.Expression(`(?i)\b(the|and|of|to|with|this|an)\b`)
	// local are paths of somebody's machine.
	local = schema.Expression(`(?:/home/|/Users/|/root/)[\w.-]+|\b[A-Za-z]:\\(?:Users|home)\\[\w.-]+|file://[^\s)>\]]+`)
	// target is the destination of a link or an image of markdown, or of a definition.
	target = schema.Expression(`(?m)\]\(\s*<?([^)\s>]+)>?[^)]*\)|^ {0,3}\[[^\]\n]+\]:\s*<?([^\s>]+)>?`)
	scheme = schema.Expression(`^[A-Za-z][A-Za-z0-9+.-]+:`)
	key    = schema.Expression(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)
)

// check is a skill that is looked at.
type check struct {
	*Skill
	repo  fs.FS
	front schema.Span
	body  int // where the text begins
	// unclosed frontmatter has no end.
	unclosed bool
	found    []schema.Diagnostic
}

// say reports at a place.
func (c *check) say(rule string, severity schema.Severity, at schema.Span, format string, args ...any) {
	d := finding(rule, severity, c.Path, fmt.Sprintf(format, args...))
	d.Span, d.From, d.To = at, c.Lines.Position(at.Start), c.Lines.Position(at.End)
	c.found = append(c.found, d)
}

func (c *check) all() {
	if !utf8.Valid(c.Source) {
		c.say("skill-unreadable", schema.Error, schema.Span{}, "the file is not UTF-8: save it as UTF-8")
		return
	}
	if c.fences() {
		c.frontmatter()
	}
	if c.unclosed {
		return // nobody knows where the text begins
	}
	c.Size = len(bytes.TrimSpace(c.Source[c.body:]))
	end := schema.Span{Start: c.body, End: c.body}
	switch {
	case c.Size == 0:
		c.say("skill-empty", schema.Error, end, "the skill has no text: describe what to do, step by step")
	case c.Size > Shown:
		at := schema.Span{Start: c.body + Shown, End: c.body + Shown}
		c.say("skill-size", schema.Warning, at, "agents get only the first %d bytes of a skill, up to here; it has %d: move details to files beside it, and link to them", Shown, c.Size)
	}
	c.links()
	c.paths()
	c.secrets()
}

// fences finds the frontmatter.
func (c *check) fences() bool {
	missing := schema.Error
	if c.Flat {
		missing = schema.Warning
	}
	first := c.Lines.Line(1)
	if strings.TrimRight(string(first.In(c.Source)), " \t\r\n") != "---" {
		c.say("skill-frontmatter", missing, schema.Span{}, "the skill has no frontmatter: begin with ---, name:, description: and --- again")
		return false
	}
	for n := 2; n <= c.Lines.Lines(); n++ {
		if line := c.Lines.Line(n); strings.TrimRight(string(line.In(c.Source)), " \t\r\n") == "---" {
			c.front, c.body = schema.Span{Start: c.Lines.Line(2).Start, End: line.Start}, len(c.Source)
			if n < c.Lines.Lines() {
				c.body = c.Lines.Line(n + 1).Start
			}
			return true
		}
	}
	c.say("skill-frontmatter", schema.Error, first, "the frontmatter is not closed: close it with a line ---")
	c.unclosed = true
	return false
}

func (c *check) frontmatter() {
	root, faults := yaml.Parse(c.front.In(c.Source), c.front.Start)
	for _, f := range faults {
		c.say("skill-frontmatter", schema.Error, f.Span, "%s", f.Message)
	}
	switch {
	case len(faults) > 0: // what was recovered is not a reason for more of them
		return
	case root == nil || root.Kind != schema.KindMap:
		c.say("skill-frontmatter", schema.Error, c.front, "the frontmatter has no keys: add name: and description:")
		return
	}
	for _, p := range root.Pairs {
		if known(p.Key) {
			continue
		}
		hint := "tools read " + strings.Join(keys[:6], ", ") + "; put other keys below metadata:"
		if near, ok := schema.Nearest(p.Key, keys); ok {
			hint = "did you mean " + near + "?"
		}
		c.say("skill-unknown-key", schema.Warning, p.KeySpan, "unknown key %q: %s", p.Key, hint)
	}
	c.name(root.Get("name"))
	c.describe(root.Get("description"))
}

func known(word string) bool {
	for _, k := range keys {
		if k == word {
			return true
		}
	}
	return false
}

func (c *check) name(n *schema.Node) {
	switch {
	case n == nil:
		c.say("skill-name", schema.Error, c.front, "the skill has no name: write name: %s", c.Name)
	case n.Text != c.Name && c.Flat:
		c.say("skill-name", schema.Error, n.Span, "the name is %q, but the file is %s.md: plans refer to the file name", n.Text, c.Name)
	case n.Text != c.Name:
		c.say("skill-name", schema.Error, n.Span, "the name is %q, but the folder is %s/: use the same name", n.Text, c.Name)
	case !validName().MatchString(n.Text) || utf8.RuneCountInString(n.Text) > maxName:
		c.say("skill-name", schema.Error, n.Span, "invalid skill name %q: use at most %d characters of a-z, 0-9 and single hyphens", n.Text, maxName)
	}
}

func (c *check) describe(n *schema.Node) {
	if n == nil || strings.TrimSpace(n.Text) == "" {
		at := c.front
		if n != nil {
			at = n.Span
		}
		c.say("skill-description", schema.Error, at, "the skill has no description: say what it does and when to use it; agents choose skills by it")
		return
	}
	c.Description = text.Collapse(n.Text)
	switch length := utf8.RuneCountInString(n.Text); {
	case length > maxDescription:
		c.say("skill-description", schema.Error, n.Span, "the description has %d characters, more than %d: move the procedure to the text", length, maxDescription)
	case length < minDescription:
		c.say("skill-description", schema.Warning, n.Span, "the description has %d characters: say what the skill does and when to use it", length)
	case english().MatchString(n.Text) && !trigger().MatchString(n.Text): // other languages have words of their own
		c.say("skill-description", schema.Warning, n.Span, "the description does not say when to use the skill: add a sentence such as \"Use it for …\"")
	}
}

// links looks the files up that the text links to.
func (c *check) links() {
	text := withoutCode(c.Source, c.body)
	for _, m := range target().FindAllSubmatchIndex(text, -1) {
		at := schema.Span{Start: m[2], End: m[3]}
		if m[2] < 0 {
			at = schema.Span{Start: m[4], End: m[5]}
		}
		c.link(at, string(at.In(c.Source)))
	}
}

func (c *check) link(at schema.Span, to string) {
	to, _, _ = strings.Cut(to, "#")
	if plain, err := url.PathUnescape(to); err == nil {
		to = plain
	}
	switch below := path.Join(path.Dir(c.Path), to); {
	case to == "" || strings.HasPrefix(to, "//") || scheme().MatchString(to):
	case strings.HasPrefix(to, "/"):
		c.say("skill-absolute-path", schema.Error, at, "%s is an absolute path: use a relative link", to)
	case !fs.ValidPath(below):
		c.say("skill-link", schema.Error, at, "%s is outside the repository: keep the files of a skill beside it", to)
	default:
		if _, err := fs.Stat(c.repo, below); err != nil {
			c.say("skill-link", schema.Error, at, "%s does not exist: create it, or remove the link", below)
		}
	}
}

// paths looks for those of somebody's machine, code included.
func (c *check) paths() {
	for _, m := range local().FindAllIndex(c.Source, -1) {
		at := schema.Span{Start: m[0], End: m[1]}
		if m[0] > 0 && bytes.ContainsRune([]byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./$}"), rune(c.Source[m[0]-1])) {
			continue // a part of a longer path or address
		}
		c.say("skill-absolute-path", schema.Error, at, "%s exists on one machine only: use a path below the repository, or a placeholder", at.In(c.Source))
	}
}

// secrets looks for what prompts and logs would carry on. The finding does not
// hold it.
func (c *check) secrets() {
	redactor := loops.NewRedactor(nil)
	for n := 1; n <= c.Lines.Lines(); n++ {
		line := c.Lines.Line(n)
		text := string(line.In(c.Source))
		clean, places := redactor.Text(text)
		at := line
		switch {
		case places > 0:
			start, end := 0, 0
			for start < min(len(text), len(clean)) && text[start] == clean[start] {
				start++
			}
			for end < min(len(text), len(clean))-start && text[len(text)-1-end] == clean[len(clean)-1-end] {
				end++
			}
			at = schema.Span{Start: line.Start + start, End: line.Start + len(text) - end}
		case !key().MatchString(text):
			continue
		}
		c.say("skill-secret", schema.Error, at, "this looks like a secret: revoke it, and name its environment variable instead")
		c.found[len(c.found)-1].Secret = true
	}
}
