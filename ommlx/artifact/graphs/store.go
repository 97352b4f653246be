package graphs

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
)

// storedFile is the file of a converted graph in its data folder: a [Dataset] by encoding/gob, and the SHA-256 of that.
const storedFile = "graph.gob"

// save writes the graph to a data folder and prints the path.
func (d *Dataset) save(folder string, out io.Writer) error {
	path := filepath.Join(folder, storedFile)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	err := fsx.Fill(path, func(file io.Writer) error {
		sum := sha256.New()
		if err := gob.NewEncoder(io.MultiWriter(file, sum)).Encode(d); err != nil {
			return err
		}
		_, err := file.Write(sum.Sum(nil))
		return err
	})
	if err == nil {
		fmt.Fprintf(out, "%s: %s\n", path, d)
	}
	return err
}

// decode reads what save wrote and verifies the checksum.
func decode(content []byte) (*Dataset, error) {
	end := max(0, len(content)-sha256.Size)
	if sum := sha256.Sum256(content[:end]); !bytes.Equal(sum[:], content[end:]) {
		return nil, errors.New("damaged")
	}
	d := new(Dataset)
	return d, gob.NewDecoder(bytes.NewReader(content[:end])).Decode(d)
}

// Open reads a converted graph from its [run.DataFolder], and returns its path, which is where [Convert] puts it. If it
// is not there, the error wraps [fs.ErrNotExist].
func Open(name string) (d *Dataset, path string, err error) {
	folder, err := run.DataFolder(name)
	if err != nil {
		return nil, "", err
	}
	path = filepath.Join(folder, storedFile)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, path, fmt.Errorf("graphs: %w; run `omm data convert %s --from DIR`; `omm data get` downloads %s", err,
			name, ProductsName)
	}
	if err == nil {
		d, err = decode(content)
	}
	if err != nil {
		err = fmt.Errorf("graphs: %s: %w; delete it and convert the graph again", path, err)
	}
	return d, path, err
}
