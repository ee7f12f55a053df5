package scaffold

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Role is a role of a loop, as tools for agents know sub-agents.
type Role struct {
	Name, Summary, Text string
	ReadOnly            bool
}

// tool is a program for agents that reads sub-agents from files.
type tool struct {
	folder string // that it reads, below the repository
	ext    string
	write  func(Role) string
}

// tools are the agent tools whose role files are known. Copilot and Cursor read those of
// Claude Code, so what only Cursor understands is there too.
var tools = []tool{
	{".claude/agents", ".md", func(r Role) string {
		may := "Read, Grep, Glob, Edit, Write, Bash"
		if r.ReadOnly {
			may = "Read, Grep, Glob, Bash"
		}
		return frontRole(r, "tools: "+may, fmt.Sprintf("readonly: %v", r.ReadOnly))
	}},
	{".codex/agents", ".toml", tomlRole},
	{".gemini/agents", ".md", func(r Role) string {
		if r.ReadOnly {
			return frontRole(r, "tools: [read_file, read_many_files, list_directory, glob, grep_search, run_shell_command]")
		}
		return frontRole(r)
	}},
	{".opencode/agents", ".md", func(r Role) string {
		may := "allow"
		if r.ReadOnly {
			may = "deny"
		}
		return frontRole(r, "mode: subagent", "permission: {edit: "+may+"}")
	}},
}

// roleFiles returns the roles as each tool reads them.
func roleFiles(roles []Role) []File {
	var out []File
	for _, t := range tools {
		for _, r := range roles {
			out = append(out, File{path.Join(t.folder, r.Name+t.ext), sign(t.write(r))})
		}
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// frontRole returns a role as markdown below frontmatter.
func frontRole(r Role, more ...string) string {
	lines := append([]string{"---", "name: " + r.Name, "description: " + r.Summary}, more...)
	return strings.Join(append(lines, "---"), "\n") + "\n" + r.Text
}

// tomlRole returns a role as Codex reads it. A literal string of TOML takes every
// character; one that would end it is turned into another quotation mark.
func tomlRole(r Role) string {
	sandbox := "workspace-write"
	if r.ReadOnly {
		sandbox = "read-only"
	}
	text := strings.ReplaceAll(r.Text, "'''", `"""`)
	return fmt.Sprintf("name = %q\ndescription = %q\nsandbox_mode = %q\ndeveloper_instructions = '''\n%s'''\n", r.Name, r.Summary, sandbox, text)
}

// signature begins the line that marks a generated file, a comment in both front matter
// and TOML.
const signature = "# written by wiki init --agents, which renews it until somebody edits it: "

// sign puts that line into a text, as its first or, before front matter, second.
func sign(text string) string {
	line := signature + sum(text) + "\n"
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		return "---\n" + line + rest
	}
	return line + text
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:8])
}

// signed reports whether a text is unchanged since it was generated. A checkout may have
// changed its line endings.
func signed(text string) bool {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	before, rest, ok := strings.Cut(text, signature)
	if !ok || before != "" && before != "---\n" {
		return false
	}
	is, rest, _ := strings.Cut(rest, "\n")
	return is == sum(before+rest)
}

// States of a file for agent tools, compared with the one that would be generated now.
const (
	Current = "current"
	Stale   = "stale"  // as an earlier version of this program wrote it
	Edited  = "edited" // somebody made it their own
	Absent  = "absent"
)

// FileState is the state of a file for agent tools.
type FileState struct {
	Path   string `json:"path"`
	State  string `json:"state" jsonschema:"current, stale, edited or absent"`
	Remedy string `json:"remedy,omitempty" jsonschema:"how to update it"`
	today  string
}

// maxToolFile is the largest such file that is read, in bytes.
const maxToolFile = 1 << 20

// Compare returns the states of the signed files among some in a repository, nothing if
// none of them exists.
func Compare(repo fs.FS, files []File) []FileState {
	var out []FileState
	there := false
	for _, f := range files {
		if !signed(f.Text) {
			continue
		}
		s := FileState{Path: f.Path, State: Absent, Remedy: "create it with 'wiki init --agents'", today: f.Text}
		info, err := fs.Stat(repo, f.Path)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			there = true
			s.State, s.Remedy = Edited, "you edited it; to replace it, remove it and run 'wiki init --agents'"
		}
		if err == nil && info.Mode().IsRegular() && info.Size() <= maxToolFile {
			text, err := fs.ReadFile(repo, f.Path)
			switch {
			case err != nil:
			case strings.ReplaceAll(string(text), "\r\n", "\n") == f.Text:
				s.State, s.Remedy = Current, ""
			case signed(string(text)):
				s.State, s.Remedy = Stale, "update it with 'wiki init --agents'"
			}
		}
		out = append(out, s)
	}
	if !there {
		return nil
	}
	return out
}
