package schemas

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// typeNames are the words for the types of JSON.
var typeNames = map[string]string{
	"null": "null", "boolean": "true or false", "number": "a number", "integer": "a whole number",
	"string": "text", "array": "a list", "object": "a map",
}

// describe says what is wrong with a value, and what was expected.
func describe(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		want := make([]string, len(k.Want))
		for i, w := range k.Want {
			want[i] = typeNames[w]
		}
		return fmt.Sprintf("found %s: expected %s", typeNames[k.Got], strings.Join(want, ", "))
	case *kind.Enum:
		want := make([]string, len(k.Want))
		for i, w := range k.Want {
			want[i] = show(w)
		}
		return fmt.Sprintf("%s is not one of %s", show(k.Got), strings.Join(want, ", "))
	case *kind.Const:
		return fmt.Sprintf("found %s: expected %s", show(k.Got), show(k.Want))
	case *kind.Pattern:
		return fmt.Sprintf("%s does not match %s", show(k.Got), k.Want)
	case *kind.MinLength:
		return fmt.Sprintf("%s long: expected at least %d", characters(k.Got), k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("%s long: expected at most %d", characters(k.Got), k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("%d items: expected at least %d", k.Got, k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("%d items: expected at most %d", k.Got, k.Want)
	case *kind.MinProperties:
		return fmt.Sprintf("%d keys: expected at least %d", k.Got, k.Want)
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are equal: expected each once", k.Duplicates[0], k.Duplicates[1])
	case *kind.Minimum:
		return fmt.Sprintf("%s is too small: expected at least %s", number(k.Got), number(k.Want))
	case *kind.Maximum:
		return fmt.Sprintf("%s is too large: expected at most %s", number(k.Got), number(k.Want))
	case *kind.ExclusiveMinimum:
		return fmt.Sprintf("%s is too small: expected more than %s", number(k.Got), number(k.Want))
	case *kind.Not:
		return "this value is not allowed here"
	}
	return k.LocalizedString(message.NewPrinter(language.English))
}

func characters(n int) string {
	if n == 1 {
		return "1 character"
	}
	return strconv.Itoa(n) + " characters"
}

// show quotes text, at most so much of it as a line bears.
func show(v any) string {
	switch v := v.(type) {
	case string:
		if r := []rune(v); len(r) > 60 {
			v = string(r[:60]) + "…"
		}
		return strconv.Quote(v)
	case nil:
		return "null"
	case map[string]any:
		return "a map"
	case []any:
		return "a list"
	}
	return fmt.Sprint(v)
}

func number(r *big.Rat) string {
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// noAlternative explains why a value fits none of several alternatives: by the
// faults of the one whose type the value names, or by that type.
func noAlternative(e *jsonschema.ValidationError) string {
	depth := len(e.InstanceLocation)
	var types []string
	for _, c := range e.Causes {
		faults := leaves(c)
		named := true
		var parts []string
		for _, f := range faults {
			below := f.At[depth:]
			if len(below) == 1 && below[0] == "type" {
				named = false
			}
			parts = append(parts, strings.TrimPrefix(strings.Join(below, ".")+": ", ": ")+f.Message)
		}
		if named {
			return "fits no alternative; " + strings.Join(parts, "; ")
		}
		types = append(types, wantedType(c)...)
	}
	return "fits no alternative; type is not one of " + quoted(types)
}

// wantedType is what an alternative expects of the key type.
func wantedType(e *jsonschema.ValidationError) (out []string) {
	if k, ok := e.ErrorKind.(*kind.Const); ok {
		return []string{fmt.Sprint(k.Want)}
	}
	for _, c := range e.Causes {
		out = append(out, wantedType(c)...)
	}
	return out
}

// anyMessage explains why a value fits none of the forms that are allowed.
func anyMessage(e *jsonschema.ValidationError) string {
	var parts []string
	for _, c := range e.Causes {
		for _, f := range leaves(c) {
			parts = append(parts, f.Message)
		}
	}
	return "fits no alternative; " + strings.Join(parts, "; or ")
}
