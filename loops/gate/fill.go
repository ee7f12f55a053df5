package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// What Go keeps of packages that it compiled and modules that it downloaded is shared. It
// is written to only by commands that run no code of a tree, in an export whose code has
// not run yet. Others find it read-only, and write to a cache of their own.

// notRun are flags of go test with which it compiles and checks tests, and runs none: the
// linker is asked for its version instead, so there is nothing to run.
const notRun = " -exec=true -ldflags=-V=full"

// fillAgain is when packages are compiled again although nothing changed. Go removes what
// it did not use for five days, and does not see that gates use it.
const fillAgain = 24 * time.Hour

// inUse is how old an entry is that the last fill used: Go notes once an hour that it did.
const inUse = fillAgain + 2*time.Hour

// mostModules is how many modules of a tree are compiled beforehand.
const mostModules = 20

// What stands before and after the name of a command of go.
const (
	before = `^((?:(?:GO(?:FLAGS|PROXY|SUMDB|NOSUMDB|PRIVATE|OS|ARCH)|CGO_ENABLED)=[^\s|;&<>()` + "`" + `]*\s+)*go\s+`
	after  = `)(\s[^|;&<>$()` + "`" + `\n]*)?$`
)

var (
	downloads = schema.Expression(before + `mod\s+download` + after)
	compiles  = schema.Expression(before + `(?:build|vet)` + after)
	goTests   = schema.Expression(before + `test` + after)
	callsGo   = schema.Expression(`\bgo\s+(?:test|build|vet|run|install|generate|tool|list|mod)\b|\b(?:gotestsum|ginkgo|mage)\b`)
	// runsCode are flags with which the go command runs more than its own tools.
	runsCode = schema.Expression(`-(?:toolexec|vettool|exec|ldflags|overlay|args|C)\b`)
)

// fills reports whether a configured command only fills the caches of Go.
func fills(command string) bool {
	return downloads().MatchString(strings.TrimSpace(command)) && !runsCode().MatchString(command)
}

// fillsOf returns the commands that compile what the configured ones compile at the top of
// a tree, and run nothing of it.
func (j *judge) fillsOf() []string {
	var out []string
	for _, command := range slices.Concat(j.commands.Build, j.commands.Lint, j.commands.Test) {
		command = strings.TrimSpace(command)
		if runsCode().MatchString(command) {
			continue
		}
		if m := goTests().FindStringSubmatch(command); m != nil {
			out = append(out, m[1]+notRun+m[2])
		} else if compiles().MatchString(command) {
			out = append(out, command)
		}
	}
	return out
}

// fill compiles what the commands of an export need, before its code runs. What does not
// compile shows in the gates.
func (j *judge) fill(ctx context.Context, t *tree) error {
	mark := j.own("compiled", lockHash(t, slices.Concat(j.commands.Build, j.commands.Lint, j.commands.Test)))
	if info, err := os.Stat(mark); err == nil && time.Since(info.ModTime()) < fillAgain || !j.callsGo(t) {
		return nil
	}
	var modules []string
	for p := range t.files {
		if path.Base(p) == "go.mod" && kindOf(p) != testData {
			modules = append(modules, path.Dir(p))
		}
	}
	if len(modules) == 0 {
		return nil
	}
	slices.Sort(modules)
	for _, dir := range modules[:min(len(modules), mostModules)] {
		commands := []string{"go test" + notRun + " ./..."}
		if own := j.fillsOf(); dir == "." && len(own) > 0 {
			commands = own
		}
		for _, command := range commands {
			if _, err := j.exec(ctx, "compile", command, filepath.Join(t.dir, filepath.FromSlash(dir)), byShell(command), filling); err != nil {
				return err
			}
		}
	}
	if err := os.MkdirAll(filepath.Dir(mark), 0o755); err != nil {
		return err
	}
	return os.WriteFile(mark, nil, 0o644)
}

// callsGo reports whether a command, or a script in the tree, calls the go command.
func (j *judge) callsGo(t *tree) bool {
	if _, err := lookPath("go", j.Path); err != nil {
		return false
	}
	if slices.ContainsFunc(slices.Concat(j.commands.Setup, j.commands.Build, j.commands.Test, j.commands.Lint), callsGo().MatchString) {
		return true
	}
	for p := range t.files {
		script := slices.Contains([]string{".sh", ".bash", ".mk"}, path.Ext(p)) || slices.Contains([]string{"makefile", "gnumakefile", "justfile", "package.json", "taskfile.yml"}, strings.ToLower(path.Base(p)))
		if script && callsGo().Match(t.read(p)) {
			return true
		}
	}
	return false
}

// download gets the modules of a tree for setup commands that get them in their own way,
// such as a target of make: when these run, the modules are read-only.
func (j *judge) download(ctx context.Context, t *tree, dir string) error {
	if slices.ContainsFunc(j.commands.Setup, fills) || !t.has("go.sum") || !j.callsGo(t) {
		return nil
	}
	const command = "go mod download"
	_, err := j.exec(ctx, "modules", command, dir, byShell(command), filling) // what is missing shows in setup
	return err
}

// shared is where Go keeps what it compiled, for all repositories.
func (j *judge) shared() string { return filepath.Join(j.tools(), "go-build") }

// modules is where Go keeps modules. Their path is part of what is compiled of them, so
// they can't be copied.
func (j *judge) modules() string { return j.own("go-mod") }

// compiled is the build cache of a home.
func (h *home) compiled() string { return filepath.Join(h.dir, "go-build") }

// link gives a home a build cache of Go in which the shared entries are links: what the go
// command adds is the home's own.
func (j *judge) link(h *home) error {
	own := h.compiled()
	for i := range 256 {
		name := fmt.Sprintf("%02x", i)
		if err := os.MkdirAll(filepath.Join(own, name), 0o700); err != nil {
			return err
		}
		entries, err := os.ReadDir(filepath.Join(j.shared(), name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			if info, err := e.Info(); err != nil || time.Since(info.ModTime()) > inUse {
				continue
			}
			if err := os.Symlink(filepath.Join(j.shared(), name, e.Name()), filepath.Join(own, name, e.Name())); err != nil {
				return err
			}
		}
	}
	// When old entries were last looked for.
	return os.WriteFile(filepath.Join(own, "trim.txt"), fmt.Append(nil, time.Now().Unix()), 0o600)
}
