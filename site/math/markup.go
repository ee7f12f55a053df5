package math

import (
	"errors"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// elements are those of a formula, with the attributes that each may have beside
// common ones.
var elements = map[string]string{
	"math": "display", "mrow": "", "mi": "", "mn": "", "mtext": "", "ms": "", "mphantom": "", "merror": "", "mprescripts": "", "none": "",
	"mo":     "fence form stretchy symmetric largeop movablelimits lspace rspace minsize maxsize separator accent linebreak",
	"mspace": "width height depth linebreak", "mpadded": "width height depth lspace voffset",
	"mfrac": "linethickness", "msqrt": "", "mroot": "", "mstyle": "", "menclose": "notation",
	"msub": "", "msup": "", "msubsup": "", "mmultiscripts": "",
	"mover": "accent", "munder": "accentunder", "munderover": "accent accentunder",
	"mtable": "columnalign rowspacing columnspacing", "mtr": "", "mtd": "columnspan rowspan columnalign", "mlabeledtr": "",
	"span": "", // within mtext
}

const common = "class displaystyle scriptlevel mathvariant mathsize mathcolor mathbackground dir"

// errShape is a formula that the converter makes something of that is not MathML.
var errShape = errors.New("formula uses something that the site doesn't show")

// sanitize copies MathML without what is not on the lists of elements, attributes and
// values.
func sanitize(src string) (string, error) {
	if len(src) > maxOutput {
		return "", ErrTooLong
	}
	w := writer{out: make([]byte, 0, len(src)+64)}
	z := html.NewTokenizer(strings.NewReader(src))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if len(w.open) > 0 || len(w.out) == 0 {
				return "", errShape
			}
			return string(w.out), nil
		case html.TextToken:
			if len(w.open) == 0 {
				return "", errShape
			}
			w.str(html.EscapeString(string(z.Text())))
		case html.StartTagToken:
			if !w.begin(z.Token()) {
				return "", errShape
			}
		case html.SelfClosingTagToken:
			if t := z.Token(); !w.begin(t) || !w.end(t.Data) {
				return "", errShape
			}
		case html.EndTagToken:
			if !w.end(z.Token().Data) {
				return "", errShape
			}
		default:
			return "", errShape
		}
	}
}

// writer writes MathML that is nested as it is written.
type writer struct {
	out   []byte
	open  []string
	sized int // the elements that were open when one changed the size; 0 for none
}

func (w *writer) str(s string) { w.out = append(w.out, s...) }

func (w *writer) begin(t html.Token) bool {
	own, ok := elements[t.Data]
	if !ok || (t.Data == "math") != (len(w.open) == 0 && len(w.out) == 0) {
		return false
	}
	w.open = append(w.open, t.Data)
	w.str("<" + t.Data)
	var classes []string
	for _, a := range t.Attr {
		switch {
		case a.Key == "style":
			var attrs []html.Attribute
			classes, attrs = styles(classes, a.Val)
			for _, a := range attrs {
				w.attribute(a.Key, a.Val)
			}
		case a.Key == "class":
			classes = append(classes, known(a.Val)...)
		case a.Key == "mathsize" && w.sized > 0: // sizes multiply
		case a.Key == "mathbackground" && t.Data == "mspace": // a rule, in black
			classes = append(classes, "m-rule")
		case hasWord(own, a.Key) || hasWord(common, a.Key):
			if a.Key == "mathsize" {
				w.sized = len(w.open)
			}
			w.attribute(a.Key, a.Val)
		}
	}
	if len(classes) > 0 {
		w.str(` class="` + strings.Join(classes, " ") + `"`)
	}
	w.str(">")
	return true
}

func (w *writer) end(name string) bool {
	n := len(w.open)
	if n == 0 || w.open[n-1] != name {
		return false
	}
	if w.sized == n {
		w.sized = 0
	}
	w.open = w.open[:n-1]
	w.str("</" + name + ">")
	return true
}

// attribute writes an attribute if its value is one that it may have.
func (w *writer) attribute(name, value string) {
	if most := lengths[name]; most > 0 {
		value = bounded(value, most)
	} else if !plain(value) {
		value = ""
	}
	if value != "" {
		w.str(" " + name + `="` + value + `"`)
	}
}

// plain reports whether a value is made of words, numbers and colours.
func plain(value string) bool {
	return len(value) <= 100 && !strings.ContainsFunc(value, func(r rune) bool {
		return (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("#.- ", r)
	})
}

// known returns the classes that the converter uses, without others.
func known(value string) []string {
	return slices.DeleteFunc(strings.Fields(value), func(c string) bool { return !hasWord(temmlClasses, c) })
}

func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}
