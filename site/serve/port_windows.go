package serve

import "syscall"

// errAddrInUse is the error for a port in use: WSAEADDRINUSE.
const errAddrInUse = syscall.Errno(10048)
