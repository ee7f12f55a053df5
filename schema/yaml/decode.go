package yaml

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Decode reads a node strictly into what into points to: strings, booleans,
// integers, floats, slices, maps with string keys, pointers, structs with
// `yaml:"name"` tags and whatever implements encoding.TextUnmarshaler. A nil
// node and a null leave into as it is.
//
// An unknown key is a fault at the key, naming the known key that is nearest;
// a value of the wrong type is a fault at the value, naming what was
// expected. All that is right is decoded nevertheless. Faults are of kind
// [schema.FaultConfig], in order of place.
//
// Decode panics when into is not a pointer or leads to a type that it does not
// support.
func Decode(node *schema.Node, into any) []schema.Fault {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		panic(fmt.Sprintf("yaml: Decode into %T: expected a pointer", into))
	}
	d := &decoder{}
	d.decode(node, v.Elem(), "")
	slices.SortStableFunc(d.faults, func(a, b schema.Fault) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return d.faults
}

type decoder struct{ faults []schema.Fault }

func (d *decoder) fault(at schema.Span, format string, args ...any) {
	d.faults = append(d.faults, schema.Fault{Kind: schema.FaultConfig, Span: at, Message: fmt.Sprintf(format, args...)})
}

// wrong reports a value of the wrong type.
func (d *decoder) wrong(n *schema.Node, path, expected string) {
	what := n.Kind.String()
	if n.IsScalar() {
		what += " " + strconv.Quote(n.Text)
	}
	if path != "" {
		path += ": "
	}
	d.fault(n.Span, "%sfound %s: expected %s", path, what, expected)
}

// decode decodes n into v; path is its key.
func (d *decoder) decode(n *schema.Node, v reflect.Value, path string) {
	if n == nil || n.Kind == schema.KindNull {
		return
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		d.decodeText(n, u, path)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		d.decode(n, p.Elem(), path)
		v.Set(p)
	case reflect.String:
		if !n.IsScalar() {
			d.wrong(n, path, "text")
			return
		}
		v.SetString(n.Text)
	case reflect.Bool:
		if n.Kind != schema.KindBool {
			d.wrong(n, path, "true or false")
			return
		}
		v.SetBool(strings.EqualFold(n.Text, "true"))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		d.decodeNumber(n, v, path)
	case reflect.Slice:
		d.decodeSlice(n, v, path)
	case reflect.Map:
		d.decodeMap(n, v, path)
	case reflect.Struct:
		d.decodeStruct(n, v, path)
	default:
		panic("yaml: can't decode into " + v.Type().String())
	}
}

func (d *decoder) decodeText(n *schema.Node, u encoding.TextUnmarshaler, path string) {
	if !n.IsScalar() {
		d.wrong(n, path, "a single value")
		return
	}
	if err := u.UnmarshalText([]byte(n.Text)); err != nil {
		if path != "" {
			path += ": "
		}
		d.fault(n.Span, "%s%v", path, err)
	}
}

func (d *decoder) decodeNumber(n *schema.Node, v reflect.Value, path string) {
	bits := v.Type().Bits()
	if v.CanFloat() {
		f, err := parseFloat(n.Text, bits)
		if err != nil || n.Kind != schema.KindFloat && n.Kind != schema.KindInt {
			d.wrong(n, path, "a number")
			return
		}
		v.SetFloat(f)
		return
	}
	expected := "a whole number"
	if n.Kind == schema.KindInt {
		// The core schema's integers are 12, 0x1f and 0o17; 012 is twelve.
		text, base := strings.TrimPrefix(n.Text, "+"), 10
		switch {
		case strings.HasPrefix(text, "0x"):
			text, base = text[2:], 16
		case strings.HasPrefix(text, "0o"):
			text, base = text[2:], 8
		}
		if v.CanInt() {
			if i, err := strconv.ParseInt(text, base, bits); err == nil {
				v.SetInt(i)
				return
			}
		} else if u, err := strconv.ParseUint(text, base, bits); err == nil {
			v.SetUint(u)
			return
		}
		expected = "a whole number in the range of " + v.Type().String()
	}
	d.wrong(n, path, expected)
}

// parseFloat reads the core schema's numbers.
func parseFloat(s string, bits int) (float64, error) {
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0o") {
		i, err := strconv.ParseInt(s, 0, 64)
		return float64(i), err
	}
	if t := strings.TrimLeft(s, "+-"); len(t) > 1 && t[0] == '.' && (t[1] < '0' || t[1] > '9') { // .inf, .nan
		s = s[:len(s)-len(t)] + t[1:]
	}
	return strconv.ParseFloat(s, bits)
}

func (d *decoder) decodeSlice(n *schema.Node, v reflect.Value, path string) {
	if n.Kind != schema.KindList {
		d.wrong(n, path, "a list")
		return
	}
	out := reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items))
	for i, it := range n.Items {
		d.decode(it, out.Index(i), fmt.Sprintf("%s[%d]", path, i))
	}
	v.Set(out)
}

func (d *decoder) decodeMap(n *schema.Node, v reflect.Value, path string) {
	if v.Type().Key().Kind() != reflect.String {
		panic("yaml: can't decode into " + v.Type().String())
	}
	if n.Kind != schema.KindMap {
		d.wrong(n, path, "a map")
		return
	}
	out := reflect.MakeMapWithSize(v.Type(), len(n.Pairs))
	for _, p := range n.Pairs {
		key := reflect.ValueOf(p.Key).Convert(v.Type().Key())
		if out.MapIndex(key).IsValid() {
			continue // of duplicates the first counts
		}
		val := reflect.New(v.Type().Elem()).Elem()
		d.decode(p.Value, val, join(path, p.Key))
		out.SetMapIndex(key, val)
	}
	v.Set(out)
}

func (d *decoder) decodeStruct(n *schema.Node, v reflect.Value, path string) {
	if n.Kind != schema.KindMap {
		d.wrong(n, path, "a map")
		return
	}
	fields, names := map[string]int{}, []string{}
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		if name == "" || name == "-" {
			continue
		}
		fields[name] = i
		names = append(names, name)
	}
	seen := map[string]bool{}
	for _, p := range n.Pairs {
		i, ok := fields[p.Key]
		switch {
		case !ok:
			d.unknown(p, names, path)
		case !seen[p.Key]:
			seen[p.Key] = true
			d.decode(p.Value, v.Field(i), join(path, p.Key))
		}
	}
}

func (d *decoder) unknown(p schema.Pair, names []string, path string) {
	where := ""
	if path != "" {
		where = " under " + path
	}
	if near, ok := schema.Nearest(p.Key, names); ok {
		d.fault(p.KeySpan, "unknown key %q%s: did you mean %q?", p.Key, where, near)
		return
	}
	slices.Sort(names)
	d.fault(p.KeySpan, "unknown key %q%s: expected one of %s", p.Key, where, strings.Join(names, ", "))
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
