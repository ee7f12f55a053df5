package run

import (
	"os"
	"path/filepath"

	"github.com/loopwiki/wiki/loops"
)

// logIn reads the logins of the run's agents.
func (d *Driver) logIn() error {
	d.logins = make(map[string]loops.Login)
	for _, role := range loops.Roles() {
		id := d.state.Start.Roles[role].Agent
		if _, done := d.logins[id]; done || id == "" || d.Login == nil {
			continue
		}
		l, err := d.Login(id)
		if err != nil {
			return err
		}
		d.logins[id], d.Redact = l, append(d.Redact, l.Secrets...)
	}
	return nil
}

// home makes the home folder of one call, with the login of an agent in it and nothing
// else of a person's settings. done removes it, with all that the call left there. What is
// sealed lies outside of it, where nothing in the call can write.
func (d *Driver) home(agent string) (home string, done func() error, err error) {
	dir, done, err := d.Scratch()
	if err != nil {
		return "", nil, err
	}
	home = filepath.Join(dir, "home")
	if err := furnish(home, filepath.Join(dir, "sealed"), d.logins[agent].Files); err != nil {
		done() // the error above says more
		return "", nil, err
	}
	return home, done, nil
}

// furnish writes files into a home, and links to those in another folder that are sealed.
func furnish(home, sealed string, login []loops.LoginFile) error {
	if err := os.Mkdir(home, 0o700); err != nil {
		return err
	}
	for _, f := range login {
		name, into := filepath.FromSlash(f.Path), home
		if f.Sealed {
			into = sealed
		}
		at := filepath.Join(into, name)
		for _, path := range []string{at, filepath.Join(home, name)} {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				return err
			}
		}
		if err := os.WriteFile(at, f.Text, 0o600); err != nil {
			return err
		}
		if f.Sealed {
			if err := os.Symlink(at, filepath.Join(home, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// newest returns the last path that a pattern matches: programs put times into names.
func newest(pattern string) string {
	found, _ := filepath.Glob(pattern) // no path for no or a bad pattern
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1]
}

// makeFolders makes what a program expects to be there, before a sandbox closes.
func makeFolders(paths []string) error {
	for _, p := range paths {
		if err := os.MkdirAll(p, 0o700); err != nil {
			return err
		}
	}
	return nil
}
