package gate

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

var (
	pyDef       = schema.Expression(`^([ \t]*)(?:async[ \t]+)?def[ \t]+(\w+)`)
	pyClass     = schema.Expression(`^([ \t]*)class[ \t]+(\w+)`)
	pyDecorator = schema.Expression(`^[ \t]*@`)
	pySkip      = schema.Expression(`@(?:pytest\.mark\.|unittest\.)?(?:skip|skipif|skipIf|skipUnless|xfail|expectedFailure)\b|\bpytest\.(?:skip|xfail|importorskip)\s*\(|\.skipTest\s*\(|raise\s+(?:unittest\.)?SkipTest`)
)

// pyLine is a line of Python that holds code.
type pyLine struct {
	at     int // index into the lines
	indent int
}

// pythonSheet takes a Python file apart by its indentation: every function that
// lies in no other is a unit.
func pythonSheet(src string) *sheet {
	lines, masked := strings.Split(src, "\n"), strings.Split(mask(pyLanguage, src), "\n")
	p := pythonParser{lines: lines, masked: masked, sheet: &sheet{known: true}}
	for i := range masked {
		if text := strings.TrimLeft(masked[i], " \t"); strings.TrimSpace(text) != "" {
			p.code = append(p.code, pyLine{i, width(masked[i][:len(masked[i])-len(text)])})
		}
	}
	p.parse()
	var text string
	p.sheet.imports, text = importsOf(pyLanguage, strings.Join(p.sheet.rest, "\n"))
	p.sheet.rest = plainLines(text, "")
	return p.sheet
}

func width(space string) int {
	n := 0
	for _, b := range []byte(space) {
		if n++; b == '\t' {
			n += 7 - (n-1)%8
		}
	}
	return n
}

type pythonParser struct {
	lines, masked []string
	code          []pyLine
	classes       []pyClassAt
	sheet         *sheet
}

type pyClassAt struct {
	name    string
	indent  int
	skipped bool
}

func (p *pythonParser) parse() {
	for i := 0; i < len(p.code); {
		line := p.code[i]
		for len(p.classes) > 0 && p.classes[len(p.classes)-1].indent >= line.indent {
			p.classes = p.classes[:len(p.classes)-1]
		}
		first := i
		for i < len(p.code) && pyDecorator().MatchString(p.masked[p.code[i].at]) {
			i++
		}
		if i == len(p.code) {
			break
		}
		text := p.masked[p.code[i].at]
		decorators := strings.Join(p.lines[p.code[first].at:p.code[i].at], "\n")
		if m := pyClass().FindStringSubmatch(text); m != nil {
			p.classes = append(p.classes, pyClassAt{m[2], line.indent, pySkip().MatchString(decorators)})
			p.rest(first, i+1)
			i++
			continue
		}
		m := pyDef().FindStringSubmatch(text)
		if m == nil {
			p.rest(first, i+1)
			i++
			continue
		}
		end := i + 1
		for end < len(p.code) && p.code[end].indent > p.code[i].indent || end < len(p.code) && strings.HasPrefix(strings.TrimSpace(p.masked[p.code[end].at]), ")") {
			end++
		}
		p.unit(first, i, end, m[2])
		i = end
	}
}

func (p *pythonParser) rest(from, to int) {
	for _, l := range p.code[from:to] {
		p.sheet.rest = append(p.sheet.rest, strings.Join(strings.Fields(p.lines[l.at]), " "))
	}
}

func (p *pythonParser) unit(first, def, end int, name string) {
	last := len(p.lines)
	if end < len(p.code) {
		last = p.code[end].at
	}
	text := strings.Join(p.lines[p.code[first].at:last], "\n")
	masked := strings.Join(p.masked[p.code[first].at:last], "\n")
	u := unit{test: strings.HasPrefix(name, "test"), line: p.code[def].at + 1, skipped: pySkip().MatchString(masked)}
	for _, c := range p.classes {
		u.name += c.name + "."
		u.skipped = u.skipped || c.skipped
	}
	u.name += name
	var body []string
	for line := range strings.Lines(text) { // indentation is part of the meaning
		if line = strings.TrimRight(line, " \t\r\n"); line != "" && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			body = append(body, line)
		}
	}
	u.body = strings.Join(body, "\n")
	u.asserts = len(assertion[pyLanguage]().FindAllStringIndex(masked, -1))
	p.sheet.units = append(p.sheet.units, u)
}
