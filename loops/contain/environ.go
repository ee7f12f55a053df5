//go:build unix && !race

package contain

// supervisorEnviron returns the environment of a supervisor. It needs none, and what
// it has everybody of the same user may read.
func supervisorEnviron() []string { return []string{} }
