package schema

import (
	"regexp"
	"sync"
)

// Expression is a regular expression that is compiled when it is first asked
// for: most commands ask for few of them, and compiling all takes longer than
// the rest of a short command. Asking panics if text is not a regular expression.
func Expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
