//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// terminalForbidden is whether a terminal, or what reads lines, would act on a character:
// C0 and C1, DEL, separators of lines, and what turns the direction of text around.
func terminalForbidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

var (
	terminalSGR      = regexp.MustCompile(`\x1b\[([0-9;]*)m`)
	terminalCommand  = regexp.MustCompile(`(?m)^[ \t]*(::[a-z-]+|##\[[a-z-]+)[^\n]*`)
	terminalOwn      = regexp.MustCompile(`^[ \t]*::(error|warning|notice)( [a-zA-Z]+=[^\n]*)?::`)
	terminalFakeLine = regexp.MustCompile(`(?m)^(FAKED|fake\.md:1:1:)[^\n]*`)
)

// terminalDocuments are the commands that print text of others that has lines of its own: what
// a prompt, an answer, a tool's description or a transcript says. Lines of it are no fault,
// but where CI reads them.
var terminalDocuments = map[string]bool{"connector approve": true, "connector call": true, "plan from": true, "loop run": true, "loop logs": true, "loop show": true, "query": true, "andon show": true, "loop spec": true, "loop intent": true, "context": true}

// terminalHasLines is whether a command is one of them, whatever flags stand before it.
func terminalHasLines(args []string) bool {
	words := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") })
	return len(words) > 0 && (terminalDocuments[words[0]] || terminalDocuments[strings.Join(words[:min(2, len(words))], " ")])
}

// terminalBad lists what is wrong with output. On a terminal the program may use colours that
// it takes back, and wipe its live line.
func terminalBad(out []byte, onTerminal, annotations bool) []string {
	return append(terminalRawIn(out, onTerminal), terminalLinesIn(out, annotations)...)
}

func terminalRawIn(out []byte, onTerminal bool) (bad []string) {
	at := func(what string, i int) {
		bad = append(bad, fmt.Sprintf("%s in %q", what, out[max(0, i-50):min(len(out), i+50)]))
	}
	if i := bytes.Index(out, []byte("38;2;66;66;66m")); onTerminal && i > 0 && (out[i-1] == '[' || out[i-1] == 0x9b) && bytes.Contains(out, []byte("\x1b[38;2;66;66;66m")) {
		at("a colour of the wiki's own", i)
	}
	if onTerminal {
		out = bytes.ReplaceAll(bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n")), []byte(wipe.String()), nil)
		if all := terminalSGR.FindAllSubmatch(out, -1); len(all) > 0 {
			if last := string(all[len(all)-1][1]); last != "" && last != "0" && last != "39" {
				bad = append(bad, "the last colour is not taken back: "+last)
			}
		}
		out = terminalSGR.ReplaceAll(out, nil)
	}
	for i := 0; i < len(out); {
		r, n := utf8.DecodeRune(out[i:])
		switch {
		case r == utf8.RuneError && n == 1 && out[i] >= 0x80 && out[i] < 0xa0:
			at(fmt.Sprintf("the raw byte %#x", out[i]), i)
		case terminalForbidden(r):
			at(fmt.Sprintf("%U", r), i)
		}
		if i += n; len(bad) >= 3 {
			return bad
		}
	}
	return bad
}

// terminalLinesIn finds lines that a value with a line feed in it began.
func terminalLinesIn(out []byte, annotations bool) (bad []string) {
	for _, m := range terminalCommand.FindAll(out, 2) {
		if !annotations || !terminalOwn.Match(m) {
			bad = append(bad, fmt.Sprintf("a line that GitHub takes for a command: %q", m[:min(len(m), 100)]))
		}
	}
	if m := terminalFakeLine.Find(out); m != nil {
		bad = append(bad, fmt.Sprintf("a line of the wiki's own: %q", m[:min(len(m), 100)]))
	}
	return bad
}

// terminalObeyed finds what CI would obey in a log that is guarded: a line that begins as a
// command does, and the older form wherever it stands.
func terminalObeyed(out []byte, annotations bool) (bad []string) {
	for line := range bytes.Lines(out) {
		if annotations && terminalOwn.Match(line) {
			continue
		}
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("::")) || bytes.Contains(line, []byte("##[")) {
			bad = append(bad, fmt.Sprintf("a line that GitHub obeys: %.100q", line))
		}
	}
	return bad
}

// terminalParses checks that a document is one.
func terminalParses(args []string, out []byte) error {
	out = bytes.TrimSpace(out)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(args, w) })
	}
	document := slices.Contains(args, "-f") // of a format that its first byte tells
	switch {
	case len(out) == 0:
	case has("--json") || slices.Equal(args, []string{"graph"}) || document && bytes.IndexByte([]byte("{["), out[0]) >= 0:
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var v any
			if err := d.Decode(&v); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	case document && out[0] == '<':
		for d := xml.NewDecoder(bytes.NewReader(out)); ; {
			if _, err := d.Token(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// terminalLeaves are the commands that do something, by what is typed to run them.
func terminalLeaves() map[string]*cobra.Command {
	leaves := map[string]*cobra.Command{}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		if c.HasParent() && (c.RunE != nil || c.Run != nil) {
			leaves[strings.TrimPrefix(c.CommandPath(), "wiki ")] = c
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(&program{out: text.New(io.Discard), err: text.New(io.Discard), env: func(string) string { return "" }}))
	return leaves
}

// terminalPipe runs the program in a folder, in a pipe.
func terminalPipe(dir string, env []string, args ...string) (stdout, stderr []byte, err error) {
	c := exec.Command("wiki", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), terminalEnv(dir)...)
	c.Env = append(c.Env, env...)
	c.Stdin = strings.NewReader(terminalHook)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		err = nil
	}
	return out.Bytes(), errs.Bytes(), err
}

func terminalEnv(dir string) []string {
	return []string{"HOME=" + dir, "PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"), "SOURCE_DATE_EPOCH=1772323200", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=", "NO_COLOR="}
}

// terminalCheck checks what a command prints, in a pipe and, if asked, on a terminal.
func terminalCheck(t *testing.T, repo string, tty bool, args ...string) (reached bool) {
	t.Helper()
	shown := fmt.Sprintf("%.120q", args)
	fresh := func() string {
		dir := terminalCopy(t, repo)
		if args[0] == "loop" { // no run starts while an incident is open
			if err := os.RemoveAll(filepath.Join(dir, ".loopwiki", "incidents")); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	stdout, stderr, err := terminalPipe(fresh(), nil, args...)
	if err != nil {
		t.Errorf("wiki %s: %v", shown, err)
	}
	annotations := slices.Contains(args, "github")
	check := terminalBad
	if terminalHasLines(args) {
		check = func(out []byte, onTerminal, _ bool) []string { return terminalRawIn(out, onTerminal) }
	}
	for name, out := range map[string][]byte{"stdout": stdout, "stderr": stderr} {
		for _, bad := range check(out, false, annotations) {
			t.Errorf("wiki %s, %s: %s", shown, name, bad)
		}
		if bytes.Contains(out, []byte("[running]:")) {
			t.Errorf("wiki %s crashes:\n%.2000s", shown, out)
		}
	}
	if err := terminalParses(args, stdout); err != nil {
		t.Errorf("wiki %s: the document can't be read: %v", shown, err)
	}
	if tty {
		tt := onTerminal(t, fresh(), args...)
		if slices.Contains(args, "guard") || args[0] == superviseName || args[0] == "lsp" { // it reads its standard input
			_, _ = tt.master.WriteString("{}\n\x04\x04")
		}
		tt.ends()
		for _, bad := range check([]byte(strings.TrimPrefix(tt.text(), "{}\r\n")), true, annotations) {
			t.Errorf("wiki %s, on a terminal: %s", shown, bad)
		}
		tt.master.Close()
	}
	return bytes.Contains(append(stdout, stderr...), []byte("zqx"))
}

func terminalCopy(t *testing.T, from string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "r")
	if out, err := exec.Command("cp", "-a", from, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// TestHostileTextStaysOffTerminals is all that is tried on one repository, of which each
// command gets a copy.
func TestHostileTextStaysOffTerminals(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts very many processes")
	}
	repo := terminalRepository(t)
	t.Run("all", func(t *testing.T) { // and the repository stays until they are over
		for name, f := range map[string]func(*testing.T, string){"commands": terminalCommands, "arguments": terminalArguments, "variables": terminalVariables, "settings": terminalSettings, "other": terminalOther} {
			t.Run(name, func(t *testing.T) { t.Parallel(); f(t, repo) })
		}
	})
}

// terminalCommands runs every command of the tree in a repository of which
// every name, title, value, setting, commit and answer holds what steers a terminal. A new
// command has to be added to terminalRuns.
func terminalCommands(t *testing.T, repo string) {
	leaves := terminalLeaves()
	for path := range leaves {
		if len(terminalRuns[path]) == 0 {
			t.Errorf("wiki %s is run nowhere: add it to terminalRuns", path)
		}
	}
	if len(leaves) < 60 {
		t.Fatalf("the tree has %d commands", len(leaves))
	}
	for path, runs := range terminalRuns {
		if path == "lint" {
			for _, format := range formatNames() {
				runs = append(runs, []string{"-f", format})
			}
		}
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			if leaves[path] == nil {
				t.Fatalf("there is no command %q", path)
			}
			reached := false
			for i, args := range runs {
				if i%schematest.Every(3, 4) != 0 {
					continue
				}
				all := append(strings.Fields(path), args...)
				tty := i == 0 || schematest.Long()
				reached = terminalCheck(t, repo, tty, all...) || reached
			}
			if terminalReaches[path] && !reached {
				t.Errorf("nothing of the wiki is printed, so nothing is shown by this")
			}
			if !terminalReaches[path] && reached {
				t.Logf("the wiki is printed by %s", path)
			}
		})
	}
}

// terminalArguments gives every command what steers a terminal as an
// argument, as an unknown flag, as the value of each of its flags, and as its folder. It is
// made of the tree, so that a new command and a new flag are tried by themselves.
func terminalArguments(t *testing.T, repo string) {
	leaves := terminalLeaves()
	for _, path := range slices.Sorted(maps.Keys(leaves)) {
		c, n := leaves[path], len(path)
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			words := strings.Fields(path)
			all := [][]string{{terminalPayload}, {"--" + terminalPayload}, {terminalPayload, terminalPayload}, {"-C", terminalPayload}, {"--root", terminalPayload}, {"--help", terminalPayload}, {"-" + terminalPayload}}
			c.LocalFlags().VisitAll(func(f *pflag.Flag) {
				if f.Name != "raw" {
					all = append(all, []string{"--" + f.Name + "=" + terminalPayload}, []string{"zqx", "--" + f.Name + "=" + terminalPayload})
				}
			})
			if path == "loop selftest" { // it has a folder of its own, whatever it is told
				all = slices.DeleteFunc(all, func(args []string) bool { return args[0] == "--root" || args[0] == "-C" })
			}
			if path == "loop checkin" {
				words = append(words, "--skip=selftest") // which takes minutes
			}
			dir := terminalCopy(t, repo)
			for i, args := range all {
				if (n+i)%schematest.Every(9, 12) != 0 {
					continue
				}
				args = append(slices.Clone(words), args...)
				stdout, stderr, err := terminalPipe(dir, nil, args...)
				if err != nil {
					t.Errorf("wiki %q: %v", args, err)
				}
				for _, bad := range append(terminalBad(stdout, false, false), terminalBad(stderr, false, false)...) {
					t.Errorf("wiki %.100q: %s", args, bad)
				}
			}
			if schematest.Long() {
				terminalCheck(t, repo, path != "serve", append(words, terminalPayload)...)
			}
		})
	}
	for name, args := range map[string][]string{"unknown command": {terminalPayload}, "unknown flag": {"--" + terminalPayload}, "unknown help": {"help", terminalPayload}, "unknown below": {"loop", terminalPayload}, "folder": {"-C", terminalPayload, "lint"}, "no folder": {"lint", "-C"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			terminalCheck(t, repo, true, args...)
		})
	}
}

// terminalVariables has what steers a terminal in variables that are printed.
func terminalVariables(t *testing.T, repo string) {
	for name, c := range map[string]struct {
		env  string
		args []string
	}{
		"run":         {"WIKI_LOOP_RUN", []string{"loop", "approve", "latest", "--by", "a"}},
		"run-andon":   {"WIKI_LOOP_RUN", []string{"andon", "close", "--reason", "x"}},
		"run-plan":    {"WIKI_LOOP_RUN", []string{"plan", "allow", "2026-01-x", "a", "--by", "b", "--reason", "c"}},
		"day":         {"SOURCE_DATE_EPOCH", []string{"lint"}},
		"threshold":   {"META_ANDON_FAILURE_THRESHOLD", []string{"andon", "status"}},
		"cache":       {"XDG_CACHE_HOME", []string{"doctor", "-v"}},
		"home":        {"HOME", []string{"doctor", "--agents"}},
		"summary":     {"GITHUB_STEP_SUMMARY", []string{"lint"}},
		"term":        {"TERM", []string{"lint"}},
		"path":        {"PATH", []string{"doctor", "--agents"}},
		"git-folder":  {"GIT_DIR", []string{"stale"}},
		"base":        {"GITHUB_BASE_REF", []string{"lint", "--since", "nowhere"}},
		"temporaries": {"TMPDIR", []string{"loop", "selftest", "approves-itself"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := []string{c.env + "=" + terminalPayload}
			if c.env == "GITHUB_STEP_SUMMARY" {
				env = append(env, "GITHUB_ACTIONS=true")
			}
			stdout, stderr, err := terminalPipe(terminalCopy(t, repo), env, c.args...)
			if err != nil {
				t.Error(err)
			}
			for _, bad := range append(terminalBad(stdout, false, name == "summary"), terminalBad(stderr, false, false)...) {
				t.Error(bad)
			}
		})
	}
}

// TestTerminalBadFindsControlSequences checks that the checks of this file can fail, and let pass
// what they should.
func TestTerminalBadFindsControlSequences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]bool{ // in a pipe, on a terminal
		"plain, ünïcode 漢字 שלום\n\tx":  {false, false},
		`shown as \x1b]52 and �`:       {false, false},
		"a\x1b[31mred\x1b[0m":          {true, false},
		"a\x1b[31mred":                 {true, true},
		"a\x1b[38;2;66;66;66mx\x1b[0m": {true, true},
		"a\x1b]52;c;QQ==\x07":          {true, true},
		"a\u009b31m":                   {true, true},
		"a\x9b31m":                     {true, true},
		"a\u202eb":                     {true, true},
		"a\u2066b":                     {true, true},
		"a\u2028b":                     {true, true},
		"a\x7f":                        {true, true},
		"a\rb":                         {true, true},
		"a\r\nb":                       {true, false},
		"x\n::add-mask::y":             {true, true},
		"x\n  ##[group]y":              {true, true},
		"x\nFAKED y":                   {true, true},
		"x\n::Add y":                   {false, false},
		"x\n y ##[group]z":             {false, false},
		"x ::add-mask:: FAKED y":       {false, false},
	} {
		if got, want := len(terminalObeyed([]byte(text), false)) > 0, strings.HasPrefix(text, "x\n") && !strings.Contains(text, "x\nFAKED"); got != want {
			t.Errorf("%q is obeyed: %v, want %v", text, got, want)
		}
		if got := [2]bool{len(terminalBad([]byte(text), false, false)) > 0, len(terminalBad([]byte(text), true, false)) > 0}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
