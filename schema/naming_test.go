package schema

import "testing"

func TestNaming(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		style, name string
		fits        bool
		suggestion  string
	}{
		{"kebab", "rate-limit", true, ""},
		{"kebab", "v1.2-notes", true, ""},
		{"kebab", "東京-駅", true, ""},
		{"kebab", "Rate Limit", false, "rate-limit"},
		{"kebab", "rateLimit", false, "rate-limit"},
		{"kebab", "HTTP_Server's rules", false, "http-servers-rules"},
		{"kebab", "a--b", false, "a-b"},
		{"kebab", "???", false, ""},
		{"snake", "rate_limit", true, ""},
		{"snake", "rate-limit", false, "rate_limit"},
		{"title", "Rate Limit", true, ""},
		{"title", "Über uns", true, ""},
		{"title", "Group _not italic_", true, ""},
		{"title", "rate_limit", false, "Rate Limit"},
		{"date-prefixed", "2026-01-05-launch", true, ""},
		{"date-prefixed", "2026-06-pricing", true, ""},
		{"date-prefixed", "2026-01-05", true, ""},
		{"date-prefixed", "2026-13-05-x", false, ""},
		{"date-prefixed", "launch", false, ""},
		{"adr-[0-9]+|index", "adr-12", true, ""},
		{"adr-[0-9]+|index", "adr-12-x", false, ""},
	} {
		n, err := ParseNaming(c.style)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.Fits(c.name); got != c.fits {
			t.Errorf("%s %q: fits %v, want %v", c.style, c.name, got, c.fits)
		}
		if got := n.Suggest(c.name); !c.fits && got != c.suggestion {
			t.Errorf("%s %q: suggests %q, want %q", c.style, c.name, got, c.suggestion)
		}
	}
	for text, want := range map[string]string{
		"kebap": `"kebap" is unknown: did you mean "kebab"?`,
		"zebra": `"zebra" is unknown: expected kebab, snake, title, date-prefixed, or a regular expression`,
		"a)(b":  `"a)(b" is not a valid regular expression (unexpected )): expected kebab, snake, title, date-prefixed, or one such as ^adr-[0-9]+`,
	} {
		if _, err := ParseNaming(text); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	if !(Naming{}).Fits("anything at all") {
		t.Error("no naming does not fit")
	}
}
