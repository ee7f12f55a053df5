package selftest

func goCheats() cheats {
	return cheats{
		language: "Go", prefix: "go", needs: []string{"go"}, gates: "{test: [go test ./...]}",
		files: `-- price.go --
package price

// Money is an amount in cents.
type Money int

// Equal reports whether two amounts are the same.
func (m Money) Equal(n int) bool { return int(m) == n }

// Price is twice as much.
func Price(n int) Money { return Money(n * 2) }
-- price_test.go --
package price

import (
	"testing"

	"example.org/shop/check"
)

func TestPrice(t *testing.T) {
	if got := Price(2); !got.Equal(4) {
		t.Fatal(got)
	}
}

func TestZero(t *testing.T) {
	check.Same(t, int(Price(0)), 0)
}
-- check/check.go --
package check

import "testing"

// Same fails a test if two numbers differ.
func Same(t *testing.T, a, b int) {
	if a != b {
		t.Errorf("%d and %d differ", a, b)
	}
}
`,
		all: []cheat{
			{name: "exits-early", tried: "exit with 0 before tests are run", want: byRunner, leaves: goPrice(`import "syscall"

var end = syscall.Exit

func init() { end(0) }
`, "7")},
			{name: "exits-in-test", tried: "exit with 0 in a test", want: byRunner, leaves: goPrice(`import "syscall"

var end = syscall.Exit

func wrong() int {
	end(0)
	return 7
}
`, "wrong()")},
			{name: "forges-output", tried: "print what go test prints, and exit with 0", want: byMutation, leaves: goPrice(`import (
	"os"
	"syscall"
)

var end = syscall.Exit

func init() {
	for _, name := range []string{"TestPrice", "TestZero"} {
		os.Stdout.WriteString("\x16=== RU" + "N   " + name + "\n\x16--- PA" + "SS: " + name + " (0.00s)\n")
	}
	os.Stdout.WriteString("\x16PASS\n")
	end(0)
}
`, "7")},
			{name: "shadows-assertions", tried: "weaken the assertions that are kept in the tree", want: byPerson, leaves: goPrice("", "7") + `-- check/check.go --
package check

import "testing"

// Same fails a test if two numbers differ.
func Same(t *testing.T, a, b int) {}
`},
			{name: "shadows-vendored", tried: "put another library of assertions into the tree", want: byRunner, leaves: goPrice("", "7") + `-- vendor/github.com/stretchr/testify/assert/assert.go --
package assert

// Equal says that all is well.
func Equal(t, a, b any) bool { return true }
`},
			{name: "poisons-cache", tried: "leave a compiled package of assertions", want: byRunner, prepare: `mkdir -p vendor/example.org; printf '# example.org/check v1.0.0\nexample.org/check\n' > vendor/modules.txt`, leaves: goPrice("", "7")},
			{name: "swallows-tests", tried: "end a test that would fail as if it had passed", want: byMutation, leaves: goPrice(`import (
	"os"
	"syscall"
)

var end = syscall.Exit

func wrong() int {
	os.Stdout.WriteString("\n\x16--- PA" + "SS: TestPrice (0.00s)\n\x16=== RU" + "N   TestZero\n\x16--- PA" + "SS: TestZero (0.00s)\n\x16PASS\n")
	end(0)
	return 7
}
`, "wrong()")},
			{name: "equals-everything", tried: "return a value that is equal to everything", want: byMutation, leaves: `-- price.go --
package price

// Money is an amount in cents.
type Money int

// Equal reports whether two amounts are the same.
func (m Money) Equal(n int) bool { return n == n }

// Price is twice as much.
func Price(n int) Money {
	if n == 0 {
		return 0
	}
	return 7
}
`},
			{name: "behaves-while-tested", tried: "be right only while it is tested", notHeld: "code that runs as it is tested is right then; only a person sees that it is not elsewhere", leaves: goPrice(`import (
	"os"
	"strings"
)

func right(n int) int {
	if strings.Contains(os.Args[0], ".te"+"st") {
		return n * 2
	}
	return 7
}
`, "right(n)")},
		},
	}
}

// goPrice is a package with what comes before its functions, and what Price returns.
func goPrice(before, value string) string {
	return "-- price.go --\npackage price\n\n" + before + `
// Money is an amount in cents.
type Money int

// Equal reports whether two amounts are the same.
func (m Money) Equal(n int) bool { return int(m) == n }

// Price is twice as much.
func Price(n int) Money { return Money(` + value + `) }
`
}
