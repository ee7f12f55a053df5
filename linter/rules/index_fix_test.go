package rules

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// TestIndexFixes checks the fixes of indexes in every form: an entry is added, copied or
// removed, and nothing else changes.
func TestIndexFixes(t *testing.T) {
	t.Parallel()
	const pages = `
-- c/ab.md --
---
title: AB
summary: The first.
---
# AB
-- c/bc d.md --
---
title: BC D
summary: The second | of them.
type: concept
updated: 2026-01-02
---
# BC D
-- c/cd.md --
# CD
-- c/de.md --
---
summary: The last.
---
# DE
`
	for name, c := range map[string]struct{ rule, index, want string }{
		"titles, sorted": {"index-missing-entry", "- [AB](c/ab.md) — The first.\n- [CD](c/cd.md) — A third.\n- [DE](c/de.md) — More.\n\nEnd.\n",
			"- [AB](c/ab.md) — The first.\n- [BC D](<c/bc d.md>) — The second | of them.\n- [CD](c/cd.md) — A third.\n- [DE](c/de.md) — More.\n\nEnd.\n"},
		"paths, not sorted": {"index-missing-entry", "* [c/cd.md](c/cd.md)\n* [c/ab.md](./c/ab.md)\n* [c/de.md](./c/de.md)",
			"* [c/cd.md](c/cd.md)\n* [c/ab.md](./c/ab.md)\n* [c/de.md](./c/de.md)\n* [c/bc d.md](<./c/bc d.md>)"},
		"newest first": {"index-missing-entry", "- [[de]]\n  - below it\n- [[cd]]\n- [[ab]]\n", "- [[de]]\n  - below it\n- [[cd]]\n- [[bc d]]\n- [[ab]]\n"},
		"several":      {"index-missing-entry", "- **[[ab]]**: x\n- **[[bc d|BC]]**: y\n", "- **[[ab]]**: x\n- **[[bc d|BC]]**: y\n- **[[cd|CD]]**\n- **[[de|DE]]**: The last.\n"},
		"both links":   {"index-missing-entry", "- [[ab|AB]] ([AB](c/ab.md)) — a\n- [[bc d|BC D]] ([BC D](<c/bc d.md>)) — b\n- [[cd|CD]] ([CD](c/cd.md))\n", "- [[ab|AB]] ([AB](c/ab.md)) — a\n- [[bc d|BC D]] ([BC D](<c/bc d.md>)) — b\n- [[cd|CD]] ([CD](c/cd.md))\n- [[de|DE]] ([DE](c/de.md))\n"},
		"windows":      {"index-missing-entry", "- [[ab]]\r\n- [[cd]]\r\n- [[de]]\r\n", "- [[ab]]\r\n- [[bc d]]\r\n- [[cd]]\r\n- [[de]]\r\n"},
		"a table": {"index-missing-entry", "| Page | Summary | Type | Updated | Size |\n|---|---|---|---|---|\n| [AB](c/ab.md) | x | | | |\n| [CD](c/cd.md) | x | | | |\n| [DE](c/de.md) | x | | | |\n",
			"| Page | Summary | Type | Updated | Size |\n|---|---|---|---|---|\n| [AB](c/ab.md) | x | | | |\n| [BC D](<c/bc d.md>) | The second \\| of them. | concept | 2026-01-02 | |\n| [CD](c/cd.md) | x | | | |\n| [DE](c/de.md) | x | | | |\n"},
		"numbers":       {"index-missing-entry", "1. [[ab]]\n2. [[cd]]\n3. [[de]]\n", "1. [[ab]]\n2. [[cd]]\n3. [[de]]\n"},
		"a form of own": {"index-missing-entry", "- *[[ab]] and more*\n- *[[cd]] and more*\n- *[[de]] and more*\n", "- *[[ab]] and more*\n- *[[cd]] and more*\n- *[[de]] and more*\n"},
		"code": {"index-missing-entry", "- [`ab`](c/ab.md)\n- [`cd`](c/cd.md)\n- [`de`](c/de.md)\n",
			"- [`ab`](c/ab.md)\n- [`bc d`](<c/bc d.md>)\n- [`cd`](c/cd.md)\n- [`de`](c/de.md)\n"},
		"boxes": {"index-missing-entry", "- [ ] [[ab]]\n- [ ] [[cd]]\n- [ ] [[de]]\n", "- [ ] [[ab]]\n- [ ] [[bc d]]\n- [ ] [[cd]]\n- [ ] [[de]]\n"},
		"dead":  {"index-dead-entry", "- [[ab]]\n- [[gone]] — a\n- [[cd]]\n\n| a | b |\n|---|---|\n| [[lost\\|L]] | x |\n", "- [[ab]]\n- [[cd]]\n\n| a | b |\n|---|---|\n"},
		"stale beside a bar": {"index-stale-summary", "- [[ab]]: The first.\n- [[de]]: The last.\n- [[de]]: The last.\n- [[bc d]]: It was so.\n",
			"- [[ab]]: The first.\n- [[de]]: The last.\n- [[de]]: The last.\n- [[bc d]]: The second | of them.\n"},
		"stale": {"index-stale-summary", "- [[ab]]: The first.\n- [[bc d]]: The second | of them\n- [[de]] – The last.\n- [[cd]]: what\n\n- [other](c/ab.md): What the first was, see [[cd]]\n- [AB](c/ab.md) -- What it was.\n",
			"- [[ab]]: The first.\n- [[bc d]]: The second | of them\n- [[de]] – The last.\n- [[cd]]: what\n\n- [other](c/ab.md): What the first was, see [[cd]]\n- [AB](c/ab.md) -- The first.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := compilertest.Write(t, pages)
			file := filepath.Join(dir, "index.md")
			if err := os.WriteFile(file, []byte(c.index), 0o666); err != nil {
				t.Fatal(err)
			}
			w := compilertest.Compile(t, dir)
			res := lint(t, w, c.rule)
			if len(res.Findings) == 0 {
				t.Fatal("nothing is reported")
			}
			checkFindings(t, w, res)
			applySafe(t, w, res)
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
