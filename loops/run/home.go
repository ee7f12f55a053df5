package run

import (
	"errors"
	"os"
	"path"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
)

// logIn reads the logins of the run's agents.
func (d *Driver) logIn() error {
	d.logins = make(map[string]loops.Login)
	for _, p := range d.state.Start.Players() {
		id := p.Agent
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
	if err := furnish(dir, d.logins[agent].Files); err != nil {
		done() // the error above says more
		return "", nil, err
	}
	return filepath.Join(dir, homeFolder), done, nil
}

// homeFolder is the home in the folder of a call, and sealedFolder what lies beside it.
const homeFolder, sealedFolder = "home", "sealed"

// furnish writes files into the home of a call, and links to those that are sealed.
func furnish(dir string, login []loops.LoginFile) error {
	root, err := files.Open(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Mkdir(homeFolder, 0o700); err != nil {
		return err
	}
	for _, f := range login {
		name := path.Join(homeFolder, f.Path)
		at := name
		if f.Sealed {
			at = path.Join(sealedFolder, f.Path)
		}
		if err := errors.Join(root.MkdirAll(path.Dir(at), 0o700), root.MkdirAll(path.Dir(name), 0o700)); err != nil {
			return err
		}
		if err := root.Create(at, f.Text, 0o600); err != nil {
			return err
		}
		if !f.Sealed {
			continue
		}
		if err := os.Symlink(root.Path(at), root.Path(name)); err != nil {
			return err
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

// makeFolders makes what a program expects in its home, before a sandbox closes.
func makeFolders(home string, names []string) error {
	root, err := files.Open(home)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range names {
		if err := root.MkdirAll(name, 0o700); err != nil {
			return err
		}
	}
	return nil
}
