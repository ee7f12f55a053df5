package agent

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// pickJSON keeps what lies at paths of keys, joined by dots, of a JSON document with
// comments.
func pickJSON(paths ...string) func([]byte) ([]byte, error) {
	return func(src []byte) ([]byte, error) {
		var from map[string]any
		if err := json.Unmarshal(plainJSON(src), &from); err != nil {
			return nil, err
		}
		to := make(map[string]any)
		for _, path := range paths {
			copyPath(to, from, strings.Split(path, "."))
		}
		if len(to) == 0 {
			return nil, nil
		}
		return json.Marshal(to)
	}
}

// copyPath copies the value at a path of keys, if there is one.
func copyPath(to, from map[string]any, keys []string) {
	value, ok := from[keys[0]]
	if !ok {
		return
	}
	if len(keys) == 1 {
		to[keys[0]] = value
		return
	}
	inner, ok := value.(map[string]any)
	if !ok {
		return
	}
	below, ok := to[keys[0]].(map[string]any)
	if !ok {
		below = make(map[string]any)
	}
	if copyPath(below, inner, keys[1:]); len(below) > 0 {
		to[keys[0]] = below
	}
}

// withoutRefresh empties the refresh tokens of a login. A program that renews one makes
// the person's own invalid, and what it stores ends with its home.
func withoutRefresh(src []byte) ([]byte, error) {
	var doc map[string]any
	if err := json.Unmarshal(src, &doc); err != nil {
		return nil, err
	}
	walk(doc, "", func(in map[string]any, _, name string) {
		if name == "refreshToken" || name == "refresh_token" {
			in[name] = ""
		}
	})
	return json.Marshal(doc)
}

// shortestKey is the length in bytes of the shortest value that is taken for a key. Who needs
// none at a vendor of their own writes "none" or "dummy".
const shortestKey = 16

// secretValues returns the strings of a JSON document whose names say that they are
// secrets.
func secretValues(src []byte) (out []string) {
	var doc any
	if json.Unmarshal(src, &doc) != nil {
		return nil
	}
	walk(doc, "", func(in map[string]any, of, name string) {
		named := loops.NamedSecret(of) || loops.NamedSecret(name) || name == "access" || name == "refresh"
		if value := in[name].(string); named && len(value) >= shortestKey {
			out = append(out, value)
		}
	})
	return out
}

// walk visits every string of a JSON document that has a name, with the name of what it
// is in.
func walk(v any, of string, visit func(in map[string]any, of, name string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if _, ok := v[name].(string); ok {
				visit(v, of, name)
			}
			walk(v[name], name, visit)
		}
	case []any:
		for _, inner := range v {
			walk(inner, of, visit)
		}
	}
}

// plainJSON blanks comments, and commas before a closing bracket.
func plainJSON(src []byte) []byte {
	out := bytes.Clone(src)
	comma := -1 // the last one that nothing follows yet
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := "\n"
			if out[i+1] == '*' {
				end = "*/"
			}
			to := len(out)
			if at := bytes.Index(out[i+2:], []byte(end)); at >= 0 {
				to = i + 2 + at + len(end)
			}
			for ; i < to; i++ {
				out[i] = ' '
			}
			i--
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c > ' ':
			comma = -1
		}
	}
	return out
}

// pickTOML keeps statements of a TOML document: those of the keys at its top, and all of
// the tables that begin with a name.
func pickTOML(keys []string, table string) func([]byte) ([]byte, error) {
	return func(src []byte) ([]byte, error) {
		var out bytes.Buffer
		keep, top := false, true
		for rest := src; len(rest) > 0; {
			n := statement(rest)
			line := strings.TrimSpace(string(rest[:n]))
			if strings.HasPrefix(line, "[") {
				name := strings.Trim(line, "[ ")
				top, keep = false, name == table+"]" || strings.HasPrefix(name, table+".")
			} else if top {
				key, _, _ := strings.Cut(line, "=")
				key = strings.Trim(strings.TrimSpace(key), `"'`)
				keep = slices.Contains(keys, key) || strings.HasPrefix(key, table+".")
			}
			if keep {
				out.WriteString(line + "\n")
			}
			rest = rest[n:]
		}
		return out.Bytes(), nil
	}
}

// statement returns the length of the first line of a TOML document, with those that
// its strings and arrays go on in.
func statement(src []byte) int {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '#':
			for i+1 < len(src) && src[i+1] != '\n' {
				i++
			}
		case '"', '\'':
			quote := string(c)
			if bytes.HasPrefix(src[i:], []byte(strings.Repeat(quote, 3))) {
				quote = strings.Repeat(quote, 3)
			}
			for i += len(quote); i < len(src) && !bytes.HasPrefix(src[i:], []byte(quote)) && (len(quote) == 3 || src[i] != '\n'); i++ {
				if c == '"' && src[i] == '\\' {
					i++
				}
			}
			if i < len(src) && src[i] != '\n' {
				i += len(quote) - 1
				continue
			}
			i-- // a string that its line does not close
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '\n':
			if depth <= 0 {
				return i + 1
			}
		}
	}
	return len(src)
}

// pickEnv keeps the lines of a file of variables that set one of the names.
func pickEnv(names ...string) func([]byte) ([]byte, error) {
	return func(src []byte) ([]byte, error) {
		var out bytes.Buffer
		for line := range bytes.Lines(src) {
			name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(line)), "export "), "=")
			if slices.Contains(names, strings.TrimSpace(name)) {
				out.Write(line)
			}
		}
		return out.Bytes(), nil
	}
}
