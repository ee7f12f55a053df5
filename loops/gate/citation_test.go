//go:build unix

package gate

import (
	"testing"

	"github.com/loopwiki/wiki/loops"
)

func TestCitation(t *testing.T) {
	t.Parallel()
	const page = "-- wiki/pool.md --\n---\ntitle: Pool\n---\n# Pool\n\n"
	first := newRepo(t, pages)
	for name, c := range map[string]struct {
		change string
		effect loops.Effect
		says   string
	}{
		"cited by its lines":   {page + "As it was sent. ^[raw/mail.md:3]\n", loops.Passed, ""},
		"quoted":               {page + "\"As it was sent\" ^[raw/mail.md:3]\n", loops.Passed, ""},
		"named":                {"-- wiki/pool.md --\n---\nsources: [raw/mail.md]\n---\n# Pool\n", loops.Passed, ""},
		"linked":               {page + "See [[raw/mail]].\n", loops.Passed, ""},
		"cited by an old page": {"-- wiki/port.md --\n# Port\n\nThe gateway listens on port 80. ^[raw/mail.md:3]\n\n## History\n\nIt listened on port 79 once.\n", loops.Passed, ""},
		"misquoted":            {page + "\"As it was never sent\" ^[raw/mail.md:3]\n", loops.Red, `raw/mail.md:3-3 does not say "As it was never sent"`},
		"beyond its end":       {page + "Sent. ^[raw/mail.md:30]\n", loops.Red, "has 3 lines"},
		"of what is not there": {page + "Sent. ^[raw/mail.md:3] And again. ^[raw/male.md:3]\n", loops.Red, `"raw/male.md" is not there`},
		"by no page":           {page + "Water.\n", loops.Red, "cites no source"},
		"in the index alone":   {"-- wiki/index.md --\n---\ntitle: Index\nstatus: active\n---\n# Index\n\nBad word. The shop opens at nine. See [[raw/mail]].\n", loops.Red, "no page cites it"},
		"made up":              {page + "Sent. ^[raw/mail.md:3]\n-- wiki/raw/more.md --\n# More\n", loops.Violation, "is a new raw source"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := first.copied(t)
			r.write(c.change)
			j := shell(r)
			j.stage, j.plan.Chunks, j.rules = loops.StageWiki, nil, nil
			j.ingest = &loops.IngestRequest{Sources: []loops.IngestSource{{Path: "wiki/raw/mail.md"}}}
			gate := "citation"
			if c.effect == loops.Passed {
				gate = ""
			}
			j.expect(c.effect, gate, c.says)
		})
	}
}
