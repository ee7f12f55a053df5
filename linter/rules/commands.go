package rules

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// largestManifest is the largest file of command definitions that is read, in bytes;
// mostNear is the most commands among which a similar one is searched.
const (
	largestManifest = 1 << 20
	mostNear        = 1000
)

// manifest is a file that defines commands.
type manifest struct {
	file    string // its path below the repository
	noun    string // what it calls a command
	defines map[string]bool
	names   []string // of what it defines, sorted, unless there are too many to look for a near one
	open    bool     // it takes definitions from elsewhere, so that nothing can be said to be missing
}

// manifests caches a repository's manifests by folder and program; nil for a missing
// one.
type manifests struct {
	tree *compiler.Tree
	read map[[2]string]*manifest
}

// above returns the manifests of a program in the folder of a page and in those above
// it, the nearest first.
func (m *manifests) above(page *schema.Page, program string) (out []*manifest) {
	if program == "pnpm" || program == "yarn" || program == "bun" {
		program = "npm"
	}
	for dir := path.Dir(m.tree.Below(page.Path)); ; dir = path.Dir(dir) {
		if found := m.in(dir, program); found != nil {
			out = append(out, found)
		}
		if dir == "." || dir == "/" {
			return out
		}
	}
}

// in returns the manifest of a program that is in a folder, or nil.
func (m *manifests) in(dir, program string) *manifest {
	key := [2]string{dir, program}
	if found, known := m.read[key]; known {
		return found
	}
	var found *manifest
	switch program {
	case "make":
		found = m.parse(dir, parseMakefile, "GNUmakefile", "makefile", "Makefile")
	case "just":
		found = m.parse(dir, parseJustfile, "justfile", "Justfile", ".justfile")
	case "npm":
		found = m.parse(dir, parsePackage, "package.json")
		if _, workspaces := m.tree.Exists(m.tree.Above(path.Join(dir, "pnpm-workspace.yaml"))); found != nil && workspaces {
			found.open = true
		}
	}
	m.read[key] = found
	return found
}

func (m *manifests) parse(dir string, parse func(string) *manifest, names ...string) *manifest {
	for _, name := range names {
		file := path.Join(dir, name)
		if text, ok := m.tree.Read(m.tree.Above(file), largestManifest); ok {
			found := parse(string(text))
			found.file = file
			if len(found.defines) <= mostNear {
				found.names = slices.Sorted(maps.Keys(found.defines))
			}
			return found
		}
	}
	return nil
}

// parseMakefile reads the targets of a makefile (GNU make manual, section 4.1).
func parseMakefile(text string) *manifest {
	m := &manifest{noun: "target", defines: map[string]bool{}}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimRight(line, "\r\n"), "#")
		if line == "" || line[0] == '\t' {
			continue
		}
		switch first, _, _ := strings.Cut(strings.TrimSpace(line), " "); first {
		case "include", "-include", "sinclude", "define", "$(eval":
			m.open = true
		}
		targets, rest, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ":=") || strings.ContainsRune(targets, '=') {
			continue
		}
		if strings.ContainsAny(targets, "$%") {
			m.open = true
		}
		for _, t := range strings.Fields(targets) {
			m.defines[t] = true
		}
		if strings.HasPrefix(targets, ".PHONY") {
			for _, t := range strings.Fields(strings.TrimLeft(rest, ":")) {
				m.defines[t] = true
			}
		}
	}
	return m
}

// parseJustfile reads the recipes and aliases of a justfile.
func parseJustfile(text string) *manifest {
	m := &manifest{noun: "recipe", defines: map[string]bool{}}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" || line[0] == ' ' || line[0] == '\t' || line[0] == '#' || line[0] == '[' {
			continue
		}
		words := strings.Fields(line)
		switch words[0] {
		case "import", "import?", "mod", "mod?":
			m.open = true
			continue
		case "alias":
			if len(words) > 1 {
				m.defines[words[1]] = true
			}
			continue
		case "set", "export":
			continue
		}
		if strings.Contains(line, ":") && !strings.HasPrefix(strings.TrimLeft(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- "), ":=") {
			m.defines[strings.TrimPrefix(strings.TrimSuffix(words[0], ":"), "@")] = true
		}
	}
	return m
}

// parsePackage reads the scripts of a package.json. With workspaces a script
// may be another package's, and on a site of documentation that of the reader's project.
func parsePackage(text string) *manifest {
	m := &manifest{noun: "script", defines: map[string]bool{}}
	var pkg struct {
		Scripts      map[string]any  `json:"scripts"`
		Workspaces   json.RawMessage `json:"workspaces"`
		Dependencies map[string]any  `json:"dependencies"`
		Development  map[string]any  `json:"devDependencies"`
	}
	if json.Unmarshal([]byte(text), &pkg) != nil {
		m.open = true
	}
	for name := range pkg.Scripts {
		m.defines[name] = true
	}
	m.open = m.open || len(pkg.Workspaces) > 0
	for _, name := range []string{"vitepress", "vuepress", "@docusaurus/core", "@astrojs/starlight", "nextra", "rspress"} {
		m.open = m.open || pkg.Dependencies[name] != nil || pkg.Development[name] != nil
	}
	return m
}

// command is a call of something that a repository defines.
type command struct {
	program string // make, just, npm, …; empty for a script
	name    string // the target, recipe, script or path
	at      schema.Span
}

// commandsOf returns the calls on a page, in shell blocks and between backticks.
func commandsOf(page *schema.Page, spans []schema.Span) []command {
	var out []command
	for i := range page.Fences {
		f := &page.Fences[i]
		switch f.Language {
		case "sh", "bash", "shell", "zsh", "console", "shell-session", "terminal":
			out = blockCommands(out, page.Source, f.Content, f.Language == "console" || f.Language == "shell-session")
		}
	}
	for _, span := range spans {
		if bytes.IndexByte(span.In(page.Source), ' ') > 0 { // one word alone is a name
			out = lineCommands(out, page.Source, span)
		}
	}
	return out
}

// blockCommands reads a shell block line by line, until one changes the directory: after
// a cd, names mean something else.
func blockCommands(out []command, src []byte, block schema.Span, session bool) []command {
	for start := block.Start; start < block.End; {
		end := block.End
		if i := bytes.IndexByte(src[start:end], '\n'); i >= 0 {
			end = start + i
		}
		line := schema.Span{Start: start, End: end}
		start = end + 1
		text := string(line.In(src))
		trimmed := strings.TrimLeft(text, " \t")
		if rest, prompt := strings.CutPrefix(trimmed, "$ "); prompt {
			trimmed = strings.TrimLeft(rest, " ")
		} else if session {
			continue // what the commands print
		}
		for word := range strings.FieldsSeq(trimmed) {
			if word == "cd" || word == "pushd" || word == "clone" || strings.HasPrefix(word, "<<") {
				return out
			}
		}
		line.Start += len(text) - len(trimmed)
		out = lineCommands(out, src, line)
	}
	return out
}

// lineCommands reads the commands of one line.
func lineCommands(out []command, src []byte, line schema.Span) []command {
	var words []schema.Span
	for i := line.Start; i <= line.End; {
		if i == line.End || src[i] == '#' || src[i] == ';' || src[i] == '|' || src[i] == '&' {
			out = oneCommand(out, src, words)
			words = words[:0]
			if i == line.End || src[i] == '#' {
				return out
			}
			i++
			continue
		}
		from := i
		for i < line.End && !strings.ContainsRune(" \t\r#;|&", rune(src[i])) {
			i++
		}
		if i > from {
			words = append(words, schema.Span{Start: from, End: i})
		} else {
			i++
		}
	}
	return out
}

// elsewhere are the options by which a program works in another directory.
var elsewhere = map[string]bool{"-C": true, "-f": true, "--directory": true, "--file": true, "--makefile": true, "-w": true, "--workspace": true,
	"--prefix": true, "--filter": true, "-F": true, "--cwd": true, "-d": true, "--justfile": true, "--working-directory": true}

// oneCommand reads one simple command.
func oneCommand(out []command, src []byte, words []schema.Span) []command {
	word := func(i int) string { return string(words[i].In(src)) }
	for len(words) > 0 && (word(0) == "sudo" || word(0) == "time" || strings.IndexByte(word(0), '=') > 0) {
		words = words[1:]
	}
	if len(words) == 0 {
		return out
	}
	for i := range words {
		option, _, _ := strings.Cut(word(i), "=")
		if elsewhere[option] || strings.HasPrefix(option, "-C") {
			return out
		}
	}
	program, from, to := word(0), 1, len(words)
	switch program {
	case "npm", "pnpm", "yarn", "bun":
		if len(words) < 3 || word(1) != "run" {
			return out
		}
		from, to = 2, 3
	case "just":
		to = min(2, len(words))
	case "make":
	case "sh", "bash", "zsh", "python", "python3", "node", "ruby":
		program, to = "", min(2, len(words))
	default:
		program, from, to = "", 0, 1
	}
	for i := from; i < to; i++ {
		name := word(i)
		switch {
		case name[0] == '-' || strings.ContainsAny(name, "=$<>{}[]()*%\"'`\\,…") || strings.Contains(name, "..."):
			if from > 0 && program != "make" {
				return out
			}
		case program == "" && scriptPath(name), program != "" && !strings.ContainsAny(name, "/."):
			out = append(out, command{program, name, words[i]})
		}
	}
	return out
}

// scriptPath reports whether a command is a script of the repository: a path
// with a folder and the extension of a script.
func scriptPath(name string) bool {
	if !strings.Contains(strings.TrimPrefix(name, "./"), "/") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "..") || !filePath(name) {
		return false
	}
	switch path.Ext(name) {
	case ".sh", ".bash", ".zsh", ".py", ".rb", ".pl", ".js", ".mjs", ".ts":
		return true
	}
	return false
}
