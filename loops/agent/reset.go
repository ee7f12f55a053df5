package agent

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// resets finds when a limit ends in the words of a program: "resets 9am
// (Europe/Berlin)", "resets at 14:30 UTC", "try again in 20 minutes". at is when
// it was said. Zero is not found.
func resets(text string, at time.Time) time.Time {
	if m := inFrom().FindStringSubmatch(text); m != nil {
		if d, ok := length(m[1]); ok {
			return at.Add(d).UTC()
		}
	}
	if m := stampAt().FindString(text); m != "" {
		if t, err := time.Parse(time.RFC3339, m); err == nil {
			return t.UTC()
		}
	}
	m := clockAt().FindStringSubmatch(text)
	if m == nil {
		return time.Time{}
	}
	hour, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2])
	switch strings.ToLower(m[3]) {
	case "pm":
		if hour < 12 {
			hour += 12
		}
	case "am":
		hour %= 12
	}
	zone := time.UTC
	if m[4] != "" {
		z, err := time.LoadLocation(m[4])
		if err != nil {
			return time.Time{}
		}
		zone = z
	}
	if hour > 23 || minute > 59 {
		return time.Time{}
	}
	local := at.In(zone)
	t := time.Date(local.Year(), local.Month(), local.Day(), hour, minute, 0, 0, zone)
	if !t.After(at) {
		t = t.AddDate(0, 0, 1)
	}
	return t.UTC()
}

var (
	inFrom  = schema.Expression(`(?i)(?:try again|retry|resets?|available)\s+(?:in|after)\s+((?:\d{1,6}(?:\.\d+)?\s*(?:ms|seconds?|sec|s|minutes?|min|m|hours?|h|days?|d)\b\s*|\d{1,4}(?:\.\d+)?[hms])+)`)
	lengths = schema.Expression(`(?i)(\d+(?:\.\d+)?)\s*(ms|[smhd])`)
	stampAt = schema.Expression(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`)
	clockAt = schema.Expression(`(?i)resets?\s+(?:at\s+)?(\d{1,2})(?::(\d\d))?\s*(am|pm)?\s*(?:\(?([A-Z][A-Za-z]+/[A-Za-z_/+-]+|UTC)\)?)?`)
)

// length reads "2 hours", "6m0s", "1.898s".
func length(text string) (d time.Duration, ok bool) {
	for _, m := range lengths().FindAllStringSubmatch(text, -1) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return 0, false
		}
		unit := map[string]time.Duration{"ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}[strings.ToLower(m[2])]
		d, ok = d+time.Duration(n*float64(unit)), true
	}
	return d, ok && d >= 0
}

// retryAfter reads the header Retry-After: seconds, or a date (RFC 9110, section
// 10.2.3). Zero is neither.
func retryAfter(header string, at time.Time) time.Time {
	if n, err := strconv.Atoi(header); err == nil && n >= 0 {
		return at.Add(time.Duration(n) * time.Second).UTC()
	}
	t, err := http.ParseTime(header)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
