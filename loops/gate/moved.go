package gate

import (
	"context"
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/loops"
)

// refusedImports judges the imports of an edited file of tests: the old ones stay, and a new
// one gives no name that the old tests use another meaning.
func refusedImports(c *change, was, is *sheet) []loops.Reason {
	var out []loops.Reason
	for _, b := range was.imports {
		if !slices.Contains(is.imports, b) {
			out = append(out, loops.Reason{Message: fmt.Sprintf("is a test, and its import of %s from %q was changed", b.what(), b.module)})
		}
	}
	l := languageOf(c.path)
	used := map[string]bool{}
	for _, w := range word().FindAllString(mask(l, string(c.old)), -1) {
		used[w] = true
	}
	for _, b := range is.imports {
		every := b.local == "*" && l == pyLanguage // it hides what was imported before it
		if (every || used[b.local]) && !slices.Contains(was.imports, b) {
			out = append(out, loops.Reason{Line: lineOf(c.now, b.module), Message: fmt.Sprintf("imports %s from %q, and its tests already use such a name", b.what(), b.module)})
		}
	}
	return out
}

// what returns what a binding imports, for people.
func (b binding) what() string {
	switch b.name {
	case "":
		return "nothing"
	case "*":
		return "everything"
	}
	return b.name
}

// movedImports judges the imports of a file that tests are moved from or to. One that either
// file had may stand there; one that is new names a symbol that moved, by the file that it
// moved to; and one that is gone is not missed.
func (j *judge) movedImports(file string, sides [2]*sheet) []loops.Reason {
	rule := j.chunk.Tests
	var before []located
	for _, p := range []string{rule.From, rule.To} {
		for _, b := range takeApart(p, j.was.read(p)).imports {
			before = append(before, located{b, p})
		}
	}
	var out []loops.Reason
	bound := map[string]bool{}
	for _, b := range sides[1].imports {
		bound[b.local] = true
		if !slices.ContainsFunc(before, func(l located) bool { return j.mayStand(l, located{b, file}) }) {
			out = append(out, loops.Reason{Line: lineOf(j.now.read(file), b.module), Message: fmt.Sprintf("imports %s from %q: only what moved may be imported from elsewhere, from the file that it moved to", b.what(), b.module)})
		}
	}
	if !slices.Contains(j.now.paths(), file) {
		return nil
	}
	used := map[string]bool{}
	l := languageOf(file)
	_, text := importsOf(l, string(j.now.read(file)))
	for _, w := range word().FindAllString(mask(l, text), -1) {
		used[w] = true
	}
	for _, b := range sides[0].imports {
		if kept := slices.Contains(sides[1].imports, b); !kept && (b.name == "" || used[b.local] && !bound[b.local]) {
			out = append(out, loops.Reason{Message: fmt.Sprintf("no longer imports %s from %q, which its tests use", b.what(), b.module)})
		}
	}
	return out
}

// located is an import with the file that has it.
type located struct {
	binding
	file string
}

// mayStand reports whether an import that the files of a move had lets a file have one: it
// is the same, or its symbol has moved there.
func (j *judge) mayStand(old, now located) bool {
	if old.name != now.name || old.local != now.local {
		return false
	}
	from, to := j.was.fileOf(old.binding, old.file), j.now.fileOf(now.binding, now.file)
	if old.module == now.module && from == to || from != "" && from == to {
		return true
	}
	if from == "" || kindOf(from) != ordinary {
		return false // of a library, or of what tests use
	}
	known := j.was.declares(context.Background(), from, now.name) || wholeWord(string(j.was.read(from)), now.name)
	return known && j.now.declares(context.Background(), to, now.name)
}
