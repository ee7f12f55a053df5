// Package contain runs programs so that nothing of them outlives them, and so
// that they write only where they may.
//
// A program runs below a supervisor: this binary, executed again, in a session
// of its own. The supervisor adopts every orphan below it (Linux: a subreaper),
// passes the output on to files without its secrets, watches the clocks, and
// ends by killing what is left, however the program ended. It holds a pipe to
// the runner: when the runner dies, by kill -9 too, the pipe closes and the
// supervisor ends the program. The environment and the secrets come to it
// through that pipe; they are on no command line and on no disk.
//
// Between the supervisor and the program stands a sandbox: bubblewrap where it
// works, else landlock. What was reached is in every Exit.
package contain
