package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// target is a platform of releases. How packagers call it stands here alone.
type target struct {
	OS, Arch       string
	npmOS, npmArch string
	debArch        string
}

func (t target) String() string { return t.OS + "/" + t.Arch }

// exe is the name of the program.
func (t target) exe() string {
	if t.OS == "windows" {
		return "wiki.exe"
	}
	return "wiki"
}

var targets = []target{
	{"linux", "amd64", "linux", "x64", "amd64"},
	{"linux", "arm64", "linux", "arm64", "arm64"},
	{"darwin", "amd64", "darwin", "x64", ""},
	{"darwin", "arm64", "darwin", "arm64", ""},
	{"windows", "amd64", "win32", "x64", ""},
	{"windows", "arm64", "win32", "arm64", ""},
}

// grammars are those that compiler/source/languages.go reads. Without the others the
// program is a third smaller; a plain go build has them all, and does the same.
var grammars = []string{"c", "cpp", "java", "javascript", "python", "rust", "toml", "tsx", "typescript"}

func tags() string {
	all := "grammar_subset"
	for _, g := range grammars {
		all += ",grammar_subset_" + g
	}
	return all
}

// program is the built program of one platform.
type program struct {
	target
	file string
	data []byte
	info *buildinfo.BuildInfo
}

// release is what all files of a release share.
type release struct {
	source   string // a clone of the commit
	version  string // without its v
	revision string
	time     time.Time // of the commit
	programs []program
	shared   tree // man pages, completions and texts, the same for all platforms
}

// build compiles the last commit of the current repository in a clone below work, and
// reads from the programs what they are.
func build(work string, chosen []target) (*release, error) {
	if changed, err := output(".", "git", "status", "--porcelain", "--untracked-files=no"); err != nil {
		return nil, err
	} else if changed != "" {
		return nil, fmt.Errorf("a release is made from the last commit, and these files differ from it; commit or stash them:\n%s", changed)
	}
	commit, err := output(".", "git", "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	top, err := output(".", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	r := &release{source: filepath.Join(work, "source"), revision: commit}
	if _, err := output(".", "git", "clone", "--quiet", "--no-checkout", top, r.source); err != nil {
		return nil, err
	}
	if _, err := output(r.source, "git", "checkout", "--quiet", "--detach", commit); err != nil {
		return nil, err
	}
	for _, t := range chosen {
		p, err := r.compile(t, filepath.Join(work, t.OS+"-"+t.Arch, t.exe()))
		if err != nil {
			return nil, fmt.Errorf("%v: %w", t, err)
		}
		r.programs = append(r.programs, p)
	}
	if err := r.identify(); err != nil {
		return nil, err
	}
	r.shared, err = r.sharedFiles(work)
	return r, err
}

// compile builds for one platform, by the version of Go that built this program. What
// the environment says of Go does not count.
func (r *release) compile(t target, file string) (program, error) {
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-tags", tags(), "-o", file, "./cmd/wiki")
	c.Dir, c.Stderr = r.source, os.Stderr
	toolchain, _, _ := strings.Cut(runtime.Version(), " ")
	c.Env = append(os.Environ(), "GOTOOLCHAIN="+toolchain, "GOOS="+t.OS, "GOARCH="+t.Arch, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOEXPERIMENT=", "GODEBUG=", "GOFIPS140=off", "GOWORK=off")
	if err := c.Run(); err != nil {
		return program{}, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return program{}, err
	}
	info, err := buildinfo.ReadFile(file)
	return program{t, file, data, info}, err
}

// identify takes version, commit and time from the first program, where Go left them.
func (r *release) identify() error {
	info := r.programs[0].info
	r.version = strings.TrimPrefix(info.Main.Version, "v")
	if setting(info, "vcs.revision") != r.revision || setting(info, "vcs.modified") != "false" {
		return fmt.Errorf("the program is of %s, modified %s, and not of %s", setting(info, "vcs.revision"), setting(info, "vcs.modified"), r.revision)
	}
	var err error
	r.time, err = time.Parse(time.RFC3339, setting(info, "vcs.time"))
	return err
}

func setting(info *buildinfo.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// native returns a program that runs on this machine.
func (r *release) native(work string) (string, error) {
	for _, p := range r.programs {
		if p.OS == runtime.GOOS && p.Arch == runtime.GOARCH {
			return p.file, nil
		}
	}
	t := target{OS: runtime.GOOS, Arch: runtime.GOARCH}
	p, err := r.compile(t, filepath.Join(work, "native", t.exe()))
	return p.file, err
}

// output runs a program and returns what it prints, without the last line's end.
func output(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	out, err := c.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, exit.Stderr)
	}
	return strings.TrimSuffix(string(out), "\n"), err
}
