package text

import (
	"errors"
	"fmt"
	"strings"
)

// Line returns s as a value within one line: as [Clean] does, with a space for
// each line feed, carriage return and tab.
func Line(s string) string {
	if strings.ContainsAny(s, "\n\r\t") {
		s = spaces.Replace(s)
	}
	return Clean(s)
}

var spaces = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ")

// Error returns the text of an error with each message on one line. Errors that
// are joined take a line each, as errors.Join has it, and one with a method
// Lines() []string takes these; any other line break comes from a value in a
// message.
func Error(err error) string {
	whole := err.Error()
	if several, ok := err.(interface{ Lines() []string }); ok {
		var lines []string
		for _, l := range several.Lines() {
			lines = append(lines, Line(l))
		}
		return strings.Join(lines, "\n")
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var given, lines []string
		for _, e := range joined.Unwrap() {
			given, lines = append(given, e.Error()), append(lines, Error(e))
		}
		if whole == strings.Join(given, "\n") {
			return strings.Join(lines, "\n")
		}
		return Line(whole)
	}
	if inner := errors.Unwrap(err); inner != nil {
		if before, after, ok := strings.Cut(whole, inner.Error()); ok {
			return Line(before) + Error(inner) + Line(after)
		}
	}
	return Line(whole)
}

// Block is a value that may have several lines. [Writer.Printf] escapes hidden
// characters in it and keeps its lines.
type Block string

// constant is a string that only the source can write: no variable converts to it.
type constant string

// Style is how a terminal shows a piece of text; the zero Style changes nothing.
type Style struct{ code string }

// NewStyle returns a style by its SGR parameters, as "1;31".
func NewStyle(code constant) Style { return Style{string(code)} }

// Text returns a value of [Writer.Printf] that is s in this style.
func (s Style) Text(text string) Styled { return Styled{s, text} }

// Styled is a value with a style.
type Styled struct {
	style Style
	text  string
}

// Format writes the text on one line, between the sequences of its style.
func (s Styled) Format(f fmt.State, verb rune) {
	if s.style.code == "" || s.text == "" {
		fmt.Fprintf(f, fmt.FormatString(f, verb), Line(s.text))
		return
	}
	fmt.Fprintf(f, "\x1b[%sm%s\x1b[0m", s.style.code, Line(s.text))
}

// Sequence is a control sequence of the program itself.
type Sequence struct{ code string }

// NewSequence returns a control sequence.
func NewSequence(code constant) Sequence { return Sequence{string(code)} }

// String returns the bytes of the sequence.
func (s Sequence) String() string { return s.code }

// Format writes the sequence.
func (s Sequence) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.code) }

// value is an argument whose text needs work.
type value struct{ of any }

// Format writes the argument on one line.
func (v value) Format(f fmt.State, verb rune) {
	format := fmt.FormatString(f, verb)
	words := verb == 's' || verb == 'v'
	switch x := v.of.(type) {
	case string:
		if words {
			fmt.Fprintf(f, format, Line(x))
			return
		}
	case Block:
		if words {
			fmt.Fprintf(f, format, Clean(string(x)))
			return
		}
	case error:
		if words && x != nil {
			fmt.Fprintf(f, format, Error(x))
			return
		}
	}
	fmt.Fprint(f, Line(fmt.Sprintf(format, v.of)))
}

// keep replaces the arguments whose text may need work.
func keep(args []any) {
	for i, a := range args {
		switch x := a.(type) {
		case nil, bool, int, int64, uint64, float64, rune, Styled, Sequence, value:
		case string:
			if strings.ContainsAny(x, "\n\r\t") || !isClean(x) {
				args[i] = value{x}
			}
		default:
			args[i] = value{a}
		}
	}
}

// Sprintf is [Writer.Printf] to a string.
func Sprintf(format string, args ...any) string {
	keep(args)
	return fmt.Sprintf(format, args...)
}
