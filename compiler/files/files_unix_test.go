//go:build unix

package files_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/loopwiki/wiki/compiler/files"
)

// What would wait for somebody, or never end, is refused at once.
func TestNotRegular(t *testing.T) {
	t.Parallel()
	repo, _ := repository(t)
	if err := syscall.Mkfifo(filepath.Join(repo, "pipe"), 0o666); err != nil {
		t.Skip(err)
	}
	link(t, "pipe", filepath.Join(repo, "topipe"))
	l, err := net.Listen("unix", filepath.Join(repo, "socket"))
	if err == nil {
		defer l.Close()
	}
	r := open(t, repo)
	for name, is := range map[string]string{"pipe": "a named pipe", "topipe": "a named pipe", "socket": "a socket"} {
		if name == "socket" && l == nil {
			continue
		}
		var e *files.NotRegularError
		if _, err := r.ReadFile(name, files.Text); !errors.As(err, &e) || e.Is != is || e.Hint() == "" {
			t.Errorf("%s: read: %v", name, err)
		}
		if _, err := fs.ReadFile(r.FS(files.Text), name); !errors.As(err, &e) {
			t.Errorf("%s: the file system: %v", name, err)
		}
		if _, err := r.FS(files.Text).Open(name); !errors.As(err, &e) {
			t.Errorf("%s: open: %v", name, err)
		}
		if err := r.Replace(name, nil, 0o666); !errors.As(err, &e) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: write: %v", name, err)
		}
		for _, flag := range []int{os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_CREATE | os.O_TRUNC, os.O_WRONLY | os.O_APPEND | os.O_CREATE} {
			if f, err := r.OpenFile(name, flag, 0o666); !errors.As(err, &e) {
				t.Errorf("%s: opened with %x: %v, %v", name, flag, f, err)
			}
		}
		if _, err := r.ReadDir(name); err == nil {
			t.Errorf("%s was listed", name)
		}
	}
	dev := open(t, "/dev")
	if _, err := dev.ReadFile("zero", files.Text); err == nil {
		t.Error("a device was read")
	}
}
