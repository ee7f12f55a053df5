package contain

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/landlock-lsm/go-landlock/landlock"
	abi "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"github.com/loopwiki/wiki/loops"
)

// Versions of landlock: the first that denies truncating a file by its path, and
// the first that keeps signals within.
const (
	landlockTruncates = 3
	landlockSignals   = 6
)

// What is open in every sandbox, and what else is with less of one.
var (
	openAlways = []string{"the network", "sockets of local services in the file system (containers, D-Bus)",
		"reading what is not hidden", "reading the login that an agent's program has for its call", "a process that clears its environment, if both runner and supervisor are killed"}
	openSignals  = []string{"signals to other processes of the user"}
	openLandlock = []string{"reading a hidden path below a writable one", "names and sizes of hidden files", "changing a file's mode, owner and times"}
	openBare     = []string{"writes anywhere the user may write (detected afterwards)", "reading hidden paths",
		"changing what a judge judges", "changing the caches by which gates compile and install, for later runs"}
)

// probe finds out what works here.
func probe(o Options) reach {
	why := "bwrap is not on the PATH"
	switch path := bubblewrapPath(o.Bubblewrap); {
	case o.AtMost != "" && o.AtMost != loops.Bubblewrap:
		why = "it is switched off"
	case path == "":
	case bubblewrapWorks(path):
		return reach{level: loops.Bubblewrap, bubblewrap: path, open: openAlways}
	default:
		why = "bwrap is installed, but this system does not let it make namespaces"
	}
	version, err := abi.LandlockGetABIVersion()
	if err != nil {
		version = 0
	}
	open, lost := openLandlock, slices.Clone(openLandlock)
	if version < landlockSignals {
		open, lost = slices.Concat(open, openSignals), slices.Concat(lost, openSignals)
	}
	without := []Loss{{loops.Bubblewrap, why, lost}}
	if version >= landlockTruncates && o.AtMost != loops.Bare {
		return reach{level: loops.Landlock, open: slices.Concat(openAlways, open), lost: without}
	}
	why = "it is switched off"
	if version < landlockTruncates {
		why = fmt.Sprintf("this kernel has version %d of it, and %d is needed (Linux 6.2)", version, landlockTruncates)
	}
	open = slices.Concat(openBare, openSignals)
	without[0].Open = open
	return reach{level: loops.Bare, open: slices.Concat(openAlways, open), lost: append(without, Loss{loops.Landlock, why, open})}
}

func bubblewrapPath(name string) string {
	if name == "" {
		name = "bwrap"
	}
	path, err := exec.LookPath(name)
	if err != nil || !filepath.IsAbs(path) {
		return ""
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real // a link may lie where the sandbox shows nothing
	}
	return path
}

// bubblewrapWorks tries it: many systems have the program and forbid what it
// needs.
func bubblewrapWorks(path string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	argv := append(bubblewrapArgv(path, loops.Process{Dir: "/"}), path, "--version")
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = []string{}
	return cmd.Run() == nil
}

// bubblewrapArgv is how bubblewrap is called to run what follows, with programs that
// have to be seen. A path that lies deeper is mounted later, over the others.
func bubblewrapArgv(path string, p loops.Process, programs ...string) []string {
	argv := []string{path, "--die-with-parent", "--unshare-pid", "--unshare-ipc",
		"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"}
	// A new /dev has an empty /dev/shm: the folders there that the program works in, or
	// lies in, are shown again.
	for _, at := range append(programs, p.Dir) {
		if below, ok := strings.CutPrefix(at, "/dev/shm/"); ok {
			folder, _, _ := strings.Cut(below, "/")
			argv = append(argv, "--ro-bind", "/dev/shm/"+folder, "/dev/shm/"+folder)
		}
	}
	type mount struct {
		at   string
		args []string
	}
	var mounts []mount
	for _, w := range p.Writable {
		mounts = append(mounts, mount{w, []string{"--bind", w, w}})
	}
	for _, h := range p.Hidden {
		args := []string{"--ro-bind", os.DevNull, h}
		if info, err := os.Stat(h); err == nil && info.IsDir() {
			args = []string{"--tmpfs", h, "--chmod", "0000", h}
		}
		mounts = append(mounts, mount{h, args})
	}
	slices.SortStableFunc(mounts, func(a, b mount) int {
		return strings.Count(a.at, "/") - strings.Count(b.at, "/")
	})
	for _, m := range mounts {
		argv = append(argv, m.args...)
	}
	return append(argv, "--chdir", p.Dir, "--")
}

// restrict puts landlock upon this process, and all that it becomes and starts.
func restrict(p loops.Process) error {
	rules := readable(p)
	for _, w := range p.Writable {
		info, err := os.Stat(w)
		if err != nil {
			continue // it is gone since: nothing may be written there
		}
		if info.IsDir() {
			// Refer: without it nothing can be moved from folder to folder.
			rules = append(rules, landlock.RWDirs(w).WithRefer())
		} else {
			rules = append(rules, landlock.RWFiles(w))
		}
	}
	rules = append(rules,
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/ptmx").WithIoctlDev().IgnoreIfMissing(),
		landlock.RWDirs("/dev/pts").WithIoctlDev().IgnoreIfMissing())
	// One layer: a second one that says nothing of files would forbid moving them
	// from folder to folder. The network is not part of it, agents talk to their
	// vendors.
	c := landlock.V8
	c.HandledAccessNet = 0
	if err := c.BestEffort().Restrict(rules...); err != nil {
		return fmt.Errorf("restrict paths and signals: %w", err)
	}
	return nil
}

// readable returns the rules that let everything be read but what is hidden. Landlock
// knows no exceptions: beside a hidden path each neighbour is allowed by itself,
// so that what is made there later can't be read. Symbolic links are left out;
// what they lead to has its own rule.
func readable(p loops.Process) []landlock.Rule {
	var allowed []string
	var walk func(dir string)
	walk = func(dir string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			switch {
			case e.Type()&os.ModeSymlink != 0, slices.Contains(p.Hidden, path):
			case slices.ContainsFunc(p.Hidden, func(h string) bool { return below(h, path) }):
				walk(path)
			default:
				allowed = append(allowed, path)
			}
		}
	}
	if len(p.Hidden) == 0 {
		return []landlock.Rule{landlock.RODirs("/")}
	}
	walk("/")
	list := landlock.AccessFSSet(1 << 3) // LANDLOCK_ACCESS_FS_READ_DIR: names alone
	rules := []landlock.Rule{landlock.PathAccess(list, "/")}
	for _, path := range allowed {
		if info, err := os.Lstat(path); err != nil {
			continue
		} else if info.IsDir() {
			rules = append(rules, landlock.RODirs(path).IgnoreIfMissing())
		} else {
			rules = append(rules, landlock.ROFiles(path).IgnoreIfMissing())
		}
	}
	return rules
}
