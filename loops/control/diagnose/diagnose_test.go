package diagnose

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops/control/controltest"
)

func TestMain(m *testing.M) { controltest.Main(m) }

const shop = `-- wiki.yaml --
loops:
  roles:
    maker: {agent: claude}
    checker: {agent: command, argv: [./check.sh]}
    reader: {agent: codex}
  sandbox: none
-- a.txt --
a
-- check.sh --
`

// What loops need is looked for on the PATH and in the repository, and what is missing is
// named with its remedy.
func TestDiagnose(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	bin := t.TempDir()
	for name, text := range map[string]string{"claude": "#!/bin/sh\necho 'claude 1.2'\n", "gemini": "#!/bin/sh\nexit 3\n"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(r.Root, "check.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	getenv := r.Getenv
	r.Getenv = func(name string) string {
		if name == "PATH" {
			return bin
		}
		return getenv(name)
	}
	d, err := New(r).Diagnose(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range d.Agents {
		switch a.ID {
		case "claude":
			if a.Path != filepath.Join(bin, "claude") || a.Version != "claude 1.2" || a.Problem != "" {
				t.Errorf("%+v", a)
			}
		case "gemini":
			if a.Version != "" || a.Problem != "--version exited with status 3" {
				t.Errorf("%+v", a)
			}
		case "codex":
			if a.Path != "" {
				t.Errorf("%+v", a)
			}
		}
	}
	found := make(map[string]bool)
	for _, role := range d.Roles {
		found[role.Role] = role.Found
	}
	if !found["maker"] || !found["checker"] || found["reader"] || len(d.Roles) != 4 {
		t.Errorf("%+v", d.Roles)
	}
	var missing []string
	for _, m := range d.Missing {
		missing = append(missing, m.What)
	}
	for _, want := range []string{"commands that check a change", "the program for the role reader: codex", "a sandbox: without one, writes elsewhere are only detected afterwards"} {
		if !slices.Contains(missing, want) {
			t.Errorf("%q is not missing: %q", want, missing)
		}
	}
	if lost := d.Containment.Lost; len(lost) != 2 || lost[0].Level != "bubblewrap" || lost[1].Level != "landlock" || len(lost[1].Open) == 0 {
		t.Errorf("without a sandbox is lost: %+v", lost)
	}
	if strings.Contains(strings.Join(missing, ";"), "a commit to start from") {
		t.Errorf("%q", missing)
	}
}
