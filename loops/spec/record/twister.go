package record

import "math/bits"

// twister is the Mersenne Twister (MT19937). Published tools choose records with it, so
// that a seed means the same record here only with the same generator.
type twister struct {
	state [624]uint32
	next  int
}

// newTwister seeds with the 32-bit words of seed, the lowest first.
func newTwister(seed uint64) *twister {
	key := []uint32{uint32(seed)}
	if high := uint32(seed >> 32); high != 0 {
		key = append(key, high)
	}
	t := &twister{}
	s := &t.state
	n := len(s)
	s[0] = 19650218
	for i := 1; i < n; i++ {
		s[i] = 1812433253*(s[i-1]^s[i-1]>>30) + uint32(i)
	}
	i, j := 1, 0
	wrap := func() {
		if i++; i == n {
			s[0], i = s[n-1], 1
		}
	}
	for range n {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1664525) + key[j] + uint32(j)
		j = (j + 1) % len(key)
		wrap()
	}
	for range n - 1 {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1566083941) - uint32(i)
		wrap()
	}
	s[0] = 1 << 31
	t.next = n
	return t
}

func (t *twister) uint32() uint32 {
	s := &t.state
	if n := len(s); t.next == n {
		for i := range n {
			y := s[i]&(1<<31) | s[(i+1)%n]&(1<<31-1)
			s[i] = s[(i+397)%n] ^ y>>1 ^ y&1*0x9908b0df
		}
		t.next = 0
	}
	y := s[t.next]
	t.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// below returns a number from 0 up to n, without n.
func (t *twister) below(n int) int {
	shift := 32 - bits.Len32(uint32(n))
	for {
		if x := int(t.uint32() >> shift); x < n {
			return x
		}
	}
}
