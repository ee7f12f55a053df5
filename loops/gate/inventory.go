package gate

import (
	"context"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "inventory",
	Stages: []loops.Stage{loops.StageChunk},
	Doc:    "By the source of the tests, no existing test was deleted, is skipped or asserts less.",
	phase:  phaseChange,
	judge:  judgeInventory,
})

func judgeInventory(_ context.Context, j *judge) ([]loops.GateResult, error) {
	var out []loops.Reason
	for i := range j.changes {
		c := &j.changes[i]
		if c.ignored || c.added || matchAny(j.unlocked, c.path) || !mayHoldTests(c.path, c.old) {
			continue
		}
		was, is := takeApart(c.path, c.old), &sheet{}
		if !c.gone {
			is = takeApart(c.path, c.now)
		}
		for _, why := range j.shrunk(c, was, is) {
			why.Path = c.path
			out = append(out, why)
		}
	}
	return because(loops.Violation, loops.ClassTampering, out), nil
}

// mayHoldTests reports files of tests, and code in which a language keeps tests
// beside what they test.
func mayHoldTests(p string, src []byte) bool {
	switch languageOf(p) {
	case noLanguage:
		return false
	case rustLanguage:
		return true
	}
	return kindOf(p) == testFile || strings.Contains(string(src), "import.meta.vitest")
}

// shrunk returns which tests are gone, skipped, changed, or assert less.
func (j *judge) shrunk(c *change, was, is *sheet) []loops.Reason {
	var out []loops.Reason
	for _, u := range was.tests() {
		now := is.find(u.name)
		if now == nil && j.chunk.Tests.Kind == loops.TestsMove {
			now = takeApart(j.chunk.Tests.To, j.now.read(j.chunk.Tests.To)).find(u.name)
		}
		switch {
		case now == nil:
			out = append(out, loops.Reason{Line: u.line, Message: "the test " + u.name + " is gone"})
		case now.skipped && !u.skipped:
			out = append(out, loops.Reason{Line: now.line, Message: "the test " + u.name + " is skipped now"})
		case now.asserts < u.asserts:
			out = append(out, loops.Reason{Line: now.line, Message: fmt.Sprintf("the test %s asserts less: %d assertions, was %d", u.name, now.asserts, u.asserts)})
		case now.body != u.body:
			out = append(out, loops.Reason{Line: now.line, Message: "the test " + u.name + " was changed"})
		}
	}
	return out
}

// newFile is a file with new tests.
type newFile struct {
	path  string
	units []unit // empty if the file is new and its tests can't be told apart
}

// newTests returns the tests that the chunk adds.
func (j *judge) newTests() []newFile {
	var out []newFile
	for i := range j.changes {
		c := &j.changes[i]
		if c.gone || c.ignored || j.protection.kind[c.path] != testFile || !j.protection.allowed[c.path] {
			continue
		}
		was, is := takeApart(c.path, c.old), takeApart(c.path, c.now)
		n := newFile{path: c.path}
		for _, u := range is.tests() {
			if was.find(u.name) == nil {
				n.units = append(n.units, u)
			}
		}
		if len(n.units) > 0 || c.added && !is.known {
			out = append(out, n)
		}
	}
	return out
}
