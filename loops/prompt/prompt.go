package prompt

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/skill"
)

//go:embed roles/*.md
var roles embed.FS

// RoleText returns what a role is for, in the words of its prompt.
func RoleText(r loops.Role) string {
	text, err := roles.ReadFile("roles/" + string(r) + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}

// roleText returns what a role is for in the loop that calls it.
func roleText(r loops.PromptRequest) string {
	if r.Page != nil && r.Command.Role == loops.Writer {
		return RoleText(loops.Writer + "-page")
	}
	if r.Start.Ingest != nil && r.Command.Role == loops.Writer {
		return RoleText(loops.Writer + "-ingest")
	}
	return RoleText(r.Command.Role)
}

// modeText returns what agent-loop's modes ask for beside a story, "" if it has no mode.
func modeText(mode string) string {
	text, err := roles.ReadFile("roles/mode-" + mode + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}

// Maker makes prompts for the roles of a run. Its fields say where knowledge
// comes from; each may be nil.
type Maker struct {
	// Wiki finds what the project's wiki says.
	Wiki loops.Retriever
	// History is what git knows about some paths, the newest first.
	History func(ctx context.Context, dir string, paths []string) (string, error)
	// Lessons are gotchas and standards that match a text.
	Lessons func(text string) []string
	// Tasks is the work list of a writer.
	Tasks func(ctx context.Context, r loops.PromptRequest) (string, error)
	// Commands are the ordinary ones of the repository.
	Commands loops.GateCommands
	// More is what the work's own kind of file adds; see [Section].
	More func(ctx context.Context, r loops.PromptRequest) ([]Section, error)
}

// Section is a part of a prompt that is said by who calls. It is data: fenced, and
// cut to its size.
type Section struct {
	Name, Title, Text string
	// Limit is its size in bytes; Newest keeps the end of what is longer.
	Limit  int
	Newest bool
}

// Prompt makes the prompt of a call. The same request gives the same prompt.
func (m *Maker) Prompt(ctx context.Context, r loops.PromptRequest) (loops.Prompt, error) {
	root, err := files.Open(r.Worktree)
	if err != nil {
		return loops.Prompt{}, fmt.Errorf("read the worktree: %w", err)
	}
	defer root.Close()
	repo := root.FS(files.Text)
	role := r.Command.Role
	work := r.Start.Plan.Work(r.Command.Chunk)
	subject := work.Title + "\n" + work.Text

	parts := []part{{name: "role", text: roleText(r), limit: 16 << 10}}
	parts = append(parts, knowledge(repo, subject)...)
	parts = append(parts, part{name: "chunk", title: "The work", text: task(r, work), limit: 24 << 10})
	if mode := modeText(work.Mode); mode != "" && (role == loops.Maker || role == loops.Checker) {
		parts = append(parts, part{name: "mode", title: "About this kind of work", text: mode, limit: 4 << 10})
	}
	if m.More != nil {
		sections, err := m.More(ctx, r)
		if err != nil {
			return loops.Prompt{}, err
		}
		for _, s := range sections {
			parts = append(parts, part{name: s.Name, title: s.Title, text: s.Text, data: true, limit: s.Limit, fromEnd: s.Newest})
		}
	}
	if role == loops.Maker && work.Skill != "" {
		parts = append(parts, part{name: "skill", title: "Procedure: " + work.Skill, text: skill.Text(repo, work.Skill), limit: 12 << 10})
	}
	if role == loops.Writer && m.Tasks != nil {
		text, err := m.Tasks(ctx, r)
		if err != nil {
			return loops.Prompt{}, err
		}
		parts = append(parts, part{name: "work list", title: "Work list", text: text, limit: 16 << 10})
	}
	if len(r.Failures) > 0 && (role == loops.Maker || role == loops.Checker || role == loops.Worker) {
		parts = append(parts, part{name: "failures", title: "What failed before any change, and must pass at the end as it is", text: failures(r.Failures), data: true, limit: 8 << 10})
	}
	parts = append(parts,
		part{name: "progress", title: "Progress and learnings so far, newest last", text: strings.Join(r.Progress, "\n"), data: true, limit: 8 << 10, fromEnd: true},
		part{name: "feedback", title: "Feedback on the last attempts, verbatim", text: feedback(r), data: true, limit: 24 << 10, fromEnd: true},
	)
	if role.Judges() || role == loops.Evaluator {
		parts = append(parts,
			part{name: "results", title: "Results of the programs", text: results(r.Results), data: true, limit: 8 << 10},
			part{name: "diff", title: "The change", text: r.Diff, data: true, limit: 64 << 10},
		)
	}
	more, err := m.background(ctx, r, work, subject)
	if err != nil {
		return loops.Prompt{}, err
	}
	parts = append(parts, more...)
	if role == loops.Maker || role == loops.Checker || role == loops.Worker {
		parts = append(parts, part{name: "commands", title: "Usual commands", text: commands(m.Commands, work), limit: 2 << 10})
	}
	parts = append(parts, part{name: "answer", title: "How to answer", text: answer(role, r.ResultFile), limit: 4 << 10})
	return assemble(parts), nil
}

// background returns what the wiki, git and earlier failures have to say.
func (m *Maker) background(ctx context.Context, r loops.PromptRequest, work loops.Chunk, subject string) ([]part, error) {
	var parts []part
	if m.Wiki != nil {
		const size = 16 << 10
		passages, err := m.Wiki.Retrieve(ctx, subject+"\n"+strings.Join(work.Files, " "), size)
		if err != nil {
			return nil, fmt.Errorf("ask the wiki: %w", err)
		}
		var b strings.Builder
		for _, p := range passages {
			fmt.Fprintf(&b, "### %s", p.Path)
			if p.Heading != "" {
				fmt.Fprintf(&b, " / %s", p.Heading)
			}
			fmt.Fprintf(&b, "\n\n%s\n\n", strings.TrimSpace(p.Text))
		}
		parts = append(parts, part{name: "wiki", title: "Passages of the wiki", text: b.String(), data: true, limit: size})
	}
	if m.History != nil && r.Command.Role != loops.GoalChecker {
		log, err := m.History(ctx, r.Worktree, r.Start.Plan.ScopeOf(&work))
		if err != nil {
			return nil, fmt.Errorf("ask git: %w", err)
		}
		parts = append(parts, part{name: "git history", title: "Recent history of these files", text: log, data: true, limit: 4 << 10})
	}
	if m.Lessons != nil {
		parts = append(parts, part{name: "gotchas", title: "Earlier incidents", text: strings.Join(m.Lessons(subject), "\n"), data: true, limit: 6 << 10})
	}
	return parts, nil
}

// knowledge returns what people wrote down for agents: the repository's context, its
// goals, and the words of its language that occur in the work.
func knowledge(repo fs.FS, subject string) []part {
	return []part{
		{name: "context", title: "The repository", text: file(repo, "agents/CONTEXT.md", "CONTEXT.md"), data: true, limit: 8 << 10},
		{name: "goals", title: "Goals", text: file(repo, "agents/GOALS.md", "GOALS.md"), data: true, limit: 6 << 10},
		{name: "language", title: "Terms", text: terms(file(repo, "agents/LANGUAGE.md", "LANGUAGE.md"), subject), data: true, limit: 4 << 10},
	}
}

// file returns the text of the first of some files that is there.
func file(repo fs.FS, names ...string) string {
	for _, n := range names {
		if src, err := fs.ReadFile(repo, n); err == nil {
			return string(src)
		}
	}
	return ""
}

// terms keeps the lines of a vocabulary whose term occurs in the work. The term
// is what is in bold, in code or in the first cell of a row.
func terms(language, subject string) string {
	low := strings.ToLower(subject)
	var out []string
	for line := range strings.Lines(language) {
		line = strings.TrimRight(line, "\n")
		trimmed := strings.TrimLeft(line, "-*| ")
		end := strings.IndexAny(trimmed, "*`|:")
		if end <= 0 {
			continue
		}
		if t := strings.ToLower(strings.TrimSpace(trimmed[:end])); len(t) > 1 && strings.Contains(low, t) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// task returns the chunk as its role may know it.
func task(r loops.PromptRequest, work loops.Chunk) string {
	p := &r.Start.Plan
	var b strings.Builder
	fmt.Fprintf(&b, "Plan: %s\n", p.Title)
	if n := len(p.Chunks); r.Command.Chunk >= 0 {
		fmt.Fprintf(&b, "Chunk %s (%d of %d): %s\n", work.ID, r.Command.Chunk+1, n, work.Title)
	}
	fmt.Fprintf(&b, "Attempt: %d\n", r.Command.Attempt)
	if scope := p.ScopeOf(&work); len(scope) > 0 && r.Command.Role != loops.Writer {
		fmt.Fprintf(&b, "Files it covers: %s\n", strings.Join(scope, ", "))
	}
	if text := strings.TrimSpace(work.Text); text != "" {
		fmt.Fprintf(&b, "\n%s\n", text)
	}
	if context := strings.TrimSpace(p.Context); context != "" {
		fmt.Fprintf(&b, "\nContext of the plan:\n\n%s\n", context)
	}
	if r.Command.Chunk < 0 && r.Command.Role == loops.Maker {
		b.WriteString("\nAll chunks are done, but the plan's goal is not met yet. The missing parts are listed below.\n")
		for _, c := range p.Chunks {
			fmt.Fprintf(&b, "- %s %s\n", c.ID, c.Title)
		}
	}
	if r.Command.Role == loops.Maker {
		switch work.Tests.Kind {
		case loops.TestsCharacterize:
			b.WriteString("\nTests: write tests of the code's current behaviour. Do not change the code.\n")
		case loops.TestsMove:
			fmt.Fprintf(&b, "\nTests: move those of %s to %s unchanged.\n", work.Tests.From, work.Tests.To)
		case loops.TestsNone:
			b.WriteString("\nTests: add and change none.\n")
		}
	}
	if r.Command.Role == loops.GoalChecker {
		fmt.Fprintf(&b, "\nThe goal command, which succeeded: `%s`\n", p.Goal)
		for _, c := range p.Chunks {
			fmt.Fprintf(&b, "\n### %s %s\n\n%s\n", c.ID, c.Title, strings.TrimSpace(c.Text))
		}
	}
	return b.String()
}

func feedback(r loops.PromptRequest) string {
	var b strings.Builder
	for _, f := range r.Command.Feedback {
		fmt.Fprintf(&b, "[attempt %d] %s:\n", f.Attempt, f.From)
		for _, reason := range f.Reasons {
			b.WriteString("- " + where(reason) + reason.Message + "\n")
		}
		if f.Text != "" {
			b.WriteString(strings.TrimRight(f.Text, "\n") + "\n")
		}
	}
	return b.String()
}

func where(r loops.Reason) string {
	switch {
	case r.Path == "":
		return ""
	case r.Line == 0:
		return r.Path + ": "
	}
	return fmt.Sprintf("%s:%d: ", r.Path, r.Line)
}

func failures(all []loops.BaseFailure) string {
	var b strings.Builder
	for i := range all {
		b.WriteString("- " + all[i].String() + "\n")
	}
	return b.String()
}

func results(all []loops.GateResult) string {
	var b strings.Builder
	for _, g := range all {
		fmt.Fprintf(&b, "%s: %s\n", g.Gate, g.Effect)
		for _, reason := range g.Reason {
			b.WriteString("- " + where(reason) + reason.Message + "\n")
		}
	}
	return b.String()
}

func commands(c loops.GateCommands, work loops.Chunk) string {
	var b strings.Builder
	seen := make(map[string]bool)
	for _, kind := range []struct {
		name string
		all  []string
	}{{"build", c.Build}, {"test", c.Test}, {"lint", c.Lint}, {"verify", work.Verify}} {
		for _, cmd := range kind.all {
			if !seen[cmd] {
				seen[cmd] = true
				fmt.Fprintf(&b, "- %s: `%s`\n", kind.name, cmd)
			}
		}
	}
	return b.String()
}

// answer says in which form an answer counts.
func answer(r loops.Role, file string) string {
	fields := []string{`"status": "ok"`, `"summary": "what you did and why, for the reviewer"`}
	switch r {
	case loops.Maker, loops.Writer, loops.Worker:
		fields = append(fields, `"self_assessment": "OK" | "WARN" | "FAIL"`)
	case loops.Checker:
		fields = append(fields,
			`"verdict": "APPROVE" | "REJECT"`, `"progress": true | false`,
			`"checks": {"scope": "pass" | "fail", "tests": …, "quality": …, "spec": …, "documentation": …}`,
			`"reasons": [{"path": "src/a.go", "line": 3, "message": "…"}]`)
	case loops.Evaluator:
		fields = append(fields, `"scores": {"NAME OF THE QUESTION": NUMBER, …}`, `"reasons": [{"path": "src/a.go", "line": 3, "message": "…"}]`)
	case loops.GoalChecker:
		fields = append(fields, `"verdict": "MET" | "NOT MET"`, `"reasons": [{"path": "src/a.go", "line": 3, "message": "the evidence, or what has none"}]`)
	}
	fields = slices.Clip(fields)
	return "Write one JSON object to the file " + file + " (its path is also in WIKI_LOOP_RESULT), or end your last message with it:\n\n" +
		"```json\n{" + strings.Join(fields, ",\n ") + "}\n```\n"
}
