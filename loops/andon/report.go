package andon

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema/text"
)

// quiet keeps what a program printed from being markup of a report.
func quiet(s string) string {
	return text.Collapse(strings.NewReplacer("[[", "[ [", "]]", "] ]", "](", "] (", "<", "‹", ">", "›", "`", "'", "|", "¦").Replace(s))
}

// fence puts text into a block that it can't end.
func fence(text string) string {
	marks := "```"
	for strings.Contains(text, marks) {
		marks += "`"
	}
	return marks + "text\n" + strings.TrimRight(text, "\n") + "\n" + marks + "\n"
}

// report is report.md: the incident for people.
func report(i *Incident) string {
	e, a := &i.Evidence, &i.Analysis
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n%s\n", i.ID, quiet(a.CauseLabel), levelText(a))
	fmt.Fprintf(&b, "\n## What happened\n\n- opened: %s\n- where: `%s`, branch `%s` at `%.12s`\n- command: `%s`\n- exit status: %d\n\n", e.OpenedAt.Format(time.RFC3339), quiet(e.Workspace), quiet(e.Git.Branch), e.Git.Head, quiet(e.Command), e.ExitCode)
	b.WriteString(fence(e.OutputSnippet))
	b.WriteString("\n## Failures\n\n")
	for _, f := range e.Failures {
		fmt.Fprintf(&b, "- %s %s: %s\n", f.At.Format(time.RFC3339), strings.TrimSpace(f.Run+" "+f.CauseID), quiet(f.Why))
	}
	fmt.Fprintf(&b, "\n## Classification\n\n- class: `%s`, confidence %.2f\n", a.CauseID, a.Confidence)
	for _, k := range slices.Sorted(maps.Keys(a.Details)) {
		fmt.Fprintf(&b, "- %s: `%s`\n", strings.ReplaceAll(k, "_", " "), quiet(a.Details[k]))
	}
	if a.ProposedFix != "" {
		fmt.Fprintf(&b, "- proposed fix: %s\n", a.ProposedFix)
	}
	b.WriteString("\n## Prevention\n\n| level | action |\n|---|---|\n")
	for _, p := range a.Prevention {
		fmt.Fprintf(&b, "| %s | %s |\n", p.Level, quiet(p.Action))
	}
	b.WriteString("\n## Next steps\n\n")
	for _, st := range a.Standards {
		word := "suggested"
		if i.Actions.Result.Applied {
			word = "applied"
		}
		fmt.Fprintf(&b, "- standard %s: `%s` = `%s`\n", word, st.Type, quiet(st.Value))
	}
	b.WriteString(next(i))
	return b.String()
}

func levelText(a *Analysis) string {
	switch {
	case a.Meta:
		return "Meta-Andon: repeated failures. Revise the plan before the next run."
	case a.ActionLevel == LevelNote:
		return "The line stays open: the cause is the environment, not the work."
	case a.ActionLevel == LevelStop:
		return "The line is stopped."
	case a.ActionLevel == LevelFix:
		return "The line is stopped. A fix is proposed."
	}
	return "The line is stopped until a person approves the next steps."
}

func next(i *Incident) string {
	var b strings.Builder
	if i.Analysis.ActionLevel > LevelNote {
		fmt.Fprintf(&b, "- write %s, then check it: `wiki andon why %s`\n", strings.TrimPrefix(i.Whys(), i.Dir+"/"), i.ID)
	}
	if i.Analysis.Meta {
		for _, name := range MetaArtifacts[1:] {
			fmt.Fprintf(&b, "- write %s\n", name)
		}
		b.WriteString("- acknowledge it: `wiki andon acknowledge --by NAME`\n")
	}
	reason := "TEXT"
	if i.Analysis.Confidence < sure {
		reason = "\"manual-approved: …\""
	}
	fmt.Fprintf(&b, "- close it: `wiki andon close %s --reason %s`\n", i.ID, reason)
	return b.String()
}
