package gate

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// binding is a name that a file imports.
type binding struct {
	module string // as it is written
	name   string // in the module; "*" is all of it, "" nothing: the module is only run
	local  string // what the file calls it
}

// Statements that import, by language. Their last group is the module, or what is imported
// with it.
var (
	jsImport   = schema.Expression(`(?m)^[ \t]*import(?:\s*([\w$*{][^'"();=]*?)\s*from)?\s*['"]([^'"\n]+)['"](?:[ \t]+(?:with|assert)[ \t]*\{[^}]*\})?[ \t]*;?`)
	jsRequire  = schema.Expression(`(?m)^[ \t]*(?:const|let|var)\s+(\{[^}]*\}|[\w$]+)\s*=\s*(?:await\s+import|require)\(\s*['"]([^'"\n]+)['"]\s*\)[ \t]*;?`)
	pyFrom     = schema.Expression(`(?m)^[ \t]*from\s+([.\w]+)\s+import\s+(\([^)]*\)|[^\n;(]+)`)
	pyImport   = schema.Expression(`(?m)^[ \t]*import[ \t]+([\w., \t]+)$`)
	rustUse    = schema.Expression(`(?m)^[ \t]*(?:pub\s+)?use\s+([^;]+);`)
	javaImport = schema.Expression(`(?m)^[ \t]*import\s+(static\s+)?([\w.]+\.(?:\w+|\*))(?:\s+as\s+(\w+))?[ \t]*;?[ \t]*$`)
	pyComment  = schema.Expression(`#[^\n]*`)
)

// importsOf returns what a text imports, and the text without it.
func importsOf(l language, text string) (found []binding, rest string) {
	take := func(re *regexp.Regexp, read func(m []string) []binding) {
		text = re.ReplaceAllStringFunc(text, func(s string) string {
			found = append(found, read(re.FindStringSubmatch(s))...)
			return ""
		})
	}
	switch l {
	case jsLanguage:
		take(jsImport(), func(m []string) []binding { return jsBindings(m[1], m[2]) })
		take(jsRequire(), func(m []string) []binding {
			if !strings.HasPrefix(m[1], "{") {
				return []binding{{m[2], "*", m[1]}}
			}
			return listBindings(m[2], strings.ReplaceAll(strings.Trim(m[1], "{}"), ":", " as "))
		})
	case pyLanguage:
		take(pyFrom(), func(m []string) []binding {
			return listBindings(m[1], pyComment().ReplaceAllString(strings.Trim(m[2], "()"), ""))
		})
		take(pyImport(), func(m []string) (out []binding) {
			for _, b := range listBindings("", m[1]) {
				out = append(out, binding{b.name, "*", b.local})
			}
			return out
		})
	case rustLanguage:
		take(rustUse(), func(m []string) []binding { return rustBindings("", m[1], 0) })
	case javaLanguage:
		take(javaImport(), func(m []string) []binding {
			i := strings.LastIndexByte(m[2], '.')
			name := m[2][i+1:]
			local := name
			if m[3] != "" {
				local = m[3]
			}
			return []binding{{m[1] + m[2][:i], name, local}}
		})
	}
	return found, text
}

// listBindings reads a list such as "a, b as c".
func listBindings(module, list string) []binding {
	var out []binding
	for item := range strings.SplitSeq(list, ",") {
		words := strings.Fields(item)
		if len(words) > 1 && words[0] == "type" && words[1] != "as" {
			words = words[1:]
		}
		switch {
		case len(words) == 0:
		case len(words) == 3 && words[1] == "as":
			out = append(out, binding{module, words[0], words[2]})
		default:
			out = append(out, binding{module, words[0], words[0]})
		}
	}
	return out
}

// jsBindings reads what stands between import and from.
func jsBindings(clause, module string) []binding {
	clause = strings.TrimSpace(clause)
	clause = strings.TrimSpace(strings.TrimPrefix(clause+" ", "type "))
	if clause == "" {
		return []binding{{module: module}}
	}
	var out []binding
	if from := strings.IndexByte(clause, '{'); from >= 0 {
		inner := strings.TrimRight(clause[from+1:], "} \t\r\n")
		out = listBindings(module, inner)
		clause = strings.TrimRight(clause[:from], ", \t\r\n")
	}
	for part := range strings.SplitSeq(clause, ",") {
		switch words := strings.Fields(part); {
		case len(words) == 3 && words[0] == "*":
			out = append(out, binding{module, "*", words[2]})
		case len(words) == 1:
			out = append(out, binding{module, "default", words[0]})
		}
	}
	return out
}

// deepestUse is how many braces within each other a use of Rust may have.
const deepestUse = 10

// rustBindings reads a tree of names: a::{b, c::{d as e, *}}.
func rustBindings(prefix, tree string, depth int) []binding {
	tree = strings.TrimSpace(tree)
	if open := strings.IndexByte(tree, '{'); open >= 0 && depth < deepestUse {
		var out []binding
		inner := strings.TrimSuffix(strings.TrimSpace(tree[open+1:]), "}")
		level, from := 0, 0
		for i := 0; i <= len(inner); i++ {
			switch {
			case i == len(inner) || inner[i] == ',' && level == 0:
				out = append(out, rustBindings(prefix+tree[:open], inner[from:i], depth+1)...)
				from = i + 1
			case inner[i] == '{':
				level++
			case inner[i] == '}':
				level--
			}
		}
		return out
	}
	if tree == "" {
		return nil
	}
	full, local, as := strings.Cut(prefix+tree, " as ")
	b := binding{name: strings.TrimSpace(full), local: strings.TrimSpace(local)}
	if i := strings.LastIndex(b.name, "::"); i >= 0 {
		b.module, b.name = b.name[:i], b.name[i+2:]
	}
	if !as {
		b.local = b.name
	}
	return []binding{b}
}

// jsEndings are how a module of JavaScript and TypeScript may end that is named without it.
var jsEndings = []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}

// fileOf returns the file of a tree that an import of a file names, "" if it is none of the
// tree.
func (t *tree) fileOf(b binding, file string) string {
	for _, p := range candidates(b, file) {
		if _, ok := t.files[p]; ok {
			return p
		}
	}
	if languageOf(file) == jsLanguage {
		return ""
	}
	for _, p := range t.paths() { // below a folder of sources
		if slices.ContainsFunc(candidates(b, file), func(c string) bool { return strings.HasSuffix(p, "/"+c) }) {
			return p
		}
	}
	return ""
}

// candidates returns the paths that an import may mean, the likeliest first.
func candidates(b binding, file string) []string {
	var out []string
	switch languageOf(file) {
	case jsLanguage:
		if !strings.HasPrefix(b.module, ".") {
			return nil
		}
		p := path.Join(path.Dir(file), b.module)
		out = append(out, p)
		stem := strings.TrimSuffix(p, path.Ext(p))
		for _, e := range jsEndings {
			out = append(out, p+e, stem+e, p+"/index"+e)
		}
	case pyLanguage:
		name := strings.TrimLeft(b.module, ".")
		dir := ""
		for range len(b.module) - len(name) {
			if dir == "" {
				dir = path.Dir(file)
			} else {
				dir = path.Dir(dir)
			}
		}
		p := path.Join(dir, strings.ReplaceAll(name, ".", "/"))
		out = append(out, p+".py", p+"/__init__.py")
	case rustLanguage:
		parts := strings.Split(b.module, "::")
		if p := strings.Join(parts[1:], "/"); p != "" {
			out = append(out, "src/"+p+".rs", "src/"+p+"/mod.rs")
		} else {
			out = append(out, "src/lib.rs", "src/main.rs")
		}
	case javaLanguage:
		module, static := strings.CutPrefix(b.module, "static ")
		p := strings.ReplaceAll(strings.TrimSpace(module), ".", "/")
		if !static {
			p += "/" + b.name
		}
		out = append(out, p+".java", p+".kt", p+".scala", p+".groovy")
	}
	return out
}

// declares reports whether a file of a tree declares a symbol: product code, no test and
// nothing that tests use.
func (t *tree) declares(ctx context.Context, file, name string) bool {
	if file == "" || kindOf(file) != ordinary {
		return false
	}
	f, err := source.Parse(ctx, file, t.read(file))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(f.Symbols, func(s source.Symbol) bool { return s.Name == name || strings.HasSuffix(s.Name, "."+name) })
}
