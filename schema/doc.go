// Package schema is the vocabulary every other package speaks: pages, links,
// spans, diagnostics, configuration, and the dialects and field aliases of the
// wikis people already have, as data. It turns nothing into nothing: it does
// no I/O and imports nothing of this module.
//
// # Places
//
// A place in a file is a [Span]: a half-open range of bytes of the file as it
// lies on disk, byte order mark included. Lines and columns exist only where a
// person or another program reads them; see [LineIndex].
//
// # Pages are immutable
//
// A [Page] holds what one file says, nothing that depends on another file.
// What its links resolve to depends on the whole wiki and is a [Resolution],
// kept next to the pages by the compiler. So one parsed page is shared by every
// compilation until its file changes.
package schema
