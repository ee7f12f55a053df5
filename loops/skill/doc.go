// Package skill reads skills: procedures that people write for agents, in
// NAME/SKILL.md or NAME.md below one of [Folders]. A chunk of a plan names a skill, and
// its text becomes part of the maker's prompt.
package skill

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

// Folders are where skills lie, below the repository's root; a name in an earlier one
// wins. Codex, Gemini CLI, OpenCode, Copilot and Cursor read the second, Claude Code only
// the third.
var Folders = []string{"skills", ".agents/skills", forClaude}

const forClaude = ".claude/skills"

// File is the name of a skill that has its own folder.
const File = "SKILL.md"

// Shown is how many bytes of a skill a maker is given; the rest is cut.
const Shown = 12 << 10

// maxFile bounds what is read, in bytes.
const maxFile = 256 << 10

// Skill is a procedure.
type Skill struct {
	Name        string // of the folder, or of the file without .md
	Path        string // slash-separated, below the repository's root
	Flat        bool   // it is a file without a folder
	Description string // what it is for and when, "" if it does not say
	Size        int    // of its text without frontmatter, in bytes
	Source      []byte
	Lines       *schema.LineIndex
}

// Rule is a thing that can be wrong with a skill.
type Rule struct {
	ID       string
	Severity schema.Severity
	Summary  string
}

// Rules are all that there are, in order of id. The severity is that of skills
// with a folder; a flat one may do without frontmatter, which is a warning there.
var Rules = []Rule{
	{"skill-absolute-path", schema.Error, "A skill names a path that exists on one machine only."},
	{"skill-description", schema.Error, "A skill has no description, or one that doesn't say when to use it."},
	{"skill-duplicate", schema.Warning, "Two skills have the same name."},
	{"skill-empty", schema.Error, "A skill has no text."},
	{"skill-frontmatter", schema.Error, "A skill has no frontmatter, or an invalid one."},
	{"skill-link", schema.Error, "A skill links to a missing file."},
	{"skill-missing", schema.Warning, "A skill folder has no SKILL.md."},
	{"skill-name", schema.Error, "A skill's name differs from its folder's."},
	{"skill-secret", schema.Error, "A skill contains what looks like a secret."},
	{"skill-size", schema.Warning, "A skill is too long: agents get only its beginning."},
	{"skill-unknown-key", schema.Warning, "The frontmatter has an unknown key."},
	{"skill-unreadable", schema.Error, "A skill is unreadable."},
}

// FindAll returns the paths of the skills in all folders, and what is wrong with these. What
// Claude Code's folder repeats is not listed: that tool reads no other.
func FindAll(repo fs.FS) ([]string, []schema.Diagnostic) {
	var out []string
	var wrong []schema.Diagnostic
	first := map[string]string{}
	for _, folder := range Folders {
		found, faults := Find(repo, folder)
		wrong = append(wrong, faults...)
		for _, p := range found {
			other, twice := first[nameOf(p)]
			switch {
			case !twice:
				first[nameOf(p)] = p
			case strings.HasPrefix(other, folder+"/"): // said by Find
			case folder == forClaude:
				continue
			default:
				wrong = append(wrong, duplicate(p, other))
			}
			out = append(out, p)
		}
	}
	return out, wrong
}

// duplicate says that a skill is never used, since another has its name.
func duplicate(file, other string) schema.Diagnostic {
	return finding("skill-duplicate", schema.Warning, file, other+" also exists, and agents get that one: remove one of them")
}

// Find returns the paths of the skills in a folder of skills, sorted, and what is
// wrong with the folder itself. There is nothing in one that does not exist.
func Find(repo fs.FS, folder string) ([]string, []schema.Diagnostic) {
	entries, err := fs.ReadDir(repo, folder)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, []schema.Diagnostic{finding("skill-unreadable", schema.Error, folder, "can't read the folder: "+cause(err))}
	}
	var out []string
	var wrong []schema.Diagnostic
	folders := map[string]bool{}
	for _, e := range entries {
		at := path.Join(folder, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			if _, err := fs.Stat(repo, path.Join(at, File)); err == nil || !errors.Is(err, fs.ErrNotExist) {
				out = append(out, path.Join(at, File))
				folders[e.Name()] = true
			} else if d, ok := without(repo, at); ok {
				wrong = append(wrong, d)
			}
		case path.Ext(e.Name()) == ".md" && !strings.EqualFold(e.Name(), "README.md"):
			out = append(out, at)
		}
	}
	for _, p := range out {
		if name := nameOf(p); path.Base(p) != File && folders[name] {
			wrong = append(wrong, duplicate(p, path.Join(folder, name, File)))
		}
	}
	slices.Sort(out)
	return out, wrong
}

// without says that a folder with pages has no SKILL.md. One without pages is none
// of a skill's.
func without(repo fs.FS, folder string) (schema.Diagnostic, bool) {
	entries, err := fs.ReadDir(repo, folder)
	if err != nil {
		return finding("skill-unreadable", schema.Error, folder, "can't read the folder: "+cause(err)), true
	}
	for _, e := range entries {
		if strings.EqualFold(e.Name(), File) {
			return finding("skill-missing", schema.Warning, path.Join(folder, e.Name()), "tools look for "+File+", in this spelling: rename it"), true
		}
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return path.Ext(e.Name()) == ".md" }) {
		return finding("skill-missing", schema.Warning, folder, "the folder has no "+File+": create it, or move the pages out of "+path.Dir(folder)), true
	}
	return schema.Diagnostic{}, false
}

// Read reads a skill and says what is wrong with it, in order of place. The skill
// is never nil.
func Read(repo fs.FS, file string) (*Skill, []schema.Diagnostic) {
	s := &Skill{Name: nameOf(file), Path: file, Flat: path.Base(file) != File}
	info, err := fs.Stat(repo, file)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err == nil && info.Size() > maxFile {
		err = fmt.Errorf("it has %d bytes, more than %d", info.Size(), maxFile)
	}
	if err == nil {
		s.Source, err = fs.ReadFile(repo, file)
	}
	s.Lines = schema.NewLineIndex(s.Source)
	if err != nil {
		return s, []schema.Diagnostic{finding("skill-unreadable", schema.Error, file, "can't read the skill: "+cause(err))}
	}
	c := &check{Skill: s, repo: repo}
	c.all()
	slices.SortStableFunc(c.found, func(a, b schema.Diagnostic) int {
		return cmp.Or(a.Span.Start-b.Span.Start, strings.Compare(a.Rule, b.Rule))
	})
	return s, c.found
}

// cause returns an error without the path, which the finding has.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func nameOf(file string) string {
	if path.Base(file) == File {
		return path.Base(path.Dir(file))
	}
	return strings.TrimSuffix(path.Base(file), ".md")
}

// finding returns a diagnostic for a whole file.
func finding(rule string, severity schema.Severity, file, message string) schema.Diagnostic {
	first := schema.Position{Line: 1, Column: 1}
	return schema.Diagnostic{
		Rule: rule, Severity: severity, Path: file, From: first, To: first, Message: message, Count: 1,
		Fingerprint: fmt.Sprintf("%016x", xxh3.HashString(rule+"\x00"+file+"\x00"+message)),
	}
}
