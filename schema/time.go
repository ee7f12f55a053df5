package schema

import (
	"strings"
	"time"
)

// ParseTime reads a date or a date-time as front matter gives it:
// 2006-01-02, 2006-01-02T15:04, 2006-01-02 15:04:05.000, and those with Z or
// an offset such as +02:00, +0200, +02 or +2, with spaces between the parts (RFC 3339 and the timestamps of YAML
// 1.1 with all their digits). day is set when no time of day is given. The
// result is in UTC; a time without an offset is taken as UTC.
func ParseTime(s string) (t time.Time, day, ok bool) {
	year, rest, ok1 := number(s, 4)
	month, rest, ok2 := number(after(rest, '-'), 2)
	mday, rest, ok3 := number(after(rest, '-'), 2)
	if !ok1 || !ok2 || !ok3 || len(s) < 10 || month < 1 || month > 12 || mday < 1 {
		return time.Time{}, false, false
	}
	t = time.Date(year, time.Month(month), mday, 0, 0, 0, 0, time.UTC)
	if t.Day() != mday {
		return time.Time{}, false, false
	}
	if rest == "" {
		return t, true, true
	}
	clock, ok := parseClock(rest)
	if !ok {
		return time.Time{}, false, false
	}
	return t.Add(clock), false, true
}

// parseClock reads T15:04:05.000+02:00 as the time since midnight UTC.
func parseClock(s string) (time.Duration, bool) {
	rest := strings.TrimLeft(s, " \t")
	if rest == s {
		if s[0]|0x20 != 't' {
			return 0, false
		}
		rest = s[1:]
	}
	hour, rest, ok1 := oneOrTwo(rest)
	minute, rest, ok2 := number(after(rest, ':'), 2)
	if !ok1 || !ok2 || hour > 23 || minute > 59 {
		return 0, false
	}
	d := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
	if rest != "" && rest[0] == ':' {
		second, r, ok := number(rest[1:], 2)
		if !ok || second > 60 {
			return 0, false
		}
		d += time.Duration(second) * time.Second
		if r != "" && r[0] == '.' {
			unit := time.Second / 10
			r = r[1:]
			if r == "" || r[0] < '0' || r[0] > '9' {
				return 0, false
			}
			for ; r != "" && r[0] >= '0' && r[0] <= '9'; r, unit = r[1:], unit/10 {
				d += time.Duration(r[0]-'0') * unit
			}
		}
		rest = r
	}
	offset, ok := parseOffset(rest)
	return d - offset, ok
}

// parseOffset reads "", Z, +02:00, +0200, +02 or +2, with spaces before it or not.
func parseOffset(s string) (time.Duration, bool) {
	if trimmed := strings.TrimLeft(s, " \t"); trimmed != "" {
		s = trimmed
	}
	switch {
	case s == "" || s == "Z" || s == "z":
		return 0, true
	case s[0] != '+' && s[0] != '-':
		return 0, false
	}
	hour, rest, ok := oneOrTwo(s[1:])
	if !ok || hour > 14 {
		return 0, false
	}
	d := time.Duration(hour) * time.Hour
	if rest != "" {
		if rest[0] == ':' {
			rest = rest[1:]
		}
		minute, rest, ok := number(rest, 2)
		if !ok || minute > 59 || rest != "" {
			return 0, false
		}
		d += time.Duration(minute) * time.Minute
	}
	if s[0] == '-' {
		d = -d
	}
	return d, true
}

// oneOrTwo reads one digit or two.
func oneOrTwo(s string) (v int, rest string, ok bool) {
	if v, rest, ok = number(s, 2); !ok {
		v, rest, ok = number(s, 1)
	}
	return v, rest, ok
}

// number reads exactly n digits.
func number(s string, n int) (v int, rest string, ok bool) {
	if len(s) < n {
		return 0, "", false
	}
	for i := range n {
		if s[i] < '0' || s[i] > '9' {
			return 0, "", false
		}
		v = v*10 + int(s[i]-'0')
	}
	return v, s[n:], true
}

// after returns what follows the byte c that s begins with, or "".
func after(s string, c byte) string {
	if s == "" || s[0] != c {
		return ""
	}
	return s[1:]
}
