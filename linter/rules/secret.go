package rules

import (
	"fmt"
	"math"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "secret",
	Group:    linter.Hygiene,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A page contains a key, a token or a password.",
	Doc: `Anyone who can read the page, or an earlier version in git, can use it. Revoke it first: only that helps. Then
remove it from the page. Agents often copy secrets from logs and configuration.

The rule detects, by format and where possible by checksum, length or randomness, keys of AWS,
Google, Stripe, OpenAI, Anthropic and others, tokens of GitHub, GitLab, Slack, npm and others, and private
keys. A password in a URL and a signed token (JWT), which may be public on purpose, are warnings. Code is
checked too. Placeholders and well-known example keys are not reported. The secret itself never appears in a
message or in any other output.

Don't switch this off. Suppress a deliberately public key in place, with a reason.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d times on this page: %s", n, first.Message)
	},
	FindsSecrets: true,
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		for _, h := range scanFact.Of(p, page).of("secret") {
			s := &secretShapes[h.by.n]
			if s.dead != nil && s.dead(string(h.In(page.Source)), p.Today) {
				continue
			}
			d := p.ReportCause(s.What+":"+page.Path, page.Path, h.Span, "the page contains %s; revoke it, then remove it (git history keeps a copy)", s.What)
			d.Secret = true
			d.Severity = s.severity
		}
	},
})

// random reports whether text may have been drawn at random: its bytes are as
// mixed as those of a random text of its length, none but few follow each other
// as in an alphabet or a keyboard, and it says of no word that it is an example.
func random(text string, leastBits float64) bool {
	return entropy(text) >= leastBits && !sequential(text) && !sample(text)
}

// entropy returns the entropy of text in bits per byte (Shannon).
func entropy(text string) float64 {
	var counts [256]int
	for i := range len(text) {
		counts[text[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			f := float64(n) / float64(len(text))
			bits -= f * math.Log2(f)
		}
	}
	return bits
}

// sequential reports whether a third of text counts up, down or stays.
func sequential(text string) bool {
	n := 0
	for i := 1; i < len(text); i++ {
		if d := int(text[i]) - int(text[i-1]); -1 <= d && d <= 1 {
			n++
		}
	}
	return n*3 > len(text)
}

// sampleWords mark examples of secrets.
var sampleWords = []string{"example", "sample", "placeholder", "dummy", "changeme", "redacted", "xxxx", "your", "insert", "replace", "fake", "secret", "....", "****", "1234567"}

func sample(text string) bool {
	lower := strings.ToLower(text)
	for _, w := range sampleWords {
		if strings.Contains(lower, w) {
			return true
		}
	}
	return false
}
