package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

// bom is a software bill of materials as CycloneDX 1.6 defines it, as far as it is used
// here: https://cyclonedx.org/docs/1.6/json.
type bom struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"` // of the commit
	Component component `json:"component"`
}

type component struct {
	Ref        string     `json:"bom-ref"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Hashes     []hash     `json:"hashes,omitempty"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

// sbom lists what is linked into a program, as Go recorded it there, and the scripts
// of others that are embedded. Which module needs which is not in a program: all are
// listed below it.
func (r *release) sbom(p program) (file, error) {
	self := component{
		Type: "application", Name: p.info.Main.Path, Version: p.info.Main.Version,
		PURL:   purl(p.info.Main.Path, p.info.Main.Version) + "?goarch=" + p.Arch + "&goos=" + p.OS,
		Hashes: []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(p.data))}},
	}
	self.Ref = self.PURL
	for _, s := range p.info.Settings {
		self.Properties = append(self.Properties, property{"go:build:" + s.Key, s.Value})
	}
	version := strings.TrimPrefix(p.info.GoVersion, "go")
	std := component{Ref: "pkg:golang/std@" + version, Type: "library", Name: "std", Version: version, PURL: "pkg:golang/std@" + version}
	b := bom{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{r.time.UTC().Format("2006-01-02T15:04:05Z"), self}, Components: []component{std}}
	for _, m := range p.info.Deps {
		c, err := library(m)
		if err != nil {
			return file{}, err
		}
		b.Components = append(b.Components, c)
	}
	scripts, err := embeddedScripts(r.source)
	if err != nil {
		return file{}, err
	}
	b.Components = append(b.Components, scripts...)
	top := dependency{Ref: self.Ref}
	for _, c := range b.Components {
		top.DependsOn = append(top.DependsOn, c.Ref)
	}
	b.Dependencies = []dependency{top}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(b)
	return file{name: r.name(p.target) + ".cdx.json", data: out.Bytes()}, err
}

// library describes a module. Its checksum of go.sum is a SHA-256 of its files.
func library(m *debug.Module) (component, error) {
	if m.Replace != nil {
		m = m.Replace
	}
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:"))
	if err != nil || len(sum) != sha256.Size {
		return component{}, fmt.Errorf("module %s has the checksum %q; want h1 and 32 bytes", m.Path, m.Sum)
	}
	id := purl(m.Path, m.Version)
	return component{Ref: id, Type: "library", Name: m.Path, Version: m.Version, PURL: id, Hashes: []hash{{"SHA-256", fmt.Sprintf("%x", sum)}}}, nil
}

func purl(module, version string) string {
	return "pkg:golang/" + module + "@" + strings.ReplaceAll(version, "+", "%2B")
}

// embedded are the scripts of others in the program, and where their version stands.
var embedded = []struct {
	name, file string
	version    *regexp.Regexp
}{
	{"mermaid", "site/theme/mermaid/mermaid.min.js.gz", regexp.MustCompile(`=\{version:"(\d+\.\d+\.\d+)"\}`)},
	{"temml", "site/math/temml.min.js", regexp.MustCompile(`version:"(\d+\.\d+\.\d+)"`)},
}

func embeddedScripts(source string) ([]component, error) {
	var out []component
	for _, e := range embedded {
		text, err := readScript(filepath.Join(source, filepath.FromSlash(e.file)))
		if err != nil {
			return nil, err
		}
		found := e.version.FindAllSubmatch(text, -1)
		if len(found) != 1 {
			return nil, fmt.Errorf("%s: %d versions of %s found, want 1; correct the pattern in sbom.go", e.file, len(found), e.name)
		}
		version := string(found[0][1])
		id := "pkg:npm/" + e.name + "@" + version
		out = append(out, component{Ref: id, Type: "library", Name: e.name, Version: version, PURL: id})
	}
	return out, nil
}

func readScript(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if filepath.Ext(name) != ".gz" {
		return io.ReadAll(f)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
