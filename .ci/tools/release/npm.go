package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// npmName is the package that people install. It has a package per platform beside it,
// of which npm installs the one that fits: nothing is downloaded later.
const npmName = "@loopwiki/wiki"

// manifest is a package.json.
type manifest struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Description          string            `json:"description"`
	Homepage             string            `json:"homepage"`
	Repository           repository        `json:"repository"`
	License              string            `json:"license"`
	OS                   []string          `json:"os,omitempty"`
	CPU                  []string          `json:"cpu,omitempty"`
	Bin                  map[string]string `json:"bin,omitempty"`
	Engines              map[string]string `json:"engines,omitempty"`
	Files                []string          `json:"files"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
}

type repository struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

func (r *release) manifest(name, about string) manifest {
	return manifest{Name: name, Version: r.version, Description: about, Homepage: home, Repository: repository{"git", "git+" + home + ".git"}, License: "MIT"}
}

func npmPackage(t target) string { return npmName + "-" + t.npmOS + "-" + t.npmArch }

// npmPlatform returns the package with the program of one platform.
func (r *release) npmPlatform(p program, content tree) (file, error) {
	m := r.manifest(npmPackage(p.target), fmt.Sprintf("The program of %s for %v", npmName, p.target))
	m.OS, m.CPU, m.Files = []string{p.npmOS}, []string{p.npmArch}, []string{"bin", "THIRD-PARTY.txt"}
	var files tree
	for _, f := range content {
		if f.name == "bin/"+p.exe() || f.name == "LICENSE" || f.name == "THIRD-PARTY.txt" {
			files = append(files, f)
		}
	}
	return r.npmPack(m, append(files, file{name: "README.md", data: []byte("# " + m.Name + "\n\n" + m.Description + ". Install " + npmName + ", which needs it.\n")}))
}

// npmMain returns the package that starts the program of the platform.
func (r *release) npmMain() (file, error) {
	m := r.manifest(npmName, "Compile, lint, search and publish a markdown wiki")
	m.Bin, m.Engines, m.Files = map[string]string{"wiki": "wiki.js"}, map[string]string{"node": ">=18"}, []string{"wiki.js"}
	m.OptionalDependencies = map[string]string{}
	for _, p := range r.programs {
		m.OptionalDependencies[npmPackage(p.target)] = r.version
	}
	script, err := r.render("wiki.js", map[string]any{"Package": npmName})
	if err != nil {
		return file{}, err
	}
	readme, err := r.render("npm.md", nil)
	if err != nil {
		return file{}, err
	}
	return r.npmPack(m, tree{{name: "wiki.js", mode: 0o755, data: script}, {name: "README.md", data: readme}, {name: "LICENSE", data: []byte(r.shared.text("LICENSE"))}})
}

// npmPack packs as npm pack does: a folder named package.
func (r *release) npmPack(m manifest, files tree) (file, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return file{}, err
	}
	files = append(files, file{name: "package.json", data: append(text, '\n')})
	packed, err := tarred(files.below("package"), r.time)
	name := strings.NewReplacer("@", "", "/", "-").Replace(m.Name)
	return file{name: name + "-" + m.Version + ".tgz", data: packed}, err
}
