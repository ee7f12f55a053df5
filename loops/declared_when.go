package loops

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// When is the condition of a channel: comparisons that must all hold, or one of them.
type When struct {
	Any bool         `json:"any,omitempty"`
	Of  []Comparison `json:"of"`
}

// Comparison compares two numbers. An operand is one, or a name of [whenNames].
type Comparison struct {
	Left     string `json:"left"`
	Operator string `json:"operator"`
	Right    string `json:"right"`
}

// whenNames are the values that a condition may name; truths are 1 and 0.
var whenNames = map[string]bool{"score": true, "passed": true, "pass_threshold": true, "iteration": true, "true": true, "false": true}

var whenOperators = map[string]func(a, b float64) bool{
	"<": func(a, b float64) bool { return a < b }, "<=": func(a, b float64) bool { return a <= b },
	">": func(a, b float64) bool { return a > b }, ">=": func(a, b float64) bool { return a >= b },
	"==": func(a, b float64) bool { return a == b }, "!=": func(a, b float64) bool { return a != b },
}

// ParseWhen reads a condition: comparisons like "score < pass_threshold" joined by "and" or by
// "or", "passed", "not passed", or "always". An empty text is always true, and nil.
func ParseWhen(text string) (*When, error) {
	words := wordsOf(text)
	if len(words) == 0 || len(words) == 1 && words[0] == "always" {
		return nil, nil
	}
	w := &When{}
	joined := ""
	for len(words) > 0 {
		c, rest, err := comparison(words)
		if err != nil {
			return nil, err
		}
		w.Of, words = append(w.Of, c), rest
		if len(words) == 0 {
			return w, nil
		}
		if words[0] != "and" && words[0] != "or" {
			return nil, fmt.Errorf("unexpected %q; join comparisons by and, or by or", words[0])
		}
		if joined != "" && joined != words[0] {
			return nil, fmt.Errorf("mixes and with or; use one of them")
		}
		joined = words[0]
		w.Any, words = joined == "or", words[1:]
	}
	return nil, fmt.Errorf("ends with %q; add a comparison", joined)
}

// comparison reads the first comparison of some words.
func comparison(words []string) (Comparison, []string, error) {
	if words[0] == "not" && len(words) > 1 && words[1] == "passed" {
		return Comparison{"passed", "==", "false"}, words[2:], nil
	}
	if err := operand(words[0]); err != nil {
		return Comparison{}, nil, err
	}
	if len(words) == 1 || whenOperators[words[1]] == nil {
		if words[0] == "passed" {
			return Comparison{"passed", "==", "true"}, words[1:], nil
		}
		return Comparison{}, nil, fmt.Errorf("%q is compared with nothing; use an operator: <, <=, >, >=, == or !=", words[0])
	}
	if len(words) == 2 {
		return Comparison{}, nil, fmt.Errorf("%q is compared with nothing; add a number or a name", words[0])
	}
	return Comparison{words[0], words[1], words[2]}, words[3:], operand(words[2])
}

func operand(word string) error {
	if whenNames[word] {
		return nil
	}
	if _, err := strconv.ParseFloat(word, 64); err != nil {
		return fmt.Errorf("unknown name %q; use score, passed, pass_threshold, iteration or a number", word)
	}
	return nil
}

// whenWords are the words of a condition; plainWords are those that have another form.
var (
	whenWords  = schema.Expression(`&&|\|\||<=|>=|==|!=|[<>!]|[^\s&|<>=!]+|.`)
	plainWords = map[string]string{"&&": "and", "||": "or", "!": "not"}
)

func wordsOf(text string) []string {
	var out []string
	for _, w := range whenWords().FindAllString(strings.ToLower(text), -1) {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, cmp.Or(plainWords[w], w))
		}
	}
	return out
}

// holds reports whether a condition is true of some values; nil always is.
func (w *When) holds(values map[string]float64) bool {
	if w == nil {
		return true
	}
	for _, c := range w.Of {
		if whenOperators[c.Operator](valueOf(c.Left, values), valueOf(c.Right, values)) == w.Any {
			return w.Any
		}
	}
	return !w.Any
}

func valueOf(word string, values map[string]float64) float64 {
	switch {
	case word == "true":
		return 1
	case whenNames[word]:
		return values[word]
	}
	n, _ := strconv.ParseFloat(word, 64)
	return n
}
