package linter

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"golang.org/x/tools/txtar"
)

// Case is one wiki of a rule's txtar, and what the rule says about it.
type Case struct {
	Name  string       // the folder the case is in, empty for a txtar with one case
	Files []txtar.File // the wiki's files, their names below its folder
	Want  int          // index of the file in the archive that holds what is said
}

// Cases returns the cases of a rule's txtar. A file named want holds what the
// rule says, in text format, about the files beside and below it: one at the
// top for a single case, or one in each of several folders.
func Cases(ar *txtar.Archive) []Case {
	var out []Case
	for i, f := range ar.Files {
		if path.Base(f.Name) != "want" {
			continue
		}
		dir := strings.TrimSuffix(f.Name, "want")
		c := Case{Name: strings.TrimSuffix(dir, "/"), Want: i}
		for j, other := range ar.Files {
			if name, ok := strings.CutPrefix(other.Name, dir); ok && j != i {
				c.Files = append(c.Files, txtar.File{Name: name, Data: other.Data})
			}
		}
		out = append(out, c)
	}
	return out
}

// RulePage returns the documentation page of a rule, in markdown: its summary, its
// documentation, and the cases of its txtar with the findings. The txtar is the rule's
// test, so the page is always current; a custom rule has none.
func RulePage(r *Rule, data []byte) string {
	ar := txtar.Parse(data)
	var b strings.Builder
	fix := "no fix"
	if r.Fix != NoFix {
		fix = string(r.Fix) + " fix"
	}
	since := ""
	if r.Since != "" { // a rule of wiki.yaml has no version
		since = " · since " + r.Since
	}
	fmt.Fprintf(&b, "# %s\n\n%s\n\nGroup *%s* · severity **%s** · %s%s\n\n%s\n", r.ID, r.Summary, r.Group, r.Severity, fix, since, strings.TrimSpace(r.Doc))
	cases := Cases(ar)
	if len(cases) > 0 {
		fmt.Fprintf(&b, "\n## Examples\n\n%s\n", bytes.TrimSpace(ar.Comment))
	}
	for _, c := range cases {
		if c.Name != "" {
			fmt.Fprintf(&b, "\n### %s\n", sentence(c.Name))
		}
		for _, f := range c.Files {
			codeBlock(&b, f.Name, string(f.Data))
		}
		codeBlock(&b, "wiki lint", string(ar.Files[c.Want].Data))
	}
	b.WriteString("\n## Configuration\n\n")
	codeBlock(&b, "wiki.yaml", fmt.Sprintf("lint:\n  rules:\n    %s: %s\n", r.ID, otherSeverity(r)))
	return b.String()
}

// otherSeverity is an example of a severity a user might give the rule.
func otherSeverity(r *Rule) string {
	if r.Severity == 0 {
		return "warning"
	}
	return "off"
}

// sentence makes a heading of a case's name.
func sentence(name string) string {
	s := strings.ReplaceAll(name, "-", " ")
	return strings.ToUpper(s[:1]) + s[1:]
}

// codeBlock writes text under its name, fenced by more backticks than it holds.
func codeBlock(b *strings.Builder, name, text string) {
	longest, run := 2, 0
	for _, c := range text {
		if c == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	lang := map[string]string{".md": "markdown", ".yaml": "yaml"}[path.Ext(name)]
	if lang == "" {
		lang = "text"
	}
	fmt.Fprintf(b, "\n`%s`\n\n%s%s\n%s", name, fence, lang, text)
	if !strings.HasSuffix(text, "\n") {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "%s\n", fence)
}
