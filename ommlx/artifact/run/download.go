package run

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	neturl "net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
)

// DataVariable is the environment variable that sets the folder of the data. By default it is the cache folder.
const DataVariable = "OMM_DATA"

// File is a published file that an experiment reads.
type File struct {
	Kind   string // its folder in the folder of the data, such as "cifar100"
	URL    string
	SHA256 string // hexadecimal; empty if none is published
	Most   int64  // maximum size in bytes
}

// Find returns the path of the file in its folder. If it is not there, the error wraps [fs.ErrNotExist]. A wrong
// SHA-256 is an error.
func (f File) Find() (string, error) {
	data, err := fsx.Folder(DataVariable)
	if data == "" && err == nil {
		data, err = fsx.Cache()
	}
	if err != nil {
		return "", err
	}
	file := filepath.Join(data, f.Kind, path.Base(f.URL))
	sum, err := fsx.SHA256(file)
	if err == nil && f.SHA256 != "" && sum != f.SHA256 {
		err = fmt.Errorf("%s has the SHA-256 %s, want %s", file, sum, f.SHA256)
	}
	if err != nil {
		err = fmt.Errorf("run: %w; run `omm data get %s`", err, f.Kind)
	}
	return file, err
}

// Get downloads and verifies the file into its folder, unless it is already there. A non-empty address replaces
// the folder of its URL. Progress goes to out. The file gets its name only once it is complete.
func (f File) Get(ctx context.Context, address string, out io.Writer) (file string, err error) {
	if file, err = f.Find(); err == nil {
		fmt.Fprintf(out, "%s: already there\n", file)
		return file, nil
	}
	if file == "" {
		return "", err
	}
	folder, published := path.Split(f.URL)
	url := cmp.Or(strings.TrimSuffix(address, "/"), strings.TrimSuffix(folder, "/")) + "/" + published
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	if err := f.download(ctx, url, file, out); err != nil {
		if failed, is := errors.AsType[*neturl.Error](err); is { // without the address, which is in this message
			err = failed.Err
		}
		return "", fmt.Errorf("%s cannot be downloaded: %w; connect, or fetch it elsewhere and save it as %s", url, err,
			file)
	}
	fmt.Fprintf(out, "%s: downloaded\n", file)
	return file, nil
}

func (f File) download(ctx context.Context, url, file string, out io.Writer) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
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
	shown := &meter{Line: say.Line{W: out}, total: response.ContentLength, what: "downloading " + path.Base(url),
		began: time.Now()}
	defer shown.Clear()
	return fsx.Fill(file, func(content io.Writer) error {
		sum := sha256.New()
		size, err := io.Copy(io.MultiWriter(content, sum, shown), io.LimitReader(response.Body, f.Most+1))
		if err != nil {
			return err
		}
		if size > f.Most {
			return fmt.Errorf("file is larger than %d bytes", f.Most)
		}
		if got := hex.EncodeToString(sum.Sum(nil)); f.SHA256 != "" && got != f.SHA256 {
			return fmt.Errorf("SHA-256 is %s, want %s", got, f.SHA256)
		}
		return nil
	})
}

// meter shows the progress of what is written to it and, after [say.Settling], the time left.
type meter struct {
	say.Line
	what        string
	size, total int64 // bytes; total is -1 if unknown
	began       time.Time
}

// Write implements [io.Writer].
func (m *meter) Write(b []byte) (int, error) {
	m.size += int64(len(b))
	done, took := float64(m.size)/float64(max(m.total, m.size)), time.Since(m.began)
	m.Show(done, false, func() string {
		if took < say.Settling || m.total < 0 {
			return m.what
		}
		return m.what + "  left " + say.Left(took.Seconds()*(1-done)/done)
	})
	return len(b), nil
}
