package report

import (
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// painter adds colours to text, or not.
type painter struct{ on bool }

func colours(on bool) painter { return painter{on} }

func (p painter) put(style text.Style, s string) text.Styled {
	if !p.on {
		style = text.Style{}
	}
	return style.Text(s)
}

var (
	bold       = text.NewStyle("1")
	dim        = text.NewStyle("2")
	good       = text.NewStyle("32")
	severities = map[schema.Severity]text.Style{
		schema.Error: text.NewStyle("1;31"), schema.Warning: text.NewStyle("1;33"), schema.Info: text.NewStyle("1;36"),
	}
)

func (p painter) bold(s string) text.Styled { return p.put(bold, s) }
func (p painter) dim(s string) text.Styled  { return p.put(dim, s) }
func (p painter) good(s string) text.Styled { return p.put(good, s) }

func (p painter) severity(s schema.Severity) text.Styled { return p.put(severities[s], s.String()) }

// marks are the carets under a finding.
func (p painter) marks(s schema.Severity, marks string) text.Styled {
	return p.put(severities[s], marks)
}
