//go:build !linux

package contain

// Above reports whether a supervisor of this place's runs is above this process. Here
// nothing says so.
func Above([]string, string) bool { return false }
