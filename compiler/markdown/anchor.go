package markdown

import "github.com/loopwiki/wiki/schema"

// parseAnchor reads the place that a citation names.
var parseAnchor = func(raw string) schema.Anchor { return schema.Anchor{Raw: raw, Path: raw} }
