package yaml

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// mostRules is how many rules wiki.yaml may define.
const mostRules = 200

var (
	ruleID      = schema.Expression(`^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$`)
	messageWord = schema.Expression(`\{([A-Za-z_]+)\}`)
	groupRef    = schema.Expression(`\$\$|\$(\w+)|\$\{(\w+)\}`)
)

// placeRules writes down where every rule has its id.
func placeRules(src []byte, n *schema.Node, rules []schema.CustomRule) {
	if n == nil || len(n.Items) != len(rules) || len(rules) == 0 {
		return
	}
	lines := schema.NewLineIndex(src)
	for i, it := range n.Items {
		at := it.Span
		if id := it.Get("id"); id != nil {
			at = id.Span
		}
		rules[i].At = lines.Position(at.Start)
	}
}

// rules checks the rules that the wiki defines.
func (c *configCheck) rules(n *schema.Node) {
	if n == nil || n.Kind != schema.KindList {
		return
	}
	if len(n.Items) > mostRules {
		c.fault(n.Items[mostRules].Span, "rules: %d rules: expected at most %d", len(n.Items), mostRules)
		return
	}
	first := map[string]int{}
	for i, it := range n.Items {
		path := fmt.Sprintf("rules[%d]", i)
		if it.Kind != schema.KindMap {
			if it.Kind == schema.KindNull {
				c.wrong(it, path, "a map")
			}
			continue
		}
		if id := it.Get("id"); id.IsScalar() {
			if j, taken := first[id.Text]; taken {
				c.fault(id.Span, "%s.id: %q is already the id of rules[%d]: choose another", path, id.Text, j)
			} else {
				first[id.Text] = i
			}
		}
		c.rule(it, path)
	}
}

func (c *configCheck) rule(n *schema.Node, path string) {
	id := n.Get("id")
	if c.needs(n, path, "id", "id: no-draft-links") && id.IsScalar() && (!ruleID().MatchString(id.Text) || len(id.Text) > 64) {
		c.fault(id.Span, "%s.id: %q is not a valid rule id: expected lower-case words joined by hyphens, such as no-draft-links", path, id.Text)
	}
	if c.needs(n, path, "message", "message: write {match} in full") {
		c.message(n.Get("message"), path+".message")
	}
	c.globs(n.Get("paths"), path+".paths")
	c.globs(n.Get("except"), path+".except")
	if key := c.oneKey(n, path, "forbid", "require"); key != "" {
		c.condition(n.Get(key), path+"."+key)
	}
	c.customFix(n, path)
}

// needs reports a key that is not there or empty.
func (c *configCheck) needs(n *schema.Node, path, key, example string) bool {
	v := n.Get(key)
	if v != nil && v.Kind != schema.KindNull && !(v.IsScalar() && strings.TrimSpace(v.Text) == "") {
		return true
	}
	if mistyped(n, key) {
		return false
	}
	at := schema.Span{Start: n.Span.Start, End: n.Span.Start}
	if v != nil {
		at = v.Span
	}
	c.fault(at, "%s has no %s: expected one such as `%s`", path, key, example)
	return false
}

// mistyped reports whether one of keys is present with a typo, which is reported
// separately.
func mistyped(n *schema.Node, keys ...string) bool {
	return slices.ContainsFunc(n.Pairs, func(p schema.Pair) bool {
		_, near := schema.Nearest(p.Key, keys)
		return near && !slices.Contains(keys, p.Key)
	})
}

// oneKey returns the only one of keys in n, or reports that there is none or several.
func (c *configCheck) oneKey(n *schema.Node, path string, keys ...string) string {
	var have []string
	for _, p := range n.Pairs {
		if slices.Contains(keys, p.Key) && !slices.Contains(have, p.Key) {
			if have = append(have, p.Key); len(have) == 2 {
				c.fault(p.KeySpan, "%s has both %s and %s: expected exactly one of %s", path, have[0], have[1], strings.Join(keys, ", "))
				return ""
			}
		}
	}
	if len(have) == 0 && mistyped(n, keys...) {
		return ""
	}
	if len(have) == 0 {
		c.fault(schema.Span{Start: n.Span.Start, End: n.Span.Start}, "%s is empty: expected exactly one of %s", path, strings.Join(keys, ", "))
		return ""
	}
	return have[0]
}

func (c *configCheck) message(n *schema.Node, path string) {
	if !n.IsScalar() {
		return
	}
	if strings.ContainsAny(strings.TrimSpace(n.Text), "\r\n") {
		c.fault(n.Span, "%s has several lines: expected one", path)
	}
	for _, m := range messageWord().FindAllStringSubmatch(n.Text, -1) {
		if slices.Contains(schema.MessageWords, m[1]) {
			continue
		}
		if near, ok := schema.Nearest(m[1], schema.MessageWords); ok {
			c.fault(n.Span, "%s: unknown placeholder {%s}: did you mean {%s}?", path, m[1], near)
			continue
		}
		c.fault(n.Span, "%s: unknown placeholder {%s}: expected {%s}", path, m[1], strings.Join(schema.MessageWords, "}, {"))
	}
}

func (c *configCheck) condition(n *schema.Node, path string) {
	if n.Kind != schema.KindMap {
		if n.Kind == schema.KindNull {
			c.wrong(n, path, "a map")
		}
		return
	}
	key := c.oneKey(n, path, "pattern", "heading", "field", "link")
	if in := n.Get("in"); in != nil && key != "" && key != "pattern" {
		c.fault(in.Span, "%s.in can't be used with a %s: expected it with a pattern only", path, key)
	}
	c.oneOf(n.Get("in"), path+".in", schema.ConditionPlaces)
	v := n.Get(key)
	if v == nil {
		return
	}
	path += "." + key
	if key != "pattern" && v.Kind != schema.KindMap {
		if v.Kind == schema.KindNull {
			c.wrong(v, path, "a map")
		}
		return
	}
	switch key {
	case "pattern":
		if c.needs(n, strings.TrimSuffix(path, ".pattern"), "pattern", `pattern: '\bTBD\b'`) {
			c.pattern(v, path)
		}
	case "heading":
		c.heading(v, path)
	case "field":
		c.needs(v, path, "name", "name: status")
		c.pattern(v.Get("value"), path+".value")
	case "link":
		c.oneOf(v.Get("kind"), path+".kind", schema.ConditionLinks)
		c.pattern(v.Get("target"), path+".target")
		if host := v.Get("host"); host.IsScalar() && (strings.ContainsAny(host.Text, "/: *") || host.Text == "") {
			c.fault(host.Span, "%s.host: %q is not a host name: expected one such as example.com", path, host.Text)
		}
		c.some(v, path, "kind", "target", "host")
	}
}

func (c *configCheck) heading(n *schema.Node, path string) {
	if n.Get("text") != nil && n.Get("pattern") != nil {
		c.oneKey(n, path, "text", "pattern")
	}
	c.pattern(n.Get("pattern"), path+".pattern")
	if level := n.Get("level"); level != nil && level.Kind == schema.KindInt && (len(level.Text) != 1 || level.Text < "1" || level.Text > "6") {
		c.fault(level.Span, "%s.level: invalid level %s: expected 1 to 6", path, level.Text)
	}
	c.some(n, path, "text", "pattern", "level")
}

// some reports a condition that every heading or link meets.
func (c *configCheck) some(n *schema.Node, path string, keys ...string) {
	if !slices.ContainsFunc(keys, func(k string) bool { return n.Get(k) != nil }) && !mistyped(n, keys...) {
		c.fault(schema.Span{Start: n.Span.Start, End: n.Span.Start}, "%s is empty: expected %s", path, strings.Join(keys, ", "))
	}
}

// pattern checks a regular expression.
func (c *configCheck) pattern(n *schema.Node, path string) *regexp.Regexp {
	if !n.IsScalar() {
		return nil
	}
	re, _, err := schema.CompilePattern(n.Text)
	if err != nil {
		c.fault(n.Span, "%s: %q is not a valid pattern, %v: expected a regular expression in RE2 syntax of at most %d bytes", path, short(n.Text), err, schema.LongestPattern)
	}
	return re
}

func short(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}

// customFix checks that the replacement refers to existing groups of the pattern.
func (c *configCheck) customFix(n *schema.Node, path string) {
	fix := n.Get("fix")
	if fix == nil || fix.Kind != schema.KindMap {
		return
	}
	pattern := n.Get("forbid").Get("pattern")
	if pattern == nil {
		c.fault(fix.Span, "%s.fix needs a forbidden pattern to replace: expected it with forbid.pattern only", path)
		return
	}
	replace := fix.Get("replace")
	if replace == nil {
		c.fault(fix.Span, "%s.fix has no replace: expected the replacement, such as `replace: $1`", path)
		return
	}
	re, _, err := schema.CompilePattern(pattern.Text)
	if err != nil || !replace.IsScalar() {
		return
	}
	for _, m := range groupRef().FindAllStringSubmatch(replace.Text, -1) {
		name := m[1] + m[2]
		if m[0] == "$$" || slices.Contains(re.SubexpNames(), name) || isGroup(name, re.NumSubexp()) {
			continue
		}
		c.fault(replace.Span, "%s.fix.replace: the pattern has no group %q: expected one of its %d, written $1 or ${name}; $$ is a dollar sign", path, name, re.NumSubexp())
	}
}

// isGroup reports whether name is the number of one of n groups.
func isGroup(name string, n int) bool {
	number := 0
	for _, r := range name {
		if r < '0' || r > '9' || number > n {
			return false
		}
		number = 10*number + int(r-'0')
	}
	return number <= n
}
