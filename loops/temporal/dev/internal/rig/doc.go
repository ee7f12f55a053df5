// Package rig is what the tests with a server and the measurement of many runs have in
// common: it starts the real programs, kills them, makes repositories with scripted
// agents, and counts afterwards what was done how often.
//
// Nothing in it knows Temporal: what it counts is commits in git and lines that the
// agents wrote themselves.
package rig
