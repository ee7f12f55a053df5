package claim

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// unitTable are the units of measurement; see the file for the format.
//
//go:embed units.txt
var unitTable string

// unit reads an entry of the table of units: unit DIMENSION AMOUNT [ZERO].
func (l *Lexicon) unit(name string, items []string) bool {
	fields := strings.Fields(name)
	if len(fields) < 2 || len(fields) > 3 {
		return false
	}
	from, to, between := strings.Cut(fields[1], "..")
	if !between {
		to = from
	}
	u := schema.Unit{Dimension: schema.Dimension(fields[0])}
	var err error
	if u.Lo, err = strconv.ParseFloat(from, 64); err != nil {
		return false
	}
	if u.Hi, err = strconv.ParseFloat(to, 64); err != nil || u.Hi < u.Lo {
		return false
	}
	if len(fields) == 3 {
		if u.Zero, err = strconv.ParseFloat(fields[2], 64); err != nil {
			return false
		}
	}
	for _, item := range items {
		l.units[strings.TrimSpace(item)] = u
	}
	return true
}

// amount defines units that are worth an amount, such as 14 days. If the amount's noun
// is not a unit, as in 1 crate, it becomes one.
func (l *Lexicon) amount(text string, names []string) bool {
	q, ok := l.ParseQuantity(text, nil)
	if !ok || q.Lo <= 0 || q.Approx || q.Bound != schema.Exactly {
		return false
	}
	for _, name := range names {
		l.units[strings.TrimSpace(name)] = schema.Unit{Dimension: q.Dimension, Lo: q.Lo, Hi: q.Hi}
	}
	return true
}

// UnitOf returns a built-in unit; see [Lexicon.UnitOf].
func UnitOf(name string) (schema.Unit, bool) { return builtin().UnitOf(name) }

// UnitOf returns the unit of a name or symbol, as written or, unless it is one
// letter, in lower case.
func (l *Lexicon) UnitOf(name string) (u schema.Unit, ok bool) {
	if u, ok = l.units[name]; ok || len(name) < 2 {
		return u, ok
	}
	if len(name) == 2 && name[1] == 'b' && name[0] >= 'A' && name[0] <= 'Z' {
		return u, false // bits to some, bytes to others
	}
	u, ok = l.units[strings.ToLower(name)]
	return u, ok
}

// money returns the currency of a name, a code or a symbol.
func (l *Lexicon) money(name string) (u schema.Unit, ok bool) {
	u, ok = l.UnitOf(name)
	return u, ok && strings.HasPrefix(string(u.Dimension), "money:")
}
