package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/loopwiki/wiki/compiler/files"
)

// manifestName is the file in which a build says which files it made. Only
// those may be removed by the next one.
const manifestName = ".wiki-build.json"

// manifestVersion is that of the file's format, and the newest that is read.
const manifestVersion = 1

type manifest struct {
	Version int      `json:"version"`
	Files   []string `json:"files"`
}

// Made returns the files that the last build into a folder made, its list of them
// included; nil when there was none.
func Made(dir string) []string {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil // a pipe would be waited for
	}
	root, err := files.Open(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	made, err := readManifest(root)
	if err != nil || made == nil {
		return nil
	}
	return append(made, manifestName)
}

// readManifest returns the files that the last build made, nil when the
// folder is not that of a build.
func readManifest(root *files.Root) ([]string, error) {
	b, err := root.ReadFile(manifestName, files.Manifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of files of the last build: %w", err)
	}
	var m manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("read %s in the output folder: %w; remove the folder and build again", manifestName, err)
	}
	if m.Version > manifestVersion {
		return nil, fmt.Errorf("%s in the output folder has version %d, this program reads up to %d; upgrade wiki to a newer release, or use another folder", manifestName, m.Version, manifestVersion)
	}
	if m.Files == nil {
		m.Files = []string{}
	}
	return m.Files, nil
}

func writeManifest(root *files.Root, files []string) error {
	b, err := json.MarshalIndent(manifest{Version: manifestVersion, Files: files}, "", " ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", manifestName, err)
	}
	_, err = writeFile(root, manifestName, append(b, '\n'), false)
	return err
}

// union returns the sorted names of both lists.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
