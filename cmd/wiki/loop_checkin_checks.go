package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
	"unicode"

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
		lines = append(lines, commandLine(args))
		code, out, errs := p.within(ctx, args)
		switch {
		case code != 0 && c.OK:
			c.OK, c.Detail = false, whyFailed(name, out, errs)
			if name == "specs" {
				c.Detail = args[len(args)-1] + ": " + c.Detail
			}
		case c.OK && name != "specs":
			c.Detail = lastLine(errs + out)
		}
	}
	c.Command = strings.Join(lines, "\n")
	return c
}

// whyFailed is what a command that failed has to say: why it could not run, how many scenarios
// failed, or what is wrong.
func whyFailed(name, out, errs string) string {
	switch {
	case strings.HasPrefix(errs, "wiki: "):
		why, _, _ := strings.Cut(errs, "\n")
		return why
	case name == "selftest":
		return lastLine(out)
	}
	return errs + out
}

// commandLine writes a command of this program for a shell.
func commandLine(args []string) string {
	line := "wiki"
	for _, a := range args {
		if strings.ContainsFunc(a, special) {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		line += " " + text.Line(a)
	}
	return line
}

// special reports whether a letter may mean something to a shell.
func special(r rune) bool {
	return !strings.ContainsRune("-_./", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// within runs a command line of this program, and returns what it printed.
func (p *program) within(ctx context.Context, args []string) (code int, out, errs string) {
	if p.root != "" {
		args = append([]string{"--root", p.root}, args...)
	}
	if p.dir != "" {
		args = append([]string{"-C", p.dir}, args...)
	}
	var printed, said bytes.Buffer
	code = p.again(ctx, args, strings.NewReader(""), &printed, &said, p.env)
	return code, printed.String(), said.String()
}

func lastLine(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	return lines[len(lines)-1]
}

// specsBelow lists the loop specs below a folder, none if there is no such folder: what is YAML,
// or JSON with a loop_name, and not in a hidden folder.
func (p *program) specsBelow(dir string) (out []string, err error) {
	top := p.path(dir)
	err = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != top && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || !isSpec(name):
			return nil
		}
		rel, err := filepath.Rel(p.path("."), name)
		out = append(out, filepath.ToSlash(rel))
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return out, err
}

// isSpec reports whether a file is meant as a loop spec. One that can't be read is: its check
// says why.
func isSpec(name string) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml":
		return true
	case ".json":
		src, err := files.ReadPath(name, files.Text)
		return err != nil || bytes.Contains(src, []byte(`"loop_name"`))
	}
	return false
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
