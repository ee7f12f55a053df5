package run

import (
	"os"
	"path"
	"regexp"
)

// inPath are the characters of a path as messages quote it.
const inPath = "[^\\s\"'`()<>\\[\\]{},;:|]"

// Portable takes the folders of this machine out of a text that leaves it: a file of one
// of the roots, which come first, is named by its path there, one of the others by its
// base name.
func Portable(text string, roots, others []string) string {
	for _, root := range roots {
		if len(root) > 1 {
			name := `\B` + regexp.QuoteMeta(root)
			text = regexp.MustCompile(name+"/").ReplaceAllString(text, "")
			text = regexp.MustCompile(name+`\b`).ReplaceAllString(text, ".")
		}
	}
	for _, dir := range others {
		if len(dir) < 2 {
			continue
		}
		below := regexp.MustCompile(`\B` + regexp.QuoteMeta(dir) + "(?:/" + inPath + `*)?\b`)
		text = below.ReplaceAllStringFunc(text, func(found string) string {
			if found == dir {
				return "…"
			}
			return "…/" + path.Base(found)
		})
	}
	return text
}

// portable is Portable for what the run says.
func (d *Driver) portable(text string) string {
	return Portable(text, []string{d.state.Place.Path, d.Repo}, []string{d.Home, os.TempDir()})
}
