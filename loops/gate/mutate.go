package gate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// mutant is one line of a file of tests that would make a test fail.
type mutant struct {
	path, test string
	line       int // from 1
	old, now   string
	strength   strength
}

// strength says how sure a mutant is to find code that decides its own tests. The
// strongest of a file is taken.
type strength int

const (
	noMutant strength = iota
	argument          // the last argument of a call, which may be one of the repository's own assertions
	negated           // an object that is equal to everything fails this one, too
	expected          // the expected value
)

// mutants returns the mutants of a file, none if its tests can't be told apart.
func mutants(p string, src []byte) []mutant {
	l := languageOf(p)
	s := takeApart(p, src)
	if !s.known {
		return nil
	}
	lines := strings.Split(string(src), "\n")
	units := slices.Clone(s.units)
	slices.SortStableFunc(units, func(a, b unit) int { return a.line - b.line })
	var out []mutant
	for i, u := range units {
		if !u.test || u.skipped {
			continue
		}
		end := len(lines)
		if i+1 < len(units) {
			end = units[i+1].line - 1
		}
		for n := u.line - 1; n < end; n++ {
			next := ""
			if n+1 < end {
				next = lines[n+1]
			}
			if now, strength := mutate(l, lines[n], next); strength > noMutant && now != lines[n] {
				out = append(out, mutant{path: p, test: u.name, line: n + 1, old: lines[n], now: now, strength: strength})
			}
		}
	}
	return out
}

const aLiteral = `(-?\d+(?:\.\d+)?|"(?:[^"\\\n]|\\.)*"|true|false)`

// expectation finds the value that an assertion of a line expects.
var expectation = map[language]func() *regexp.Regexp{
	jsLanguage:   schema.Expression(`\b(?:toBe|toEqual|toStrictEqual|toContain|toHaveLength|equal|eql|eq)\(\s*(-?\d+(?:\.\d+)?|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|true|false)\s*\)|\b(?:assert|t)\.(?:\w*[eE]qual|is|same)\(.*,\s*(-?\d+(?:\.\d+)?|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|true|false)\s*\);?\s*$`),
	pyLanguage:   schema.Expression(`^\s*assert\b.*==\s*(-?\d+(?:\.\d+)?|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|True|False)\s*(?:,.*)?$|\bself\.assert\w*Equals?\(.*,\s*(-?\d+(?:\.\d+)?|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|True|False)\)\s*$`),
	rustLanguage: schema.Expression(`\bassert_eq!\(.*,\s*` + aLiteral + `\s*\);?\s*$`),
	javaLanguage: schema.Expression(`\bassertEquals\(\s*` + aLiteral + `\s*,|\bisEqualTo\(\s*` + aLiteral + `\s*\)`),
}

// lastArgument finds a value at the end of a call.
var lastArgument = schema.Expression(`^\s*(?:await\s+)?[\w.]+!?\(.*,\s*` + aLiteral + `\s*\);?\s*$`)

// mutate returns a line of a test with its assertion made wrong, if it has one.
func mutate(l language, line, next string) (string, strength) {
	if strings.Contains(line, "//") && l != pyLanguage && !strings.Contains(line, "://") {
		return "", noMutant
	}
	if find := expectation[l]; find != nil {
		if now := changeValue(find(), line); now != "" {
			return now, expected
		}
	}
	if l == goLanguage {
		if now, strength := mutateGo(line, next); strength > noMutant {
			return now, strength
		}
	}
	for _, n := range negations[l] {
		m := n.pattern().FindStringSubmatchIndex(line)
		if m == nil || n.whole && !balanced(line) {
			continue
		}
		return line[:m[0]] + string(n.pattern().ExpandString(nil, n.by, line, m)) + line[m[1]:], negated
	}
	if now := changeValue(lastArgument(), line); now != "" {
		return now, argument
	}
	return "", noMutant
}

// changeValue returns a line with another value in the first group that matches, or "".
func changeValue(pattern *regexp.Regexp, line string) string {
	m := pattern.FindStringSubmatchIndex(line)
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return line[:m[i]] + otherValue(line[m[i]:m[i+1]]) + line[m[i+1]:]
		}
	}
	return ""
}

// otherValue returns another literal of the same kind.
func otherValue(text string) string {
	switch text {
	case "true":
		return "false"
	case "false":
		return "true"
	case "True":
		return "False"
	case "False":
		return "True"
	}
	if q := text[len(text)-1]; q == '"' || q == '\'' {
		return text[:len(text)-1] + "~" + string(q)
	}
	sign, digits := "", text
	if text[0] == '-' {
		sign, digits = "-", text[1:]
	}
	whole, rest, dot := strings.Cut(digits, ".")
	n, err := strconv.ParseInt(whole, 10, 32)
	if err != nil || n < 0 {
		return text
	}
	out := fmt.Sprintf("%s%d", sign, n+1)
	if dot {
		out += "." + rest
	}
	return out
}

// negation turns an assertion into its opposite.
type negation struct {
	pattern func() *regexp.Regexp
	by      string
	whole   bool // the line has to be one statement
}

var negations = map[language][]negation{
	jsLanguage: {
		{schema.Expression(`\.not\.to([A-Z.])`), `.to$1`, false},
		{schema.Expression(`\)\.to([A-Z])`), `).not.to$1`, false},
		{schema.Expression(`\)\.to\.(be|equal|eql|deep|have|include|contain|throw)\b`), `).to.not.$1`, false},
		{schema.Expression(`\bassert\.strictEqual\(`), `assert.notStrictEqual(`, false},
		{schema.Expression(`\bassert\.deepStrictEqual\(`), `assert.notDeepStrictEqual(`, false},
		{schema.Expression(`\bassert\.equal\(`), `assert.notEqual(`, false},
		{schema.Expression(`\bassert\.deepEqual\(`), `assert.notDeepEqual(`, false},
		{schema.Expression(`\bassert\.throws\(`), `assert.doesNotThrow(`, false},
		{schema.Expression(`\bassert\.rejects\(`), `assert.doesNotReject(`, false},
		{schema.Expression(`\bassert\.match\(`), `assert.doesNotMatch(`, false},
		{schema.Expression(`^(\s*)assert(\.ok)?\(([^,]*)\)(;?)\s*$`), `${1}assert${2}(!(${3}))${4}`, true},
	},
	pyLanguage: {
		{schema.Expression(`\bself\.assert(Equal|In|IsInstance|AlmostEqual|Regex)\(`), `self.assertNot${1}(`, false},
		{schema.Expression(`\bself\.assertTrue\(`), `self.assertFalse(`, false},
		{schema.Expression(`\bself\.assertFalse\(`), `self.assertTrue(`, false},
		{schema.Expression(`\bself\.assertIsNone\(`), `self.assertIsNotNone(`, false},
		{schema.Expression(`\bself\.assertIsNotNone\(`), `self.assertIsNone(`, false},
		{schema.Expression(`^(\s*)assert ([^,#]+)$`), `${1}assert not (${2})`, true},
	},
	rustLanguage: {
		{schema.Expression(`\bassert_eq!\(`), `assert_ne!(`, false},
		{schema.Expression(`\bassert_ne!\(`), `assert_eq!(`, false},
		{schema.Expression(`\bassert!\(([^,]*)\);\s*$`), `assert!(!($1));`, true},
	},
	javaLanguage: { // a name that is not imported would not compile
		{schema.Expression(`\bassert(True|False)\(([^,]*)\);\s*$`), `assert$1(!($2));`, true},
		{schema.Expression(`\bAssertions\.assertEquals\(`), `Assertions.assertNotEquals(`, false},
		{schema.Expression(`\.isEqualTo\(`), `.isNotEqualTo(`, false},
		{schema.Expression(`\.isTrue\(\)`), `.isFalse()`, false},
		{schema.Expression(`\.isFalse\(\)`), `.isTrue()`, false},
	},
}

func balanced(line string) bool {
	return strings.Count(line, "(") == strings.Count(line, ")") && strings.Count(line, "[") == strings.Count(line, "]") && strings.Count(line, "{") == strings.Count(line, "}")
}

var (
	goCondition = schema.Expression(`^(\s*)if (.*) \{\s*$`)
	goBlame     = schema.Expression(`^\s*\w+\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(`)
	goExpected  = schema.Expression(`(?:!= |\bEqual\((?:t, )?)(-?\d+(?:\.\d+)?|"(?:[^"\\\n]|\\.)*")(?:$|[ ,;)])`)
	goTestify   = schema.Expression(`\b(assert|require)\.(Equal|Nil|Empty|Contains|Zero|Same|ElementsMatch|NoError|True|False|Error)(f?\()`)
)

// mutateGo changes the expected value in the condition under which a test fails, or
// negates it.
func mutateGo(line, next string) (string, strength) {
	fails := goCondition().MatchString(line) && goBlame().MatchString(next)
	if m := goExpected().FindStringSubmatchIndex(line); m != nil && (fails || goTestify().MatchString(line)) && !strings.Contains(line, "||") {
		return line[:m[2]] + otherValue(line[m[2]:m[3]]) + line[m[3]:], expected
	}
	if m := goCondition().FindStringSubmatch(line); m != nil && fails {
		before, condition := "", m[2]
		if i := strings.LastIndex(condition, "; "); i >= 0 {
			before, condition = condition[:i+2], condition[i+2:]
		}
		if strings.Contains(condition, "`") || strings.Count(condition, `"`)%2 > 0 {
			return "", noMutant
		}
		return m[1] + "if " + before + "!(" + condition + ") {", negated
	}
	m := goTestify().FindStringSubmatchIndex(line)
	if m == nil {
		return "", noMutant
	}
	opposite := map[string]string{"NoError": "Error", "Error": "NoError", "True": "False", "False": "True", "ElementsMatch": "NotElementsMatch"}
	name := line[m[4]:m[5]]
	if to := opposite[name]; to != "" {
		return line[:m[4]] + to + line[m[5]:], negated
	}
	return line[:m[4]] + "Not" + line[m[4]:], negated
}
