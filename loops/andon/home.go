package andon

import (
	"os"
	"path/filepath"
	"strings"
)

// Home returns the folder whose incidents count in dir: the main checkout of the
// repository that dir lies in, also from within one of its worktrees. Outside of
// a repository it is dir.
func Home(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for at := dir; ; at = filepath.Dir(at) {
		mark := filepath.Join(at, ".git")
		info, err := os.Stat(mark)
		switch {
		case err == nil && info.IsDir():
			return at
		case err == nil:
			return mainCheckout(at, mark)
		case filepath.Dir(at) == at:
			return dir
		}
	}
}

// mainCheckout follows the .git file of a worktree; one of a submodule leads
// nowhere else. The forms are those of gitrepository-layout.
func mainCheckout(at, mark string) string {
	src, err := os.ReadFile(mark)
	admin, ok := strings.CutPrefix(strings.TrimSpace(string(src)), "gitdir: ")
	if err != nil || !ok {
		return at
	}
	if admin = filepath.FromSlash(admin); !filepath.IsAbs(admin) {
		admin = filepath.Join(at, admin)
	}
	src, err = os.ReadFile(filepath.Join(admin, "commondir"))
	if err != nil {
		return at
	}
	common := filepath.FromSlash(strings.TrimSpace(string(src)))
	if !filepath.IsAbs(common) {
		common = filepath.Join(admin, common)
	}
	if filepath.Base(common) != ".git" {
		return at // of a bare repository
	}
	return filepath.Dir(common)
}
