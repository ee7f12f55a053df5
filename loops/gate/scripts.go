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
	for _, list := range [][]string{j.commands.Setup, j.commands.Build, j.commands.Test, j.commands.Lint} {
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
	return out
}

var commandEnd = schema.Expression(`\s*(?:&&|\|\||[;|&\n()])\s*`)

// programs returns the files that a command for the shell runs, as far as its words
// tell: not what it only reads.
func programs(command string) []string {
	var out []string
	for _, part := range commandEnd().Split(command, -1) {
		words := strings.Fields(part)
		for len(words) > 0 && (strings.Contains(words[0], "=") || interpreters().MatchString(path.Base(words[0])) || strings.HasPrefix(words[0], "-")) {
			words = words[1:]
		}
		if len(words) > 0 {
			out = append(out, path.Clean(strings.Trim(words[0], `"'`)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
