package plan

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

//go:embed specs
var specFiles embed.FS

// BuiltinFolder is where built-in specs are said to lie.
const BuiltinFolder = "built-in"

// Builtin returns the specs of the loops that every repository has, in order of
// name: a file of the same name in agents/loops takes the place of one.
func Builtin() []SpecFile { return specsIn("specs") }

// Templates returns specs to start from, in order of name.
func Templates() []SpecFile { return specsIn("specs/templates") }

// SpecFile is a spec of this program.
type SpecFile struct {
	Name string
	Src  []byte
}

func specsIn(dir string) []SpecFile {
	entries, err := fs.ReadDir(specFiles, dir)
	if err != nil {
		panic(err) // the files are part of the program
	}
	var out []SpecFile
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		src, err := specFiles.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			panic(err)
		}
		out = append(out, SpecFile{strings.TrimSuffix(e.Name(), ".md"), src})
	}
	return out
}
