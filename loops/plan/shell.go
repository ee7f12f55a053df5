package plan

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"mvdan.cc/sh/v3/syntax"
)

// builtins are what a POSIX shell does itself.
var builtins = []string{
	".", ":", "[", "alias", "bg", "builtin", "cd", "command", "echo", "eval", "exec", "exit", "false", "fg", "getopts", "hash", "jobs", "kill",
	"printf", "pwd", "read", "return", "set", "shift", "shopt", "source", "test", "times", "trap", "true", "type", "ulimit", "umask", "unset",
	"wait",
}

// Programs returns a function that reports whether a program of a name lies in
// one of the folders of path, a list as in the variable PATH.
func Programs(path string) func(name string) bool {
	folders := filepath.SplitList(path)
	ends := []string{""}
	if runtime.GOOS == "windows" {
		ends = []string{"", ".exe", ".cmd", ".bat", ".com"}
	}
	return func(name string) bool {
		return slices.ContainsFunc(folders, func(dir string) bool {
			return filepath.IsAbs(dir) && slices.ContainsFunc(ends, func(end string) bool {
				info, err := os.Stat(filepath.Join(dir, name+end))
				return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0)
			})
		})
	}
}

// shellLine is a line for the shell as plans look at it. One that no shell would
// read has no statements.
type shellLine struct {
	*loops.Shell
	stmts []*syntax.Stmt
	text  string
}

func readLine(text string) shellLine {
	s, err := loops.ParseShell(text)
	if err != nil {
		return shellLine{}
	}
	return shellLine{s, s.Stmts, text}
}

// call returns the simple command of a statement, nil if it is a compound one.
func call(s *syntax.Stmt) *syntax.CallExpr {
	c, _ := s.Cmd.(*syntax.CallExpr)
	return c
}

// words are those of a simple command, without the assignments before them.
func (l shellLine) words(c *syntax.CallExpr) []string {
	var out []string
	for _, w := range c.Args {
		out = append(out, l.Word(w).Text)
	}
	return out
}

// first returns the program that the line begins with, "" if it is none: an assignment
// or a compound command.
func (l shellLine) first() string {
	for stmts := l.stmts; len(stmts) > 0; {
		switch c := stmts[0].Cmd.(type) {
		case *syntax.BinaryCmd:
			stmts = []*syntax.Stmt{c.X}
		case *syntax.Subshell:
			stmts = c.Stmts
		case *syntax.CallExpr:
			if words := l.words(c); len(words) > 0 {
				return words[0]
			}
			stmts = stmts[1:]
		default:
			return ""
		}
	}
	return ""
}

// succeeds reports whether a statement ends in success whatever programs say.
func (l shellLine) succeeds(s *syntax.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		switch c.Op {
		case syntax.AndStmt:
			return l.succeeds(c.X) && l.succeeds(c.Y)
		case syntax.OrStmt:
			return l.succeeds(c.X) || l.succeeds(c.Y)
		}
		return l.succeeds(c.Y) // the last of a pipe decides
	case *syntax.CallExpr:
		words := l.words(c)
		if s.Negated {
			return false
		}
		if len(words) == 0 {
			return true
		}
		switch words[0] {
		case "true", ":", "echo", "printf":
			return true
		case "exit", "return":
			return len(words) > 1 && words[1] == "0"
		}
	}
	return false
}

// neverFails reports whether a line ends in success whatever its programs say:
// true, exit 0, npm test || true, npm test; echo done.
func (l shellLine) neverFails() bool {
	for _, s := range l.stmts {
		if c := call(s); c != nil && l.succeeds(s) && len(c.Args) > 0 && l.words(c)[0] == "exit" {
			return true // nothing after it runs
		}
	}
	return l.Shell != nil && (len(l.stmts) == 0 || l.succeeds(l.stmts[len(l.stmts)-1]))
}

// pipedInto returns the program that a line ends in and whose success hides
// that of the one before, "" if there is none.
func (l shellLine) pipedInto() string {
	if len(l.stmts) == 0 || strings.Contains(l.text, "pipefail") {
		return ""
	}
	b, _ := l.stmts[len(l.stmts)-1].Cmd.(*syntax.BinaryCmd)
	for b != nil && (b.Op == syntax.AndStmt || b.Op == syntax.OrStmt) {
		b, _ = b.Y.Cmd.(*syntax.BinaryCmd)
	}
	if b == nil || call(b.Y) == nil {
		return ""
	}
	if words := l.words(call(b.Y)); len(words) > 0 && slices.Contains([]string{"tee", "cat", "head", "tail", "sort", "sed", "wc", "less", "more", "tr", "cut"}, words[0]) {
		return words[0]
	}
	return ""
}

// proseWords are words of sentences that commands hardly have.
var proseWords = []string{
	"a", "an", "and", "are", "be", "every", "has", "have", "is", "must", "no", "of", "pass", "passes", "should", "sure", "that", "the",
	"their", "when", "with", "without", "works",
}

// sentence reports whether a line is prose: plain words, some of which
// commands hardly have.
func sentence(line string) bool {
	words := strings.Fields(line)
	if len(words) < 3 {
		return false
	}
	prose := 0
	for i, w := range words {
		w = strings.ToLower(strings.TrimRight(w, ",.!?"))
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789'’") != "" || w == "" && i > 0 {
			return false
		}
		if slices.Contains(proseWords, w) {
			prose++
		}
	}
	return prose > 0
}
