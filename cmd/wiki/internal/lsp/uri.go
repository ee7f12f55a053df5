package lsp

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// pathOf returns the absolute path that a file URI names.
func pathOf(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", fmt.Errorf("%.200q is not a URI", uri)
	}
	if u.Scheme != "file" {
		return "", fmt.Errorf("%.200q is not a file on this machine", uri)
	}
	path := u.Path
	if u.Host != "" && u.Host != "localhost" {
		path = "//" + u.Host + path
	}
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
		if len(path) > 1 && path[1] == ':' {
			path = strings.ToUpper(path[:1]) + path[1:]
		}
	}
	path = filepath.Clean(filepath.FromSlash(path))
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", errors.New("the URI of a file has no absolute path")
	}
	return path, nil
}

// uriOf returns the URI of an absolute path.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// below returns a path relative to a folder that it lies in, slash-separated. Editors
// may name either through a symbolic link.
func below(root, path string) (string, bool) {
	rel := func(root, path string) (string, bool) {
		r, err := filepath.Rel(root, path)
		r = filepath.ToSlash(r)
		return r, err == nil && filepath.IsLocal(r) && fs.ValidPath(r) && r != "."
	}
	if p, ok := rel(root, path); ok {
		return p, true
	}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", false
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path)) // the file may not be there yet
	if err != nil {
		return "", false
	}
	return rel(realRoot, filepath.Join(dir, filepath.Base(path)))
}
