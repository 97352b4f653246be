// Package dataset knows where downloaded data lies on this machine, whether it is what it should be, and how
// to fetch what is missing.
package dataset

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DataVariable names the environment variable that moves the data folder: $OMM_DATA/<kind>.
const DataVariable = "OMM_DATA"

// Dir returns the folder into which data of the given kind (such as "grids") is downloaded:
// $OMM_DATA/<kind> if that variable is set, else <user's cache folder>/operator-omm/<kind>.
// The folder need not exist. An error says that kind is not a plain folder name, or that the system has no
// cache folder for this user.
func Dir(kind string) (string, error) {
	if !plain(kind) {
		return "", fmt.Errorf("data kind %q is not a plain folder name; use one such as \"grids\"", kind)
	}
	if root := os.Getenv(DataVariable); root != "" {
		return filepath.Join(root, kind), nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder for this user (%w); set %s to a folder for the data", err, DataVariable)
	}
	return filepath.Join(cache, "operator-omm", kind), nil
}

// plain tells a name that can only lie directly in the folder that it is joined to, and that an error can show.
func plain(name string) bool {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	return filepath.IsLocal(name) && name != "." && name == filepath.Base(name) &&
		utf8.ValidString(name) && !strings.ContainsFunc(name, unprintable)
}

// SearchPath returns the folders in which data of the given kind is looked for, first match first:
// $OMM_DATA/<kind>, the user's cache folder, and, inside a checkout of this project, ../shared/<kind> beside
// its root, where developers keep read-only copies. Errors are those of [Dir].
func SearchPath(kind string) ([]string, error) {
	first, err := Dir(kind)
	if err != nil {
		return nil, err
	}
	path := []string{first}
	if cache, err := os.UserCacheDir(); err == nil {
		if dir := filepath.Join(cache, "operator-omm", kind); dir != first {
			path = append(path, dir)
		}
	}
	if root, ok := checkout(); ok {
		path = append(path, filepath.Join(filepath.Dir(root), "shared", kind))
	}
	return path, nil
}

// checkout returns the root of the checkout of this project that holds the working directory, if any.
func checkout() (root string, ok bool) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		if mod, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			return dir, bytes.HasPrefix(mod, []byte("module operator-omm\n"))
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}
