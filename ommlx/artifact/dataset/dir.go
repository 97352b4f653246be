// Package dataset knows where downloaded data lies on this machine, whether it is what it should be, and how to fetch
// what is missing. It also reads the labelled images among the data.
package dataset

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"omm-go/ommlx/internal/fsx"
)

// DataVariable names the environment variable that moves the data folder: $OMM_DATA/<kind>.
const DataVariable = "OMM_DATA"

// Dir returns the folder into which data of the given kind (such as "grids") is downloaded: $OMM_DATA/<kind> if that
// variable is set, else <cache folder of this project>/<kind>, where the cache folder is $OMM_CACHE or <user's cache
// folder>/omm-go. The folder need not exist. An error says that kind is not a plain folder name, that a variable
// names no folder, or that the system has no cache folder for this user.
func Dir(kind string) (string, error) {
	if !plain(kind) {
		return "", fmt.Errorf("data kind %q is not a plain folder name; use one such as \"grids\"", kind)
	}
	root, err := fsx.Folder(DataVariable)
	if root == "" && err == nil {
		root, err = fsx.Cache()
	}
	if err != nil {
		return "", err
	}
	return filepath.Join(root, kind), nil
}

// plain tells a name that can only lie directly in the folder that it is joined to, and that an error can show.
func plain(name string) bool {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	return filepath.IsLocal(name) && name != "." && name == filepath.Base(name) &&
		utf8.ValidString(name) && !strings.ContainsFunc(name, unprintable)
}

// SearchPath returns the folders in which data of the given kind is looked for, first match first: $OMM_DATA/<kind>,
// <cache folder>/<kind> as for [Dir], and, inside a checkout of this project, ../shared/<kind> beside its root, where
// developers keep read-only copies. Errors are those of [Dir].
func SearchPath(kind string) ([]string, error) {
	first, err := Dir(kind)
	if err != nil {
		return nil, err
	}
	path := []string{first}
	cache, err := fsx.Cache()
	if err != nil {
		return nil, err
	}
	if dir := filepath.Join(cache, kind); dir != first {
		path = append(path, dir)
	}
	root, err := fsx.Checkout()
	if errors.Is(err, fsx.ErrNoCheckout) {
		return path, nil
	}
	if err != nil {
		return nil, err
	}
	return append(path, filepath.Join(filepath.Dir(root), "shared", kind)), nil
}
