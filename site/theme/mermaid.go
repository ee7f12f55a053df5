package theme

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"sync"
)

// packedMermaid is Mermaid as published by its authors, below a line that names them,
// compressed: most wikis have no diagram.
//
//go:embed mermaid/mermaid.min.js.gz
var packedMermaid []byte

var mermaid = sync.OnceValue(func() []byte {
	z, err := gzip.NewReader(bytes.NewReader(packedMermaid))
	if err != nil {
		panic("the embedded mermaid.min.js.gz: " + err.Error())
	}
	b, err := io.ReadAll(z)
	if err != nil {
		panic("the embedded mermaid.min.js.gz: " + err.Error())
	}
	return b
})
