package fsx

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"unicode"
)

// Module is the path of this module, as go.mod has it.
var Module = strings.TrimSuffix(reflect.TypeFor[Damaged]().PkgPath(), "/ommlx/internal/fsx")

// CacheVariable names the environment variable that moves the cache folder.
const CacheVariable = "OMM_CACHE"

// ErrNoCheckout is wrapped by the error of [Checkout] outside of one.
var ErrNoCheckout = errors.New("not inside a checkout of omm-go")

// Checkout returns the root of the checkout of this project that holds the working directory: the nearest folder
// upwards whose go.mod is this module's. The error, outside of one, names the working directory and wraps
// [ErrNoCheckout].
func Checkout() (root string, err error) {
	start, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("the working directory is not known: %w", err)
	}
	for dir := start; ; {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(mod, []byte("module "+Module+"\n")) {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("%s is %w; change into the cloned repository", start, ErrNoCheckout)
		}
		dir = parent
	}
}

// Cache returns the folder for what is downloaded (plugins, data, the notebook environment): $OMM_CACHE, or
// omm-go in the user's cache folder. It need not exist. The error says that there is no such folder for this
// user, or what is wrong with the variable (see [Folder]).
func Cache() (string, error) {
	if dir, err := Folder(CacheVariable); dir != "" || err != nil {
		return dir, err
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("the user's cache folder is not known (%w); set %s to a folder that can be written",
			err, CacheVariable)
	}
	return filepath.Join(dir, "omm-go"), nil
}

// Folder returns the folder that an environment variable names, or "" where the variable is not set. The folder need
// not exist. A relative path is an error, since it would name another folder for each working directory; so is a path
// with a control character, one at which, or above which, there is something else than a folder, and one that cannot be
// looked at.
func Folder(variable string) (string, error) {
	dir := os.Getenv(variable)
	if dir == "" {
		return "", nil
	}
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("%s is %q, a relative path; set it to an absolute one", variable, dir)
	}
	if strings.ContainsFunc(dir, unicode.IsControl) { // which a terminal would obey, wherever the path is printed
		return "", fmt.Errorf("%s is %q, which has a control character; set it to a path without one", variable, dir)
	}
	info, err := os.Stat(dir)
	switch {
	case err == nil && !info.IsDir():
		return "", fmt.Errorf("%s is %q, which is not a folder; set it to a folder, which need not exist",
			variable, dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%s cannot be used (%w); set it to a folder that can be written", variable, err)
	}
	return filepath.Clean(dir), nil
}
