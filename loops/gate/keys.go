package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// openKeys are the keys of package.json that decide nothing about gates.
var openKeys = map[string]bool{
	"dependencies": true, "devDependencies": true, "peerDependencies": true, "optionalDependencies": true, "version": true, "description": true, "keywords": true,
	"author": true, "contributors": true, "license": true, "repository": true, "bugs": true, "homepage": true, "files": true, "private": true, "funding": true,
	"main": true, "module": true, "types": true, "typings": true, "bin": true, "exports": true, "browser": true, "sideEffects": true, "publishConfig": true, "peerDependenciesMeta": true,
}

// gateScripts are scripts of package.json that gates run, by themselves or
// around another.
var gateScripts = schema.Expression(`^(?:pre|post)|^(?:install|prepare|prepublish|test|build|lint|typecheck|type-check|check|tsc|coverage|ci)(?:$|[:.-])`)

// packageKeys judges a change of package.json: dependencies may change, scripts
// and tools' configuration may not.
func packageKeys(old, now []byte) []loops.Reason {
	var was, is map[string]json.RawMessage
	if json.Unmarshal(old, &was) != nil || json.Unmarshal(now, &is) != nil {
		return []loops.Reason{{Message: "is " + config.String() + ", and is not valid JSON"}}
	}
	var out []loops.Reason
	say := func(key, format string, args ...any) {
		out = append(out, loops.Reason{Line: lineOf(now, `"`+key+`"`), Message: fmt.Sprintf(format, args...)})
	}
	for _, key := range keysOf(was, is) {
		switch {
		case sameJSON(was[key], is[key]):
		case key == "scripts":
			var a, b map[string]string
			json.Unmarshal(was[key], &a)
			json.Unmarshal(is[key], &b)
			for _, name := range keysOf(a, b) {
				if _, had := a[name]; a[name] != b[name] && (had || gateScripts().MatchString(name)) {
					say(name, "scripts.%s is %s, and was changed to %q", name, config, clip(b[name], 80))
				}
			}
		case strings.HasSuffix(key, "ependencies"):
			var a, b map[string]string
			json.Unmarshal(was[key], &a)
			json.Unmarshal(is[key], &b)
			for _, name := range keysOf(a, b) {
				if v := b[name]; a[name] != v && strings.ContainsAny(v, ":/") {
					say(name, "%s.%s comes from %q, which would run another program", key, name, clip(v, 80))
				}
			}
		case !openKeys[key]:
			say(key, "the key %s is %s, and was changed", key, config)
		}
	}
	return out
}

func keysOf[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

func lineOf(src []byte, text string) int {
	i := bytes.Index(src, []byte(text))
	if i < 0 {
		return 0
	}
	return bytes.Count(src[:i], []byte("\n")) + 1
}

// moduleLines judges a change of go.mod: what is required may change, what is
// put in its place may not, nor the toolchain, nor a language that goes back.
func moduleLines(old, now []byte) []loops.Reason {
	was, is := directives(old), directives(now)
	var out []loops.Reason
	for _, key := range keysOf(was, is) {
		verb, _, _ := strings.Cut(key, " ")
		switch {
		case was[key] == is[key] || verb == "require":
		case verb == "go" && was[key]:
			if lang := goLine(is); lang == "" || olderGo(lang, goLine(was)) {
				out = append(out, loops.Reason{Message: "go.mod downgrades from " + goLine(was) + " to " + lang})
			}
		case verb == "go":
		default:
			out = append(out, loops.Reason{Message: fmt.Sprintf("%s of go.mod is %s, and was changed: %s", verb, config, clip(key, 100))})
		}
	}
	return out
}

// directives returns the lines of a go.mod, blocks unfolded.
func directives(src []byte) map[string]bool {
	out := map[string]bool{}
	block := ""
	for line := range strings.Lines(string(src)) {
		text, _, _ := strings.Cut(line, "//")
		text = strings.Join(strings.Fields(text), " ")
		switch {
		case text == "":
		case block != "" && text == ")":
			block = ""
		case block != "":
			out[block+" "+text] = true
		case strings.HasSuffix(text, "("):
			block = strings.TrimSpace(strings.TrimSuffix(text, "("))
		default:
			out[text] = true
		}
	}
	return out
}

func goLine(d map[string]bool) string {
	for k := range d {
		if v, ok := strings.CutPrefix(k, "go "); ok {
			return v
		}
	}
	return ""
}

func olderGo(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(x), len(y)) {
		p, q := 0, 0
		if i < len(x) {
			fmt.Sscanf(x[i], "%d", &p)
		}
		if i < len(y) {
			fmt.Sscanf(y[i], "%d", &q)
		}
		if p != q {
			return p < q
		}
	}
	return false
}

var (
	cargoOpen     = schema.Expression(`^(?:target\..+\.)?(?:dependencies|dev-dependencies|build-dependencies|features)(?:\.[\w-]+)?$`)
	pyprojectOpen = schema.Expression(`^(?:project|project\.optional-dependencies|project\.urls|project\.scripts|dependency-groups|tool\.poetry\.(?:group\.[\w-]+\.)?(?:dev-)?dependencies)$`)
)

func cargoKeys(old, now []byte) []loops.Reason     { return tomlSections(old, now, cargoOpen()) }
func pyprojectKeys(old, now []byte) []loops.Reason { return tomlSections(old, now, pyprojectOpen()) }

// tomlSections judges a change of a TOML file: only the open tables may differ.
func tomlSections(old, now []byte, open *regexp.Regexp) []loops.Reason {
	was, is := tomlTables(old), tomlTables(now)
	var out []loops.Reason
	for _, key := range keysOf(was, is) {
		if was[key] == is[key] || open.MatchString(key) {
			continue
		}
		out = append(out, loops.Reason{Line: lineOf(now, "["+key+"]"), Message: fmt.Sprintf("the table [%s] is %s, and was changed", key, config)})
	}
	return out
}

var tomlHeader = schema.Expression(`^\s*\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}\s*(?:#.*)?$`)

// tomlTables returns the lines of every table, without comments and blank lines. A
// header within a text of several lines cuts it in two: a difference shows
// either way.
func tomlTables(src []byte) map[string]string {
	text := map[string]*strings.Builder{}
	table := ""
	add := func(s string) {
		if text[table] == nil {
			text[table] = &strings.Builder{}
		}
		text[table].WriteString(s)
	}
	for line := range strings.Lines(string(src)) {
		if m := tomlHeader().FindStringSubmatch(line); m != nil {
			table = strings.ReplaceAll(m[1], `"`, "")
			add("\x00")
			continue
		}
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			add(line + "\n")
		}
	}
	out := map[string]string{}
	for name, b := range text {
		out[name] = b.String()
	}
	return out
}
