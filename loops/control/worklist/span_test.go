package worklist

import (
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 7, 10, 12, 0, 0, 0, time.UTC)

func TestMoment(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"2026-07-01": "2026-07-01T00:00:00Z", "3d": "2026-07-07T12:00:00Z", "1w": "2026-07-03T12:00:00Z", "36h": "2026-07-09T00:00:00Z",
		"main": "", "v1.2": "", "0d": "", "3m": "", "-1d": "", "2026-13-01": "", "12345d": "", "1w ": "",
	} {
		got, ok := moment(given, noon)
		if ok != (want != "") || ok && got.Format(time.RFC3339) != want {
			t.Errorf("%q is %v, %v; want %q", given, got, ok, want)
		}
	}
}

func FuzzMoment(f *testing.F) {
	for _, s := range []string{"2026-07-01", "3d", "9999w", "main", "1w1w", "0001-01-01"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, given string) {
		at, ok := moment(given, noon)
		if ok && at.After(noon) && !strings.Contains(given, "-") {
			t.Errorf("%q lies ahead: %v", given, at)
		}
	})
}
