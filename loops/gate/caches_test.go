//go:build linux

package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/schema/schematest"
)

// compiled returns a folder for [Options].Tools, in which the build cache is that of the
// machine: the standard library is compiled once.
func compiled(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Symlink(goCache(), filepath.Join(dir, "go-build")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sandboxes calls a test in every sandbox of this machine.
func sandboxes(t *testing.T, test func(*testing.T, loops.Container)) {
	for _, level := range []loops.Level{loops.Bubblewrap, loops.Landlock} {
		t.Run(string(level), func(t *testing.T) {
			c := contain.New([]string{os.Args[0], "__supervise"}, contain.Options{AtMost: level})
			got, _ := c.Level()
			schematest.Need(t, string(level), got == level, string(level)+" does not work here")
			test(t, c)
		})
	}
}

const (
	// copies name the caches of package managers; Maven's is in an option.
	copies = `"$npm_config_cache" "$YARN_CACHE_FOLDER" "$BUN_INSTALL_CACHE_DIR" "$PIP_CACHE_DIR" "$UV_CACHE_DIR" "$CARGO_HOME" "$GRADLE_USER_HOME" "${MAVEN_ARGS#*=}"`
	others = `"$GOCACHE" "$GOMODCACHE" "$HOME" "$PYTHONPYCACHEPREFIX" "$SHARED"`

	// downloader is what setup leaves in the caches.
	downloader = `for c in ` + copies + `; do test ! -e "$c/poison" && echo good >> "$c/package"; done`

	// poisoner writes to each cache: a new file, and over what is there.
	poisoner = `for c in ` + copies + ` ` + others + `; do
	mkdir -p "$c/00"; echo bad > "$c/poison"; echo bad > "$c/00/poison"
	find -L "$c" -name '*-a' -o -name '*-d' -o -name package | while read -r f; do chmod u+w "$f"; echo bad > "$f"; done
done 2>/dev/null
true
`

	// finder fails if another tree has left something, or a package is missing.
	finder = `for c in ` + copies + ` ` + others + `; do
	if test -e "$c/poison" || test -e "$c/00/poison"; then echo "poisoned: $c"; exit 1; fi
done
for c in "$YARN_CACHE_FOLDER" "$UV_CACHE_DIR" "$CARGO_HOME" "$GRADLE_USER_HOME" "${MAVEN_ARGS#*=}"; do grep -q good "$c/package" || { echo "not good: $c"; exit 1; }; done
`
)

const calc = `-- go.mod --
module example.org/calc

go 1.24
-- calc.go --
package calc

func Double(n int) int { return n * 2 }
-- calc_test.go --
package calc

import "testing"

func TestDouble(t *testing.T) {
	if Double(2) != 4 {
		t.Fatal("wrong")
	}
}
`

func TestPoisonedCachesDontReachOtherRuns(t *testing.T) {
	t.Parallel()
	tools := t.TempDir()
	sandboxes(t, func(t *testing.T, c loops.Container) {
		judge := func(dir string, r *repo, stage loops.Stage) []loops.GateResult {
			t.Helper()
			g := New(Options{
				Container: c, Path: os.Getenv("PATH"), Env: []string{"GOPROXY=off", "SHARED=" + filepath.Join(tools, "go-build")},
				Tools: tools, Cache: filepath.Join(dir, "cache"), Exports: filepath.Join(dir, "exports"), Repeat: 1,
			})
			tree, last := r.tree(), r.git("rev-parse", "HEAD")
			results, err := g.Judge(t.Context(), loops.Candidate{
				Start: &loops.Start{Run: "r", Plan: loops.Plan{Name: "p", Path: "p.md", Scope: []string{"**"}, Chunks: []loops.Chunk{{ID: "1", Tests: loops.TestsRule{Kind: loops.TestsNone}}}},
					Gates: loops.GateCommands{Given: true, Setup: []string{downloader}, Test: []string{"go test ./...", "sh test.sh"}}},
				Stage: stage, Attempt: 1, Tree: tree, Base: last, Last: last, Worktree: r, Dir: t.TempDir(),
			})
			if err != nil {
				t.Fatal(err)
			}
			return results
		}
		want := func(when string, results []loops.GateResult, effect loops.Effect) {
			t.Helper()
			if got := loops.Worst(results); got != effect {
				t.Errorf("%s: %s, want %s:\n%s%s", when, got, effect, said(results), printed(results))
			}
		}
		first, second := t.TempDir(), t.TempDir()
		bad := newRepo(t, calc+"-- test.sh --\n. ./run.sh\n-- run.sh --\n"+finder)
		want("the base of the first", judge(first, bad, loops.StageBaseline), loops.Passed)
		bad.write("-- run.sh --\n" + poisoner)
		want("the poisoner", judge(first, bad, loops.StageChunk), loops.Passed)

		good := newRepo(t, strings.ReplaceAll(calc, "calc", "sum")+"-- test.sh --\n"+finder)
		want("the base of the second", judge(second, good, loops.StageBaseline), loops.Passed)
		good.write("-- sum.go --\npackage sum\n\n// Double is twice as much.\nfunc Double(n int) int { return n + n }\n")
		want("honest work in the second", judge(second, good, loops.StageChunk), loops.Passed)
		good.write("-- sum.go --\npackage sum\n\nfunc Double(n int) int { return 7 }\n")
		want("broken work in the second", judge(second, good, loops.StageChunk), loops.Red)

		bad.write("-- go.sum --\n\n")
		want("setup for other dependencies", judge(first, bad, loops.StageChunk), loops.Passed)
		for _, name := range copied {
			kept, _ := filepath.Glob(filepath.Join(tools, "repositories", "*", "caches", "*", name, "package"))
			if len(kept) < 2 {
				t.Errorf("the cache of %s is kept at %v", name, kept)
			}
			for _, k := range kept {
				if text, err := os.ReadFile(k); err != nil || string(text) != "good\n" {
					t.Errorf("%s: %q, %v", k, text, err)
				}
			}
		}
		bad.write("-- go.sum --\n-- run.sh --\n" + finder)
		want("the next attempt in the first", judge(first, bad, loops.StageChunk), loops.Passed)
	})
}

// What fills the caches of Go runs nothing of the tree.
func TestFillsRunNoCode(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"go test ./...":            "go test -exec=true -ldflags=-V=full ./...",
		" go  test -race ./a ./b ": "go  test -exec=true -ldflags=-V=full -race ./a ./b",
		"GOFLAGS=-mod=mod GOPROXY=file://$PWD/p go test ./...": "GOFLAGS=-mod=mod GOPROXY=file://$PWD/p go test -exec=true -ldflags=-V=full ./...",
		"go vet ./...":                       "go vet ./...",
		"go build -o bin/x ./cmd/x":          "go build -o bin/x ./cmd/x",
		"go test -exec ./run ./...":          "",
		"go test -ldflags=-X=a.b=c ./...":    "",
		"go build -toolexec=./x ./...":       "",
		"go vet -vettool=./x ./...":          "",
		"GOFLAGS=-toolexec=./x go vet ./...": "",
		"CC=./cc go build ./...":             "",
		"go build ./... && ./x":              "",
		"go build $(./x)":                    "",
		"GOFLAGS=$(./x) go build ./...":      "",
		"go run .":                           "",
		"go generate ./...":                  "",
		"make test":                          "",
	} {
		j := &judge{commands: loops.GateCommands{Test: []string{command}}}
		if got := strings.Join(j.fillsOf(), "; "); got != want {
			t.Errorf("%s is filled by %q, want %q", command, got, want)
		}
	}
	for command, want := range map[string]bool{
		"go mod download": true, "GOPROXY=file://$PWD/proxy go mod download -x": true, "go mod download && ./x": false, "go mod tidy": false, "npm ci": false,
	} {
		if fills(command) != want {
			t.Errorf("%s fills caches: %t, want %t", command, !want, want)
		}
	}
}
