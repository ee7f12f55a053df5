package site

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// putDiagrams puts the scripts that draw diagrams, if some page has one.
func (s *Site) putDiagrams(n *names) {
	drawn := func(f schema.Fence) bool { return f.Language == "mermaid" }
	if slices.ContainsFunc(s.built, func(p *schema.Page) bool { return slices.ContainsFunc(p.Fences, drawn) }) {
		s.put(n, own+theme.DiagramsName, assetOutput{theme.DiagramsName})
		s.put(n, own+theme.MermaidName, assetOutput{theme.MermaidName})
	}
}

// addDiagrams makes a page draw the diagrams in it, with the styles that are in those.
func (s *Site) addDiagrams(f *theme.Frame, name string) {
	f.CSP = s.csp(false, true)
	f.DiagramsJS = toRoot(name) + own + theme.DiagramsName + "?v=" + s.theme.Version(theme.DiagramsName)
}
