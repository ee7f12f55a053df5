package gate

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

var _ = register(Gate{
	ID:     "commented-code",
	Stages: []loops.Stage{loops.StageChunk},
	Doc:    "Code that was commented out is shown to the checker.",
	phase:  phaseChange,
	judge:  judgeCommented,
})

var (
	commentLine = schema.Expression(`^\s*(?://+|#+|--|\*)\s?(.*)$`)
	// looksLikeCode is what prose hardly ever looks like.
	looksLikeCode = schema.Expression(`[;{}]\s*$|^\s*[})\]]+[;,]?\s*$|:=|^\s*(?:return|if|for|while|else|elif|switch|case|func|fn|def|class|import|from|const|let|var|pub|public|private|await|throw|raise)\b.*[({:;=]|^\s*[\w.\[\]]+\s*(?:=|\+=|-=)\s*\S|^\s*[\w.]+\([^)]*\);?\s*$`)
)

// commentedRun is how many lines of a comment at least look like code.
const commentedRun = 3

func judgeCommented(_ context.Context, j *judge) ([]loops.GateResult, error) {
	var out []loops.Reason
	for i := range j.changes {
		c := &j.changes[i]
		if c.gone || c.ignored || !codeExt[strings.ToLower(path.Ext(c.path))] {
			continue
		}
		out = append(out, commented(c)...)
	}
	return because(loops.Note, "", out), nil
}

// commented finds comments that were added, line below line, of which most look
// like code.
func commented(c *change) []loops.Reason {
	var out []loops.Reason
	first, last, all, code := 0, -1, 0, 0
	flush := func() {
		if code >= commentedRun && 3*code >= 2*all {
			out = append(out, loops.Reason{Path: c.path, Line: first, Message: fmt.Sprintf("%d lines of commented-out code: was something disabled?", all)})
		}
		all, code = 0, 0
	}
	addedLines(c.old, c.now, func(line int, text string) {
		m := commentLine().FindStringSubmatch(text)
		if m == nil || strings.HasPrefix(m[1], "go:") {
			return
		}
		if line != last+1 {
			flush()
		}
		if all == 0 {
			first = line
		}
		all, last = all+1, line
		if looksLikeCode().MatchString(m[1]) {
			code++
		}
	})
	flush()
	return out
}
