package plan

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// builtins are what a POSIX shell does itself, and what begins its compound
// commands.
var builtins = []string{
	"!", "(", "{", ".", ":", "[", "[[", "alias", "bg", "builtin", "case", "cd", "command", "declare", "echo", "eval", "exec", "exit",
	"export", "false", "fg", "for", "function", "getopts", "hash", "if", "jobs", "kill", "local", "printf", "pwd", "read", "readonly",
	"return", "set", "shift", "shopt", "source", "test", "time", "times", "trap", "true", "type", "ulimit", "umask", "unset", "until",
	"wait", "while",
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

// simple is a simple command of a shell's line, and what parts it from the next.
type simple struct {
	words []string // as written, quotes included
	after string   // && || | ; or "" at the end
}

// commandsOf cuts a line for the shell into its simple commands. It knows
// quotes, comments and operators; what is within $( ) or ( ) counts as part of a
// word, and so as nothing that is looked at.
func commandsOf(line string) []simple {
	var out []simple
	var cur simple
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			cur.words = append(cur.words, word.String())
			word.Reset()
		}
	}
	end := func(op string) {
		flush()
		cur.after = op
		if len(cur.words) > 0 || op != ";" {
			out = append(out, cur)
		}
		cur = simple{}
	}
	depth := 0
	for i := 0; i < len(line); i++ {
		c := line[i]
		two := line[i:min(i+2, len(line))]
		switch {
		case c == '\\' && i+1 < len(line):
			word.WriteString(two)
			i++
		case c == '\'' || c == '"' || c == '`':
			n := quoted(line[i:])
			word.WriteString(line[i : i+n])
			i += n - 1
		case c == '(':
			depth++
			word.WriteByte(c)
		case c == ')':
			depth = max(0, depth-1)
			word.WriteByte(c)
		case depth > 0:
			word.WriteByte(c)
		case c == '#' && word.Len() == 0:
			if n := strings.IndexByte(line[i:], '\n'); n >= 0 {
				i += n - 1
			} else {
				i = len(line)
			}
		case two == "&&" || two == "||":
			end(two)
			i++
		case two == "|&":
			end("|")
			i++
		case c == '|':
			end("|")
		case c == '&' && (strings.HasSuffix(word.String(), ">") || strings.HasPrefix(line[i:], "&>")):
			word.WriteByte(c) // a redirection
		case c == ';' || c == '\n' || c == '&':
			end(";")
		case c == ' ' || c == '\t' || c == '\r':
			flush()
		default:
			word.WriteByte(c)
		}
	}
	end("")
	if n := len(out); n > 1 && len(out[n-1].words) == 0 && out[n-2].after == ";" {
		out = out[:n-1]
	}
	return out
}

// quoted is the length of what the quotes at the beginning of s quote, both
// included.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] != '\'':
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return len(s)
}

// program is the word that a simple command is called by; assignments before it
// are left out. "" if there is none.
func (c simple) program() string {
	for _, w := range c.words {
		name, _, assigned := strings.Cut(w, "=")
		if assigned && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == "" {
			continue
		}
		return strings.TrimLeft(w, "(")
	}
	return ""
}

// succeeds reports whether a simple command never fails.
func (c simple) succeeds() bool {
	args := c.words
	for len(args) > 0 && args[0] != c.program() {
		args = args[1:]
	}
	switch c.program() {
	case "", "true", ":", "echo", "printf":
		return true
	case "exit", "return":
		return len(args) > 1 && args[1] == "0"
	}
	return false
}

// neverFails reports whether a line ends in success whatever its programs say:
// true, exit 0, npm test || true, npm test; echo done.
func neverFails(line string) bool {
	list := commandsOf(line)
	from := 0 // the last list of commands joined by && and || decides
	for i, c := range list {
		if len(c.words) > 0 && c.program() == "exit" && c.succeeds() && (i == 0 || list[i-1].after == ";") {
			return true // nothing after it runs
		}
		if c.after == ";" && i+1 < len(list) {
			from = i + 1
		}
	}
	holds := true
	for i := from; i < len(list); i++ {
		piped := list[i].after == "|"
		if piped {
			continue // the last of a pipe decides
		}
		before := ""
		for j := i - 1; j >= from && before == ""; j-- {
			if list[j].after != "|" {
				before = list[j].after
			}
		}
		switch before {
		case "||":
			holds = holds || list[i].succeeds()
		case "&&":
			holds = holds && list[i].succeeds()
		default:
			holds = list[i].succeeds()
		}
	}
	return holds
}

// pipedInto returns the program that a line ends in and whose success hides
// that of the one before, "" if there is none.
func pipedInto(line string) string {
	list := commandsOf(line)
	if len(list) < 2 || list[len(list)-2].after != "|" || strings.Contains(line, "pipefail") {
		return ""
	}
	last := list[len(list)-1].program()
	if slices.Contains([]string{"tee", "cat", "head", "tail", "sort", "sed", "wc", "less", "more", "tr", "cut"}, last) {
		return last
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
