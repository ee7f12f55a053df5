//go:build !linux

package schematest

// memory is nothing where no folder in memory is known.
func memory() string { return "" }
