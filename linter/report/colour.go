package report

import "github.com/loopwiki/wiki/schema"

// painter puts text in colours, or leaves it as it is.
type painter struct{ on bool }

func colours(on bool) painter { return painter{on} }

func (p painter) put(code, s string) string {
	if !p.on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p painter) bold(s string) string { return p.put("1", s) }
func (p painter) dim(s string) string  { return p.put("2", s) }
func (p painter) good(s string) string { return p.put("32", s) }

func (p painter) severity(s schema.Severity) string {
	code := map[schema.Severity]string{schema.Error: "1;31", schema.Warning: "1;33", schema.Info: "1;36"}[s]
	return p.put(code, s.String())
}
