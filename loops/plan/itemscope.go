package plan

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// scopeLabel begins a label that says within which files an item stays.
const scopeLabel = "scope:"

// mostScope is how many globs an item may name.
const mostScope = 20

var (
	scopeHead = schema.Expression(`(?i)^#{1,6}\s*(?:scope|(?:affected |changed )?(?:files|paths))\s*:?\s*$`)
	scopeLine = schema.Expression(`(?i)^\s{0,3}(?:[-*+]\s+)?(?:\*\*)?(?:scope|files|paths)(?::\*\*|\*\*:|:)\s*(\S.*?)\s*$`)
	scopeSaid = schema.Expression("(?i)^\\s{0,3}(?:[-*+]\\s+)?(?:the change stays|changes stay|all changes are|only files) (?:within|in|below|under) (`.+`)(?: change)?[.]?\\s*$")
	pathWord  = schema.Expression(`^\S*(?:[/*]|\.[A-Za-z]\w*$)\S*$`)
	scopeItem = schema.Expression("^\\s{0,3}[-*+]\\s+(?:\\[[ xX]\\]\\s+)?(`[^`]+`)")
)

// limit reads within which files an item of a tracker stays: labels such as
// scope:docs/**, which only members of the project set, and rules of its text, which
// anybody writes. The text only narrows what labels or the spec allow. What can't be held
// is a reason not to select the item.
func (it *WorkItem) limit() {
	for _, l := range it.Labels {
		if name, glob, ok := cutFold(l, scopeLabel); ok {
			it.Allowed = append(it.Allowed, it.scoped(name+glob, strings.TrimSpace(glob)))
		}
	}
	it.Files = it.Allowed
	if said := scopeOf(it.Text); len(said) > 0 {
		it.Files = nil
		for _, w := range said {
			g := it.scoped(w, w)
			if len(it.Allowed) > 0 && !slices.ContainsFunc(it.Allowed, func(a string) bool { return covers(a, g) }) {
				it.refuse("%s is not within the labels %s%s", g, scopeLabel, strings.Join(it.Allowed, ", "+scopeLabel))
			}
			it.Files = append(it.Files, g)
		}
	}
	if len(it.Files) > mostScope {
		it.refuse("it names %d files, more than %d", len(it.Files), mostScope)
	}
	if it.Count = len(it.Files); it.Count == 0 || slices.ContainsFunc(it.Files, wild) {
		it.Count = -1 // a gate counts them
	}
}

// scoped returns the glob of a word. A name without a dot may be a folder.
func (it *WorkItem) scoped(shown, word string) string {
	g := strings.TrimPrefix(word, "./")
	if why := unsafePath(g); why != "" {
		it.refuse("its scope %q %s", shown, why)
	} else if everything(g) {
		it.refuse("its scope %q matches everything", shown)
	}
	if strings.HasSuffix(g, "/") || !wild(g) && !strings.Contains(path.Base(g), ".") {
		g = strings.TrimSuffix(g, "/") + "/**"
	}
	return g
}

// refuse keeps the first reason.
func (it *WorkItem) refuse(format string, args ...any) {
	if it.Refused == "" {
		it.Refused = fmt.Sprintf(format, args...)
	}
}

// scopeOf returns the paths that a text limits a change to: in a line "Files: a, b", in a
// list below such a heading, or as the rule of a spec says it. Prose is none.
func scopeOf(text string) []string {
	var out []string
	in, code := false, false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if fence := strings.TrimSpace(line); strings.HasPrefix(fence, "```") || strings.HasPrefix(fence, "~~~") {
			code = !code
		}
		if code {
			continue
		}
		var words []string
		if m := scopeSaid().FindStringSubmatch(line); m != nil {
			words = listed(m[1])
		} else if m := scopeLine().FindStringSubmatch(line); m != nil {
			words = paths(m[1])
		} else if m := scopeItem().FindStringSubmatch(line); m != nil && in {
			words = listed(m[1])
		}
		switch {
		case scopeHead().MatchString(line):
			in = true
		case strings.HasPrefix(line, "#"):
			in = false
		}
		for _, w := range words {
			if !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// paths returns the words of a list if all of them are paths.
func paths(text string) []string {
	words := listed(strings.TrimSuffix(text, "."))
	for _, w := range words {
		if !pathWord().MatchString(w) {
			return nil
		}
	}
	return words
}

func cutFold(s, prefix string) (before, after string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return "", s, false
	}
	return s[:len(prefix)], s[len(prefix):], true
}
