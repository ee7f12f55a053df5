// Package schemas judges decoded documents by the JSON schemas embedded in it:
// NAME.schema.json is the schema NAME. In goes a value of maps, lists and
// scalars; out come all faults, in order of their place. A value that fits none
// of several alternatives is one fault, at the value itself.
package schemas

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

//go:embed *.schema.json
var files embed.FS

// Fault is one way in which a document does not fit its schema.
type Fault struct {
	// At are the keys and indexes that lead from the root to the value.
	At []string
	// Unknown are the keys of the value that the schema does not know.
	Unknown []string
	// Message says what is wrong, without the place.
	Message string
}

// Path is the place in dots, as in "workers.0.id"; the root's is "(root)".
func (f Fault) Path() string {
	if len(f.At) == 0 {
		return "(root)"
	}
	return strings.Join(f.At, ".")
}

func (f Fault) String() string { return f.Path() + ": " + f.Message }

// Source returns the text of a schema.
func Source(name string) ([]byte, error) { return files.ReadFile(name + ".schema.json") }

var (
	mu       sync.Mutex
	compiled = map[string]*jsonschema.Schema{}
)

// schema compiles a schema when it is first asked for.
func schema(name string) *jsonschema.Schema {
	mu.Lock()
	defer mu.Unlock()
	if s := compiled[name]; s != nil {
		return s
	}
	text, err := Source(name)
	if err != nil {
		panic("schemas: no schema " + name)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(fmt.Sprintf("schemas: %s: %v", name, err))
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		panic(fmt.Sprintf("schemas: %s: %v", name, err))
	}
	compiled[name] = c.MustCompile(name)
	return compiled[name]
}

// Validate judges a document by the schema of this name; it panics if there is
// none. The document consists of map[string]any, []any, string, bool, numbers of
// Go or [encoding/json.Number], and nil.
func Validate(name string, doc any) []Fault {
	err := schema(name).Validate(doc)
	if err == nil {
		return nil
	}
	failed, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return []Fault{{Message: err.Error()}}
	}
	out := leaves(failed)
	return slices.CompactFunc(out, func(a, b Fault) bool { return a.String() == b.String() })
}

// compareKeys orders indexes by number and before keys.
func compareKeys(a, b string) int {
	i, errA := strconv.Atoi(a)
	j, errB := strconv.Atoi(b)
	switch {
	case errA == nil && errB == nil:
		return i - j
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	}
	return strings.Compare(a, b)
}

// leaves are the faults below e in order of place: the library finds those of a map
// in any order.
func leaves(e *jsonschema.ValidationError) []Fault {
	out := flatten(e, nil)
	slices.SortStableFunc(out, func(a, b Fault) int { return slices.CompareFunc(a.At, b.At, compareKeys) })
	return out
}

// flatten collects the faults at the leaves of e.
func flatten(e *jsonschema.ValidationError, out []Fault) []Fault {
	at := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.OneOf:
		return append(out, Fault{At: at, Message: noAlternative(e)})
	case *kind.AnyOf:
		return append(out, Fault{At: at, Message: anyMessage(e)})
	case *kind.Required:
		for _, key := range k.Missing {
			out = append(out, Fault{At: at, Message: key + " is missing"})
		}
		return out
	case *kind.AdditionalProperties:
		keys := slices.Sorted(slices.Values(k.Properties))
		return append(out, Fault{At: at, Unknown: keys, Message: "unknown key " + quoted(keys)})
	}
	if len(e.Causes) == 0 {
		return append(out, Fault{At: at, Message: describe(e.ErrorKind)})
	}
	for _, c := range e.Causes {
		out = flatten(c, out)
	}
	return out
}

func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strconv.Quote(w)
	}
	return strings.Join(out, ", ")
}
