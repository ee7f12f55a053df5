package scaffold

import (
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
)

//go:embed agents
var agentFiles embed.FS

// Agents returns what agents need beside a wiki: what to know, the form of a plan, and
// skills and roles in the places where tools look for them. AGENTS.md is not among them;
// see [Marked].
func Agents(roles []Role, planTemplate string) []File {
	out := []File{{Path: "plans/TEMPLATE.md", Text: planTemplate}}
	entries, err := agentFiles.ReadDir("agents/agents")
	if err != nil {
		panic(err) // the files are part of the program
	}
	for _, e := range entries {
		text, err := agentFiles.ReadFile("agents/agents/" + e.Name())
		if err != nil {
			panic(err)
		}
		out = append(out, File{Path: "agents/" + e.Name(), Text: string(text)})
	}
	out = slices.Concat(out, skillFiles(), roleFiles(roles))
	return append(out, File{Path: ".claude/settings.json", Text: claudeSettings()})
}

// personOnly are the commands with which a person decides. An agent that was told to
// decide prints them.
var personOnly = []string{"loop approve", "loop reject", "loop grant", "plan allow", "connector approve", "andon close", "andon acknowledge"}

// claudeSettings asks the guard before each command: while the line is stopped nothing is
// pushed, merged or published. Decisions of a person are refused at any time.
func claudeSettings() string {
	type hook struct {
		Type    string `json:"type"`
		Command string `json:"command"`
	}
	type matcher struct {
		Matcher string `json:"matcher"`
		Hooks   []hook `json:"hooks"`
	}
	type settings struct {
		Hooks       map[string][]matcher `json:"hooks"`
		Permissions map[string][]string  `json:"permissions"`
	}
	var deny []string
	for _, command := range personOnly {
		deny = append(deny, "Bash(wiki "+command+":*)")
	}
	text, err := json.MarshalIndent(settings{
		Hooks:       map[string][]matcher{"PreToolUse": {{Matcher: "Bash", Hooks: []hook{{"command", "wiki andon guard"}}}}},
		Permissions: map[string][]string{"deny": deny},
	}, "", "  ")
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

// Marked inserts our part between its markers in a text, or appends it. The rest of the
// text doesn't change.
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

// WriteAgents creates missing files, updates files for agent tools that nobody edited, and inserts
// our part into AGENTS.md. It returns the created, changed and kept files.
func WriteAgents(dir, root string, list []File) (made, changed, kept []string, err error) {
	made, kept, err = Write(dir, list)
	if err != nil {
		return made, nil, kept, err
	}
	at, err := files.Open(dir)
	if err != nil {
		return made, nil, kept, err
	}
	defer at.Close()
	for _, f := range Compare(at.FS(files.Text), list) {
		if f.State != Stale {
			continue
		}
		if err := at.Replace(f.Path, []byte(f.today), 0o666); err != nil {
			return made, changed, kept, err
		}
		changed = append(changed, f.Path)
		kept = slices.DeleteFunc(kept, func(name string) bool { return name == f.Path })
	}
	const name = "AGENTS.md"
	old, err := at.ReadFile(name, files.Text)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return made, changed, kept, err
	}
	text := Marked(string(old), root)
	if text == string(old) {
		return made, changed, append(kept, name), nil
	}
	if err := at.Replace(name, []byte(text), 0o666); err != nil {
		return made, changed, kept, err
	}
	if missing {
		return append(made, name), changed, kept, nil
	}
	return made, append(changed, name), kept, nil
}
