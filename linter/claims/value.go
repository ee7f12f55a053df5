package claims

import (
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

var kinds = map[schema.ValueKind]string{
	schema.ValueQuantity: "quantity", schema.ValueVersion: "version", schema.ValueDate: "date", schema.ValueBool: "bool", schema.ValueName: "name",
}

func kind(k schema.ValueKind) string {
	if name, ok := kinds[k]; ok {
		return name
	}
	return "other"
}

// bases are the units that quantities are kept in.
var bases = map[schema.Dimension]string{
	schema.Duration: "s", schema.Information: "B", schema.Length: "m", schema.Frequency: "Hz", schema.Mass: "g", schema.Temperature: "°C",
}

// Normalised formats a value for comparison: a number or range in the base unit of its
// dimension, with ≤, ≥ or ~ before limits and approximations; words are folded.
func Normalised(v schema.Value) string {
	switch v.Kind {
	case schema.ValueQuantity:
		return quantity(v.Quantity)
	case schema.ValueBool:
		return strconv.FormatBool(v.Bool)
	}
	words := strings.Join(v.Words, " ")
	for _, number := range v.Items {
		words = strings.Replace(words, "#", number, 1)
	}
	return words
}

func quantity(q schema.Quantity) string {
	number := func(f float64) string { return strconv.FormatFloat(f, 'g', 12, 64) }
	s := number(q.Lo)
	if q.Hi != q.Lo {
		s += "–" + number(q.Hi)
	}
	switch q.Bound {
	case schema.AtMost:
		s = "≤ " + s
	case schema.AtLeast:
		s = "≥ " + s
	}
	if q.Approx {
		s = "~ " + s
	}
	unit := bases[q.Dimension]
	if counted, ok := strings.CutPrefix(string(q.Dimension), "count:"); ok {
		unit = counted
	}
	return strings.TrimSpace(s + " " + unit)
}
