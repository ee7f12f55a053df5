package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/schema/schematest"
)

// rootSecret is in every file next to the repository. Nothing may read it.
const rootSecret = "rootzqsecret"

// rootRepo is a repository, with a folder next to it that is none of its business.
type rootRepo struct {
	t                *testing.T
	dir, top, victim string
	env              []string
}

// rootFiles are those of every repository.
var rootFiles = map[string]string{
	"wiki/index.md": "# Index\n\n- [[a]]\n- [[b]]\n",
	"wiki/log.md":   "# Log\n",
	"wiki/a.md":     "# A\n\nThe port of Barge is 8080. See [[index]].\n",
	"wiki/b.md":     "---\nsources: [src/code.go#Limit]\n---\n# B\n\nThe port of Barge is 9090. See [[Index]] and [[index]].\n",
	"src/code.go":   "package src\n\nconst Limit = 5\n",
}

// victimFiles are in the folder next to it, under the names that programs look for.
var victimFiles = map[string]string{
	"canary":                    rootSecret + "\n",
	"secret.md":                 "---\ntitle: " + rootSecret + "\ntags: [" + rootSecret + "]\n---\n# " + rootSecret + "\n\nThe port of Barge is 7070, says " + rootSecret + ".\n",
	"log.md":                    "# Log\n\n" + rootSecret + "\n",
	"index.md":                  "# Index " + rootSecret + "\n",
	"wiki.yaml":                 "title: " + rootSecret + "\n",
	"code.go":                   "package src\n\n// Limit is " + rootSecret + ".\nconst Limit = \"" + rootSecret + "\"\n",
	"wiki/index.md":             "# " + rootSecret + "\n",
	"theme/templates/page.html": "<p>" + rootSecret + "</p>",
	"theme/assets/site.css":     "/* " + rootSecret + " */",
	"manifest.json":             "{\"version\": 1, \"files\": [\"canary\", \"" + rootSecret + "\"]}\n",
	"baseline.json":             "{\"version\": 1, \"findings\": [{\"rule\": \"" + rootSecret + "\"}]}\n",
	"skill/SKILL.md":            "---\nname: skill\ndescription: " + rootSecret + "\n---\n# Skill\n",
}

func newRootRepo(t *testing.T, files map[string]string) *rootRepo {
	t.Helper()
	schematest.NeedGit(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &rootRepo{t: t, dir: dir, top: filepath.Join(dir, "repo"), victim: filepath.Join(dir, "victim")}
	home := filepath.Join(dir, "home")
	r.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CACHE_HOME=" + home, "LANG=C.UTF-8", "NO_COLOR=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org",
		"SOURCE_DATE_EPOCH=1772323200", "GORACE=" + os.Getenv("GORACE"), "GOGC=" + fewCollections,
	}
	for name, text := range rootFiles {
		r.write(name, text)
	}
	for name, text := range victimFiles {
		r.write("../victim/"+name, text)
	}
	for _, folder := range []string{home, filepath.Join(r.victim, "empty")} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("git", "init", "-q", "-b", "main")
	c.Dir, c.Env = r.top, r.env
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	for name, text := range files {
		r.put(name, text)
	}
	return r
}

// write writes a file of the repository, or next to it.
func (r *rootRepo) write(name, text string) {
	r.t.Helper()
	name = filepath.Join(r.top, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		r.t.Fatal(err)
	}
}

// put makes one entry of the repository instead of what is there. What it is, is said by
// its text: "-> target" a link, "fifo", "socket", "dir" and "sparse" are those, anything
// else is a file. VICTIM and REPO stand for absolute paths.
func (r *rootRepo) put(name, text string) {
	r.t.Helper()
	at := filepath.Join(r.top, filepath.FromSlash(name))
	text = strings.NewReplacer("VICTIM", r.victim, "REPO", r.top).Replace(text)
	if err := errors.Join(os.RemoveAll(at), os.MkdirAll(filepath.Dir(at), 0o755)); err != nil {
		r.t.Fatal(err)
	}
	var err error
	switch target, link := strings.CutPrefix(text, "-> "); {
	case link:
		err = os.Symlink(target, at)
	case text == "fifo":
		err = syscall.Mkfifo(at, 0o644)
	case text == "socket":
		var fd int
		if fd, err = syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0); err == nil {
			defer syscall.Close(fd)
			// The path of a socket is at most 107 bytes long.
			name := fmt.Sprintf("/proc/self/fd/%d/%s", rootFolder(r.t, filepath.Dir(at)), filepath.Base(at))
			err = syscall.Bind(fd, &syscall.SockaddrUnix{Name: name})
		}
	case text == "dir":
		err = os.Mkdir(at, 0o755)
	case text == "sparse":
		if err = os.WriteFile(at, []byte("title: sparse\n"), 0o644); err == nil {
			err = os.Truncate(at, 5<<30)
		}
	default:
		err = os.WriteFile(at, []byte(text), 0o644)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// rootFolder opens a folder for the rest of the test.
func rootFolder(t *testing.T, name string) int {
	t.Helper()
	d, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return int(d.Fd())
}

// outside is everything next to the repository, and what is in it.
func (r *rootRepo) outside() []string {
	r.t.Helper()
	var all []string
	err := filepath.WalkDir(r.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == r.top || name == filepath.Join(r.dir, "home") {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%s %s", name, info.Mode())
		if d.Type().IsRegular() {
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %x %s", sha256.Sum256(b), info.ModTime())
		}
		all = append(all, line)
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return all
}

// leaked are the files of the repository, the home and the cache that hold the secret.
func (r *rootRepo) leaked() []string {
	var all []string
	for _, top := range []string{r.top, filepath.Join(r.dir, "home")} {
		_ = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			if info, err := d.Info(); err != nil || info.Size() > 64<<20 {
				return nil
			}
			if b, _ := os.ReadFile(name); bytes.Contains(b, []byte(rootSecret)) {
				all = append(all, name)
			}
			return nil
		})
	}
	return all
}

const (
	rootPatience = time.Minute
	rootMemory   = 1 << 20 // KiB that a command on such a wiki may hold
)

// run runs the program and ends it when it takes too long or too much.
func (r *rootRepo) run(args ...string) (code int, said string) {
	r.t.Helper()
	var out bytes.Buffer
	c := exec.Command("wiki", args...)
	c.Dir, c.Env, c.Stdout, c.Stderr = r.top, r.env, &out, &out
	if err := c.Start(); err != nil {
		r.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { _ = c.Wait(); close(done) }()
	for end := time.Now().Add(rootPatience); ; {
		select {
		case <-done:
			return c.ProcessState.ExitCode(), out.String()
		case <-time.After(10 * time.Millisecond):
		}
		why := ""
		if time.Now().After(end) {
			why = "it does not end"
		} else if n := rootResident(c.Process.Pid); n > rootMemory {
			why = fmt.Sprintf("it holds %d MiB", n>>10)
		}
		if why != "" {
			_ = c.Process.Kill()
			<-done
			r.t.Fatalf("wiki %s: %s", strings.Join(args, " "), why)
		}
	}
}

// rootResident is the memory of a process in KiB.
func rootResident(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(fields[0])
	return n
}

// What a command of a case has to end with.
const (
	rootWorks   = 0
	rootRefuses = 2
	rootAny     = -1 // as long as it harms nothing
)

type rootCase struct {
	name  string
	first string            // a command that runs on the repository as it should be
	files map[string]string // as put takes them
	run   string            // the command, its words parted by spaces; + is a space in one
	code  int
	says  string // holds the name of the entry that is refused
	has   string // a file that must be there afterwards
	kept  string // a file of the repository that must be as it was
	asked bool   // a person asked for what happens outside
}

func (c rootCase) check(t *testing.T) {
	t.Parallel()
	r := newRootRepo(t, nil)
	if c.first != "" {
		if code, said := r.run(strings.Fields(c.first)...); code > 1 {
			t.Fatalf("wiki %s: exit status %d:\n%s", c.first, code, said)
		}
	}
	// Links come last: what is put below one would be put elsewhere.
	for _, links := range []bool{false, true} {
		for name, text := range c.files {
			if strings.HasPrefix(text, "-> ") == links {
				r.put(name, text)
			}
		}
	}
	before := r.outside()
	var kept []byte
	if c.kept != "" {
		kept, _ = os.ReadFile(filepath.Join(r.top, c.kept))
	}
	var args []string
	for _, word := range strings.Fields(c.run) {
		args = append(args, strings.NewReplacer("+", " ", "VICTIM", r.victim).Replace(word))
	}
	code, said := r.run(args...)
	if c.code != rootAny && code != c.code {
		t.Errorf("exit status %d, not %d", code, c.code)
	}
	if !strings.Contains(said, c.says) {
		t.Errorf("it does not name %s", c.says)
	}
	if after := r.outside(); !c.asked && !slices.Equal(before, after) {
		t.Errorf("what lies outside was\n%s\nand is\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	if strings.Contains(said, rootSecret) {
		t.Error("it says what stands outside")
	}
	if leaked := r.leaked(); len(leaked) > 0 {
		t.Errorf("what stands outside is in %v", leaked)
	}
	if c.has != "" {
		if _, err := os.Stat(filepath.Join(r.top, c.has)); err != nil {
			t.Errorf("it did not make %s", c.has)
		}
	}
	if c.kept != "" {
		if now, _ := os.ReadFile(filepath.Join(r.top, c.kept)); !bytes.Equal(kept, now) {
			t.Errorf("%s was changed", c.kept)
		}
	}
	if strings.Contains(said, "panic:") || strings.Contains(said, "goroutine ") {
		t.Error("it panics")
	}
	if t.Failed() {
		t.Logf("wiki %s: exit status %d:\n%.1500s", c.run, code, said)
	}
}

func rootCheck(t *testing.T, cases []rootCase) {
	t.Helper()
	t.Parallel()
	for _, c := range cases {
		t.Run(c.name, c.check)
	}
}
