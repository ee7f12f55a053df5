package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// buildWiki builds the program, for a test that runs it as others do.
func buildWiki(t *testing.T) string {
	t.Helper()
	wiki := filepath.Join(t.TempDir(), "wiki")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", wiki, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return wiki
}

// TestNeovim lets Neovim show findings, follow a link, complete and rename.
func TestNeovim(t *testing.T) {
	t.Parallel()
	nvim, err := exec.LookPath("nvim")
	schematest.Need(t, "nvim", err == nil, "nvim is not installed")
	root := compilertest.Write(t, `-- wiki/page.md --
# Page

See [[othr]].
-- wiki/other.md --
# Other

Back to [[page]].
`)
	result := filepath.Join(t.TempDir(), "result.json")
	c := exec.CommandContext(t.Context(), nvim, "--headless", "-u", "NONE", "-n", "-c", "luafile "+filepath.Join("testdata", "lsp.lua"))
	c.Env = append(os.Environ(), "WIKI="+buildWiki(t), "ROOT="+root, "OUT="+result, "HOME="+t.TempDir())
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	src, err := os.ReadFile(result)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	var got struct {
		Opened, Mended, Moved, Stopped bool
		Definition                     []struct{ TargetURI string }
		Hover                          struct{ Contents struct{ Value string } }
		Completion, Renamed, Error     string
	}
	if err := json.Unmarshal(src, &got); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	if !got.Opened || !got.Mended || !got.Moved || !got.Stopped || got.Error != "" || got.Completion != "Other" || got.Renamed != "See [[renamed]]." ||
		len(got.Definition) != 1 || !strings.HasSuffix(got.Definition[0].TargetURI, "/wiki/other.md") || !strings.Contains(got.Hover.Contents.Value, "Back to page") {
		t.Errorf("%s", src)
	}
}
