// Release makes what a release consists of from the last commit: an archive and an SBOM
// per platform, Debian packages, packages of npm, a Homebrew formula, a Dockerfile, and
// the checksums of all of them. The same commit and the same version of Go give the same
// bytes, wherever and whenever it runs.
//
//	.ci/release DIR [GOOS/GOARCH…]   writes a release of all or some platforms to DIR
//	.ci/release --tags               prints the build tags of a release
package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("usage: .ci/release DIR [GOOS/GOARCH…] | --tags")
	}
	if args[0] == "--tags" {
		fmt.Println(tags())
		return nil
	}
	chosen := targets
	if len(args) > 1 {
		chosen = nil
	}
	for _, name := range args[1:] {
		i := slices.IndexFunc(targets, func(t target) bool { return t.String() == name })
		if i < 0 {
			return fmt.Errorf("unknown platform %s; use one of %v", name, targets)
		}
		chosen = append(chosen, targets[i])
	}
	work, err := os.MkdirTemp("", "wiki-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r, err := build(work, chosen)
	if err != nil {
		return err
	}
	files, err := r.files()
	if err != nil {
		return err
	}
	return write(args[0], files)
}

// files returns everything that is published, by name.
func (r *release) files() (tree, error) {
	var archives, out tree
	for _, b := range r.programs {
		content, err := r.content(b)
		if err != nil {
			return nil, err
		}
		archive, err := r.archive(b, content)
		if err != nil {
			return nil, err
		}
		sbom, err := r.sbom(b)
		if err != nil {
			return nil, err
		}
		platform, err := r.npmPlatform(b, content)
		if err != nil {
			return nil, err
		}
		archives = append(archives, archive)
		out = append(out, archive, sbom, platform)
		if b.OS == "linux" {
			deb, err := r.deb(b, content)
			if err != nil {
				return nil, err
			}
			out = append(out, deb)
		}
	}
	rest, err := r.rendered(archives)
	if err != nil {
		return nil, err
	}
	out = append(out, rest...)
	return append(out, out.checksums()), nil
}

// write writes the files to a folder that is new or empty, so that nothing of another
// release stays beside them.
func write(dir string, files tree) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if found, err := os.ReadDir(dir); err != nil || len(found) > 0 {
		return errors.Join(err, fmt.Errorf("%s is not empty; remove it or name another folder", dir))
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.name), f.data, 0o644); err != nil {
			return err
		}
		fmt.Printf("%10d  %s\n", len(f.data), f.name)
	}
	return nil
}

// checksumsFile holds the checksums of all other files, as sha256sum writes them.
const checksumsFile = "SHA256SUMS"

func (t tree) checksums() file {
	var b strings.Builder
	for _, f := range t.sorted() {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(f.data), f.name)
	}
	return file{name: checksumsFile, data: []byte(b.String())}
}
