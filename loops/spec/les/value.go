package les

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
)

// A document that is not valid has a score too: what is missing or of a wrong type
// counts as absent.

func field(v any, path ...string) any {
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func word(v any) string {
	s, _ := v.(string)
	return s
}

// number returns a finite number. Booleans are none.
func number(v any) (float64, bool) {
	var x float64
	switch n := v.(type) {
	case float64:
		x = n
	case int:
		x = float64(n)
	case int64:
		x = float64(n)
	case uint64:
		x = float64(n)
	case json.Number:
		x, _ = n.Float64() // beyond the range of numbers it is infinite
	default:
		return 0, false
	}
	return x, !math.IsNaN(x) && !math.IsInf(x, 0)
}

// orElse returns the first number that is not 0, as the tools of the standard do.
func orElse(values ...any) (float64, bool) {
	for _, v := range values {
		if x, ok := number(v); ok && x != 0 {
			return x, true
		}
	}
	return 0, false
}

// given reports whether a value is there and not empty.
func given(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case bool:
		return x
	case string:
		return x != ""
	case []any:
		return len(x) > 0
	case map[string]any:
		return len(x) > 0
	}
	x, ok := number(v)
	return !ok || x != 0
}

// count is the number of members of a list or a mapping.
func count(v any) float64 {
	if m, ok := v.(map[string]any); ok {
		return float64(len(m))
	}
	return float64(len(list(v)))
}

// numbers are the numbers of a mapping, in order of its keys.
func numbers(v any) (out []float64) {
	m, _ := v.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if x, ok := number(m[key]); ok {
			out = append(out, x)
		}
	}
	return out
}
