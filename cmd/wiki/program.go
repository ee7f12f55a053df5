package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema/text"
	"golang.org/x/term"
)

// program is one run of wiki: what the process gave it, and the flags that all
// commands share.
type program struct {
	in   io.Reader
	out  *text.Writer // out and err are the only writers to standard output and error
	err  *text.Writer
	tty  bool // out is a terminal
	live bool // err is a terminal
	env  func(string) string

	terminal io.Writer // below err, for its width
	stdout   io.Writer // below out, for a protocol that counts the bytes of its messages
	// again is [run], for a command that consists of others.
	again func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int

	dir     string // -C
	at      string // folder argument, relative to dir, in which the wiki is detected
	root    string // --root
	noColor bool
	quiet   bool
	verbose bool
}

// run executes one command line and returns its exit code. It is main
// without the process around it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	p := &program{in: stdin, out: text.NewBuffered(stdout), err: text.New(stderr), env: env, terminal: stderr, stdout: stdout, tty: isTerminal(stdout), live: isTerminal(stderr), again: run}
	if inCI(env) {
		p.out.GuardCommands()
		p.err.GuardCommands()
	}
	root := newRoot(p)
	root.SetArgs(args)
	p.completeNothing(root, args)
	root.SetIn(stdin)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := root.ExecuteContext(ctx)
	if flushed := p.out.Close(); err == nil && flushed != nil {
		err = fmt.Errorf("can't write to standard output: %w", flushed)
	}
	if err == nil {
		p.err.Close()
		return 0
	}
	f := asFault(ctx, unknownCommand(root, err))
	explain(p.err, f, p.shorten)
	p.err.Close()
	return f.code
}

// inCI reports whether the output goes to a CI log, which obeys commands in it.
func inCI(env func(string) string) bool {
	return env("GITHUB_ACTIONS") != "" || env("TF_BUILD") != "" || env("TEAMCITY_VERSION") != ""
}

// shorten makes paths below the current folder relative. The folder itself becomes a
// dot only if it is the whole text: at the end of a sentence it would look like a
// full stop.
func (p *program) shorten(s string) string {
	dir, err := filepath.Abs(p.path("."))
	if err != nil || filepath.Dir(dir) == dir {
		return s
	}
	return shortened(s, dir, filepath.Clean(p.path(".")))
}

// shortened replaces the absolute path dir in a text by short.
func shortened(text, dir, short string) string {
	if text == dir {
		return short
	}
	below := short + string(filepath.Separator)
	if short == "." {
		below = ""
	}
	var b strings.Builder
	for rest := text; ; {
		before, after, found := strings.Cut(rest, dir)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		whole := !insidePath(text[:len(text)-len(after)-len(dir)])
		switch {
		case whole && after != "" && os.IsPathSeparator(after[0]):
			b.WriteString(below)
			after = after[1:]
		case whole && after == "" && short != ".":
			b.WriteString(short)
		default:
			b.WriteString(dir)
		}
		rest = after
	}
}

// insidePath reports whether a path that follows the text before is the end of a
// longer one, as in /var/tmp or file:///tmp.
func insidePath(before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return before != "" && (unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(`/\._-~:@+%`, last))
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// color reports whether standard output takes escape sequences.
func (p *program) color() bool {
	return p.tty && !p.noColor && p.env("NO_COLOR") == "" && p.env("TERM") != "dumb"
}

// path returns name relative to the folder in -C.
func (p *program) path(name string) string {
	if filepath.IsAbs(name) || p.dir == "" {
		return name
	}
	return filepath.Join(p.dir, name)
}

// say prints a line for people, unless they asked for quiet.
func (p *program) say(format string, args ...any) {
	if !p.quiet {
		p.err.Printf(format+"\n", args...)
	}
}

// json prints a document for programs.
func (p *program) json(v any) error {
	e := json.NewEncoder(text.JSON(p.out))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// detect finds the wiki of this invocation.
func (p *program) detect() (*compiler.Workspace, error) {
	dir := p.path(cmp.Or(p.at, "."))
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, misuse("use -C with an existing folder", "no such folder: %s", p.dir)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, misuse("use -C with a folder", "not a folder: %s", p.dir)
	}
	root := p.root
	if p.at != "" && root != "" {
		root, err = filepath.Abs(p.path(root))
	}
	if err != nil {
		return nil, err
	}
	ws, err := compiler.Detect(dir, root)
	if err != nil {
		return nil, err
	}
	if p.verbose {
		for _, r := range ws.Reasons {
			p.say("%s", r)
		}
	}
	return ws, nil
}

// compile finds the wiki and compiles it. A wiki without pages is an error: the
// folder is probably wrong.
func (p *program) compile(ctx context.Context, opt compiler.Options) (*compiler.Wiki, error) {
	ws, err := p.detect()
	if err != nil {
		return nil, err
	}
	w, err := p.compileAt(ctx, ws, opt)
	if err != nil {
		return nil, err
	}
	return w, hasPages(w)
}

func hasPages(w *compiler.Wiki) error {
	if len(w.Pages()) > 0 {
		return nil
	}
	if u := w.Unread(); len(u) > 0 {
		return fmt.Errorf("no pages in %s: %s: %s", w.Workspace().Root, u[0].Path, u[0].Why)
	}
	return misuse("start a wiki with 'wiki init', or set its folder with --root", "no pages in %s", w.Workspace().Root)
}

func (p *program) compileAt(ctx context.Context, ws *compiler.Workspace, opt compiler.Options) (*compiler.Wiki, error) {
	progress, done := p.progress("reading pages")
	defer done()
	opt.Progress = progress
	start := time.Now()
	w, err := compiler.Compile(ctx, ws, opt)
	if err == nil && p.verbose {
		p.say("compiled %s in %s", text.Count(len(w.Pages()), "page"), time.Since(start).Round(time.Millisecond))
	}
	return w, err
}

// toLineStart moves to the beginning of the line, wipe also clears it.
var (
	toLineStart = text.NewSequence("\r")
	wipe        = text.NewSequence("\r\x1b[K")
)

// progress returns a function that shows progress, after a second and only on a
// terminal, and one that wipes it away.
func (p *program) progress(what string) (step func(done, total int), end func()) {
	if !p.live || p.quiet {
		return nil, func() {}
	}
	var mu sync.Mutex
	var shown time.Time
	start := time.Now()
	step = func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); now.Sub(start) > time.Second && now.Sub(shown) > 100*time.Millisecond {
			shown = now
			p.err.Printf("%s%s: %d of %d", toLineStart, what, done, total)
		}
	}
	end = func() {
		mu.Lock()
		defer mu.Unlock()
		if !shown.IsZero() {
			p.err.Printf("%s", wipe)
		}
	}
	return step, end
}

// today is the day that decides what has expired: the one in flag, the one in
// SOURCE_DATE_EPOCH, or the current day.
func (p *program) today(flag string) (time.Time, error) {
	if flag != "" {
		t, err := time.Parse(time.DateOnly, flag)
		if err != nil {
			return t, misuse("write it as 2006-01-02", "--today: %q is not a date", flag)
		}
		return t, nil
	}
	if epoch := p.env("SOURCE_DATE_EPOCH"); epoch != "" {
		s, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return time.Time{}, misuse("set it to seconds since 1970", "SOURCE_DATE_EPOCH: %q is not a whole number", epoch)
		}
		return time.Unix(s, 0).UTC().Truncate(24 * time.Hour), nil
	}
	return time.Now().UTC().Truncate(24 * time.Hour), nil
}

// jsonLine prints a value for programs on one line.
func (p *program) jsonLine(v any) error {
	e := json.NewEncoder(text.JSON(p.out))
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
