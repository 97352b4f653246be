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

// Open reads a converted graph from the first of [run.DataFolders] that has it, and returns its path, or where
// [Convert] puts it. If none has it, the error wraps [fs.ErrNotExist].
func Open(name string) (d *Dataset, path string, err error) {
	folders, err := run.DataFolders(name)
	if err != nil {
		return nil, "", err
	}
	for _, folder := range folders {
		path := filepath.Join(folder, storedFile)
		content, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			d, err = decode(content)
		}
		if err != nil {
			err = fmt.Errorf("graphs: %s: %w; delete it and convert the graph again", path, err)
		}
		return d, path, err
	}
	return nil, filepath.Join(folders[0], storedFile), fmt.Errorf("graphs: %s not found in %q: %w; run "+
		"`omm data convert %s --from DIR`%s", name, folders, fs.ErrNotExist, name,
		run.If(name == ProductsName, " or `omm data get %s`", name))
}
