//go:build unix && race

package contain

// supervisorEnviron returns the environment of a supervisor that looks for races. By
// default it would sleep for a second before it ends.
func supervisorEnviron() []string { return []string{"GORACE=atexit_sleep_ms=0"} }
