package schematest

import (
	"flag"
	"iter"
	"maps"
	"os"
	"slices"
	"testing"
)

// Tests run at three levels. Somebody who waits for them gets each feature shown once,
// and a sample where many cases show the same in other forms. A machine that checks a
// change, which has CI in its environment, gets what holds a promise in all its forms.
// Tests that take many minutes run with -long.
var long = flag.Bool("long", false, "run every case that there is, which takes many minutes for some tests")

// Long reports whether every case that there is should run.
func Long() bool { return *long }

// Thorough reports whether long tests should run in full.
func Thorough() bool { return *long || os.Getenv("CI") != "" }

// NeedThorough skips a long test in ordinary runs: a further variant of a test that
// always runs. WIKI_REQUIRE does not list it, since nothing is missing.
func NeedThorough(tb testing.TB, what string) {
	tb.Helper()
	if !Thorough() {
		tb.Skip(what + ": left out unless CI is set or -long is given")
	}
}

// Every is the step between the cases of a list to run: 1 with -long, checked in CI,
// waiting otherwise.
func Every(checked, waiting int) int {
	switch {
	case *long:
		return 1
	case os.Getenv("CI") != "":
		return checked
	}
	return waiting
}

// Sample yields every so-manieth of named cases, as [Every] says, in the order of their
// names: the same in every run.
func Sample[T any](cases map[string]T, checked, waiting int) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		names := slices.Sorted(maps.Keys(cases))
		for i := 0; i < len(names); i += Every(checked, waiting) {
			if !yield(names[i], cases[names[i]]) {
				return
			}
		}
	}
}
