package gate

import (
	"context"
	"io"
	"regexp"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/secret"
)

var _ = register(Gate{
	ID:     "secrets",
	Stages: []loops.Stage{loops.StageChunk, loops.StageGuard, loops.StageWiki},
	Doc:    "Added text contains nothing that looks like a secret, in no common encoding, and none of the values that the runner passes to agents.",
	phase:  phaseChange,
	judge:  judgeSecrets,
})

// secretRule finds one family of secrets, with few false finds: the rules are
// for trees, where a line like `key = os.Getenv(…)` is ordinary.
type secretRule struct {
	name    string
	hint    string // is in every text that fits; "" if there is none
	pattern func() *regexp.Regexp
	// doubt is set where the text decides too: it may be a placeholder.
	doubt bool
}

var secretRules = []secretRule{
	{"a private key", "PRIVATE KEY", schema.Expression(`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s\\:,]*-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|(?:\s*[A-Za-z0-9+/=]{16,})+)`), false},
	{"an API key (sk-…)", "sk-", schema.Expression(`\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}`), true},
	{"a JSON Web Token", "eyJ", schema.Expression(`\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{20,}`), false},
	{"an authorization header", "", schema.Expression(`(?i)\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+[0-9A-Za-z+/=._~-]{20,}`), true},
	{"a password in a URL", "://", schema.Expression(`\b[a-z][a-z0-9+.-]*://[^\s:/?#@"'<>{}$]+:[^\s:/?#@"'<>{}$*]{6,}@[\w.-]+`), true},
	{"an assigned secret", "", schema.Expression(`(?i)\b[\w.-]*(?:api[_-]?key|secret(?:[_-]?key)?|access[_-]?token|auth[_-]?token|private[_-]?key|passwd|password)["']?\s*[:=]\s*["']?[0-9A-Za-z+/=_~-]{24,}["']?`), true},
}

// harmless are values that stand for a secret in documentation and tests.
var harmless = schema.Expression(`(?i)example|placeholder|your[_-]|changeme|dummy|xxxx|\*\*\*\*|<[a-z_ -]+>|\$\{|redacted|process\.env|os\.environ|getenv|[a-z]+\.[a-z]+\(`)

func judgeSecrets(_ context.Context, j *judge) ([]loops.GateResult, error) {
	var out, notes []loops.Reason
	for i := range j.changes {
		c := &j.changes[i]
		if c.gone || c.ignored {
			continue
		}
		if c.now == nil && !c.submodule() {
			notes = append(notes, loops.Reason{Path: c.path, Message: "is too large to scan for secrets"})
		}
		if j.listed(c.path) > 0 {
			out = append(out, loops.Reason{Message: "a path contains a secret that the runner passes to agents"})
		}
		if j.listed(string(c.now)) > j.listed(string(c.old)) {
			line := 0
			addedLines(c.old, c.now, func(n int, text string) {
				if line == 0 && j.listed(text) > 0 {
					line = n
				}
			})
			out = append(out, loops.Reason{Path: c.path, Line: line, Message: "contains a secret that the runner passes to agents; use the environment variable"})
		}
		out = append(append(out, secretsIn(c)...), hiddenTokens(c)...)
	}
	if len(out) == 0 {
		return because(loops.Note, "", notes), nil
	}
	return because(loops.Violation, loops.ClassSecret, out), nil
}

// listed counts the values that are in a text, in any of the forms in which
// programs write them.
func (j *judge) listed(text string) int {
	w := j.redactor.Writer(io.Discard)
	io.WriteString(w, text) // io.Discard takes everything
	w.Close()
	return w.Listed()
}

// secretsIn finds what looks like a secret in the lines that a change adds.
func secretsIn(c *change) []loops.Reason {
	if binary(c.now) {
		return nil
	}
	var added strings.Builder
	var lines []int // the number of every line of added
	addedLines(c.old, c.now, func(n int, text string) {
		added.WriteString(text + "\n")
		lines = append(lines, n)
	})
	text := added.String()
	out, found := vendorTokens(c.path, text, lines)
	for _, r := range secretRules {
		if r.hint != "" && !strings.Contains(text, r.hint) {
			continue
		}
		at, row := 0, 0
		for _, m := range r.pattern().FindAllStringIndex(text, -1) {
			row += strings.Count(text[at:m[0]], "\n")
			at = m[0]
			line := lines[row]
			if value := text[m[0]:m[1]]; found[line] || r.doubt && (harmless().MatchString(value) || !mixed(value)) {
				continue
			}
			found[line] = true
			out = append(out, loops.Reason{Path: c.path, Line: line, Message: "looks like " + r.name + "; remove it, and revoke it if it is real"})
		}
	}
	return out
}

// vendorTokens finds the tokens of vendors in a text whose lines have these numbers.
func vendorTokens(path, text string, lines []int) (out []loops.Reason, found map[int]bool) {
	found = map[int]bool{}
	row, last := 0, 0
	for at := 0; ; {
		s, from, to := secret.Find([]byte(text), at)
		if s == nil {
			return out, found
		}
		at = to
		value := text[from:to]
		n := len(value) - len(s.Prefix)
		if whole := n >= s.Least; n < min(s.Least, 20) || !whole && (harmless().MatchString(value) || !mixed(value)) {
			continue
		}
		row += strings.Count(text[last:from], "\n")
		last = from
		if line := lines[row]; !found[line] {
			found[line] = true
			out = append(out, loops.Reason{Path: path, Line: line, Message: "looks like " + s.What + "; remove it, and revoke it if it is real"})
		}
	}
}

// mixed reports a text that is not the same few letters over and over, as in
// sk-aaaaaaaaaaaaaaaaaaaaaa.
func mixed(text string) bool {
	seen := map[rune]bool{}
	for _, r := range text {
		seen[r] = true
	}
	return len(seen) >= 10
}
