//go:build unix && !linux

package contain

import (
	"errors"
	"os"
	"slices"
	"syscall"

	"github.com/loopwiki/wiki/loops"
)

// adopts says that orphans belong to the system: the program's process group is
// all that can be found.
const adopts = false

func adopt() error { return nil }

// ownGroup makes a child lead a process group.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func (s *supervisor) processes() []int { return nil }

func (s *supervisor) asked() []int { return nil }

func probe(Options) reach {
	open := []string{
		"writes anywhere the user may write (detected afterwards)",
		"reading anything the user may read, including hidden paths",
		"processes that leave their process group (setsid)",
		"changing the caches by which gates compile and install, for later runs",
	}
	const why = "it is part of Linux"
	return reach{level: loops.Bare, open: append(slices.Clone(open), "the network and sockets of local services"), lost: []Loss{
		{loops.Bubblewrap, why, open}, {loops.Landlock, why, open},
	}}
}

var errNoSandbox = errors.New("no sandbox on this system")

func (s *supervisor) startLauncher(_, _, _ *os.File) error { return errNoSandbox }

func (s *supervisor) launched(*error) error { return nil }

func launch(request) error { return errNoSandbox }
