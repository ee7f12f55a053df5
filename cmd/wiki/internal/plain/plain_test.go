package plain

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	t.Parallel()
	const page = "# my-rule\n\nA `code` span, ``a ` in one``, **strong**, *some words* and a [link](x.md).\n\n\n" +
		"## Examples\n\n### One\n\n````markdown\n```\n# not a heading *here*\n```\n````\n2 * 3 * 4 is not emphasis, nor is `*this*`.\n\x1b[31mred\n"
	const want = "MY-RULE\n\nA code span, a ` in one, strong, some words and a link.\n\n" +
		"EXAMPLES\n\nOne\n\n    ```\n    # not a heading *here*\n    ```\n2 * 3 * 4 is not emphasis, nor is *this*.\n\x1b[31mred\n"
	if diff := cmp.Diff(want, Text(page)); diff != "" {
		t.Error(diff)
	}
}
