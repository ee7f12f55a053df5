package site

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/schema"
)

// Bounds on a drawing that is published.
const (
	maxDrawing  = 1 << 20 // bytes
	maxSVGDepth = 200
	maxSVGDrawn = 200_000 // elements, those that are referred to counted each time
)

const (
	svgSpace   = "http://www.w3.org/2000/svg"
	xlinkSpace = "http://www.w3.org/1999/xlink"
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
)

// What a drawing may be made of: shapes, text, paint and motion. Nothing of it
// holds HTML, runs, or leads out of the file.
var (
	svgElements = wordSet(`svg g defs symbol use switch title desc path rect circle ellipse line polyline polygon text tspan textPath image
		marker linearGradient radialGradient stop pattern clipPath mask filter feBlend feColorMatrix feComponentTransfer feComposite feDropShadow
		feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset feTurbulence style
		animate animateMotion animateTransform set mpath view`)
	svgMotion     = wordSet("animate animateMotion animateTransform set mpath")
	svgAttributes = wordSet(`id class lang role style viewBox preserveAspectRatio version width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy d points
		rotate textLength lengthAdjust startOffset method spacing pathLength offset transform transform-origin
		markerWidth markerHeight markerUnits refX refY orient gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform
		clipPathUnits maskUnits maskContentUnits mask-type filterUnits primitiveUnits in in2 result stdDeviation mode operator k1 k2 k3 k4 values type
		tableValues slope intercept amplitude exponent flood-color flood-opacity radius baseFrequency numOctaves seed stitchTiles color-interpolation-filters
		fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
		opacity color stop-color stop-opacity font font-size font-family font-weight font-style font-variant text-anchor text-decoration dominant-baseline
		alignment-baseline baseline-shift letter-spacing word-spacing writing-mode display visibility overflow paint-order shape-rendering text-rendering
		image-rendering color-interpolation vector-effect marker marker-start marker-mid marker-end clip-path clip-rule mask filter requiredFeatures
		systemLanguage attributeName attributeType begin dur end min max restart repeatCount repeatDur calcMode keyTimes keySplines keyPoints from to by
		additive accumulate path`)
	svgFunctions = wordSet(`rgb rgba hsl hsla translate translatex translatey translate3d scale scalex scaley rotate matrix skewx skewy calc var min max
		not is where nth-child cubic-bezier steps polygon circle inset ellipse blur drop-shadow brightness contrast grayscale url`)
)

// wordSet is a set of words that is made when it is first asked for.
func wordSet(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for w := range strings.FieldsSeq(list) {
			set[w] = true
		}
		return set
	})
}

// cleanSVG returns a drawing with only the allowed elements and attributes. Names are
// written from our tables, so that nothing unknown passes. The error says why it is not
// a drawing.
func cleanSVG(src []byte) ([]byte, error) {
	if len(src) > maxDrawing {
		return nil, fmt.Errorf("the drawing is larger than %d bytes", maxDrawing)
	}
	c := svgCleaner{in: xml.NewDecoder(bytes.NewReader(src)), ids: map[string]int{}}
	for {
		t, err := c.in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = c.token(t)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(c.nodes) == 0 {
		return nil, errors.New("no svg element")
	}
	if !c.paintsSafely() {
		return nil, errors.New("a style refers to something other than a gradient or clip path")
	}
	if n, ok := c.drawn(0); !ok || n > maxSVGDrawn {
		return nil, errors.New("a referenced element is drawn too often, or recursively")
	}
	return append(c.out, '\n'), nil
}

// svgCleaner writes the allowed part of a drawing, and records references: a few
// elements that use each other twice would draw more than any browser can.
type svgCleaner struct {
	in    *xml.Decoder
	out   []byte
	space string // the namespace of the drawing
	open  []int  // nodes
	nodes []svgNode
	ids   map[string]int // the node with an id
	paint []string       // ids that style sheets refer to
}

type svgNode struct {
	name     string
	children []int
	refs     []string
	state    int8 // of drawn: 1 while it is counted, 2 when it is
	drawn    int
}

func (c *svgCleaner) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		return c.start(t)
	case xml.EndElement:
		c.out = fmt.Appendf(c.out, "</%s>", c.nodes[c.open[len(c.open)-1]].name)
		c.open = c.open[:len(c.open)-1]
	case xml.CharData:
		if len(c.open) > 0 {
			c.text(string(t))
		}
	}
	return nil // comments, document types and processing instructions are left out
}

func (c *svgCleaner) start(t xml.StartElement) error {
	name := t.Name.Local
	switch {
	case len(c.nodes) == 0:
		if name != "svg" || t.Name.Space != svgSpace && t.Name.Space != "" {
			return errors.New("not an SVG drawing")
		}
		c.space = t.Name.Space
	case len(c.open) == 0:
		return errors.New("text after the end of the drawing")
	case len(c.open) >= maxSVGDepth:
		return errors.New("elements are nested too deeply")
	case name == "a":
		name = "g" // a link; what it shows stays
	}
	n := svgNode{name: name}
	attributes, ok := c.attributes(&n, t.Attr)
	if t.Name.Space != c.space || !svgElements()[name] || !ok {
		return c.in.Skip()
	}
	if name == "style" {
		return c.style()
	}
	at := len(c.nodes)
	if len(c.open) > 0 {
		parent := &c.nodes[c.open[len(c.open)-1]]
		parent.children = append(parent.children, at)
	} else {
		attributes = ` xmlns="` + svgSpace + `"` + attributes
	}
	for _, a := range t.Attr {
		if _, taken := c.ids[a.Value]; a.Name.Local == "id" && a.Name.Space == "" && !taken {
			c.ids[a.Value] = at
		}
	}
	c.nodes, c.open = append(c.nodes, n), append(c.open, at)
	c.out = append(append(append(append(c.out, '<'), name...), attributes...), '>')
	return nil
}

// attributes writes those that the element may have. It reports false for motion
// of anything but an allowed attribute.
func (c *svgCleaner) attributes(n *svgNode, list []xml.Attr) (string, bool) {
	var b strings.Builder
	seen := map[string]bool{}
	moved := ""
	for _, a := range list {
		name, value := a.Name.Local, a.Value
		switch {
		case name == "href" && (a.Name.Space == "" || a.Name.Space == xlinkSpace):
			id, local := strings.CutPrefix(strings.TrimSpace(value), "#")
			if n.name == "image" && bitmap(value) {
				break
			}
			if !local || n.name == "image" || id == "" {
				continue
			}
			if !svgMotion()[n.name] {
				n.refs = append(n.refs, id)
			}
		case name == "space" && a.Name.Space == xmlSpace && value == "preserve":
			name = "xml:space"
		case a.Name.Space != "", !svgAttributes()[name] && !strings.HasPrefix(name, "aria-"):
			continue
		default:
			refs, ok := localRefs(value)
			if !ok {
				continue
			}
			n.refs = append(n.refs, refs...)
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		if name == "attributeName" {
			moved = value
		}
		b.WriteString(" " + name + `="`)
		_ = xml.EscapeText(&b, []byte(value)) // a builder takes everything
		b.WriteString(`"`)
	}
	motion := svgMotion()[n.name] && n.name != "animateMotion" && n.name != "mpath"
	return b.String(), !motion || svgAttributes()[moved] && moved != "style" && moved != "class" && moved != "id"
}

// bitmaps are the images that a drawing may hold.
var bitmaps = schema.Expression(`^\s*data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$`)

func bitmap(address string) bool { return bitmaps().MatchString(address) }

func (c *svgCleaner) text(s string) {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	c.out = append(c.out, b.Bytes()...)
}

// style reads a style sheet to its end, and writes it if it loads nothing.
func (c *svgCleaner) style() error {
	var sheet strings.Builder
	for {
		t, err := c.in.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.CharData:
			sheet.Write(t)
		case xml.StartElement:
			if err := c.in.Skip(); err != nil {
				return err
			}
		case xml.EndElement:
			if refs, ok := localRefs(sheet.String()); ok && !strings.Contains(sheet.String(), "<") {
				c.paint = append(c.paint, refs...)
				c.out = append(c.out, "<style>"...)
				c.text(sheet.String())
				c.out = append(c.out, "</style>"...)
			}
			return nil
		}
	}
}

var (
	svgCall  = schema.Expression(`([\w-]*)\s*\(`)
	svgLocal = schema.Expression(`^\s*["']?#([^"'()\s]+)["']?\s*\)`)
)

// localRefs reports whether a value, or a style sheet, loads nothing: of functions
// it calls only those that are known, and url only for parts of the drawing,
// whose ids it returns. Escapes could hide a name, and an at-rule imports.
func localRefs(value string) (ids []string, ok bool) {
	if !strings.ContainsAny(value, `(\@`) {
		return nil, true
	}
	if strings.ContainsAny(value, `\@`) {
		return nil, false
	}
	for _, m := range svgCall().FindAllStringSubmatchIndex(value, -1) {
		switch name := strings.ToLower(value[m[2]:m[3]]); {
		case name == "url":
			id := svgLocal().FindStringSubmatch(value[m[1]:])
			if id == nil {
				return nil, false
			}
			ids = append(ids, id[1])
		case name != "" && !svgFunctions()[name]:
			return nil, false
		}
	}
	return ids, true
}

// paintsSafely reports whether style sheets refer to paint alone: which elements
// they are for is not known here.
func (c *svgCleaner) paintsSafely() bool {
	for _, id := range c.paint {
		if at, ok := c.ids[id]; ok {
			if name := c.nodes[at].name; name != "linearGradient" && name != "radialGradient" && name != "clipPath" {
				return false
			}
		}
	}
	return true
}

// drawn counts the elements that a node draws, with those that it refers to. It
// reports false for one that is part of itself.
func (c *svgCleaner) drawn(at int) (int, bool) {
	n := &c.nodes[at]
	switch n.state {
	case 1:
		return 0, false
	case 2:
		return n.drawn, true
	}
	n.state, n.drawn = 1, 1
	parts := n.children
	for _, id := range n.refs {
		if to, ok := c.ids[id]; ok {
			parts = append(parts[:len(parts):len(parts)], to)
		}
	}
	for _, part := range parts {
		m, ok := c.drawn(part)
		if !ok {
			return 0, false
		}
		n.drawn = min(n.drawn+m, maxSVGDrawn+1)
	}
	n.state = 2
	return n.drawn, true
}
