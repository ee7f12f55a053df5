package claim

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

// show writes a value in the base unit of its dimension.
func show(v schema.Value) string {
	switch v.Kind {
	case schema.ValueQuantity:
		q := v.Quantity
		s := strconv.FormatFloat(q.Lo, 'g', -1, 64)
		if q.Hi != q.Lo {
			s += ".." + strconv.FormatFloat(q.Hi, 'g', -1, 64)
		}
		s = [...]string{"", "<=", ">="}[q.Bound] + s
		if q.Approx {
			s = "~" + s
		}
		return strings.TrimSpace(s + " " + string(q.Dimension))
	case schema.ValueBool:
		return strconv.FormatBool(v.Bool)
	case schema.ValueVersion:
		return "version " + v.Words[0]
	case schema.ValueDate:
		return "date " + v.Words[0]
	case schema.ValueName:
		return "name " + strings.Join(v.Words, " ")
	}
	return "nothing"
}

func TestParseValue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"16": "16", "1,500": "1500", "1 500 000": "1.5e+06", "-3.5": "-3.5", "`8080`": "8080",
		"900 s": "900 time", "15 min": "900 time", "2 years": "6.3072e+07..6.32448e+07 time", "12 months": "2.90304e+07..3.21408e+07 time",
		"250ms": "0.25 time", "2 GiB": "2.147483648e+09 information", "2 GB": "2e+09..2.147483648e+09 information", "64 B": "64 information",
		"50 %": "0.5 ratio", "868 MHz": "8.68e+08 frequency", "2.1 m": "2.1 length", "8 Mb": "nothing",
		"30–60 s": "30..60 time", "30-60 s": "30..60 time", "7 to 12 minutes": "420..720 time", "60-30 s": "nothing",
		"~5 min": "~300 time", "about 5 min": "~300 time", "≤ 10 %": "<=0.1 ratio", "up to 16 zones": "<=16 count:zone", "at least 3": ">=3",
		"4 relays": "4 count:relay", "1.2.3": "version 1.2.3", "v2": "version 2", "3.x": "version 3.x", "2026-01-02": "date 2026-01-02",
		"yes": "true", "Off": "false", "✅": "true", "-": "nothing", "n/a": "nothing", "": "nothing", "TBD": "nothing",
		"Lea Brandt": "name lea brandt", "[[people/lea|Lea Brandt]]": "name lea brandt", "**MIT**": "name mit", "Apache-2.0": "name apache 2 0",
		"see the page about it, and more of that": "nothing", "a: b": "nothing", "1h30m": "nothing", "12 steps of 3": "nothing",
		strings.Repeat("9", 40): "nothing", strings.Repeat("x", 100): "nothing",
	} {
		if got := show(ParseValue(text, nil)); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestUnitOfTheHead(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		"Timeout (s)": "timeout 30 time", "Size [MB]": "size 3e+07..3.145728e+07 information", "timeout_ms": "timeout 0.03 time",
		"maxBytes": "max 30 information", "ms": "ms 30", "Port": "port 30", "Room (north)": "north room 30",
	} {
		name, unit := builtin().attributeUnit(head)
		if got := strings.Join(Words(name), " ") + " " + show(ParseValue("30", unit)); got != want {
			t.Errorf("%q gives %s, want %s", head, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{
		{"max_connections", "Max connections", "maxConnection"}, {"zones per site", "Zone of the site"}, {"sensor-node", "Sensor nodes"},
	} {
		for _, n := range names[1:] {
			if a, b := fmt.Sprint(Words(names[0])), fmt.Sprint(Words(n)); a != b {
				t.Errorf("%q has the words %s, %q %s", names[0], a, n, b)
			}
		}
	}
	for _, names := range [][2]string{{"port", "report"}, {"max size", "min size"}, {"owner", "maintainer"}, {"bus", "bu"}} {
		if a, b := fmt.Sprint(Words(names[0])), fmt.Sprint(Words(names[1])); a == b {
			t.Errorf("%q and %q have the same words %s", names[0], names[1], a)
		}
	}
}

func FuzzParseValue(f *testing.F) {
	for _, s := range []string{"16", "1,500 ms", "~2–3 GiB", "≤ 1e9", "v1.2", "[[a|b]]", "up to ", "-", "+.5", "9999999999999999 s", "1 500,000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := ParseValue(s, nil)
		if q := v.Quantity; v.Kind == schema.ValueQuantity && (q.Lo > q.Hi || math.IsNaN(q.Lo) || math.IsInf(q.Hi, 0) || q.Step < 0) {
			t.Errorf("%q is %+v", s, q)
		}
		if v.Kind == schema.ValueName && len(v.Words) == 0 {
			t.Errorf("%q is a name without words", s)
		}
		_ = Words(s)
		_, _ = builtin().attributeUnit(s)
		_ = conditions(s)
	})
}
