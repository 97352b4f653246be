package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"omm-go/ommlx/internal/fsx"
)

// File is one downloadable file.
type File struct {
	Name   string // plain file name, the same on the server and on disk
	SHA256 string // of the content, 64 lower-case hexadecimal digits; empty: none is published, its reader checks it
	Size   int64  // of the content in bytes; 0: not known
	Most   int64  // bytes of a file whose size is not known; 0: 1 MiB
}

// maxUnsized bounds a file of which nothing is known: more than this is a wrong page, or a server that does not end.
const maxUnsized = 1 << 20

// limit is the most bytes that the file can have.
func (f File) limit() int64 { return cmp.Or(f.Size, f.Most, maxUnsized) }

// has reports whether content with this SHA-256 can be the file's.
func (f File) has(sum string) bool { return f.SHA256 == "" || f.SHA256 == sum }

// Collection is a set of files that come from one place and lie in one folder.
type Collection struct {
	Kind    string // folder name under the data folder, see [Dir]
	BaseURL string // the files are at BaseURL/<Name>
	Files   []File
}

// Collections returns everything that `omm data get` can fetch.
func Collections() []Collection { return []Collection{CIFAR100()} }

// Read returns the content of one file of the collection and where it was found, see [Collection.Path].
func (c Collection) Read(name string) (content []byte, path string, err error) {
	if path, err = c.Path(name); err != nil {
		return nil, path, err
	}
	content, err = os.ReadFile(path)
	return content, path, err
}

// Path returns where one file of the collection was found: the first match along [SearchPath]. The error wraps
// [fs.ErrNotExist] where no folder has the file, and path is then where `omm data get` would put it. A file whose
// SHA-256 differs is an error, never skipped, so that a damaged copy is noticed.
func (c Collection) Path(name string) (path string, err error) {
	file, err := c.file(name)
	if err != nil {
		return "", err
	}
	dirs, err := SearchPath(c.Kind)
	if err != nil {
		return "", err
	}
	for _, dir := range dirs {
		path = filepath.Join(dir, name)
		got, err := fsx.SHA256(path)
		// Below something that is not a folder there is nothing, either.
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		if err != nil {
			return path, fmt.Errorf("cannot read a data file: %w", err)
		}
		if !file.has(got) {
			return path, fmt.Errorf("%s is altered: SHA-256 is %s, expected %s; delete it, or replace it with "+
				"`omm data get %s`", path, got, file.SHA256, c.Kind)
		}
		return path, nil
	}
	return filepath.Join(dirs[0], name), fmt.Errorf("%s is in none of %q (%w); get it with `omm data get %s`", name,
		dirs, fs.ErrNotExist, c.Kind)
}

// State says what was found of a file.
type State string

// The states of a file on disk.
const (
	Missing State = "missing" // in no folder of the search path
	Correct State = "correct" // present, with the expected SHA-256
	Altered State = "altered" // present, but not with the expected SHA-256, or not readable
)

// FileStatus is one line of [Collection.Status].
type FileStatus struct {
	Name  string
	State State
	Path  string // where it was found, or where `omm data get` would put it
	Err   error  // why it is altered; nil otherwise
}

// Status looks for every file of the collection, in the order of Files. Errors are those of [Dir].
func (c Collection) Status() (all []FileStatus, err error) {
	if _, err := Dir(c.Kind); err != nil {
		return nil, err
	}
	for _, file := range c.Files {
		path, err := c.Path(file.Name)
		all = append(all, StatusOf(file.Name, path, err))
	}
	return all, nil
}

// StatusOf is the status of data at a path, by the error of reading and verifying them.
func StatusOf(name, path string, err error) FileStatus {
	switch {
	case err == nil:
		return FileStatus{Name: name, State: Correct, Path: path}
	case errors.Is(err, fs.ErrNotExist):
		return FileStatus{Name: name, State: Missing, Path: path}
	}
	return FileStatus{Name: name, State: Altered, Path: path, Err: err}
}

func (c Collection) file(name string) (File, error) {
	for _, file := range c.Files {
		if file.Name == name {
			return file, file.check(c.Kind)
		}
	}
	return File{}, fmt.Errorf("%q is not one of the %d files of the data collection %q", name, len(c.Files), c.Kind)
}

// check refuses a name that could lead out of the folder of the collection, or meet the partial file of another.
func (f File) check(kind string) error {
	if !plain(f.Name) || strings.HasSuffix(f.Name, unfinished) {
		return fmt.Errorf("the data collection %q names a file %q; give plain file names that do not end in %s",
			kind, f.Name, unfinished)
	}
	return nil
}
