package conflict

import "github.com/loopwiki/wiki/schema"

// otherNames returns the words by which a page is called besides its title, without those that say
// only what it is. What is said of it on another page may be said under such a name.
func (m *matcher) otherNames(p *schema.Page) (out []string) {
	for _, alias := range p.Meta.Aliases {
		for _, w := range m.titleWords(alias.Name) {
			if !m.lexicon.Empty(w) && !m.lexicon.Generic(w) {
				out = append(out, w)
			}
		}
	}
	return out
}
