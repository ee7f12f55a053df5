package gate

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// refusedTest judges a change of a file of tests by what the plan says that the
// chunk may do to tests.
func (j *judge) refusedTest(c *change) []loops.Reason {
	rule := j.chunk.Tests
	say := func(format string, args ...any) []loops.Reason {
		return []loops.Reason{{Message: fmt.Sprintf(format, args...)}}
	}
	switch {
	case rule.Kind == loops.TestsNone:
		return say("is a test%s, but the chunk says tests: none", how(c))
	case rule.Kind == loops.TestsMove:
		return j.refusedMove(c)
	case c.gone:
		return say("is a test, and was deleted or renamed")
	case c.added:
		return newTestDangers(c, nil)
	case c.oldMode != c.newMode:
		return say("is a test%s", how(&change{oldMode: c.oldMode, newMode: c.newMode}))
	}
	return j.refusedEdit(c)
}

// refusedEdit judges an edit of a file of tests: what is in it stays, by name and
// body, and only whole tests and what they use come to it.
func (j *judge) refusedEdit(c *change) []loops.Reason {
	was, is := takeApart(c.path, c.old), takeApart(c.path, c.now)
	if !was.known || !is.known {
		return []loops.Reason{{Message: "is a test, and was changed; add new tests in a new file"}}
	}
	out := lostUnits(was, is, nil)
	if was.head != is.head {
		out = append(out, loops.Reason{Message: "is a test, and its build constraint or package was changed"})
	}
	extra, ok := within(was.rest, is.rest)
	if !ok {
		out = append(out, loops.Reason{Message: "is a test, and code shared by its tests was changed"})
	}
	for _, line := range extra {
		if !innocent(languageOf(c.path), line) {
			out = append(out, loops.Reason{Line: lineOf(c.now, line), Message: "is a test, and more than whole tests was added: " + clip(line, 80)})
			break
		}
	}
	out = append(out, refusedImports(c, was, is)...)
	return append(out, newTestDangers(c, was)...)
}

// lostUnits returns which units of a sheet are not as they were. Those that another
// sheet holds by name and body are not lost.
func lostUnits(was, is, other *sheet) []loops.Reason {
	var out []loops.Reason
	for _, u := range was.units {
		now := is.find(u.name)
		if other != nil && (now == nil || now.body != u.body) {
			if moved := other.find(u.name); moved != nil && moved.body == u.body && !moved.skipped {
				continue
			}
		}
		what := "the test helper"
		if u.test {
			what = "the test"
		}
		switch {
		case now == nil && u.test:
			out = append(out, loops.Reason{Line: u.line, Message: fmt.Sprintf("%s %s is gone", what, u.name)})
		case now == nil:
			out = append(out, loops.Reason{Line: u.line, Message: fmt.Sprintf("%s is gone: %s", what, u.name)})
		case now.body != u.body:
			out = append(out, loops.Reason{Line: now.line, Message: fmt.Sprintf("%s %s was changed", what, u.name)})
		case now.skipped && !u.skipped:
			out = append(out, loops.Reason{Line: now.line, Message: fmt.Sprintf("%s %s is skipped now", what, u.name)})
		}
	}
	return out
}

// innocents are lines that may stand around new tests in an old file, beside imports.
var innocents = map[language]func() *regexp.Regexp{
	jsLanguage:   schema.Expression(`^(?:(?:describe|suite|context)\(.*|[)\]};,]+)$`),
	pyLanguage:   schema.Expression(`^(?:class \w+.*:|@pytest\.mark\.parametrize\(.*|[)\]}]+)$`),
	rustLanguage: schema.Expression(`^(?:(?:pub )?mod \w+ \{|#\[cfg\(test\)\]|[)\]};,]+)$`),
	javaLanguage: schema.Expression(`^(?:@Nested|(?:static |inner )?class \w+.*\{|[)\]};,]+)$`),
}

func innocent(l language, line string) bool {
	return innocents[l] != nil && innocents[l]().MatchString(line)
}

var word = schema.Expression(`[\p{L}_][\p{L}\p{N}_]*`)

// newTestDangers returns what of new tests would keep others from running, or
// change what they mean. was is nil for a new file.
func newTestDangers(c *change, was *sheet) []loops.Reason {
	is := takeApart(c.path, c.now)
	var out []loops.Reason
	say := func(line int, format string, args ...any) {
		out = append(out, loops.Reason{Line: line, Message: fmt.Sprintf(format, args...)})
	}
	known := map[string]bool{}
	if was != nil {
		for _, w := range word().FindAllString(string(c.old), -1) {
			known[w] = true
		}
	}
	seen := map[string]bool{}
	for _, u := range is.units {
		if u.test && seen[u.name] {
			say(u.line, "the test %s is defined twice: one of them does not run", u.name)
		}
		seen[u.name] = true
		if was == nil || was.find(u.name) != nil || u.test {
			continue
		}
		if name := u.name[strings.LastIndexAny(u.name, ". ")+1:]; known[name] && types.Universe.Lookup(name) == nil && languageOf(c.path) != goLanguage {
			say(u.line, "adds %s, a name that its tests already use", name)
		}
	}
	switch languageOf(c.path) {
	case goLanguage:
		dangers := goDangers(c.now, was)
		for _, why := range keysOf(dangers, nil) {
			say(dangers[why], "%s", why)
		}
	case pyLanguage:
		for _, line := range is.rest {
			if pyEnds().MatchString(line) && (was == nil || !slices.Contains(was.rest, line)) {
				say(lineOf(c.now, line), "exits the program while tests are loaded: %s", clip(line, 80))
			}
		}
	case jsLanguage:
		addedLines(c.old, c.now, func(n int, text string) {
			if onlyPattern().MatchString(mask(jsLanguage, text)) {
				say(n, "runs some tests only: %s", clip(strings.TrimSpace(text), 80))
			}
		})
	}
	return out
}

var pyEnds = schema.Expression(`\bos\.(?:_exit|abort|kill)\s*\(|\bcollect_ignore`)

var onlyPattern = schema.Expression(`\b(?:it|test|describe|suite|context|specify)\.only\b|\bf(?:it|describe)\s*\(|\bprocess\.exit\s*\(|\bprocess\.exitCode\b`)

// refusedMove judges the files of a move: every test of the one is found again,
// there or in the other.
func (j *judge) refusedMove(c *change) []loops.Reason {
	rule := j.chunk.Tests
	from, to := j.sides(rule.From), j.sides(rule.To)
	switch c.path {
	case rule.From:
		if !from[0].known {
			if to := j.now.read(rule.To); c.gone && string(to) == string(c.old) {
				return nil
			}
			return []loops.Reason{{Message: "is a test file that can only move as a whole"}}
		}
		out := lostUnits(from[0], from[1], to[1])
		if c.gone {
			return out
		}
		for _, u := range from[1].units {
			if from[0].find(u.name) == nil {
				out = append(out, loops.Reason{Line: u.line, Message: u.name + " is new, but the chunk only moves tests"})
			}
		}
		if _, ok := within(from[1].rest, from[0].rest); !ok || from[0].head != from[1].head {
			out = append(out, loops.Reason{Message: "was changed beyond the moved tests"})
		}
		return append(out, j.movedImports(c.path, from)...)
	case rule.To:
		out := lostUnits(to[0], to[1], nil)
		if h := to[1].head; h != from[0].head && (c.added || h != to[0].head) {
			out = append(out, loops.Reason{Message: "has another build constraint or package than " + rule.From})
		}
		for _, u := range to[1].units {
			if src := from[0].find(u.name); to[0].find(u.name) == nil && (src == nil || src.body != u.body) {
				out = append(out, loops.Reason{Line: u.line, Message: u.name + " differs from " + rule.From})
			}
		}
		extra, ok := within(to[0].rest, to[1].rest)
		extra = slices.DeleteFunc(extra, func(line string) bool {
			return slices.Contains(from[0].rest, line) || innocent(languageOf(c.path), line)
		})
		out = append(out, j.movedImports(c.path, to)...)
		if !ok || len(extra) > 0 {
			out = append(out, loops.Reason{Message: "has more than the moved tests"})
		}
		return append(out, newTestDangers(c, from[0])...)
	}
	return []loops.Reason{{Message: fmt.Sprintf("is a test%s; the chunk only moves tests from %s to %s", how(c), rule.From, rule.To)}}
}

// sides returns the sheets of a file before and after.
func (j *judge) sides(p string) [2]*sheet {
	return [2]*sheet{takeApart(p, j.was.read(p)), takeApart(p, j.now.read(p))}
}
