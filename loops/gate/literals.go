package gate

import (
	"context"
	"path"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

var _ = register(Gate{
	ID:     "special-case",
	Stages: []loops.Stage{loops.StageChunk},
	Doc:    "A value that new code returns or compares with, and that otherwise occurs only in tests, is shown to the checker.",
	phase:  phaseChange,
	judge:  judgeLiterals,
})

var (
	literal = schema.Expression(`"(?:[^"\\\n]|\\.){4,200}"|'(?:[^'\\\n]|\\.){4,200}'|` + "`[^`\n]{4,200}`" + `|\b\d{3,}(?:\.\d+)?\b|\b\d+\.\d{2,}\b`)
	// deciding are lines in which a value decides something, or is the answer.
	deciding = schema.Expression(`==|!=|\b(?:case|return|if|elif|when|match|switch|equals|in)\b|=>|->`)
)

// decided is a value in a new line.
type decided struct {
	path, value string
	line        int
}

func judgeLiterals(_ context.Context, j *judge) ([]loops.GateResult, error) {
	var list []decided
	for i := range j.changes {
		c := &j.changes[i]
		if c.gone || c.ignored || j.protection.kind[c.path] != ordinary || !codeExt[strings.ToLower(path.Ext(c.path))] || len(c.now) > largestSheet {
			continue
		}
		addedLines(c.old, c.now, func(line int, text string) {
			if !deciding().MatchString(text) {
				return
			}
			for _, value := range literal().FindAllString(text, -1) {
				list = append(list, decided{c.path, strings.Trim(value, "\"'`"), line})
			}
		})
	}
	if len(list) == 0 {
		return passed(), nil
	}
	inTests, inCode := j.literals()
	var out []loops.Reason
	for _, d := range list {
		if n := len(out); inTests[d.value] && !inCode[d.value] && (n == 0 || out[n-1].Path != d.path || out[n-1].Line != d.line) {
			out = append(out, loops.Reason{Path: d.path, Line: d.line, Message: "the value " + clip(d.value, 60) + " otherwise occurs only in tests: is a test's expected answer hard-coded?"})
		}
	}
	return because(loops.Note, "", out), nil
}

// literals returns the values in tests, and those in the code before the chunk.
func (j *judge) literals() (inTests, inCode map[string]bool) {
	inTests, inCode = map[string]bool{}, map[string]bool{}
	for _, t := range []*tree{j.was, j.now} {
		for _, p := range t.paths() {
			k := kindOf(p)
			tests := k == testFile || k == testData
			if !codeExt[strings.ToLower(path.Ext(p))] || !tests && t != j.was {
				continue
			}
			to := inCode
			if tests {
				to = inTests
			}
			if src := t.read(p); len(src) <= largestSheet && !binary(src) {
				for _, value := range literal().FindAllString(string(src), -1) {
					to[strings.Trim(value, "\"'`")] = true
				}
			}
		}
	}
	return inTests, inCode
}
