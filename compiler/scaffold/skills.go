package scaffold

import (
	"path"
	"strings"
)

// ownSkill is the skill that explains this program, and so is renewed with it. The others
// are for a project to make its own.
const ownSkill = "wiki-loop"

// skillFiles returns the skills where agent tools look for them: in .agents/skills, which
// most read, and for Claude Code, which reads only its own folder, a file that leads there.
func skillFiles() []File {
	entries, err := agentFiles.ReadDir("agents/skills")
	if err != nil {
		panic(err) // the files are part of the program
	}
	var out, leads []File
	for _, e := range entries {
		text, err := agentFiles.ReadFile(path.Join("agents/skills", e.Name(), "SKILL.md"))
		if err != nil {
			panic(err)
		}
		f := File{Path: path.Join(".agents/skills", e.Name(), "SKILL.md"), Text: string(text)}
		leads = append(leads, File{Path: path.Join(".claude/skills", e.Name(), "SKILL.md"), Text: sign(lead(f))})
		if e.Name() == ownSkill {
			f.Text = sign(f.Text)
		}
		out = append(out, f)
	}
	return append(out, leads...)
}

// lead returns a skill of the same name and description that refers to another.
func lead(to File) string {
	front, _, _ := strings.Cut(strings.TrimPrefix(to.Text, "---\n"), "\n---\n")
	return "---\n" + front + "\n---\nRead `" + to.Path + "`, below the root of this repository, and do what it says.\nChanges to this skill belong there.\n"
}
