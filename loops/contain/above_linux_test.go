package contain

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// What a program of a run starts is known to be its, whatever it does to its
// environment and to its ancestors.
func TestAbove(t *testing.T) {
	t.Parallel()
	if Above(self(), "here") {
		t.Error("nobody supervises this test")
	}
	for name, script := range map[string]string{
		"cleared":    `env -i "$0" __asker here`,
		"replaced":   `exec env -i "$0" __asker here`,
		"orphaned":   `(setsid env -i sh -c 'sleep 0.2; "$0" __asker here; echo $? > said' "$0" &) ; while ! test -s said; do sleep 0.05; done; exit $(cat said)`,
		"elsewhere":  `! "$0" __asker there`,
		"of no name": `! "$0" __asker ''`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := loops.Process{
				Argv: []string{"sh", "-c", script, os.Args[0]}, Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH")}, Mark: "run",
				Stdout: dir + "/stdout", Stderr: dir + "/stderr", Wall: time.Minute, Grace: time.Second,
			}
			exit, err := New(self(), Options{AtMost: loops.Bare, Place: "here"}).Run(t.Context(), p)
			if err != nil || exit.Code != 0 {
				text, _ := exec.Command("cat", p.Stdout, p.Stderr).CombinedOutput()
				t.Errorf("%+v: %v\n%s", exit, err, text)
			}
		})
	}
}
