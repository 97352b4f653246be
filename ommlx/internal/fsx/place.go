package fsx

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// Module is the path of this module.
var Module = strings.TrimSuffix(reflect.TypeFor[inModule]().PkgPath(), "/ommlx/internal/fsx")

type inModule struct{}

// CacheVariable names the environment variable that sets the cache folder.
const CacheVariable = "OMM_CACHE"

// ErrNoCheckout is wrapped by the error of [Checkout] outside a checkout.
var ErrNoCheckout = errors.New("not inside a checkout of omm-go")

// Checkout returns the root of the checkout that contains the working directory: the nearest folder above with this
// module's go.mod. Outside a checkout the error wraps [ErrNoCheckout].
func Checkout() (root string, err error) {
	start, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("working directory: %w", err)
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

// Cache returns the folder for downloads (plugins, data, the notebook environment): $OMM_CACHE, or omm-go in the user's
// cache folder. It need not exist.
func Cache() (string, error) {
	if dir, err := Folder(CacheVariable); dir != "" || err != nil {
		return dir, err
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("cache folder: %w; set %s", err, CacheVariable)
	}
	return filepath.Join(dir, "omm-go"), nil
}

// Folder returns the folder in an environment variable, or "" if it is not set. The folder need not exist. A relative
// path is an error, since it would depend on the working directory.
func Folder(variable string) (string, error) {
	dir := os.Getenv(variable)
	if dir != "" && !filepath.IsAbs(dir) {
		return "", fmt.Errorf("%s is the relative path %q, want an absolute path", variable, dir)
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return "", fmt.Errorf("%s is the file %q, want a folder", variable, dir)
	}
	return dir, nil
}
