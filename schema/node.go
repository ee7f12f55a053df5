package schema

// NodeKind says what a YAML node is.
type NodeKind uint8

// The kinds of a [Node]. Scalars are resolved by YAML 1.2's core schema, plus
// dates: a plain scalar that is a date or a date-time is KindDate.
const (
	KindNull NodeKind = iota
	KindBool
	KindInt
	KindFloat
	KindDate
	KindString
	KindList
	KindMap
)

func (k NodeKind) String() string {
	return [...]string{"null", "boolean", "integer", "number", "date", "text", "list", "map"}[k]
}

// Node is a YAML value with its exact place in the file.
type Node struct {
	Kind   NodeKind
	Span   Span    // the value as written, quotes and brackets included
	Text   string  // a scalar's value with quotes and escapes undone
	Quoted bool    // a scalar written in quotes or as a block
	Items  []*Node // of a list
	Pairs  []Pair  // of a map, in the order of the file
}

// Pair is one key of a map and its value.
type Pair struct {
	Key     string
	KeySpan Span
	Value   *Node
}

// Get returns the value of key, or nil. Of duplicates the first counts.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Pairs {
		if n.Pairs[i].Key == key {
			return n.Pairs[i].Value
		}
	}
	return nil
}

// IsScalar reports whether n is a single non-null value.
func (n *Node) IsScalar() bool { return n != nil && n.Kind > KindNull && n.Kind < KindList }

// ScalarText returns the text of a scalar, "" of anything else.
func (n *Node) ScalarText() string {
	if !n.IsScalar() {
		return ""
	}
	return n.Text
}

// Elements returns the items of a list, none of anything else.
func (n *Node) Elements() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// Scalars returns n itself if it is a scalar, or the scalars of a list.
func (n *Node) Scalars() []*Node {
	switch {
	case n == nil:
		return nil
	case n.IsScalar():
		return []*Node{n}
	}
	var out []*Node
	for _, it := range n.Items {
		if it.IsScalar() {
			out = append(out, it)
		}
	}
	return out
}

// Walk calls f for n and every node below it, in the order of the file.
func (n *Node) Walk(f func(*Node)) {
	if n == nil {
		return
	}
	f(n)
	for _, it := range n.Items {
		it.Walk(f)
	}
	for i := range n.Pairs {
		n.Pairs[i].Value.Walk(f)
	}
}

// Frontmatter is the block of YAML, or of TOML, at the head of a page.
type Frontmatter struct {
	TOML bool  // between +++: nothing is written into it
	Span Span  // from the opening fence to the end of the closing one
	Root *Node // a map; nil when the block is empty or not readable
}

// Get returns the value of key, or nil.
func (f *Frontmatter) Get(key string) *Node {
	if f == nil {
		return nil
	}
	return f.Root.Get(key)
}

// Pair returns the pair of key, or nil.
func (f *Frontmatter) Pair(key string) *Pair {
	if f == nil || f.Root == nil {
		return nil
	}
	for i := range f.Root.Pairs {
		if f.Root.Pairs[i].Key == key {
			return &f.Root.Pairs[i]
		}
	}
	return nil
}
