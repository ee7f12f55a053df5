package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/loopwiki/wiki/compiler/scaffold"
	"github.com/loopwiki/wiki/schema/schematest"
)

// newRelease makes a folder with a release whose program prints "released", and returns
// it with the checksum that pins it. .ci/tools/release tests the same with a real one.
func newRelease(t *testing.T) (dir, pin string) {
	t.Helper()
	schematest.Need(t, "sh", runtime.GOOS != "windows", "archives of the test are unpacked by tar")
	name := "wiki_9.9.9_" + runtime.GOOS + "_" + runtime.GOARCH
	dir = t.TempDir()
	bin := filepath.Join(dir, name, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "wiki"), []byte("#!/bin/sh\necho released\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("tar", "-czf", filepath.Join(dir, name+".tar.gz"), "-C", dir, name).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	packed, err := os.ReadFile(filepath.Join(dir, name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	sums := fmt.Sprintf("%064d  wiki_9.9.9_%s_%s.deb\n%x  %s.tar.gz\n", 0, runtime.GOOS, runtime.GOARCH, sha256.Sum256(packed), name)
	if err := os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, fmt.Sprintf("%x", sha256.Sum256([]byte(sums)))
}

func TestActionInstallsReleaseByChecksum(t *testing.T) {
	t.Parallel()
	dir, pin := newRelease(t)
	r := newRunner(t)
	program := filepath.Join(r.temp, "wiki-lint", "bin", "wiki")
	if out, _, status := r.step("install", map[string]string{"WIKI_RELEASE": dir, "WIKI_RELEASE_SHA256": pin}); status != 0 {
		t.Fatalf("status %d: %s", status, out)
	}
	if out, status := r.exec(program); status != 0 || out != "released\n" {
		t.Errorf("the program says %q, status %d", out, status)
	}
	for name, c := range map[string]struct {
		env  map[string]string
		want string
	}{
		"no pin":        {map[string]string{"WIKI_RELEASE": dir}, "WIKI_RELEASE_SHA256: set it to the checksum of SHA256SUMS"},
		"other pin":     {map[string]string{"WIKI_RELEASE": dir, "WIKI_RELEASE_SHA256": strings.Repeat("0", 64)}, "SHA256SUMS of " + dir + " has the checksum " + pin + ", want 0000"},
		"no release":    {map[string]string{"WIKI_RELEASE": filepath.Join(dir, "none"), "WIKI_RELEASE_SHA256": pin}, "cannot get SHA256SUMS from WIKI_RELEASE, " + filepath.Join(dir, "none") + "; unset it to build from source"},
		"unreachable":   {map[string]string{"WIKI_RELEASE": "http://127.0.0.1:9/v9", "WIKI_RELEASE_SHA256": pin}, "cannot get SHA256SUMS from WIKI_RELEASE, http://127.0.0.1:9/v9"},
		"other archive": {map[string]string{"WIKI_RELEASE": changedRelease(t, dir), "WIKI_RELEASE_SHA256": pin}, "it is another release, or was changed"},
	} {
		os.Remove(program)
		out, _, status := r.step("install", c.env)
		if _, err := os.Stat(program); status == 0 || !strings.Contains(out, c.want) || err == nil {
			t.Errorf("%s: status %d, program %v, %s", name, status, err, out)
		}
	}
}

// changedRelease returns a copy of a release whose archives were changed.
func changedRelease(t *testing.T, dir string) string {
	t.Helper()
	changed := filepath.Join(t.TempDir(), "changed")
	if err := os.CopyFS(changed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	archives, err := filepath.Glob(filepath.Join(changed, "*.tar.gz"))
	if err != nil || len(archives) != 1 {
		t.Fatal(archives, err)
	}
	f, err := os.OpenFile(archives[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("more"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return changed
}

// TestGitLabInstallsReleaseOrBuilds runs the commands before each job of the generated
// workflow, with a go that writes down its arguments.
func TestGitLabInstallsReleaseOrBuilds(t *testing.T) {
	t.Parallel()
	dir, pin := newRelease(t)
	r := newRunner(t)
	var file struct {
		Wiki struct {
			Before []string `yaml:"before_script"`
		} `yaml:".wiki"`
	}
	for _, f := range scaffold.Workflows("gitlab", scaffold.Repository{Branch: "main", Root: "wiki", Action: "v9.9.9"}) {
		if filepath.Base(f.Path) == "wiki-ci.yml" {
			if err := yaml.Unmarshal([]byte(f.Text), &file); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(file.Wiki.Before) != 2 || !strings.HasPrefix(file.Wiki.Before[0], "apt-get update") {
		t.Fatalf("commands %q", file.Wiki.Before)
	}
	install := file.Wiki.Before[1]
	r.stand(filepath.Join(r.temp, "path", "go"), `echo "go $*"`+"\n")
	r.env["HOME"], r.env["PATH"] = r.temp, filepath.Join(r.temp, "path")+string(filepath.ListSeparator)+os.Getenv("PATH")
	if out, status := r.exec("sh", "-ec", install); status != 0 || out != "go install github.com/loopwiki/wiki/cmd/wiki@v9.9.9\n" {
		t.Errorf("without a release: status %d, %s", status, out)
	}
	r.env["WIKI_RELEASE"], r.env["WIKI_RELEASE_SHA256"] = dir, pin
	if out, status := r.exec("sh", "-ec", install+"\nwiki"); status != 0 || out != "released\n" {
		t.Errorf("with a release: status %d, %s", status, out)
	}
	r.env["WIKI_RELEASE_SHA256"] = strings.Repeat("0", 64)
	if out, status := r.exec("sh", "-ec", install+"\necho went on"); status == 0 || strings.Contains(out, "went on") || !strings.Contains(out, "want 0000") {
		t.Errorf("with another checksum: status %d, %s", status, out)
	}
}
