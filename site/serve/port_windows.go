package serve

import "syscall"

// errAddrInUse is what listening on a busy port gives: WSAEADDRINUSE.
const errAddrInUse = syscall.Errno(10048)
