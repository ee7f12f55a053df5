package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/loops/skill"
	"github.com/loopwiki/wiki/schema"
	"github.com/spf13/cobra"
)

func newSkill(p *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "skill",
		Short: "List and check the skills of agents",
		Long: `List and check skills, the procedures that agents follow: NAME/SKILL.md with its
files next to it, or NAME.md, in skills/, .agents/skills/ or .claude/skills/. If
a name is there twice, the first folder wins. A chunk of a plan may name a
skill; its text is then part of the maker's prompt. Agent tools choose a skill
by its description.`,
		Example: `  wiki skill list
  wiki skill lint`,
		Annotations: exits("0  help was printed"),
		GroupID:     groupLoops,
		SuggestFor:  []string{"skills", "procedure"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	c.AddCommand(newSkillLint(p), newSkillList(p))
	return c
}

// skillbook is a repository and its skills.
type skillbook struct {
	dir    string // absolute
	skills []*skill.Skill
	// found are those of each skill in turn, and of their folders, in order of path.
	found []schema.Diagnostic
}

// readSkills reads the skills of the current repository, or the typed ones: a skill, or
// a folder of skills.
func (p *program) readSkills(ctx context.Context, typed []string) (*skillbook, error) {
	top, err := history.Toplevel(ctx, p.path("."))
	if err != nil { // git knows of none here
		if top, err = filepath.Abs(p.path(".")); err != nil {
			return nil, err
		}
	}
	root, err := files.Open(top)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	b := &skillbook{dir: top}
	if len(typed) == 0 {
		paths, wrong := skill.FindAll(root.FS(files.Text))
		b.found = wrong
		b.readAll(root.FS(files.Text), paths)
	}
	for _, t := range typed {
		below, err := p.inRepository(top, t)
		if err != nil {
			return nil, err
		}
		b.read(root.FS(files.Text), below)
	}
	return b, nil
}

// inRepository turns a typed path into one below the repository.
func (p *program) inRepository(top, typed string) (string, error) {
	full, err := filepath.Abs(p.path(typed))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(full); errors.Is(err, fs.ErrNotExist) {
		return "", misuse("PATH is a skill, or a folder of skills", "no such file or folder: %s", typed)
	} else if err != nil {
		return "", err
	}
	if full, err = filepath.EvalSymlinks(full); err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(top)
	if err != nil {
		return "", err
	}
	below, err := filepath.Rel(real, full)
	if err != nil || !filepath.IsLocal(below) {
		return "", misuse("set its repository with -C", "%s is outside the repository %s", typed, top)
	}
	return filepath.ToSlash(below), nil
}

// read reads a skill, the folder of one, or a folder of skills.
func (b *skillbook) read(repo fs.FS, at string) {
	files := []string{at}
	info, err := fs.Stat(repo, at)
	if _, missing := fs.Stat(repo, path.Join(at, skill.File)); missing == nil {
		files = []string{path.Join(at, skill.File)}
	} else if err != nil || info.IsDir() {
		var wrong []schema.Diagnostic
		files, wrong = skill.Find(repo, at)
		b.found = append(b.found, wrong...)
	}
	b.readAll(repo, files)
}

func (b *skillbook) readAll(repo fs.FS, files []string) {
	for _, f := range files {
		s, found := skill.Read(repo, f)
		b.skills = append(b.skills, s)
		b.found = append(b.found, found...)
	}
}
