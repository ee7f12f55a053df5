package rules

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

func TestQuotes(t *testing.T) {
	t.Parallel()
	const page = "X \"X\" X and “the X” X, “X\nX” „X“ «X» ‘X’ X's 'X' X\n> X\nX\n  - > X\n\" X\nX \"\n" // an X in quotes is not found
	q := &quotes{src: []byte(page)}
	var got []string
	for i := range page {
		if page[i] != 'X' {
			continue
		}
		word := "plain"
		if q.hold(schema.Span{Start: i, End: i + 1}) {
			word = "quoted"
		}
		got = append(got, word)
	}
	want := "plain quoted plain quoted plain plain plain quoted quoted quoted plain quoted plain quoted plain quoted plain plain"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}
