//go:build !windows

package serve

import "syscall"

// errAddrInUse is the error for a port in use.
const errAddrInUse = syscall.EADDRINUSE
