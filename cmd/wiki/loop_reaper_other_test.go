//go:build !linux

package main

// reaper and mortal are for the tests of Linux.
func reaper() {}

func mortal() {}
