// Package scaffold creates wikis: their first pages or, if pages exist already, only the
// configuration.
package scaffold

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
)

//go:embed all:files
var embedded embed.FS

// File is one file to make; Path is slash-separated, below the folder that the
// layout is for.
type File struct {
	Path string
	Text string
}

// New returns the files of a new wiki: wiki.yaml and, below root, its first
// pages. Every page links to others and the index lists them all.
func New(title, root string, today time.Time) []File {
	day := today.Format(time.DateOnly)
	fill := strings.NewReplacer("{{title}}", scalar(title), "{{heading}}", title, "{{root}}", scalar(root), "{{today}}", day)
	var out []File
	err := fs.WalkDir(embedded, "files", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := embedded.ReadFile(name)
		if err != nil {
			return err
		}
		to := strings.TrimPrefix(name, "files/")
		if below, ok := strings.CutPrefix(to, "wiki/"); ok {
			to = path.Join(root, below)
		}
		if path.Base(to) == "wiki-created.md" {
			to = path.Join(path.Dir(to), day+"-wiki-created.md")
		}
		out = append(out, File{Path: to, Text: fill.Replace(string(text))})
		return nil
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return out
}

// Adopt returns the only file that is written for an existing wiki: wiki.yaml, with the
// detected settings.
func Adopt(title, root, dialect string) []File {
	var b strings.Builder
	b.WriteString("# Every key is optional; 'wiki schema config' lists them all.\nversion: 1\n")
	fmt.Fprintf(&b, "title: %s\nroot: %s\n", scalar(title), scalar(root))
	if dialect != "" {
		fmt.Fprintf(&b, "dialect: %s\n", scalar(dialect))
	}
	return []File{{Path: "wiki.yaml", Text: b.String()}}
}

// scalar writes s as a YAML scalar, quoted where YAML would read something
// else into it.
func scalar(s string) string {
	plain := s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == ' ' || r == '_' || r == '/' || r > 0xa0 && r < 0x2000)
	}) < 0 && strings.TrimSpace(s) == s
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		plain = false
	}
	if plain {
		return s
	}
	return fmt.Sprintf("%q", s)
}

// Write makes the files below dir that do not exist, and the folders they are
// in. It returns the paths it made and those it left as they were.
func Write(dir string, plan []File) (made, kept []string, err error) {
	root, err := files.Make(dir, 0o777)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	for _, f := range plan {
		if err := root.MkdirAll(path.Dir(f.Path), 0o777); err != nil {
			return made, kept, err
		}
		switch err := root.Create(f.Path, []byte(f.Text), 0o666); {
		case errors.Is(err, fs.ErrExist):
			kept = append(kept, f.Path)
		case err != nil:
			return made, kept, fmt.Errorf("create %s: %w", f.Path, err)
		default:
			made = append(made, f.Path)
		}
	}
	return made, kept, nil
}

// Adoptable reports whether the pages at these paths, found in a folder that
// nothing marks as a wiki, are one: whether there is any beside those that
// every repository has.
func Adoptable(paths []string) bool {
	for _, p := range paths {
		if strings.HasPrefix(p, ".github/") {
			continue
		}
		if !schema.RepositoryPage(p) {
			return true
		}
	}
	return false
}

// state is the folder for the program's files next to a wiki.
const state = ".loopwiki"

// IgnoreState keeps the runs of loops out of git: it creates .loopwiki/.gitignore if
// there are runs and it does not exist. A cache has its own.
func IgnoreState(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, state, "runs")); err != nil {
		return nil
	}
	_, _, err := Write(dir, []File{{Path: state + "/.gitignore", Text: "cache/\nruns/\n"}})
	return err
}

// Title makes the name of a wiki of that of its folder.
func Title(dir string) string {
	name := strings.Join(strings.FieldsFunc(filepath.Base(dir), func(r rune) bool { return r == '-' || r == '_' || r == ' ' }), " ")
	if name == "" || name == "." || name == string(filepath.Separator) {
		return "Wiki"
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}
