//go:build !windows

package serve

import "syscall"

// errAddrInUse is what listening on a busy port gives.
const errAddrInUse = syscall.EADDRINUSE
