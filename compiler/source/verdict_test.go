package source_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema/schematest"
	"golang.org/x/tools/txtar"
)

// repository is a folder under git in which days pass.
type repository struct {
	t   *testing.T
	dir string
	day int
}

func newRepository(t *testing.T, files string) *repository {
	t.Helper()
	schematest.NeedGit(t)
	r := &repository{t: t, dir: compilertest.Write(t, files)}
	r.git("init", "-q")
	r.commit()
	return r
}

func (r *repository) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "core.autocrlf=false", "-c", "commit.gpgSign=false"}, args...)...)
	cmd.Dir = r.dir
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	when := time.Date(2026, 1, 1+r.day, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
	cmd.Env = append(cmd.Env, "GIT_COMMITTER_DATE="+when, "GIT_AUTHOR_DATE="+when)
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// commit commits all there is and lets a day pass.
func (r *repository) commit() {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", "day")
	r.day++
}

// change writes files, and removes those that are empty.
func (r *repository) change(files string) {
	r.t.Helper()
	for _, f := range txtar.Parse([]byte(files)).Files {
		full := filepath.Join(r.dir, filepath.FromSlash(f.Name))
		if len(f.Data) == 0 {
			if err := os.Remove(full); err != nil {
				r.t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(full, f.Data, 0o666); err != nil {
			r.t.Fatal(err)
		}
	}
	r.commit()
}

func (r *repository) compile() *compiler.Wiki {
	r.t.Helper()
	ws, err := compiler.Detect(r.dir, "wiki")
	if err != nil {
		r.t.Fatal(err)
	}
	w, err := compiler.Compile(r.t.Context(), ws, compiler.Options{History: true})
	if err != nil {
		r.t.Fatal(err)
	}
	return w
}

// lock says that all pages are true now.
func (r *repository) lock() *source.Lock {
	r.t.Helper()
	w := r.compile()
	bounds, err := source.Bind(r.t.Context(), w, source.NewCode(w), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	var all []source.Binding
	for i := range bounds {
		if b, ok := bounds[i].Stamp(time.Date(2026, 1, r.day, 0, 0, 0, 0, time.UTC)); ok {
			all = append(all, b)
		}
	}
	return (&source.Lock{}).With(all, nil)
}

// judge says what became of every reference.
func (r *repository) judge(lock *source.Lock) string {
	r.t.Helper()
	w := r.compile()
	code := source.NewCode(w)
	verdicts, err := source.Judge(r.t.Context(), w, code, lock)
	if err != nil {
		r.t.Fatal(err)
	}
	var out []string
	for _, v := range verdicts {
		if v.State == source.StateFresh {
			continue
		}
		s := fmt.Sprintf("%s %s %s", v.Page.Path, v.Target, v.State)
		if v.Section.Heading != "" {
			s = fmt.Sprintf("%s#%s %s %s", v.Page.Path, v.Section.Heading, v.Target, v.State)
		}
		if v.State == source.StateMoved {
			spelled, err := v.Respell(code)
			if err != nil {
				r.t.Fatal(err)
			}
			s += " " + spelled
		}
		if v.State == source.StateSymbolMissing && v.Near != "" {
			s += " near " + v.Near
		}
		for _, s2 := range v.Values {
			s += fmt.Sprintf(" %s→%s", s2.Old, s2.Text)
		}
		out = append(out, s)
	}
	return strings.Join(out, "\n")
}

// A page that binds itself in every way, and the code it is about.
const bound = `
-- go.mod --
module example.org/m
-- src/limits.go --
package src

// MaxBody is how much is read.
const MaxBody = 4096

// Retries is how often.
const Retries = 3

func Handle(name string, timeout int) (int, error) {
	for i := 0; i < Retries; i++ {
		if n := send(name, timeout*250); n > 0 {
			return n, nil
		}
	}
	return 0, nil
}

func send(name string, timeout int) int { return len(name) + timeout }
-- src/conf.yaml --
server:
  port: 8080
  name: quay
-- wiki/limits.md --
---
sources: [src/limits.go#Handle]
---
# Limits

How a message is handled: each try waits 250 ms.

## Body

A body has at most 4,096 bytes.

code:: src/limits.go#MaxBody

## Retries

It is tried [three](../src/limits.go#Retries) times; Retries is 3.

## Port

<!-- wiki:src src/conf.yaml#server.port -->

The server listens on port 8080.

## Lines

Sent at once (src/limits.go:18).
-- wiki/other.md --
---
sources: [src/limits.go#send]
---
# Other

About sending.
`

func TestVerdicts(t *testing.T) {
	t.Parallel()
	const limits = "src/limits.go"
	edit := func(old, new string) func(*repository) {
		return func(r *repository) { r.edit(limits, old, new) }
	}
	for _, c := range []struct {
		name   string
		change func(*repository)
		want   string
	}{
		{"nothing", func(*repository) {}, ""},
		{"comments and formatting", edit("const MaxBody = 4096", "// More words.\nconst  MaxBody  =  4096 // bytes"),
			"limits.md#lines src/limits.go:18 source-moved src/limits.go:19"},
		{"another symbol", edit("func send", "func unrelated() int { return 77 }\n\nfunc send"),
			"limits.md#lines src/limits.go:18 source-moved src/limits.go:20"},
		{"lines that are repeated", edit("func send(name string, timeout int) int { return len(name) + timeout }",
			"\n\nfunc send(name string, timeout int) int { return len(name) + timeout }\n\nfunc send(name string, timeout int) int { return len(name) + timeout }"),
			"limits.md#lines src/limits.go:18 cited-lines-changed"},
		{"a constant that the page states", edit("MaxBody = 4096", "MaxBody = 8192"), "limits.md#body src/limits.go#MaxBody stale-value 4,096→8,192"},
		{"a small one, named beside it", edit("Retries = 3", "Retries = 5"), "limits.md#retries src/limits.go#Retries stale-value 3→5"},
		{"a literal in a body", edit("timeout*250", "timeout*500"), "limits.md src/limits.go#Handle stale-value 250→500"},
		{"a body", edit("n > 0", "n >= i"), "limits.md src/limits.go#Handle body-changed"},
		{"a signature", edit("func Handle(name string, timeout int)", "func Handle(name string, timeout int64)"), "limits.md src/limits.go#Handle signature-changed"},
		{"a new name", func(r *repository) { r.edit(limits, "Handle(", "Process(") }, "limits.md src/limits.go#Handle source-moved src/limits.go#Process"},
		{"another file", func(r *repository) {
			r.edit(limits, "\n\nfunc send(name string, timeout int) int { return len(name) + timeout }\n", "\n")
			r.change("-- src/net/send.go --\npackage net\n\nfunc send(name string, timeout int) int { return len(name) + timeout }\n")
		}, "limits.md#lines src/limits.go:18 symbol-missing\nother.md src/limits.go#send source-moved src/net/send.go#send"},
		{"no such symbol", edit("func Handle(name string, timeout int) (int, error) {", "func Handles(a, b, c, d string) (int, error) {\n\tname, timeout := a, 1"),
			"limits.md src/limits.go#Handle symbol-missing near Handles\nlimits.md#lines src/limits.go:18 source-moved src/limits.go:19"},
		{"a key", func(r *repository) { r.edit("src/conf.yaml", "8080", "9090") }, "limits.md#port src/conf.yaml#server.port stale-value 8080→9090"},
		{"another key", func(r *repository) { r.edit("src/conf.yaml", "quay", "pier") }, ""},
		{"a page that was brought up to date", func(r *repository) {
			r.edit(limits, "MaxBody = 4096", "MaxBody = 8192")
			r.edit("wiki/limits.md", "A body has at most 4,096 bytes.", "A body has at most 8 KiB, says MaxBody.")
		}, "limits.md#body src/limits.go#MaxBody reviewed"},
		{"code that can not be read", edit("func send", "func {"),
			"limits.md src/limits.go#Handle unverifiable-source\nlimits.md#body src/limits.go#MaxBody unverifiable-source\n" +
				"limits.md#retries src/limits.go#Retries unverifiable-source\nlimits.md#lines src/limits.go:18 unverifiable-source\nother.md src/limits.go#send unverifiable-source"},
		{"no file", func(r *repository) { r.change("-- src/conf.yaml --\n") }, "limits.md#port src/conf.yaml#server.port source-missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t, bound)
			lock := r.lock()
			if n := len(lock.Bindings); n != 6 {
				t.Fatalf("%d bindings:\n%s", n, lock.Format())
			}
			c.change(r)
			if got := r.judge(lock); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// edit replaces text that stands in a file once.
func (r *repository) edit(file, old, new string) {
	r.t.Helper()
	full := filepath.Join(r.dir, filepath.FromSlash(file))
	src, err := os.ReadFile(full)
	if err != nil {
		r.t.Fatal(err)
	}
	if !strings.Contains(string(src), old) {
		r.t.Fatalf("%s does not hold %q", file, old)
	}
	if err := os.WriteFile(full, []byte(strings.ReplaceAll(string(src), old, new)), 0o666); err != nil {
		r.t.Fatal(err)
	}
	r.commit()
}
