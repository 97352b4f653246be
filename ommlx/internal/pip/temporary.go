package pip

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// unfinished is the pattern of the folders in which an installation is prepared.
const unfinished = "installing-*"

// Temporary makes a folder in home in which an installation is prepared, and removes those that installations left
// which were killed. The caller removes it.
func Temporary(home string) (dir string, err error) {
	sweep(home)
	return os.MkdirTemp(home, unfinished)
}

// sweep removes what an installation that was killed left behind; one that still runs is younger than an hour.
func sweep(dir string) {
	left, _ := fs.Glob(os.DirFS(dir), unfinished) // fails only on a malformed pattern
	for _, name := range left {
		folder := filepath.Join(dir, name)
		if info, err := os.Stat(folder); err == nil && time.Since(info.ModTime()) > time.Hour {
			os.RemoveAll(folder)
		}
	}
}
