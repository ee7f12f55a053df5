package scaffold

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema/yaml"
)

var testRoles = []Role{{Name: "maker", Summary: "makes", Text: "You make.\n"}, {Name: "checker", Summary: "checks", Text: "You check.\n", ReadOnly: true}}

func TestMarkedKeepsTheRest(t *testing.T) {
	t.Parallel()
	for _, old := range []string{"", "# Ours\n\nMind the gap.\n", "# Ours\n\n" + markBegin + "\nold\n" + markEnd + "\n\n## After\n"} {
		got := Marked(old, "docs")
		if !strings.Contains(got, "`docs/`") || strings.Contains(got, "\nold\n") {
			t.Errorf("%q gives\n%s", old, got)
		}
		for _, keep := range []string{"Mind the gap.", "# Ours", "## After"} {
			if strings.Contains(old, keep) && !strings.Contains(got, keep) {
				t.Errorf("%q is lost", keep)
			}
		}
		if again := Marked(got, "docs"); again != got {
			t.Errorf("twice is not once:\n%s", again)
		}
	}
}

func TestAgentsAreWrittenOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := Agents(testRoles, "template\n")
	made, _, _, err := WriteAgents(dir, "wiki", files)
	if err != nil || !slices.Contains(made, "AGENTS.md") || !slices.Contains(made, ".agents/skills/tdd/SKILL.md") || !slices.Contains(made, ".claude/agents/checker.md") {
		t.Fatalf("%v, %v", made, err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".agents/skills/tdd/SKILL.md"), []byte("mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	made, changed, kept, err := WriteAgents(dir, "wiki", files)
	if err != nil || len(made) > 0 || len(changed) > 0 || !slices.Contains(kept, ".agents/skills/tdd/SKILL.md") {
		t.Errorf("the second time: made %v, changed %v, %v", made, changed, err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, ".agents/skills/tdd/SKILL.md")); string(text) != "mine\n" {
		t.Error("a file of somebody's was overwritten")
	}
}

// TestClaudeSkillsLeadToOthers: Claude Code reads only its own folder, and a copy there would
// be forgotten when the other is edited.
func TestClaudeSkillsLeadToOthers(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for _, f := range Agents(testRoles, "x") {
		texts[f.Path] = f.Text
	}
	n := 0
	for at, text := range texts {
		name, ok := strings.CutPrefix(at, ".claude/skills/")
		if !ok {
			continue
		}
		n++
		to := ".agents/skills/" + name
		_, description, _ := strings.Cut(texts[to], "\ndescription: ")
		description, _, _ = strings.Cut(description, "\n")
		if !signed(text) || !strings.Contains(text, "\ndescription: "+description+"\n---\n") || !strings.Contains(text, "`"+to+"`") || strings.Count(text, "\n") > 8 {
			t.Errorf("%s doesn't lead to %s:\n%s", at, to, text)
		}
	}
	if n < 5 || !signed(texts[".agents/skills/wiki-loop/SKILL.md"]) || signed(texts[".agents/skills/tdd/SKILL.md"]) {
		t.Errorf("%d skills for Claude Code; only wiki-loop is renewed", n)
	}
}

// TestSkillsAndRolesHaveTheirFields reads the front matter as the tools do.
func TestSkillsAndRolesHaveTheirFields(t *testing.T) {
	t.Parallel()
	n := 0
	for _, f := range Agents(testRoles, "x") {
		switch {
		case strings.HasSuffix(f.Path, "SKILL.md"), strings.Contains(f.Path, "/agents/") && strings.HasPrefix(f.Path, ".") && strings.HasSuffix(f.Path, ".md"):
			rest, ok := strings.CutPrefix(f.Text, "---\n")
			front, body, found := strings.Cut(rest, "\n---\n")
			node, faults := yaml.Parse([]byte(front), 0)
			if !ok || !found || len(faults) > 0 || node.Get("name") == nil || node.Get("description") == nil || len(body) < 5 {
				t.Errorf("%s: %v", f.Path, faults)
			}
			if dir := filepath.Base(filepath.Dir(f.Path)); strings.HasSuffix(f.Path, "SKILL.md") && node.Get("name").Text != dir {
				t.Errorf("%s calls itself %s", f.Path, node.Get("name").Text)
			}
			n++
		case strings.HasSuffix(f.Path, ".json"):
			var v map[string]any
			if err := json.Unmarshal([]byte(f.Text), &v); err != nil {
				t.Errorf("%s: %v", f.Path, err)
			}
		}
	}
	if n < 16 {
		t.Errorf("%d files with frontmatter", n)
	}
}
