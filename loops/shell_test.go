package loops

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShellCommands(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]ShellCommand{
		"A=1":                        {{}},
		`a\ b "c\"d\e$x" '' $'\x41'`: {{Words: []ShellWord{{"a b", `a\ b`, false}, {`c"d\e$x`, `"c\"d\e$x"`, true}, {"", "''", false}, {"A", `$'\x41'`, false}}}},
		"a | { b; c <f; } # d":       {{Words: words("a")}, {Words: words("b"), Piped: true}, {Words: words("c"), Piped: true}},
		"(a; b <<E) <<<c\nd\nE":      {{Words: words("a"), Stdin: []string{"c"}}, {Words: words("b"), Stdin: []string{"c", "d\n"}}},
	} {
		got, err := ShellCommands(text)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v (-want +got)\n%s", text, err, diff)
		}
	}
	deep := strings.Repeat("( ", MaxNesting+1) + "a" + strings.Repeat(" )", MaxNesting+1)
	for text, want := range map[string]error{"a 'b": ErrOpen, "a $(b": ErrOpen, "{ a": ErrOpen, deep: ErrDeep, strings.Repeat("(", 100_000): ErrDeep, strings.Repeat("a", MaxScript+1): ErrLong} {
		if got, err := ShellCommands(text); !errors.Is(err, want) {
			t.Errorf("%.40q: %v, %v, want %v", text, got, err, want)
		}
	}
}

func words(all ...string) (out []ShellWord) {
	for _, w := range all {
		out = append(out, ShellWord{w, w, false})
	}
	return out
}
