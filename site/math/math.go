// Package math turns formulas in TeX into MathML, which browsers show without a
// script. The converter is Temml (temml.min.js, see LICENSE.temml), run by an
// interpreter of JavaScript within the process; it is compiled when the first formula
// is converted.
//
// Formulas are untrusted. Each is bounded in length, depth, time and output, and what
// the converter makes passes a list of elements, attributes and values, so that no
// formula has a link, a script, a style or an image, or covers what is around it.
// Temml's style attributes become classes and attributes of MathML, since the site's
// policy forbids styles: see css/42-math.css of the theme.
package math

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// Bounds on one formula.
const (
	maxDepth  = 100       // braces, environments and \left in one another
	maxOutput = 256 << 10 // of MathML
	maxExpand = 300       // macros that are expanded
)

// timeLimit is how long one formula may take, of one processor. Time by the clock is no
// measure: on a loaded machine any formula may take that long, and the same page must not
// look different then.
const timeLimit = 200 * time.Millisecond

// Why a formula isn't converted, beside the mistakes in it.
var (
	ErrTooLong = errors.New("formula too long: at most 4 KB are converted; split it")
	ErrTooDeep = errors.New("formula nested too deep: at most 100 levels are converted")
	ErrTooSlow = errors.New("formula takes too long to convert; split or simplify it")
)

// maxCache bounds the formulas and results that are kept, in bytes.
const maxCache = 32 << 20

// formula is one formula as written.
type formula struct {
	tex     string
	display bool
}

type result struct {
	mathML string
	err    error
}

var (
	cache  sync.Map // formula to result
	cached atomic.Int64
)

// Convert returns a formula as a math element. The error is a mistake in the formula,
// in a few words on one line, or one of those above.
func Convert(tex string, display bool) (string, error) {
	if len(tex) > schema.MaxFormula {
		return "", ErrTooLong
	}
	key := formula{tex, display}
	if known, ok := cache.Load(key); ok {
		r := known.(result)
		return r.mathML, r.err
	}
	var r result
	r.mathML, r.err = convert(key)
	if cached.Load() < maxCache {
		if _, loaded := cache.LoadOrStore(key, r); !loaded {
			cached.Add(int64(len(tex) + len(r.mathML)))
		}
	}
	return r.mathML, r.err
}

func convert(f formula) (string, error) {
	if depth(f.tex) > maxDepth {
		return "", ErrTooDeep
	}
	made, err := run(f, timeLimit)
	if err != nil {
		return "", err
	}
	return sanitize(made)
}

// depth is how deep a formula is nested, at most.
func depth(tex string) (deepest int) {
	deep := 0
	for i := 0; i < len(tex); i++ {
		switch c := tex[i]; {
		case c == '{':
			deep++
		case c == '}':
			deep--
		case c == '\\':
			rest := tex[i+1:]
			switch {
			case begins(rest, "left") || begins(rest, "begin"):
				deep++
			case begins(rest, "right") || begins(rest, "end"):
				deep--
			}
			i++ // an escaped brace is none
		}
		deepest = max(deepest, deep)
	}
	return deepest
}

// begins reports whether s begins with the name of a command, and no longer one.
func begins(s, name string) bool {
	if len(s) < len(name) || s[:len(name)] != name {
		return false
	}
	return len(s) == len(name) || (s[len(name)]|0x20 < 'a' || s[len(name)]|0x20 > 'z')
}
