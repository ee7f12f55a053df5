//go:build !unix

package files

// nonblock is nothing where no file is a pipe.
const nonblock = 0
