package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"text/template"
)

//go:embed templates
var templateFiles embed.FS

// home is where the project is, and its releases below it.
const home = "https://github.com/loopwiki/wiki"

// completions are the scripts of 'wiki completion', where shells look for them below
// a prefix such as ~/.local.
var completions = map[string]string{
	"bash":       "share/bash-completion/completions/wiki",
	"zsh":        "share/zsh/site-functions/_wiki",
	"fish":       "share/fish/vendor_completions.d/wiki.fish",
	"powershell": "share/powershell/wiki.ps1",
}

// sharedFiles returns what is the same in the archives of all platforms.
func (r *release) sharedFiles(work string) (tree, error) {
	out, err := r.manPages()
	if err != nil {
		return nil, err
	}
	wiki, err := r.native(work)
	if err != nil {
		return nil, err
	}
	for shell, name := range completions {
		script, err := output(work, wiki, "completion", shell)
		if err != nil {
			return nil, err
		}
		out = append(out, file{name: name, data: []byte(script + "\n")})
	}
	license, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	readme, err := r.render("README.md", nil)
	return append(out, file{name: "LICENSE", data: license}, file{name: "README.md", data: readme}), err
}

// content returns the files of a platform below a prefix.
func (r *release) content(p program) (tree, error) {
	licenses, err := r.licenses(p)
	return append(tree{{name: "bin/" + p.exe(), mode: 0o755, data: p.data}, {name: "THIRD-PARTY.txt", data: licenses}}, r.shared...), err
}

var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`)

// licenses returns the licences of everything that is in a program: most require their
// text beside it.
func (r *release) licenses(p program) ([]byte, error) {
	var out bytes.Buffer
	add := func(name, dir string) error {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		found := false
		for _, e := range entries {
			if e.IsDir() || !licenseFile.MatchString(e.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return err
			}
			found = true
			fmt.Fprintf(&out, "==== %s: %s\n\n%s\n\n", name, e.Name(), bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))))
		}
		if !found {
			return fmt.Errorf("%s has no licence in %s", name, dir)
		}
		return nil
	}
	root, err := output(r.source, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	if err := add("Go "+strings.TrimPrefix(p.info.GoVersion, "go"), root); err != nil {
		return nil, err
	}
	args := []string{"list", "-mod=mod", "-m", "-f", "{{.Path}}\t{{.Dir}}"}
	for _, m := range p.info.Deps {
		args = append(args, m.Path)
	}
	modules, err := output(r.source, "go", args...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(modules) {
		name, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if err := add(name, dir); err != nil {
			return nil, err
		}
	}
	for _, e := range embedded {
		if err := add(e.name, filepath.Join(r.source, filepath.Dir(filepath.FromSlash(e.file)))); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// rendered returns the files that packagers take. The formula names archives by their
// checksums.
func (r *release) rendered(archives tree) (tree, error) {
	type archive struct{ CPU, File, SHA256 string }
	platforms := map[string][]archive{} // as Homebrew calls them
	for i, p := range r.programs {
		system := map[string]string{"darwin": "macos", "linux": "linux"}[p.OS]
		if system != "" {
			cpu := map[string]string{"amd64": "intel", "arm64": "arm"}[p.Arch]
			platforms[system] = append(platforms[system], archive{cpu, archives[i].name, fmt.Sprintf("%x", sha256.Sum256(archives[i].data))})
		}
	}
	formula, err := r.render("wiki.rb", map[string]any{"Platforms": platforms})
	if err != nil {
		return nil, err
	}
	dockerfile, err := r.render("Dockerfile", nil)
	if err != nil {
		return nil, err
	}
	npm, err := r.npmMain()
	return tree{{name: "wiki.rb", data: formula}, {name: "Dockerfile", data: dockerfile}, npm}, err
}

// render fills in a template; all have Version, Tag, Home and Revision.
func (r *release) render(name string, values map[string]any) ([]byte, error) {
	all := map[string]any{"Version": r.version, "Tag": "v" + r.version, "Home": home, "Revision": r.revision, "GoVersion": runtime.Version()}
	for k, v := range values {
		all[k] = v
	}
	text, err := fs.ReadFile(templateFiles, "templates/"+name+".tmpl")
	if err != nil {
		return nil, err
	}
	t, err := template.New(name).Option("missingkey=error").Parse(string(text))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, all)
	return out.Bytes(), err
}
