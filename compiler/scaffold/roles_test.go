package scaffold

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestRoleFilesHaveFormatOfTools holds the files to the words of each tool.
func TestRoleFilesHaveFormatOfTools(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for _, f := range roleFiles(testRoles) {
		if !signed(f.Text) || !signed(strings.ReplaceAll(f.Text, "\n", "\r\n")) || signed(strings.Replace(f.Text, "You ", "We ", 1)) {
			t.Errorf("%s is signed badly:\n%s", f.Path, f.Text)
		}
		files[f.Path] = f.Text
	}
	for path, want := range map[string]string{
		".claude/agents/maker.md":     "tools: Read, Grep, Glob, Edit, Write, Bash\nreadonly: false\n---\nYou make.\n",
		".claude/agents/checker.md":   "tools: Read, Grep, Glob, Bash\nreadonly: true\n---\nYou check.\n",
		".codex/agents/maker.toml":    "name = \"maker\"\ndescription = \"makes\"\nsandbox_mode = \"workspace-write\"\ndeveloper_instructions = '''\nYou make.\n'''\n",
		".codex/agents/checker.toml":  "sandbox_mode = \"read-only\"\n",
		".gemini/agents/maker.md":     "name: maker\ndescription: makes\n---\nYou make.\n",
		".gemini/agents/checker.md":   "tools: [read_file, read_many_files, list_directory, glob, grep_search, run_shell_command]\n---\nYou check.\n",
		".opencode/agents/maker.md":   "mode: subagent\npermission: {edit: allow}\n",
		".opencode/agents/checker.md": "mode: subagent\npermission: {edit: deny}\n",
	} {
		if !strings.Contains(files[path], want) {
			t.Errorf("%s:\n%s", path, files[path])
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	files := roleFiles(testRoles)
	if got := Compare(fstest.MapFS{"other": {}}, files); got != nil {
		t.Errorf("nobody asked for them: %v", got)
	}
	repo := fstest.MapFS{
		files[0].Path: {Data: []byte(strings.ReplaceAll(files[0].Text, "\n", "\r\n"))},
		files[1].Path: {Data: []byte(sign("---\nname: maker\n---\nAn earlier text.\n"))},
		files[2].Path: {Data: []byte(files[2].Text + "And mine.\n")},
		files[3].Path: {Data: []byte("mine\n")},
		files[4].Path: {Data: make([]byte, maxToolFile+1)},
	}
	var got []string
	for _, s := range Compare(repo, files) {
		got = append(got, s.State)
		if (s.Remedy == "") != (s.State == Current) {
			t.Errorf("%+v", s)
		}
	}
	if want := []string{Current, Stale, Edited, Edited, Edited, Absent, Absent, Absent}; !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestRoleFilesAreUpdatedUntilEdited writes over an earlier version's files.
func TestRoleFilesAreUpdatedUntilEdited(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	earlier := Agents([]Role{{Name: "maker", Summary: "made", Text: "You made.\n"}}, "template\n")
	if _, _, _, err := WriteAgents(dir, "wiki", earlier); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(dir, ".gemini", "agents", "maker.md")
	text, err := os.ReadFile(mine)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine, append(text, "Mine.\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	today := Agents(testRoles[:1], "template\n")
	_, changed, kept, err := WriteAgents(dir, "wiki", today)
	if err != nil || len(changed) != 3 || !slices.Contains(kept, ".gemini/agents/maker.md") || slices.Contains(kept, ".codex/agents/maker.toml") {
		t.Errorf("changed %v, kept %v, %v", changed, kept, err)
	}
	if text, _ := os.ReadFile(mine); !strings.HasSuffix(string(text), "You made.\nMine.\n") {
		t.Errorf("what somebody wrote is lost: %s", text)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, ".codex/agents/maker.toml")); !strings.Contains(string(text), "You make.") {
		t.Errorf("not renewed: %s", text)
	}
}
