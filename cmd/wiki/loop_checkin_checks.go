package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/control/checkin"
	"github.com/loopwiki/wiki/schema/text"
)

// check runs the commands of one check.
func (p *program) check(ctx context.Context, name string, specs []string) checkin.Check {
	commands := map[string][][]string{"lint": {{"lint"}}, "links": {{"lint", "--select", "links"}}, "selftest": {{"loop", "selftest"}}}[name]
	for _, file := range specs {
		if name == "specs" {
			commands = append(commands, []string{"loop", "spec", "validate", file})
		}
	}
	c := checkin.Check{Name: name, OK: true, Detail: text.Count(len(commands), "file")}
	var lines []string
	for _, args := range commands {
		lines = append(lines, "wiki "+strings.Join(args, " "))
		code, said := p.within(ctx, args)
		switch {
		case code != 0 && c.OK:
			c.OK, c.Detail = false, said
		case c.OK && name != "specs":
			c.Detail = lastLine(said)
		}
	}
	c.Command = strings.Join(lines, "\n")
	return c
}

// within runs a command line of this program, and returns what it said.
func (p *program) within(ctx context.Context, args []string) (code int, said string) {
	if p.root != "" {
		args = append([]string{"--root", p.root}, args...)
	}
	if p.dir != "" {
		args = append([]string{"-C", p.dir}, args...)
	}
	var out, errs bytes.Buffer
	code = p.again(ctx, args, strings.NewReader(""), &out, &errs, p.env)
	return code, errs.String() + out.String()
}

func lastLine(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	return lines[len(lines)-1]
}

// specsBelow lists the loop specs below a folder, none if there is no such folder.
func (p *program) specsBelow(dir string) (out []string, err error) {
	err = filepath.WalkDir(p.path(dir), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)) {
			rel, err := filepath.Rel(p.path("."), name)
			if err != nil {
				return err
			}
			out = append(out, filepath.ToSlash(rel))
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return out, err
}

func (p *program) writeCheckin(r checkin.Report, o checkinOptions) error {
	page := []byte(r.Markdown())
	if o.output != "" {
		if err := files.ReplacePath(p.path(o.output), page, 0o666); err != nil {
			return err
		}
	}
	if o.archive == "" {
		return nil
	}
	dir, err := files.Make(p.path(o.archive), 0o777)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Replace(r.At.Format(time.DateOnly)+".md", page, 0o666)
}
