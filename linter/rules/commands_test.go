package rules

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

func defined(m *manifest) string {
	s := strings.Join(slices.Sorted(maps.Keys(m.defines)), " ")
	if m.open {
		s += " …"
	}
	return s
}

func TestManifests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		parse      func(string) *manifest
		text, want string
	}{
		{parseMakefile, "A := b:c\nall: x y # z: no\n\techo a: b\nx y::\n.PHONY: clean\n", ".PHONY all clean x y"},
		{parseMakefile, "-include x.mk\nall:\n", "all …"},
		{parseMakefile, "%.o: %.c\nall:\n", "%.o all …"},
		{parseMakefile, "$(BIN): main.go\n", "$(BIN) …"},
		{parseMakefile, "a:\r\n\tb\r\n", "a"},
		{parseJustfile, "set shell := [\"sh\"]\nv := \"x:y\"\nalias b := build\n@build a='1' b=\"2:3\": dep\n    echo {{a}}: x\n[private]\nother:\n", "b build other"},
		{parseJustfile, "mod sub\nall:\n", "all …"},
		{parsePackage, `{"scripts": {"dev": "x", "b:c": "y"}}`, "b:c dev"},
		{parsePackage, `{"scripts": {"dev": "x"}, "workspaces": ["a"]}`, "dev …"},
		{parsePackage, `{"scripts"`, " …"},
	} {
		if got := defined(c.parse(c.text)); got != c.want {
			t.Errorf("%q defines %q, want %q", c.text, got, c.want)
		}
	}
}

func TestLineCommands(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"make build test":                           "make:build make:test",
		"make -j4 build VERBOSE=1 # make":           "make:build",
		"make -C docs html":                         "",
		"make build && npm run dev; just x | tee y": "make:build npm:dev just:x",
		"CI=1 sudo make all":                        "make:all",
		"npm install":                               "",
		"npm run -w pkg dev":                        "",
		"pnpm run <name>":                           "",
		"./scripts/a.sh --flag":                     ":./scripts/a.sh",
		"bash scripts/a.sh x":                       ":scripts/a.sh",
		"python3 -m http.server":                    "",
		"/usr/bin/a.sh":                             "",
		"../up/a.sh":                                "",
		"make bin/tool $(target)":                   "",
	} {
		var got []string
		for _, c := range lineCommands(nil, []byte(line), schema.Span{End: len(line)}) {
			if string(c.at.In([]byte(line))) != c.name {
				t.Errorf("%q: the place of %q is %v", line, c.name, c.at)
			}
			got = append(got, c.program+":"+c.name)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q calls %q, want %q", line, s, want)
		}
	}
}

// What is read of a page and of a repository's files is anything.
func FuzzCode(f *testing.F) {
	f.Add("sh", "$ make `x` && npm run y\n./a/b.sh # ;|&\n")
	f.Add("go file=\"a/b.go\" lines=3-9", "func x() {\n...\n}\n")
	f.Add("3:9:src/a.go", "`src/a.go:3` \\` ``x`\n\n`")
	f.Fuzz(func(t *testing.T, info, text string) {
		if strings.ContainsAny(info, "`\n\r") {
			return
		}
		src := []byte("# T\n\n`a/b.go:1-2`:\n\n```" + info + "\n" + text + "\n```\n" + text)
		start := strings.Index(string(src), "```")
		content := start + 3 + len(info) + 1
		page := &schema.Page{Source: src, Lines: schema.NewLineIndex(src), Fences: []schema.Fence{{
			Span: schema.Span{Start: start, End: content + len(text) + 4}, Content: schema.Span{Start: content, End: content + len(text) + 1}, Language: info,
		}}}
		inside := func(what string, s schema.Span) {
			if s.Start < 0 || s.End < s.Start || s.End > len(src) {
				t.Errorf("%s at %v of %d", what, s, len(src))
			}
		}
		for _, q := range quotations(page) {
			inside("quotation", q.at)
			inside("lines", q.lines)
		}
		spans := codeSpans(page)
		for _, s := range spans {
			inside("code", s)
		}
		for _, n := range namedPaths(page, spans) {
			inside("path", n.at)
		}
		for _, c := range commandsOf(page, spans) {
			inside("command", c.at)
		}
		parseMakefile(text)
		parseJustfile(text)
		parsePackage(text)
		lines := codeLines(text)
		for _, piece := range pieces(lines) {
			if len(occurrences(piece, lines, 1)) == 0 {
				t.Errorf("%+v does not occur in what it was taken from", piece)
			}
		}
		if !containsInOrder(pieces(lines), lines) {
			t.Error("a text does not quote itself")
		}
	})
}
