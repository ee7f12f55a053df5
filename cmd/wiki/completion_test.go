package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestHiddenCharactersAreNotCompleted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args   []string
		stdout string
	}{
		{[]string{"__complete", "a\u202eb", ""}, ":1\n"},
		{[]string{"--no-color", "__completeNoDesc", "show", "\x1b]52;c;QQ==\x07"}, ":1\n"},
		{[]string{"-C", "a\nb", "__complete", "show", ""}, ":1\n"},
		{[]string{"__complete", "schema", "conf"}, "config\n:4\n"},
		{[]string{"completion", "__complete\x1b"}, ""},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), c.args, strings.NewReader(""), &out, &errs, func(string) string { return "" })
		if out.String() != c.stdout || (code == 0) != (c.stdout != "") {
			t.Errorf("wiki %q: exit status %d, %q, want %q\n%s", c.args, code, out.String(), c.stdout, errs.String())
		}
	}
}
