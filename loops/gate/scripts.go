package gate

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// interpreters run the file that is their first argument.
var interpreters = schema.Expression(`^(?:sh|bash|dash|zsh|ksh|source|\.|python3?|node|deno|bun|tsx|ts-node|ruby|perl|php|lua|pwsh|time|env|exec|nice|timeout)$`)

// gateTargets are targets of a Makefile that gates are likely to be.
var gateTargets = schema.Expression(`^(?:test|tests|check|build|lint|ci|verify|typecheck|coverage|all)[\w-]*\s*::?`)

// scripts returns the files of the tree before the chunk that gates run: named by a
// command of build, test, lint or setup, by a script of package.json that is one
// of them, or by such a target of a Makefile.
func (j *judge) scripts() map[string]bool {
	out := map[string]bool{}
	add := func(command string) {
		for _, p := range programs(command) {
			if _, ok := j.was.files[p]; ok {
				out[p] = true
			}
		}
	}
	for _, list := range [][]string{j.commands.Setup, j.commands.Build, j.commands.Test, j.commands.Lint, j.evaluations()} {
		for _, command := range list {
			add(command)
		}
	}
	var pkg struct{ Scripts map[string]string }
	if json.Unmarshal(j.was.read("package.json"), &pkg) == nil {
		for name, command := range pkg.Scripts {
			if gateScripts().MatchString(name) {
				add(command)
			}
		}
	}
	inGate := false
	for line := range strings.Lines(string(j.was.read("Makefile"))) {
		if recipe, ok := strings.CutPrefix(line, "\t"); !ok {
			inGate = gateTargets().MatchString(line)
		} else if inGate {
			add(strings.TrimLeft(strings.TrimSpace(recipe), "@-+"))
		}
	}
	// What a plan names by its own name is what is to be changed, though a command
	// runs it: a test command may run the program itself.
	for _, g := range j.c.Start.Plan.ScopeOf(&j.chunk) {
		delete(out, path.Clean(g))
	}
	for _, p := range keysOf(out, nil) {
		j.loaded(p, out)
	}
	return out
}

// loaded adds what a script of a gate imports or runs, and so on. What a test imports is
// what it tests.
func (j *judge) loaded(p string, into map[string]bool) {
	if kindOf(p) == testFile {
		return
	}
	src := string(j.was.read(p))
	found, _ := importsOf(languageOf(p), src)
	var next []string
	for _, b := range found {
		for _, c := range candidates(b, p) { // a script of Python finds what lies beside it
			next = append(next, c, path.Join(path.Dir(p), c))
		}
	}
	if path.Ext(p) == ".sh" {
		for line := range strings.Lines(src) {
			next = append(next, programs(line)...)
		}
	}
	for _, n := range next {
		if _, ok := j.was.files[n]; ok && !into[n] && kindOf(n) == ordinary && !slices.Contains(j.c.Start.Plan.ScopeOf(&j.chunk), n) {
			into[n] = true
			j.loaded(n, into)
		}
	}
}

var commandEnd = schema.Expression(`\s*(?:&&|\|\||[;|&\n()])\s*`)

// checkOnly are flags with which a program reads a file and does not run it.
var checkOnly = schema.Expression(`^(?:node (?:--check|-c)|(?:sh|bash|dash|zsh|ksh) -n|(?:ruby|perl) -c|php -l)$`)

// duration is the argument of timeout and nice.
var duration = schema.Expression(`^[0-9.]+[smhd]?$`)

// preload are flags of node that run one more file.
var preload = schema.Expression(`^(?:-r|--require|--import|--loader|--experimental-loader)(?:=(.*))?$`)

// programs returns the files that a command for the shell runs, as far as its words
// tell: not what it only reads or checks.
func programs(command string) []string {
	var out []string
	for _, part := range commandEnd().Split(command, -1) {
		out = append(out, programOf(strings.Fields(part))...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// programOf returns the files that one simple command runs.
func programOf(words []string) []string {
	var out []string
	add := func(word string) { out = append(out, path.Clean(strings.Trim(word, `"'`))) }
	program := ""
	for i := 0; i < len(words); i++ {
		w := words[i]
		m := preload().FindStringSubmatch(w)
		switch {
		case checkOnly().MatchString(program + " " + w):
			return out
		case program == "node" && m != nil && m[1] != "":
			add(m[1])
		case program == "node" && m != nil && i+1 < len(words):
			i++
			add(words[i])
		case interpreters().MatchString(path.Base(w)):
			program = path.Base(w)
		case strings.Contains(w, "="), strings.HasPrefix(w, "-"), duration().MatchString(w):
		default:
			add(w)
			return out
		}
	}
	return out
}
