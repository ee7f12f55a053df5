package task

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/prompt"
)

// The sizes of what a task file adds to a prompt, in bytes.
const (
	mostContext = 16 << 10 // of one file
	mostFilesIn = 8        // context files
	mostNotes   = 8 << 10
)

// Sections returns what a task file adds to the prompts of its maker and its checker.
func (t *Task) Sections(redact []string) func(context.Context, loops.PromptRequest) ([]prompt.Section, error) {
	redactor := loops.NewRedactor(redact)
	return func(_ context.Context, r loops.PromptRequest) ([]prompt.Section, error) {
		if r.Command.Role != loops.Maker && r.Command.Role != loops.Checker {
			return nil, nil
		}
		clean := func(text string) string { text, _ = redactor.Text(text); return text }
		out := []prompt.Section{{Name: "project", Title: "The project", Text: t.project(r.Start), Limit: 4 << 10}}
		for i, name := range t.ContextFiles {
			if i == mostFilesIn {
				break
			}
			out = append(out, prompt.Section{Name: "context " + name, Title: "File " + name, Text: clean(t.contextFile(r.Worktree, name)), Limit: mostContext})
		}
		if r.Command.Role == loops.Maker {
			patterns, notes := t.notes()
			out = append(out,
				prompt.Section{Name: "patterns", Title: "Patterns of this code", Text: clean(patterns), Limit: mostNotes},
				prompt.Section{Name: "notes", Title: "Notes of earlier iterations, the newest last", Text: clean(notes), Limit: mostNotes, Newest: true})
		}
		return out, nil
	}
}

// project returns what all the stories are for, and how each stands.
func (t *Task) project(s *loops.Start) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Project: %s\nFeature: %s\n\nStories, the most important first:\n", t.Project, t.Feature)
	for _, c := range s.Plan.Chunks {
		state := "open"
		if c.Done {
			state = "passed before this run"
		}
		fmt.Fprintf(&b, "- %s %s (%s)\n", c.ID, c.Title, state)
	}
	if t.Plan.Format == loops.LodeloopTask {
		b.WriteString("\nWork only on the story below. You may end with the line LODELOOP_DONE: and its id; only the commands decide whether it is done. Do not edit the task file.\n")
	}
	return b.String()
}

// contextFile reads a file of the workdir: as the worktree has it or, where git
// does not know it, as the workdir does. No link leaves either.
func (t *Task) contextFile(worktree, name string) string {
	if why := private(name); why != "" {
		return "(omitted: " + why + ")"
	}
	for _, at := range []struct{ dir, name string }{{worktree, path.Join(t.prefix, name)}, {t.Workdir, name}} {
		root, err := files.Open(at.dir)
		if err != nil {
			continue
		}
		text, ok := readStart(root, at.name, 4*mostContext)
		root.Close()
		if ok {
			return text
		}
	}
	return "(omitted: not a file of the workdir)"
}

// private reports why a file's content is told to nobody, "" if it may be.
func private(name string) string {
	base := strings.ToLower(path.Base(name))
	switch ext := path.Ext(base); {
	case base == ".env", strings.HasPrefix(base, ".env.") && ext != ".example" && ext != ".sample" && ext != ".template",
		ext == ".pem", ext == ".key", ext == ".p12", ext == ".pfx", ext == ".jks", strings.HasPrefix(base, "id_") && !strings.Contains(base, "."),
		base == ".netrc", base == ".npmrc", base == ".pypirc", strings.HasPrefix(base, "credentials"):
		return "its name suggests secrets"
	}
	return ""
}

// readStart reads the beginning of a file below a root.
func readStart(root *files.Root, name string, most int64) (string, bool) {
	f, _, err := root.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most))
	return strings.ToValidUTF8(string(text), "�"), err == nil
}

// notes returns what earlier iterations left: the patterns of the code, and the rest.
func (t *Task) notes() (patterns, rest string) {
	dir, name := t.progressFile()
	root, err := files.Open(dir)
	if err != nil {
		return "", ""
	}
	defer root.Close()
	src, err := readIn(root, name)
	if err != nil {
		return "", ""
	}
	text := string(src)
	_, after, ok := strings.Cut("\n"+text, "\n## Codebase Patterns\n")
	if !ok {
		return "", text
	}
	patterns, rest, _ = strings.Cut(after, "\n---\n")
	return strings.TrimSpace(patterns), rest
}
