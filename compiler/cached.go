package compiler

import (
	"path"

	"github.com/loopwiki/wiki/compiler/files"
)

// CacheFolder holds what can be found out again, below a wiki's repository. It is safe
// to delete, and for two processes.
const CacheFolder = ".loopwiki/cache"

// ReadCache returns what [Workspace.WriteCache] wrote under a name.
func (ws *Workspace) ReadCache(name string, limit files.Limit) ([]byte, error) {
	return ws.ReadFile(ws.Dir, path.Join(CacheFolder, name), limit)
}

// WriteCache stores derived data. The cache folder is ignored by git.
func (ws *Workspace) WriteCache(name string, data []byte) error {
	ignore := path.Join(CacheFolder, ".gitignore")
	if _, err := ws.ReadFile(ws.Dir, ignore, files.State); err != nil {
		if err := ws.Replace(ws.Dir, ignore, []byte("*\n")); err != nil {
			return err
		}
	}
	return ws.Replace(ws.Dir, path.Join(CacheFolder, name), data)
}
