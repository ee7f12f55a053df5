package search

import "math/bits"

// coder writes numbers by an adaptive binary range coder (Martin, 1979): a bit takes as much
// room as it is unlikely after those written before in its context. The output is a third
// smaller than digits that are compressed afterwards, and has six bits a digit. The site's
// script has the decoder.
type coder struct {
	low, span uint32
	out       []byte // values of digits
	odds      [contexts * contextSize]odds
}

// odds are how likely the next bit of a context is 0, and how many bits that is learned from.
type odds struct {
	zero int32 // of 1<<oddsBits, less a half
	seen int32
}

const (
	spanBits    = 30 // of low and span
	digitBits   = 6
	oddsBits    = 16
	surest      = 1<<(oddsBits-1) - 1<<6
	mostSeen    = 60  // bits after which a context learns no slower
	contextSize = 192 // bits of a number that are told apart
)

func newCoder() *coder { return &coder{span: 1<<spanBits - 1} }

// bit writes a bit in a context of bits.
func (c *coder) bit(context int, one bool) {
	o, to := &c.odds[context], int32(surest)
	bound := c.span >> 12 * uint32((o.zero+1<<(oddsBits-1))>>4)
	if one {
		to = -to
		c.low += bound
		c.span -= bound
	} else {
		c.span = bound
	}
	o.zero += (to - o.zero) / (o.seen + 2)
	o.seen = min(o.seen+1, mostSeen)
	for c.span < 1<<(spanBits-digitBits) {
		c.shift()
	}
}

// shift moves the first digit of low to the output.
func (c *coder) shift() {
	if c.low >= 1<<spanBits {
		i := len(c.out) - 1
		for ; c.out[i] == 1<<digitBits-1; i-- {
			c.out[i] = 0
		}
		c.out[i]++
	}
	c.out = append(c.out, byte(c.low>>(spanBits-digitBits)&(1<<digitBits-1)))
	c.low = c.low & (1<<(spanBits-digitBits) - 1) << digitBits
	c.span <<= digitBits
}

// tree writes a number of so many bits, the highest first.
func (c *coder) tree(context, width int, v uint32) {
	node := 1
	for i := width - 1; i >= 0; i-- {
		one := v >> i & 1
		c.bit(context*contextSize+node, one == 1)
		node = 2*node + int(one)
	}
}

// number writes any number but the largest: the width of the next one in unary, and its bits,
// of which the first two are told apart.
func (c *coder) number(context int, v uint32) {
	context *= contextSize
	v++
	width := bits.Len32(v) - 1
	for i := range width {
		c.bit(context+i, true)
	}
	c.bit(context+width, false)
	node := 1
	for i := width - 1; i >= 0; i-- {
		one := v >> i & 1
		at := 32 + 4*width + node
		if node > 3 {
			at = contextSize - 1
		}
		c.bit(context+at, one == 1)
		node = 2*node + int(one)
	}
}

// String ends the output. Nothing was written if it is empty.
func (c *coder) String() string {
	if c.span == 1<<spanBits-1 && len(c.out) == 0 {
		return ""
	}
	for range spanBits / digitBits {
		c.shift()
	}
	text := make([]byte, len(c.out))
	for i, v := range c.out {
		text[i] = digits[v]
	}
	return string(text)
}
