package claim

import (
	"strconv"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

// quantity writes a quantity as its interval and dimension.
func quantity(q schema.Quantity) string {
	s := strconv.FormatFloat(q.Lo, 'g', 8, 64)
	if q.Hi != q.Lo {
		s += ".." + strconv.FormatFloat(q.Hi, 'g', 8, 64)
	}
	return strings.TrimSpace(s + " " + string(q.Dimension))
}

func TestMoments(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"08:00": "480 clock", "8:30 pm": "1230 clock", "9 am": "540 clock", "12 am": "0 clock", "noon": "720 clock", "24:00": "0 clock", "16:9": "nothing", "25:00": "nothing",
		"08:00–17:00": "480..1020 clock", "22:00 to 06:00": "1320..1800 clock", "9 am to 5 pm": "540..1020 clock",
		"08:00 UTC": "480 clock:utc", "08:00 UTC+2": "360 clock:utc", "09:00 CET": "420..480 clock:utc", "01:00 CEST": "1380..1440 clock:utc", "08:00 JST": "1380 clock:utc",
		"Monday": "1 weekday", "Sundays": "7 weekday", "Monday to Friday": "1..5 weekday", "Mon-Fri": "1..5 weekday", "Monday and Friday": "nothing",
		"Q3 2026": "20635..20726 day", "2026-Q3": "20635..20726 day", "third quarter of 2026": "20635..20726 day", "H1 2026": "20454..20634 day", "Q5 2026": "nothing", "Q3": "nothing",
		"spring 2026": "8104 season", "4 July": "228 day-of-year", "July 4": "228 day-of-year", "4 July 2026": "20638 day",
		"weekly": "604800 time", "every 7 days": "604800 time", "every week": "604800 time", "fortnightly": "1209600 time", "nightly": "86400 time",
		"*/15 * * * *": "900 time", "0 * * * *": "3600 time", "0 3 * * *": "86400 time", "0 */6 * * *": "21600 time", "0 3 * * 1": "604800 time", "*/7 * * * *": "nothing", "0 9 * * 1-5": "nothing",
		"4 °C": "4 temperature", "39.2 °F": "4 temperature", "277.15 kelvin": "4 temperature", "250 µl": "0.00025 volume", "5 ml": "0.005 volume", "1.5 kg": "1500 mass",
		"12 V": "12 voltage", "3000 rpm": "3000 rotation", "16 px": "16 pixel", "100 Mbit/s": "1e+08 bitrate", "37 M": "nothing", "64 K": "nothing", "10 psi": "68947.573 pressure",
	} {
		v := ParseValue(text, nil)
		got := "nothing"
		if v.Kind == schema.ValueQuantity || v.Kind == schema.ValueDate {
			got = quantity(v.Quantity)
		}
		if got != want {
			t.Errorf("%q is %s (kind %d), want %s", text, got, v.Kind, want)
		}
	}
}
