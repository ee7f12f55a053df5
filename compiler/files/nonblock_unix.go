//go:build unix

package files

import "syscall"

// nonblock keeps an open from waiting for the other end of a pipe. Regular files
// are read and written as ever.
const nonblock = syscall.O_NONBLOCK
