package loops

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// secretForms returns the values that are long enough, in the forms in which
// they appear in output, sorted.
func secretForms(values []string) []string {
	var forms []string
	for _, v := range values {
		forms = append(forms, v)
		if t := strings.TrimSpace(v); len(t) >= MinSecret {
			forms = append(forms, t)
			forms = append(forms, encodedForms(t)...)
		}
		if strings.ContainsRune(v, '\n') { // printed line by line, or indented
			for line := range strings.Lines(v) {
				if line = strings.TrimSpace(line); len(line) >= 16 {
					forms = append(forms, line)
				}
			}
		}
	}
	forms = slices.DeleteFunc(forms, func(f string) bool { return len(f) < MinSecret })
	slices.Sort(forms)
	return slices.Compact(forms)
}

// encodedForms returns how a value looks when it is encoded, alone or within
// something longer.
func encodedForms(v string) []string {
	quoted, _ := json.Marshal(v) // a string can always be written
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(quoted))
	forms := []string{string(quoted[1 : len(quoted)-1]), plain[1 : len(plain)-1]}

	query, path := url.QueryEscape(v), url.PathEscape(v)
	// encodeURIComponent of JavaScript leaves these as they are.
	component := strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(query)
	for _, f := range []string{query, path, component} {
		forms = append(forms, f, lowerEscapes(f))
	}
	h := hex.EncodeToString([]byte(v))
	forms = append(forms, h, strings.ToUpper(h))
	for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		forms = append(forms, e.EncodeToString([]byte(v)))
		if len(v) < 8 {
			continue // what is left of it below would be too short to mean anything
		}
		for before := range 3 {
			forms = append(forms, base64Within(e, v, before))
		}
	}
	return forms
}

// base64Within returns the part of the encoding of a longer text that depends on
// v alone, where v begins at the given offset modulo three.
func base64Within(e *base64.Encoding, v string, before int) string {
	encoded := e.EncodeToString([]byte(strings.Repeat("\x00", before) + v))
	from := (before*8 + 5) / 6
	to := (before + len(v)) * 8 / 6
	return encoded[from:to]
}

// lowerEscapes writes the percent escapes of a URL with lower-case digits.
func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
			i += 2
		}
	}
	return string(b)
}

// automaton finds all of many strings in one pass (Aho and Corasick, 1975). The
// children of a state are a list, as nearly every state has one; those of the
// first, where most of a text is spent, are a table.
type automaton struct {
	states []acState
	root   [256]int32
}

type acState struct {
	child, sibling int32 // 0: none
	fail           int32
	depth          int32 // length of the prefix that the state stands for
	match          int32 // length of the longest string that ends here, 0 if none does
	b              byte
}

func newAutomaton(values []string) *automaton {
	a := &automaton{states: make([]acState, 1)}
	for _, v := range values {
		s := int32(0)
		for i := range len(v) {
			s = a.grow(s, v[i])
		}
		a.states[s].match = int32(len(v))
	}
	a.link()
	return a
}

// grow returns the child of s for b, and makes it if there is none.
func (a *automaton) grow(s int32, b byte) int32 {
	if c := a.childOf(s, b); c != 0 {
		return c
	}
	c := int32(len(a.states))
	a.states = append(a.states, acState{sibling: a.states[s].child, depth: a.states[s].depth + 1, b: b})
	a.states[s].child = c
	if s == 0 {
		a.root[b] = c
	}
	return c
}

func (a *automaton) childOf(s int32, b byte) int32 {
	if s == 0 {
		return a.root[b]
	}
	for c := a.states[s].child; c != 0; c = a.states[c].sibling {
		if a.states[c].b == b {
			return c
		}
	}
	return 0
}

// link sets, breadth first, the state that goes on when one has no child.
func (a *automaton) link() {
	queue := []int32{0}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for c := a.states[s].child; c != 0; c = a.states[c].sibling {
			if s != 0 {
				a.states[c].fail, _ = a.step(a.states[s].fail, a.states[c].b)
			}
			if a.states[c].match == 0 {
				a.states[c].match = a.states[a.states[c].fail].match
			}
			queue = append(queue, c)
		}
	}
}

// step returns the state after a byte, and the length of the longest string that
// ends with it.
func (a *automaton) step(s int32, b byte) (int32, int) {
	for s != 0 {
		if c := a.childOf(s, b); c != 0 {
			return c, int(a.states[c].match)
		}
		s = a.states[s].fail
	}
	s = a.root[b]
	return s, int(a.states[s].match)
}

// depth returns how many of the last bytes may be the beginning of a string.
func (a *automaton) depth(s int32) int { return int(a.states[s].depth) }
