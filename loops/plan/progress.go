package plan

import (
	"fmt"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// ProgressEntry is an iteration as progress.md tells it.
type ProgressEntry struct {
	Iteration int
	At        time.Time
	Story     string
	What      string
	Files     []string
	// Verification are the commands, and whether each succeeded.
	Verification []Verified
	Learnings    []string
	// Failure is the end of what failed, "" if nothing did.
	Failure string
	// Patterns are what holds for the whole code; new ones go to the top.
	Patterns []string
}

// Verified is a command and whether it succeeded.
type Verified struct {
	Command string
	OK      bool
}

const patterns = "## Codebase Patterns"

// maxFailure is how many bytes of a failure progress.md takes: it is part of
// every prompt that follows.
const maxFailure = 4000

// AppendProgress returns progress.md with one more entry at its end, and with
// the patterns that it lacks at its top. What is there stays as it is.
func AppendProgress(src []byte, e ProgressEntry) []byte {
	out := string(src)
	if strings.TrimSpace(out) == "" {
		out = "# Progress\n\n" + patterns + "\n\n---\n"
	}
	out = addPatterns(out, e.Patterns)
	if !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n## Iteration %d — %s — %s\n\n", e.Iteration, e.At.UTC().Format(time.RFC3339), text.Collapse(e.Story))
	if what := text.Collapse(e.What); what != "" {
		fmt.Fprintf(&b, "- %s\n", what)
	}
	if len(e.Files) > 0 {
		fmt.Fprintf(&b, "- **Files:** %s\n", text.Collapse(strings.Join(e.Files, ", ")))
	}
	if len(e.Verification) > 0 {
		var marks []string
		for _, v := range e.Verification {
			mark := "✗"
			if v.OK {
				mark = "✓"
			}
			marks = append(marks, mark+" "+text.Collapse(v.Command))
		}
		fmt.Fprintf(&b, "- **Verification:** %s\n", strings.Join(marks, ", "))
	}
	for i, l := range e.Learnings {
		if i == 0 {
			b.WriteString("- **Learnings:**\n")
		}
		fmt.Fprintf(&b, "  - %s\n", text.Collapse(l))
	}
	if e.Failure != "" {
		fmt.Fprintf(&b, "- **Failure context:**\n\n%s", indented(e.Failure))
	}
	b.WriteString("\n---\n")
	return []byte(out + b.String())
}

// indented returns the end of a text as a block of code within a list: nothing of it
// is a heading, and no fence in it ends the block.
func indented(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "�")
	if len(s) > maxFailure {
		s = "…" + strings.ToValidUTF8(s[len(s)-maxFailure:], "")
	}
	var b strings.Builder
	for line := range strings.SplitSeq(strings.Trim(s, "\n"), "\n") {
		b.WriteString(strings.TrimRight("      "+strings.ReplaceAll(line, "\r", " "), " \t") + "\n")
	}
	return b.String()
}

// addPatterns puts patterns below their heading, which is made if it does not exist.
func addPatterns(notes string, add []string) string {
	var fresh []string
	for _, p := range add {
		if line := "- " + text.Collapse(p); text.Collapse(p) != "" && !strings.Contains("\n"+notes, "\n"+line+"\n") {
			fresh = append(fresh, line)
		}
	}
	if len(fresh) == 0 {
		return notes
	}
	list := strings.Join(fresh, "\n") + "\n"
	at := sectionStart(notes, patterns)
	if at < 0 {
		return patterns + "\n\n" + list + "\n---\n\n" + notes
	}
	end := at // after the last item of the list
	lines := schema.NewLineIndex([]byte(notes))
	for n := lines.LineOf(at) + 1; n <= lines.Lines(); n++ {
		line := lines.Line(n)
		switch s := notes[line.Start:line.End]; {
		case strings.HasPrefix(s, "- "), strings.HasPrefix(s, "  "):
			end = line.End
			continue
		case strings.TrimSpace(s) == "":
			continue
		}
		break
	}
	if end == at {
		end = lines.Line(lines.LineOf(at)).End
		return notes[:end] + "\n\n" + strings.TrimSuffix(list, "\n") + notes[end:]
	}
	return notes[:end] + "\n" + strings.TrimSuffix(list, "\n") + notes[end:]
}

// sectionStart returns the offset of a heading's line, -1 if there is none.
func sectionStart(text, heading string) int {
	off := 0
	for line := range strings.Lines(text) {
		if strings.TrimRight(line, " \t\r\n") == heading {
			return off
		}
		off += len(line)
	}
	return -1
}
