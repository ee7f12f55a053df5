package edit

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff returns the changes as a unified diff for git apply and patch, with prefix before
// the paths; empty without changes. A file that is only moved has a rename header alone.
func (c *Changes) Diff(prefix string) string {
	var b strings.Builder
	for _, ch := range c.List() {
		from, to := prefix+ch.From, prefix+ch.To
		old := quoted("a/" + from)
		if ch.From == "" {
			from, old = to, "/dev/null"
		}
		fmt.Fprintf(&b, "diff --git %s %s\n", quoted("a/"+from), quoted("b/"+to))
		switch {
		case ch.From == "":
			b.WriteString("new file mode 100644\n")
		case ch.moved():
			fmt.Fprintf(&b, "rename from %s\nrename to %s\n", quoted(from), quoted(to))
		}
		if ch.rewritten() {
			b.WriteString(Unified(old, quoted("b/"+to), ch.Old, ch.New))
		}
	}
	return b.String()
}

// quoted writes a name as git does: one with control characters, quotes or
// backslashes in quotes.
func quoted(name string) string {
	if strings.IndexFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '"' || r == '\\' }) < 0 {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Unified returns a unified diff of two contents under their names, ending in
// the marker of a missing last newline where there is one; empty when they are
// equal.
func Unified(oldName, newName string, before, after []byte) string {
	text := string(diff.Diff("a", before, "b", after))
	if text == "" {
		return ""
	}
	// The names are written here, since ours may hold spaces.
	_, hunks, _ := strings.Cut(text, "\n+++ b\n")
	return fmt.Sprintf("--- %s\n+++ %s\n%s", tabbed(oldName), tabbed(newName), hunks)
}

// tabbed ends a name with spaces in it with a tab, so that patch knows where
// it ends.
func tabbed(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return name + "\t"
	}
	return name
}
