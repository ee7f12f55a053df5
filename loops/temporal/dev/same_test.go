//go:build server && linux

package dev

import (
	"context"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops/temporal/dev/internal/rig"
)

// TestBothEnginesShowTheSame carries a plan out with each engine. What wiki shows of the run,
// and what the gates left as evidence, differ in times, folders and commits only.
func TestBothEnginesShowTheSame(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	here, err := rig.NewShops(dir, 1, 2, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	f := newFleet(t, 1, 2, 1, 0)
	name := f.Names[0]
	if o, err := here.Embedded(program(t, "wiki"), name, 1); err != nil || o.Status != "met" {
		t.Fatal(o, err)
	}
	f.ends(name, f.begin(name, 1), patience, "met")

	embedded, remote := shown(t, here, name), shown(t, f.Shops, name)
	all := maps.Clone(embedded)
	maps.Copy(all, remote)
	for _, what := range slices.Sorted(maps.Keys(all)) {
		if a, b := embedded[what], remote[what]; a != b {
			t.Errorf("%s has\n%sand on the server\n%s", what, lines(a, b), lines(b, a))
		}
	}
	if len(embedded) < 20 {
		t.Errorf("only %d things were compared", len(embedded))
	}
}

// lines are those of a text that another does not have.
func lines(text, other string) (out string) {
	for line := range strings.Lines(text) {
		if !strings.Contains("\n"+other, "\n"+line) {
			out += line
		}
	}
	return out
}

// shown is what wiki shows of the only run of a repository, by command, page and file, without
// what differs between two runs of one engine.
func shown(t *testing.T, s *rig.Shops, name string) map[string]string {
	t.Helper()
	out, wiki, home := map[string]string{}, program(t, "wiki"), s.Home(name)
	for _, args := range []string{"loop show latest", "loop show latest --json", "loop status", "loop status --json", "loop report", "loop report --json", "loop list", "loop logs latest"} {
		code, text, err := s.Run(home, time.Minute, append([]string{wiki}, strings.Fields(args)...)...)
		if err != nil || code != 0 {
			t.Fatalf("wiki %s: exit status %d, %v: %s", args, code, err, text)
		}
		out["wiki "+args] = plain(s, text)
	}
	runs := filepath.Join(home, ".loopwiki", "runs")
	ids, err := filepath.Glob(filepath.Join(runs, "2*"))
	if err != nil || len(ids) != 1 {
		t.Fatal(ids, err)
	}
	for path, text := range served(t, s, name, "/loops/", "/loops/charts.html", "/loops/"+filepath.Base(ids[0])+"/") {
		out["page "+plain(s, path)] = plain(s, text)
	}
	err = filepath.WalkDir(ids[0], func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		file, _ := filepath.Rel(ids[0], path)
		if !strings.Contains(file, "gates") { // the journal and calls of agents are compared by what is shown of them
			return nil
		}
		text, err := os.ReadFile(path)
		out["file "+plain(s, file)] = plain(s, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// varies are what differs between runs: times and scores made of them, commits, digests, and
// folders with sizes of files that name them.
var varies = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z|\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?( UTC)?|\d{8}T\d+Z|\b\d\d:\d\d:\d\d\b|\b(\d+h)?(\d+m)?[0-9.]+(ms|µs|s)\b|` +
	`"(took|duration|wall|seconds|[a-z_]*_ms|peak|pid)": ?[0-9.]+|\bLES [0-9.]+|\bcy="[0-9.]+"|\b[0-9a-f]{7,64}\b|(DIR|/tmp)/[^ "<\n]*|<small>[0-9.]+ k?B</small>`)

// own are the lines of files that a driver keeps for itself, how many files there are, and
// lines of scores, which depend on how long a run took.
var own = regexp.MustCompile(`(?m)^.*href="files/(git/|worktree\.json|elsewhere|engine\.json|runner\.log).*\n|^.*("(mean|min|max)"|\bLES |LES:|\| speed).*\n|Other files of the run <span class="count">\d+</span>`)

func plain(s *rig.Shops, text string) string {
	return varies.ReplaceAllString(strings.ReplaceAll(own.ReplaceAllString(text, ""), s.Dir, "DIR"), "…")
}

// served are pages of wiki serve.
func served(t *testing.T, s *rig.Shops, name string, paths ...string) map[string]string {
	t.Helper()
	p, err := rig.Start("serve", s.Home(name), s.Dir, s.Env, program(t, "wiki"), "serve", "--port", "0")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	log := filepath.Join(s.Dir, "serve.log")
	address := regexp.MustCompile(`http://[^ /\n]+`)
	var at string
	for end := time.Now().Add(time.Minute); at == ""; time.Sleep(50 * time.Millisecond) {
		text, _ := os.ReadFile(log)
		if at = address.FindString(string(text)); at == "" && time.Now().After(end) {
			t.Fatalf("it does not serve: %s", text)
		}
	}
	out := map[string]string{}
	for _, path := range paths {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, at+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		cancel()
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %v", path, r.Status, err)
		}
		out[path] = strings.ReplaceAll(string(text), at, "")
	}
	return out
}
