package run

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
)

// DataVariable is the environment variable that sets the data folder.
const DataVariable = "OMM_DATA"

// DataFolder returns the folder for one kind of data, such as "cifar100": $OMM_DATA/kind, or kind in the cache folder.
func DataFolder(kind string) (string, error) {
	if !filepath.IsLocal(kind) || kind != filepath.Base(kind) || kind == "." {
		return "", fmt.Errorf("run: data kind %q is not a folder name", kind)
	}
	root, err := fsx.Folder(DataVariable)
	if root == "" && err == nil {
		root, err = fsx.Cache()
	}
	return filepath.Join(root, kind), err
}

// DataFolders returns the folders that are searched for one kind of data, in order: [DataFolder], the cache folder, and
// shared/kind next to the checkout.
func DataFolders(kind string) ([]string, error) {
	first, err := DataFolder(kind)
	if err != nil {
		return nil, err
	}
	folders := []string{first}
	if cache, err := fsx.Cache(); err == nil {
		folders = append(folders, filepath.Join(cache, kind))
	}
	if root, err := fsx.Checkout(); err == nil {
		folders = append(folders, filepath.Join(filepath.Dir(root), "shared", kind))
	}
	return slices.Compact(folders), nil
}

// File is a published file that an experiment reads.
type File struct {
	Kind   string // folder, see [DataFolder]
	URL    string
	SHA256 string // hexadecimal; empty if none is published
	Most   int64  // maximum size in bytes
}

func (f File) name() string { return path.Base(f.URL) }

// Find returns the path of the file in the first of [DataFolders] that contains it. If none does, the error wraps
// [fs.ErrNotExist] and the path is where [File.Get] puts the file. A wrong SHA-256 is an error.
func (f File) Find() (string, error) {
	folders, err := DataFolders(f.Kind)
	if err != nil {
		return "", err
	}
	for _, folder := range folders {
		path := filepath.Join(folder, f.name())
		sum, err := fsx.SHA256(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err == nil && f.SHA256 != "" && sum != f.SHA256:
			err = fmt.Errorf("run: %s: SHA-256 is %s, want %s; run `omm data get %s` again", path, sum, f.SHA256,
				f.Kind)
		}
		return path, err
	}
	return filepath.Join(folders[0], f.name()), fmt.Errorf("run: %s not found in %q: %w; run `omm data get %s`",
		f.name(), folders, fs.ErrNotExist, f.Kind)
}

// Get downloads and verifies the file into its [DataFolder], unless it is already there. A non-empty address replaces
// the folder of its URL. Progress goes to out. The file gets its name only once it is complete.
func (f File) Get(ctx context.Context, address string, out io.Writer) (path string, err error) {
	if path, err = f.Find(); err == nil {
		fmt.Fprintf(out, "%s: already there\n", path)
		return path, nil
	}
	folder, err := DataFolder(f.Kind)
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, f.name())
	f.URL = cmp.Or(address, f.URL[:len(f.URL)-len(f.name())-1]) + "/" + f.name()
	if err := f.download(ctx, path, out); err != nil {
		return "", fmt.Errorf("run: downloading %s to %s: %w", f.URL, folder, err)
	}
	fmt.Fprintf(out, "%s: downloaded\n", path)
	return path, nil
}

func (f File) download(ctx context.Context, path string, out io.Writer) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.URL, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New("server returned " + response.Status)
	}
	if at := response.Request.URL; request.URL.Scheme == "https" && at.Scheme != "https" {
		return fmt.Errorf("server redirected to %s without encryption", at.Host)
	}
	line, sum, size := say.Timed{Line: say.Line{W: out, Terminal: say.Terminal(out)}}, sha256.New(), int64(0)
	defer line.Clear()
	return fsx.Fill(path, func(file io.Writer) error {
		buffer := make([]byte, 1<<20)
		for {
			n, err := response.Body.Read(buffer)
			size += int64(n)
			sum.Write(buffer[:n])
			line.Show("downloading "+f.name(), float64(size)/float64(max(response.ContentLength, size, 1)))
			if _, err := file.Write(buffer[:n]); err != nil {
				return err
			}
			if size > f.Most {
				return fmt.Errorf("file is larger than %d bytes", f.Most)
			}
			if err == io.EOF {
				break
			} else if err != nil {
				return err
			}
		}
		if got := hex.EncodeToString(sum.Sum(nil)); f.SHA256 != "" && got != f.SHA256 {
			return fmt.Errorf("SHA-256 is %s, want %s", got, f.SHA256)
		}
		return nil
	})
}
