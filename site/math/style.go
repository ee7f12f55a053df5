package math

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// temmlClasses are the classes of the converter that the theme has rules for.
const temmlClasses = "tml-display tml-sml-pad tml-med-pad tml-lrg-pad tml-left tml-right tml-jot tml-eqn tml-tag tml-tageqn tml-fbox " +
	"tml-cancel upstrike downstrike tml-xcancel sout tml-cancelto menclose tml-overline tml-underline longdiv-top longdiv-arc " +
	"phasor-bottom phasor-angle actuarial circle-pad textcircle tml-hat-1 tml-hat-2 tml-hat-3 tml-hat-4 tml-tilde-2 tml-tilde-3 tml-tilde-4 " +
	"tml-vec tml-small tml-prime tml-label mathcal mathscr tml-shift-left oldstylenums"

// maxLength is the longest length of an attribute in em: a formula that is wider than
// the text scrolls.
const maxLength = 40

// lengths are the attributes that are lengths, with the longest in em. None is below
// -4 em, so that no formula is laid over what is far from it.
var lengths = map[string]float64{
	"width": maxLength, "lspace": maxLength, "rspace": maxLength, "columnspacing": maxLength, "height": 12, "depth": 12, "voffset": 4,
	"minsize": 12, "maxsize": 12, "mathsize": 4, "linethickness": 1, "rowspacing": 12,
}

const minLength = -4

// unitsPerEm are the units of lengths.
var unitsPerEm = map[string]float64{"em": 1, "ex": 2, "px": 16, "pt": 12, "pc": 1, "cm": .42, "mm": 4.2, "in": .167, "%": 100}

// length reads a length in em.
func length(value string) (em float64, ok bool) {
	number := strings.TrimRight(value, "abcdefghijklmnopqrstuvwxyz%")
	unit := value[len(number):]
	n, err := strconv.ParseFloat(number, 64)
	per := unitsPerEm[unit]
	if unit == "" {
		per = 1
	}
	if err != nil || per == 0 || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, false
	}
	return n / per, true
}

// bounded returns the length of an attribute as it is written, or the longest or
// shortest one, or nothing.
func bounded(value string, most float64) string {
	em, ok := length(value)
	switch {
	case !ok:
		return ""
	case em > most:
		return strconv.FormatFloat(most, 'g', -1, 64) + "em"
	case em < minLength:
		return strconv.Itoa(minLength) + "em"
	}
	return value
}

// exact are the declarations of the converter that become a class as they are.
var exact = map[string]string{
	"display:block math": "", "math-depth:0": "m-depth-0", "math-depth:2": "m-depth-2",
	"width:100%": "m-wide", "width:50%": "m-half", "width:90%": "m-wide-90", "width:7.5%": "m-wide-7", "height:1em": "m-high-1",
	"text-align:left": "tml-left", "font-weight:bold": "m-bold", "font-style:italic": "m-italic", "transform:scaleX(-1)": "m-mirror",
	"font-family:Cambria, 'Times New Roman', serif": "m-serif",
	"position:relative":                             "m-lap", "display:flex": "m-flex", "justify-content:center": "m-center",
	"position:absolute": "m-over", "right:0": "m-right-0", "bottom:0": "m-bottom-0", "left:0.1em": "m-left-1",
	"padding:3pt": "m-pad-25", "padding:0.5ex 0.1em 0 0": "m-pad-end",
}

// borders are the sides of a cell that may have a line.
var borders = map[string]string{"border-top": "m-line-t", "border-bottom": "m-line-b", "border-left": "m-line-l", "border-right": "m-line-r"}

// steps are the lengths of paddings and margins that have a class, in hundredths of an
// em. Others become the nearest.
var steps = []int{0, 4, 14, 25, 50, 100, 200, 400}

// spaced are the properties whose value becomes a step.
var spaced = map[string]string{
	"padding": "m-pad", "padding-left": "m-pl", "padding-right": "m-pr", "padding-top": "m-pt", "padding-bottom": "m-pb", "margin-left": "m-ml",
}

// styles turns the declarations of a style attribute into classes and attributes.
// What it does not know is dropped.
func styles(classes []string, value string) ([]string, []html.Attribute) {
	var attrs []html.Attribute
	for declaration := range strings.SplitSeq(value, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if name == "color" && value != "undefined" {
			attrs = append(attrs, html.Attribute{Key: "mathcolor", Val: value})
			continue
		}
		if class := classOf(name, value); class != "" {
			classes = append(classes, class)
		}
	}
	return classes, attrs
}

func classOf(name, value string) string {
	if class, ok := exact[name+":"+value]; ok {
		return class
	}
	if class := borders[name]; class != "" {
		for _, kind := range []string{"dashed", "double"} {
			if strings.Contains(value, kind) {
				return class + " m-" + kind
			}
		}
		return class
	}
	if name == "border" {
		return "m-box"
	}
	if sides := strings.Fields(value); name == "padding" && len(sides) == 4 { // around raised content
		name, value = "padding-top", sides[0]
		if value == "0" {
			name, value = "padding-bottom", sides[2]
		}
	}
	if class := spaced[name]; class != "" {
		return class + step(value)
	}
	return ""
}

// step is the end of the class for a length: -25, or -n25 below zero.
func step(value string) string {
	em, ok := length(value)
	if !ok {
		return "-0"
	}
	hundredths, nearest := math.Abs(em)*100, steps[0]
	for _, s := range steps {
		if math.Abs(hundredths-float64(s)) < math.Abs(hundredths-float64(nearest)) {
			nearest = s
		}
	}
	if em < 0 && nearest > 0 {
		return "-n" + strconv.Itoa(nearest)
	}
	return "-" + strconv.Itoa(nearest)
}
