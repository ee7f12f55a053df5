package spec

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// LibraryFolder begins references to loops of the library.
const LibraryFolder = "loop-library/"

//go:embed library/*.yaml
var libraryFiles embed.FS

// Library lists the names of the loops that come with this program.
func Library() []string {
	entries, err := libraryFiles.ReadDir("library")
	if err != nil {
		panic(err) // it is embedded
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return out
}

// FromLibrary returns a loop of the library by its name, or by a reference such as
// loop-library/coding-agent.yaml.
func FromLibrary(ref string) (*Document, error) {
	name := strings.TrimSuffix(path.Base(ref), ".yaml")
	if !slices.Contains(Library(), name) {
		remedy := "'wiki loop spec library' lists them"
		if near, ok := schema.Nearest(name, Library()); ok {
			remedy = "did you mean " + near + "?"
		}
		return nil, fmt.Errorf("the library has no loop %q: %s", name, remedy)
	}
	text, err := libraryFiles.ReadFile("library/" + name + ".yaml")
	if err != nil {
		return nil, err
	}
	return Read(LibraryFolder+name+".yaml", text)
}
