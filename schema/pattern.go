package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// LongestPattern is how many bytes a regular expression in wiki.yaml may have.
const LongestPattern = 1000

// CompilePattern compiles a regular expression of a configuration, and returns the
// number of its instructions, the most steps that matching takes per byte. The error
// describes the fault in a few words.
func CompilePattern(text string) (re *regexp.Regexp, size int, err error) {
	if len(text) > LongestPattern {
		return nil, 0, fmt.Errorf("it is %d bytes long", len(text))
	}
	whole := "(?m:" + text + ")"
	parsed, err := syntax.Parse(whole, syntax.Perl)
	var bad *syntax.Error
	if _, plain := syntax.Parse(text, syntax.Perl); plain != nil && errors.As(plain, &bad) { // in the words of what was written
		return nil, 0, fmt.Errorf("%s", bad.Code)
	}
	if err != nil {
		return nil, 0, err
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, 0, err
	}
	if size = len(prog.Inst); size > MaxPatternSize {
		return nil, 0, fmt.Errorf("it compiles to %d instructions, at most %d are allowed: repeat less, as in (x?){20} for (x?){900}", size, MaxPatternSize)
	}
	re, err = regexp.Compile(whole)
	return re, size, err
}

// CheckGlob refuses a glob that takes long to match: every ** and every choice
// between braces multiplies the ways in which a path may fit.
func CheckGlob(glob string) error {
	if n := strings.Count(glob, "**"); n > MaxGlobStars {
		return fmt.Errorf("it contains ** %d times, at most %d are allowed", n, MaxGlobStars)
	}
	ways, open := 1, 0
	for i := range len(glob) {
		switch glob[i] {
		case '{':
			open++
		case '}':
			open = max(0, open-1)
		case ',':
			if open > 0 {
				ways++
			}
		}
		if glob[i] == '{' {
			ways *= 2 // as many groups as alternatives, at the worst
		}
		if ways > MaxGlobChoices {
			return fmt.Errorf("it has more than %d choices between braces", MaxGlobChoices)
		}
	}
	return nil
}
