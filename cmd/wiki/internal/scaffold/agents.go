package scaffold

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed agents
var agentFiles embed.FS

// Role is a role of a loop, as tools for agents know sub-agents.
type Role struct {
	Name, Summary, Text string
	ReadOnly            bool
}

// Agents returns what agents need beside a wiki: what to know, how to go about
// things, the form of a plan, and the roles in the places where tools look for
// them. AGENTS.md is not among them; see [Marked].
func Agents(roles []Role, planTemplate string) []File {
	out := []File{{Path: "plans/TEMPLATE.md", Text: planTemplate}}
	err := fs.WalkDir(agentFiles, "agents", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == "agents/AGENTS.md" {
			return err
		}
		text, err := agentFiles.ReadFile(name)
		out = append(out, File{Path: strings.TrimPrefix(name, "agents/"), Text: string(text)})
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	for _, r := range roles {
		// Claude Code and OpenCode read sub-agents from folders of their own, each
		// with its own words for what they may do. Others are told by .agents/.
		out = append(out,
			File{Path: ".agents/roles/" + r.Name + ".md", Text: roleFile(r, nil)},
			File{Path: ".claude/agents/" + r.Name + ".md", Text: roleFile(r, [][2]string{{"tools", claudeTools(r)}})},
			File{Path: ".opencode/agent/" + r.Name + ".md", Text: roleFile(r, [][2]string{{"mode", "subagent"}, {"permission", openCodePermission(r)}})},
		)
	}
	return append(out, File{Path: ".claude/settings.json", Text: claudeSettings()})
}

func claudeTools(r Role) string {
	if r.ReadOnly {
		return "Read, Grep, Glob, Bash"
	}
	return "Read, Grep, Glob, Edit, Write, Bash"
}

func openCodePermission(r Role) string {
	if r.ReadOnly {
		return "{edit: deny}"
	}
	return "{edit: allow}"
}

func roleFile(r Role, more [][2]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %s\n", r.Name, r.Summary)
	for _, kv := range more {
		fmt.Fprintf(&b, "%s: %s\n", kv[0], kv[1])
	}
	fmt.Fprintf(&b, "---\n%s", r.Text)
	return b.String()
}

// claudeSettings asks the guard before each command: while the line is stopped
// nothing is pushed, merged or published.
func claudeSettings() string {
	type hook struct {
		Type    string `json:"type"`
		Command string `json:"command"`
	}
	type matcher struct {
		Matcher string `json:"matcher"`
		Hooks   []hook `json:"hooks"`
	}
	settings := map[string]map[string][]matcher{"hooks": {"PreToolUse": {{Matcher: "Bash", Hooks: []hook{{"command", "wiki andon guard"}}}}}}
	text, err := json.MarshalIndent(settings, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(text) + "\n"
}

// The marks between which a part of AGENTS.md is ours.
const (
	markBegin = "<!-- wiki:begin (this part is written by wiki init --agents) -->"
	markEnd   = "<!-- wiki:end -->"
)

// Marked puts our part into a text between its marks: in the place where it
// stands already, at the end otherwise. The rest of the text stays as it is.
func Marked(text, root string) string {
	ours, err := agentFiles.ReadFile("agents/AGENTS.md")
	if err != nil {
		panic(err)
	}
	part := markBegin + "\n" + strings.ReplaceAll(strings.TrimSpace(string(ours)), "{{root}}", root) + "\n" + markEnd
	if i := strings.Index(text, "<!-- wiki:begin"); i >= 0 {
		if j := strings.Index(text[i:], markEnd); j >= 0 {
			return text[:i] + part + text[i+j+len(markEnd):]
		}
	}
	if text == "" {
		return "# Working in this repository\n\n" + part + "\n"
	}
	return strings.TrimRight(text, "\n") + "\n\n" + part + "\n"
}

// WriteAgents makes the files that do not exist, and puts our part into
// AGENTS.md. It returns what it made, changed, and left as it was.
func WriteAgents(dir, root string, files []File) (made, changed, kept []string, err error) {
	made, kept, err = Write(dir, files)
	if err != nil {
		return made, nil, kept, err
	}
	at, err := os.OpenRoot(dir)
	if err != nil {
		return made, nil, kept, err
	}
	defer at.Close()
	const name = "AGENTS.md"
	old, err := at.ReadFile(name)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return made, nil, kept, err
	}
	text := Marked(string(old), root)
	if text == string(old) {
		return made, nil, append(kept, name), nil
	}
	// A new file takes the place of the old one, so that none is ever half written.
	tmp := path.Join(path.Dir(name), ".AGENTS.md.new")
	if err := at.WriteFile(tmp, []byte(text), 0o666); err != nil {
		return made, nil, kept, err
	}
	if err := at.Rename(tmp, name); err != nil {
		return made, nil, kept, errors.Join(err, at.Remove(tmp))
	}
	if missing {
		return append(made, name), nil, kept, nil
	}
	return made, []string{filepath.FromSlash(name)}, kept, nil
}
