package claim_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Prose that is not English is not read as if it were; what stands in fields and
// tables is, with its numbers as the language writes them.
func TestOtherLanguages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ page, want string }{
		"german": {`-- a.md --
---
port: 8080
slope: 1.125
---
# Pumpwerk

Das Pumpwerk ist seit 1998 in Betrieb und wird alle 6 Wochen von der Werkstatt geprüft. Die Pumpe läuft auf Debian 12 und
hat 4 Ventile. Der Behälter fasst 1.500 Liter, wenn er voll ist.

- **Gewicht:** 1.500 kg
- **Abstand:** 1,5 m
- **Frist:** 30 Tage

| Teil | Druck (bar) |
|---|---|
| ` + "`a.b`" + ` | 2,5 |
`, `a.md frontmatter:  | port | 8080 | 
a.md frontmatter:  | slop | 1.125 | 
a.md table: a.b | druck | 2,5 | 
a.md list:  | gewicht | 1.500 kg | 
a.md list:  | abstand | 1,5 m | 
a.md list:  | frist | 30 Tage | 
`},
		"spanish": {`-- a.md --
# Estación

La estación usa Debian 12 y el filtro es limpiado cada 6 semanas por el equipo. Los modos son manual, local y remoto.

caudal:: 40 l
`, `a.md field:  | caudal | 40 l | 
`},
		"a foreign section": {`-- a.md --
# Station

The pump of the station has 4 valves.

## Zusammenfassung

Die Pumpe ist in der Station und hat 5 Ventile. Das Wasser wird von der Pumpe aus dem Fluss in den Behälter bewegt.
`, "a.md sentence:  |  | 4 valves | \n"},
		"the frontmatter says so": {`-- a.md --
---
lang: nl
---
# Station

Pump has 4 valves.
`, ""},
		"english with names": {`-- a.md --
# Station

The station of Las Palmas, in the Calle de los Reyes, has 4 valves.
`, "a.md sentence:  |  | 4 valves | \n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, claims(t, c.page)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
