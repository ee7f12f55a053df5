package andon

import (
	"errors"
	"strings"
)

// Errors of text that no shell would run as it stands.
var (
	ErrQuotes = errors.New("a quote is opened and not closed")
	ErrOpen   = errors.New("a substitution is opened and not closed")
	ErrDeep   = errors.New("commands are nested too deep")
)

// word is one word of a command, with its quotes taken away.
type word struct {
	text string
	// raw is the word as it is written.
	raw string
	// dynamic is true if what it comes to depends on a variable, a glob or the
	// output of a command.
	dynamic bool
}

// simple is one command: a program and its arguments.
type simple struct {
	words []word
	// stdin are the here-documents and here-strings that it is given.
	stdin []string
	// piped is true if its input is what another command prints.
	piped bool
}

// maxNesting is how deep commands may stand in commands.
const maxNesting = 32

// parseShell returns every simple command of a text in the language of POSIX
// shells and bash, in whatever it is nested: lists, pipes, groups, functions,
// substitutions. What is data for a command is no command. The grammar is
// simpler than the shell's where that can not hide a command.
func parseShell(text string) ([]simple, error) {
	l := &lexer{src: text}
	if err := l.list(0, 0); err != nil {
		return nil, err
	}
	return l.out, nil
}

// lexer reads a text from left to right.
type lexer struct {
	src string
	at  int
	out []simple
	// due are here-documents whose bodies begin at the next line end.
	due []*heredoc
	// math counts the double parentheses around: << is a shift there. If they are
	// those of commands after all, a here-document is taken for commands, too.
	math int
}

type heredoc struct {
	end    string
	tabs   bool // leading tabs are no part of it
	quoted bool
	owner  int // index in out of the command that reads it
}

func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.src) {
		return l.src[l.at+n]
	}
	return 0
}

func (l *lexer) has(s string) bool { return strings.HasPrefix(l.src[l.at:], s) }

// list reads commands up to the byte that ends them: ')', '`', or 0 for the end
// of the text.
func (l *lexer) list(end byte, depth int) error {
	if depth > maxNesting {
		return ErrDeep
	}
	cur, cases := l.begin(false), 0
	for l.at < len(l.src) {
		c := l.src[l.at]
		switch {
		case c == end && end != 0 && cases == 0:
			l.at++
			return nil
		case c == ' ' || c == '\t' || c == '\r':
			l.at++
		case c == '\n':
			l.at++
			if err := l.heredocs(depth); err != nil {
				return err
			}
			cur = l.begin(false)
		case c == '\\' && l.peek(1) == '\n':
			l.at += 2
		case c == '#':
			l.comment()
		case c == '|':
			l.at++
			next := l.peek(0)
			if next == '|' || next == '&' {
				l.at++
			}
			cur = l.begin(next != '|')
		case c == '&' && l.peek(1) == '>': // &>file
			l.at++
		case c == ';' || c == '&':
			l.at++
			cur = l.begin(false)
		case c == '(':
			if err := l.group(depth); err != nil {
				return err
			}
			cur = l.begin(false)
		case c == ')':
			l.at++ // it ends a pattern of a case
			cur = l.begin(false)
		case c == '<' || c == '>':
			if err := l.redirect(cur, depth); err != nil {
				return err
			}
		default:
			w, err := l.word(depth)
			if err != nil {
				return err
			}
			first := len(l.out[cur].words) == 0
			switch {
			case isDigits(w.raw) && (l.peek(0) == '<' || l.peek(0) == '>'): // the number of a file
			case w.raw == "{" || w.raw == "do" || w.raw == "then" || w.raw == "else":
				cur = l.begin(false)
			case first && (w.raw == "case" || w.raw == "esac" && cases > 0):
				cases += map[string]int{"case": 1, "esac": -1}[w.raw]
			case first && leads[w.raw]:
			default:
				l.out[cur].words = append(l.out[cur].words, w)
			}
		}
	}
	if end != 0 {
		return ErrOpen
	}
	return l.heredocs(depth)
}

// begin makes room for a command: those nested in it come after it.
func (l *lexer) begin(piped bool) int {
	l.out = append(l.out, simple{piped: piped})
	return len(l.out) - 1
}

// leads are words before a command that belong to what it stands in.
var leads = map[string]bool{"if": true, "elif": true, "while": true, "until": true, "}": true, "!": true, "fi": true, "done": true, "coproc": true, "in": true}

// group reads what stands in parentheses. In double ones it may be arithmetic.
func (l *lexer) group(depth int) error {
	if l.has("((") {
		l.math++
		defer func() { l.math-- }()
	}
	l.at++
	return l.list(')', depth+1)
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func (l *lexer) comment() {
	if n := strings.IndexByte(l.src[l.at:], '\n'); n >= 0 {
		l.at += n
	} else {
		l.at = len(l.src)
	}
}

// redirect reads a redirection, or a process substitution.
func (l *lexer) redirect(cur, depth int) error {
	if (l.has("<(") || l.has(">(")) && l.at+2 <= len(l.src) {
		start := l.at
		l.at += 2
		if err := l.list(')', depth+1); err != nil {
			return err
		}
		l.out[cur].words = append(l.out[cur].words, word{raw: l.src[start:l.at], dynamic: true})
		return nil
	}
	if l.has("<<<") {
		l.at += 3
		l.blanks()
		w, err := l.word(depth)
		l.out[cur].stdin = append(l.out[cur].stdin, w.text)
		l.out[cur].piped = l.out[cur].piped || w.dynamic
		return err
	}
	if l.has("<<") && l.math == 0 {
		l.at += 2
		h := &heredoc{owner: cur}
		if l.peek(0) == '-' {
			l.at++
			h.tabs = true
		}
		l.blanks()
		w, err := l.word(depth)
		h.end = strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(w.raw)
		h.quoted = h.end != w.raw
		l.due = append(l.due, h)
		return err
	}
	input := l.peek(0) == '<'
	for strings.IndexByte("<>&|", l.peek(0)) >= 0 && l.at < len(l.src) {
		l.at++
	}
	l.blanks()
	_, err := l.word(depth)
	if input {
		l.out[cur].piped = true
	}
	return err
}

func (l *lexer) blanks() {
	for l.peek(0) == ' ' || l.peek(0) == '\t' {
		l.at++
	}
}

// heredocs reads the bodies that are due.
func (l *lexer) heredocs(depth int) error {
	due := l.due
	l.due = nil
	for _, h := range due {
		var body strings.Builder
		for l.at < len(l.src) {
			line, _, found := strings.Cut(l.src[l.at:], "\n")
			l.at += len(line)
			if found {
				l.at++
			}
			if h.tabs {
				line = strings.TrimLeft(line, "\t")
			}
			if line == h.end {
				break
			}
			body.WriteString(line + "\n")
		}
		l.out[h.owner].stdin = append(l.out[h.owner].stdin, body.String())
		if !h.quoted { // the shell runs what is substituted in it
			if err := l.within(body.String(), depth); err != nil {
				return err
			}
		}
	}
	return nil
}

// within reads the substitutions of a text that is data otherwise.
func (l *lexer) within(text string, depth int) error {
	in := &lexer{src: text}
	for in.at < len(in.src) {
		switch c := in.src[in.at]; {
		case c == '\\':
			in.at += 2
		case c == '`' || c == '$':
			if _, err := in.expansion(depth, true); err != nil {
				return err
			}
		default:
			in.at++
		}
	}
	l.out = append(l.out, in.out...)
	return nil
}
