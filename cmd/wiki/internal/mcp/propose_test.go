package mcp

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func writable(o *Options) { o.Write = true }

// hash returns the hash that read_page gives.
func hash(t *testing.T, s *mcp.ClientSession, page string) string {
	t.Helper()
	got, _ := call(t, s, "read_page", args{"page": page})
	found := regexp.MustCompile(`^hash ([0-9a-f]{16})`).FindStringSubmatch(got)
	if found == nil {
		t.Fatal(got)
	}
	return found[1]
}

func TestProposalsArePatches(t *testing.T) {
	t.Parallel()
	schematest.NeedGit(t)
	dir := compilertest.Write(t, pages)
	s := serverOf(t, dir, writable)
	before := allPages(t, dir)
	in := args{"page": "limits", "section": "Limits > Retries", "text": "Clients wait 60 seconds, see [[nobody]].", "hash": hash(t, s, "limits"), "reason": "it\nchanged"}
	got, res := call(t, s, "propose_edit", in)
	if res.IsError || !strings.Contains(got, "1 new finding") || !strings.Contains(got, `limits.md:20:`) || !strings.Contains(got, "nobody") {
		t.Fatal(got)
	}
	if again, _ := call(t, s, "propose_edit", in); again != got {
		t.Errorf("proposed again: %s", again)
	}
	if got, res := call(t, s, "propose_page", args{"path": "notes/new.md", "text": "# New\n\nSee [[limits]]."}); res.IsError || !strings.Contains(got, "proposed as .loopwiki/proposals/notes-new-") {
		t.Fatal(got)
	}
	if now := allPages(t, dir); now != before {
		t.Errorf("pages were changed:\n%s", now)
	}
	if got, _ := call(t, s, "status", args{}); !strings.Contains(got, "proposals: 2\n") {
		t.Error(got)
	}
	patches, err := filepath.Glob(filepath.Join(dir, ProposalFolder, "*.patch"))
	if err != nil || len(patches) != 2 {
		t.Fatalf("%v %v", patches, err)
	}
	for _, patch := range patches {
		c := exec.Command("git", "apply", patch)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("git apply: %v: %s", err, out)
		}
	}
	src, err := os.ReadFile(filepath.Join(dir, "wiki", "limits.md"))
	if err != nil || !strings.HasSuffix(string(src), "## Retries\n\nClients wait 60 seconds, see [[nobody]].\n") {
		t.Errorf("%v: %q", err, src)
	}
	if got, res := call(t, s, "read_page", args{"page": "notes/new"}); res.IsError {
		t.Error(got)
	}
}

// allPages returns all pages of a wiki as one text.
func allPages(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "wiki", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(src)
	}
	return b.String()
}

func TestProposalsAreRefused(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, pages+"-- outside.md --\n# Outside\n")
	s := serverOf(t, dir, writable)
	h := hash(t, s, "limits")
	edit := func(section, hash string) args {
		return args{"page": "limits", "section": section, "text": "x", "hash": hash}
	}
	for _, c := range []struct {
		tool string
		args args
		want string
	}{
		{"propose_edit", edit("Limits > Retries", "0000000000000000"), "stale: "},
		{"propose_edit", edit("Limits > Retries", ""), "stale: "},
		{"propose_edit", edit("Retries", h), "not_found: "},
		{"propose_edit", edit("", h), "not_found: "},
		{"propose_edit", edit("Limits > Burst > Burst > Burst", h), "not_found: "},
		{"propose_edit", args{"page": "../outside", "section": "Outside", "text": "x", "hash": h}, "not_found: "},
		{"propose_page", args{"path": "limits.md", "text": "x"}, "refused: the page exists"},
		{"propose_page", args{"path": "../outside.md", "text": "x"}, "invalid_argument: "},
		{"propose_page", args{"path": "/tmp/outside.md", "text": "x"}, "invalid_argument: "},
		{"propose_page", args{"path": `..\outside.md`, "text": "x"}, "invalid_argument: "},
		{"propose_page", args{"path": "a\nb.md", "text": "x"}, "invalid_argument: "},
		{"propose_page", args{"path": "new.txt", "text": "x"}, "invalid_argument: "},
		{"propose_page", args{"path": ".git/new.md", "text": "x"}, "refused: the file would be no page"},
		{"propose_page", args{"path": "new.md", "text": strings.Repeat("x", maxProposed+1)}, "too_large: "},
	} {
		if got, res := call(t, s, c.tool, c.args); !res.IsError || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %.100v: %s", c.tool, c.args, got)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".loopwiki")); err == nil {
		t.Error("something was written")
	}
	// A link in place of the folder is not followed.
	away := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".loopwiki"), 0o777); err != nil {
		t.Fatal(err)
	}
	schematest.Symlink(t, away, filepath.Join(dir, ".loopwiki", "proposals"))
	if got, res := call(t, s, "propose_page", args{"path": "new.md", "text": "x"}); !res.IsError {
		t.Error(got)
	}
	if entries, err := os.ReadDir(away); err != nil || len(entries) > 0 {
		t.Errorf("written to %v, %v", entries, err)
	}
}

func TestProposalTellsContradictions(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- wiki/index.md --\n# Index\n\n[[gateway]] [[ports]]\n-- wiki/gateway.md --\n---\nport: 8080\n---\n# Gateway\n\nText.\n-- wiki/ports.md --\n# Ports\n\nNothing.\n")
	s := serverOf(t, dir, writable)
	got, _ := call(t, s, "propose_edit", args{"page": "ports", "section": "Ports", "hash": hash(t, s, "ports"), "text": "| Service | Port |\n|---|---|\n| [[gateway]] | 9090 |"})
	if !strings.Contains(got, "contradict") && !strings.Contains(got, "conflict") {
		t.Error(got)
	}
}

func TestReadersCanNotWrite(t *testing.T) {
	t.Parallel()
	s := serverOf(t, compilertest.Write(t, pages), nil)
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "propose_page", Arguments: args{"path": "new.md", "text": "x"}}); err == nil {
		t.Error("a server without Write takes proposals")
	}
}
