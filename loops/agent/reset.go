package agent

import (
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
		n, _ := strconv.Atoi(m[1])
		unit := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}[strings.ToLower(m[2])[0]]
		return at.Add(time.Duration(n) * unit).UTC()
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
	inFrom  = schema.Expression(`(?i)(?:try again|retry|resets?|available)\s+(?:in|after)\s+(\d{1,4})\s*(s|sec|seconds?|m|min|minutes?|h|hours?|days?)\b`)
	stampAt = schema.Expression(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`)
	clockAt = schema.Expression(`(?i)resets?\s+(?:at\s+)?(\d{1,2})(?::(\d\d))?\s*(am|pm)?\s*(?:\(?([A-Z][A-Za-z]+/[A-Za-z_/+-]+|UTC)\)?)?`)
)
