package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(schematest.InMemory(m), map[string]func(){"wiki": main, "oracle": oracle, "reaper": reaper, "mortal": mortal, "tracker-server": trackerServer})
}

// TestScripts runs testdata/script: one file per command, to be read as its
// manual, and mistakes.txtar. UPDATE_SCRIPTS=1 rewrites the files they compare
// with.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		WorkdirRoot:         t.TempDir(), // worktrees are next to a repository, so next to the folder of a script, too
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "" && os.Getenv("CI") == "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUp,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exitsWith,
			"says":     says,
			"occupy":   occupy,
			"free":     free,
			"get":      get,
			"commit":   commit,
			"nogit":    noGit,
			"ends":     ends,
			"workflow": workflow,
			"gitlab":   gitlab,
			"keep":     keep,
		},
	})
}

// keep sets a variable to what a regular expression finds first in what the last
// command printed.
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep NAME REGEXP")
	}
	found := regexp.MustCompile(args[1]).FindString(ts.ReadFile("stdout"))
	if found == "" {
		ts.Fatalf("there is no %s", args[1])
	}
	ts.Setenv(args[0], found)
}

// fewCollections is GOGC for programs that end before what they would collect is worth it.
// A run of a loop starts many.
const fewCollections = "800"

// setUp makes git and the clock the same everywhere.
func setUp(e *testscript.Env) error {
	for _, kv := range [][2]string{
		{"SOURCE_DATE_EPOCH", "1772323200"}, // 2026-03-01
		{"GIT_CONFIG_GLOBAL", os.DevNull}, {"GIT_CONFIG_NOSYSTEM", "1"},
		{"GIT_TEMPLATE_DIR", ""}, {"GIT_AUTHOR_NAME", "A"}, {"GIT_AUTHOR_EMAIL", "a@example.org"},
		{"GIT_COMMITTER_NAME", "A"}, {"GIT_COMMITTER_EMAIL", "a@example.org"},
		{"GITHUB_ACTIONS", ""}, {"GITHUB_STEP_SUMMARY", ""}, {"NO_COLOR", ""},
		{"HOME", e.WorkDir}, {"XDG_CACHE_HOME", cacheHome(e.WorkDir)},
		{"GORACE", os.Getenv("GORACE")}, // of the program under test, too
		{"GOGC", fewCollections},
	} {
		e.Setenv(kv[0], kv[1])
	}
	return nil
}

// cacheHome is the user's cache folder, because compilers' caches take long to fill.
func cacheHome(otherwise string) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return otherwise
	}
	return dir
}

// condition is [missing:PROGRAM], [thorough] or [long]. A run under the race detector, which is
// short, is followed by one that is not.
func condition(cond string) (bool, error) {
	switch cond {
	case "thorough":
		return schematest.Thorough() && !testing.Short(), nil
	case "long":
		return schematest.Long(), nil
	}
	return missing(cond)
}

// missing is the condition [missing:PROGRAM]. It is an error where WIKI_REQUIRE
// asks for the program, so that nothing is skipped in silence.
func missing(cond string) (bool, error) {
	program, ok := strings.CutPrefix(cond, "missing:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	if _, err := exec.LookPath(program); err == nil {
		return false, nil
	}
	if slices.Contains(strings.Split(os.Getenv("WIKI_REQUIRE"), ","), program) {
		return false, fmt.Errorf("%s is required here, and missing", program)
	}
	return true, nil
}

// exitsWith is: exits STATUS PROGRAM [ARG…].
func exitsWith(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d; it said:\n%s%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// says is: says LINE [LINE…]. Standard error of the last command is exactly
// these lines; $WORK stands for the folder of the script.
func says(ts *testscript.TestScript, neg bool, args []string) {
	got := strings.ReplaceAll(ts.ReadFile("stderr"), ts.Getenv("WORK"), "$WORK")
	got = strings.TrimSuffix(filepath.ToSlash(got), "\n")
	if want := strings.Join(args, "\n"); (got == want) == neg {
		ts.Fatalf("it said:\n%s\nand not:\n%s", got, want)
	}
}

// occupy is: occupy VAR NEXT. It listens on a port for the rest of the script,
// whose number it puts into VAR; that of the next one, which is free, into NEXT.
func occupy(ts *testscript.TestScript, _ bool, args []string) {
	for range 100 {
		taken, err := net.Listen("tcp", "127.0.0.1:0")
		ts.Check(err)
		port := taken.Addr().(*net.TCPAddr).Port
		next, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port+1)))
		if err != nil {
			taken.Close()
			continue
		}
		next.Close()
		ts.Defer(func() { taken.Close() })
		ts.Setenv(args[0], strconv.Itoa(port))
		ts.Setenv(args[1], strconv.Itoa(port+1))
		return
	}
	ts.Fatalf("no port with a free one after it")
}

// free is: free VAR. It puts the number of a port into VAR that nobody listens on.
func free(ts *testscript.TestScript, _ bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	_, port, err := net.SplitHostPort(l.Addr().String())
	ts.Check(errors.Join(err, l.Close()))
	ts.Setenv(args[0], port)
}

// get is: get PORT PATH REGEXP. It asks the server on that port until its
// answer holds REGEXP, or with ! until it does not.
func get(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: get PORT PATH REGEXP")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	wanted := regexp.MustCompile(args[2])
	var last string
	for {
		body, err := fetch(ctx, "http://127.0.0.1:"+args[0]+args[1])
		if err == nil && wanted.MatchString(body) != neg {
			return
		}
		last = fmt.Sprintf("%v\n%s", err, body)
		select {
		case <-ctx.Done():
			ts.Fatalf("%s: no %s in:\n%s", args[1], args[2], last)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func fetch(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return string(b), err
}

// noGit is: nogit. It leaves nothing in PATH but wiki itself.
func noGit(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Setenv("PATH", filepath.SplitList(ts.Getenv("PATH"))[0])
}

// commit is: commit DAY MESSAGE. It commits everything in the current folder,
// and makes a repository of it first when it is none.
func commit(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv("GIT_AUTHOR_DATE", args[0]+"T12:00:00Z")
	ts.Setenv("GIT_COMMITTER_DATE", args[0]+"T12:00:00Z")
	for _, git := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", args[1]}} {
		ts.Check(ts.Exec("git", git...))
	}
}
