package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// teamLabels are words of labels of fields and columns that hold the name of a team.
var teamLabels = []string{"team", "squad"}

// isTeamLabel reports whether a field or column holds the name of a team.
func isTeamLabel(name string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(name)), func(w string) bool { return slices.Contains(teamLabels, w) })
}

// teamName returns the words of a name without the one that says that it is a team's.
func teamName(v *schema.Value) (name string, said bool) {
	words := slices.DeleteFunc(slices.Clone(v.Words), func(w string) bool { return slices.Contains(teamLabels, strings.ToLower(w)) })
	return strings.ToLower(strings.Join(words, " ")), len(words) < len(v.Words)
}

// noteTeam notes the name of a team.
func (f *finder) noteTeam(c *schema.Claim) {
	if c.Value.Kind != schema.ValueName {
		return
	}
	if name, said := teamName(&c.Value); said || isTeamLabel(c.Attr.Name) {
		f.teams[name] = true
	}
}

// besideTeams reports whether a name is that of a person, in a wiki that names teams as well: both may
// answer for one thing.
func (f *finder) besideTeams(v *schema.Value) bool {
	if v.Kind != schema.ValueName || len(f.teams) == 0 || len(v.Words) < 2 {
		return false
	}
	name, said := teamName(v)
	return !said && !f.teams[name]
}

// noteTeams notes the names of teams that a field or a cell gives.
func (m *matcher) noteTeams(t *told) {
	labelled := slices.ContainsFunc(t.words, func(w toldWord) bool { return w.Label && slices.Contains(teamLabels, w.Concept) })
	for i := range t.Values {
		if v := &t.Values[i].Value; v.Kind == schema.ValueName {
			if name, said := teamName(v); said || labelled {
				m.teams[name] = true
			}
		}
	}
}
