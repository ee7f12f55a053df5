package skill

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// lint returns what is wrong with a skill of that text, a line per finding.
func lint(t *testing.T, file, text string) string {
	t.Helper()
	repo := fstest.MapFS{file: {Data: []byte(text)}, "skills/x/more notes.md": {}, "docs/a.md": {}}
	s, found := Read(repo, file)
	var out []string
	for _, d := range found {
		out = append(out, fmt.Sprintf("%d:%d-%d:%d %s %s", d.From.Line, d.From.Column, d.To.Line, d.To.Column, d.Severity, d.Rule))
		if d.Secret && strings.Contains(d.Message, string(d.Span.In(s.Source))) {
			t.Errorf("the secret is printed: %s", d.Message)
		}
		if !slices.ContainsFunc(Rules, func(r Rule) bool { return r.ID == d.Rule }) {
			t.Errorf("%s is not registered", d.Rule)
		}
	}
	return strings.Join(out, "\n")
}

const (
	front = "---\nname: x\ndescription: Does a thing. Use it when it is to be done.\n---\n"
	file  = "skills/x/SKILL.md"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"right":                       {front + "Do it.\n", ""},
		"windows lines":               {strings.ReplaceAll(front+"Do it.\n", "\n", "\r\n"), ""},
		"all keys":                    {strings.Replace(front, "---\nname", "---\nlicense: MIT\nmetadata: {version: 1}\nallowed-tools: Read\ndisable-model-invocation: true\nname", 1) + "Do it.", ""},
		"siblings":                    {front + "[a](more%20notes.md), ![b](<more%20notes.md>), [c](../../docs/a.md#x)\n\n[d]: ../../docs/a.md\n", ""},
		"code is no link":             {front + "`[a](b)` ``[a](`b)``\n\n~~~\n[a](b)\n```\n~~~\n<!-- [a](b) -->\n", ""},
		"after a fence":               {front + "```\n[a](b)\n```\n[a](b)\n", "8:5-8:6 error skill-link"},
		"no name":                     {"---\ndescription: Does it. Use it when asked.\n---\nDo it.\n", "2:1-3:1 error skill-name"},
		"upper case":                  {"---\nname: X\ndescription: Does it. Use it when asked.\n---\nDo it.\n", "2:7-2:8 error skill-name"},
		"no description":              {"---\nname: x\ndescription: \"\"\n---\nDo it.\n", "3:14-3:16 error skill-description"},
		"short":                       {"---\nname: x\ndescription: A thing.\n---\nDo it.\n", "3:14-3:22 warning skill-description"},
		"long":                        {"---\nname: x\ndescription: " + strings.Repeat("when ", 300) + "\n---\nDo it.\n", "3:14-3:1513 error skill-description"},
		"another language":            {"---\nname: x\ndescription: Macht etwas, sobald es jemand haben will.\n---\nTu es.\n", ""},
		"invalid":                     {"---\nname: x\ndescription: [Use it when asked\n---\nDo it.\n", "3:14-3:32 error skill-frontmatter"},
		"no text":                     {front + "\n\n", "5:1-5:1 error skill-empty"},
		"too long":                    {front + strings.Repeat("Do it.\n", 3000), "1760:4-1760:4 warning skill-size"},
		"not UTF-8":                   {front + "\xff", "1:1-1:1 error skill-unreadable"},
		"paths":                       {front + "/Users/ana/x C:\\Users\\ana /usr/bin/env $HOME/home/x https://a.b/home/c ~/x\n", "5:1-5:11 error skill-absolute-path\n5:14-5:26 error skill-absolute-path"},
		"the file's address":          {front + "[a](file:///tmp/x)\n", "5:5-5:18 error skill-absolute-path"},
		"secret":                      {front + "API_KEY=0123456789abcdefABCDEF\n", "5:9-5:31 error skill-secret"},
		"a variable is none":          {front + "API_KEY=$API_KEY make\n", ""},
		"private key":                 {front + "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n", "5:1-5:32 error skill-secret"},
		"unknown key":                 {strings.Replace(front, "name", "owner: me\nname", 1) + "Do it.\n", "2:1-2:6 warning skill-unknown-key"},
		"a list instead of keys":      {"---\n- a\n---\nDo it.\n", "2:1-3:1 error skill-frontmatter"},
		"a link out of the root":      {front + "[a](../../../b)\n", "5:5-5:15 error skill-link"},
		"an address without a scheme": {front + "[a](//example.org/b)\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := lint(t, file, c.text); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestFlatSkillsMayDoWithoutFrontmatter(t *testing.T) {
	t.Parallel()
	if got := lint(t, "skills/y.md", "Do it.\n"); got != "1:1-1:1 warning skill-frontmatter" {
		t.Error(got)
	}
	if got := lint(t, "skills/y.md", strings.Replace(front, "name: x", "name: y", 1)+"Do it.\n"); got != "" {
		t.Error(got)
	}
}

// TestNothingOutsideIsRead has links leave a real repository.
func TestNothingOutsideIsRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "repo", "skills", "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(front+"Elsewhere.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	schematest.Symlink(t, "../../../SKILL.md", filepath.Join(dir, "repo", "skills", "x", "SKILL.md"))
	root, err := os.OpenRoot(filepath.Join(dir, "repo"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	files, _ := FindAll(root.FS())
	if len(files) != 1 {
		t.Fatalf("%v", files)
	}
	s, found := Read(root.FS(), files[0])
	if len(s.Source) > 0 || len(found) != 1 || found[0].Rule != "skill-unreadable" || strings.Contains(found[0].Message, dir) {
		t.Errorf("%q, %+v", s.Source, found)
	}
}

// TestFoldersInOrder has one name in several folders: plans get the first, and what Claude
// Code's folder repeats is no duplicate.
func TestFoldersInOrder(t *testing.T) {
	t.Parallel()
	repo := fstest.MapFS{}
	for _, at := range []string{"skills/a.md", ".agents/skills/a/SKILL.md", ".agents/skills/b/SKILL.md", ".claude/skills/b/SKILL.md", ".claude/skills/c/SKILL.md", ".claude/skills/README.md", "skills/empty/notes.md", "secret.md"} {
		repo[at] = &fstest.MapFile{Data: []byte(at)}
	}
	if got := strings.Join(Names(repo), " "); got != "a b c" {
		t.Errorf("names %q", got)
	}
	files, wrong := FindAll(repo)
	if got := strings.Join(files, " "); got != "skills/a.md .agents/skills/a/SKILL.md .agents/skills/b/SKILL.md .claude/skills/c/SKILL.md" {
		t.Errorf("found %s", got)
	}
	var got []string
	for _, d := range wrong {
		got = append(got, d.Rule+" "+d.Path)
	}
	if strings.Join(got, ", ") != "skill-missing skills/empty, skill-duplicate .agents/skills/a/SKILL.md" {
		t.Errorf("wrong: %q", got)
	}
	for name, want := range map[string]string{"a": "skills/a.md", "b": ".agents/skills/b/SKILL.md", "c": ".claude/skills/c/SKILL.md", "../secret": "", "empty": ""} {
		if got := Text(repo, name); got != want {
			t.Errorf("the skill %s: %q, not %q", name, got, want)
		}
	}
}

func TestTextLeavesFrontmatterOut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"yes": "yes",
		"---\r\nname: x\r\n---\r\n\r\nRed.\r\n\r\nGreen.\r\n": "Red.\n\nGreen.\n",
		"\ufeff---\nname: x\n---\nRed.\n":                     "Red.\n",
		"--- \nname: x\n---\t\nRed.\n":                        "Red.\n",
		"---\nname: x\n---":                                   "",
		"---\nname: x\nRed.\n":                                "---\nname: x\nRed.\n",
	} {
		if got := Text(fstest.MapFS{file: {Data: []byte(text)}}, "x"); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

func TestLargeSkillsAreNotRead(t *testing.T) {
	t.Parallel()
	if got := lint(t, file, front+strings.Repeat("x", maxFile)); got != "1:1-1:1 error skill-unreadable" {
		t.Error(got)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range schematest.Vary(300, front+"Do it.\n", "---\n", front+"`a``b[x](y)```\n~~~\n", front+"[a](b)<!--", "---\r\nname: [\r\n---\r\n\x00") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, found := Read(fstest.MapFS{file: {Data: []byte(text)}}, file)
		for _, d := range found {
			if d.Span.Start < 0 || d.Span.End > len(s.Source) || d.Span.Start > d.Span.End || d.From.Line < 1 || d.Message == "" || d.Severity == schema.Off {
				t.Errorf("%+v", d)
			}
		}
	})
}
