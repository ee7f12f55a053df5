// Package contain runs programs so that none of their processes outlives them, and
// so that they only write where they may.
//
// A program runs below a supervisor: this binary, executed again, in its own
// session. The supervisor adopts orphans (on Linux as a subreaper), writes the
// output to files without its secrets, enforces time limits, and kills the remaining
// processes when the program ends. It holds a pipe to the runner: when the runner
// dies, even by kill -9, the pipe closes and the supervisor ends the program. The
// environment and the secrets reach it through that pipe; they are on no command
// line and on no disk.
//
// The program runs in a sandbox: bubblewrap if it works, else landlock. Every Exit
// records the level.
package contain
