package skill

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Names lists the skills of a repository that a plan can name, sorted.
func Names(repo fs.FS) []string {
	var out []string
	for _, folder := range Folders {
		entries, _ := fs.ReadDir(repo, folder) // a repository without skills has none
		for _, e := range entries {
			if e.IsDir() {
				if info, err := fs.Stat(repo, path.Join(folder, e.Name(), File)); err == nil && info.Mode().IsRegular() {
					out = append(out, e.Name())
				}
			} else if name, ok := strings.CutSuffix(e.Name(), ".md"); ok && !strings.EqualFold(name, "README") {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Text returns the text of a skill without its frontmatter, "" if there is none of that
// name.
func Text(repo fs.FS, name string) string {
	text := strings.ReplaceAll(source(repo, path.Clean("/" + name)[1:]), "\r\n", "\n")
	fence, rest, _ := strings.Cut(strings.TrimPrefix(text, "\ufeff"), "\n")
	if !isFence(fence) {
		return text
	}
	for rest != "" {
		var line string
		if line, rest, _ = strings.Cut(rest, "\n"); isFence(line) {
			return strings.TrimLeft(rest, "\n")
		}
	}
	return text
}

// source returns the file of a skill.
func source(repo fs.FS, name string) string {
	for _, folder := range Folders {
		for _, file := range []string{path.Join(folder, name, File), path.Join(folder, name+".md")} {
			if src, err := fs.ReadFile(repo, file); err == nil {
				return string(src)
			}
		}
	}
	return ""
}

// isFence reports whether a line opens or closes frontmatter.
func isFence(line string) bool { return strings.TrimRight(line, " \t") == "---" }
