package backend

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"operator-omm/ommlx/internal/fsx"
)

// stampName is the file beside an installed plugin that says what was verified.
const stampName = "verified.json"

// stamp lets a later start trust an installed plugin without hashing its 200 MB again.
type stamp struct {
	SHA256 string    `json:"sha256"`
	Size   int64     `json:"size"`
	MTime  time.Time `json:"mtime"`
}

// writeStamp records file as it is now, under the sum that it was verified to have.
func writeStamp(file, sum string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	text, err := json.Marshal(stamp{sum, info.Size(), info.ModTime()})
	if err != nil {
		return err
	}
	return fsx.Write(filepath.Join(filepath.Dir(file), stampName), text)
}

// checkStamp verifies that file is the one with the wanted sum: by its stamp where size and time agree, otherwise by
// hashing it (a copied cache, or two installations at the same time, have another time and the same content).
func checkStamp(file, want string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	var s stamp
	text, err := os.ReadFile(filepath.Join(filepath.Dir(file), stampName))
	if err == nil && json.Unmarshal(text, &s) == nil &&
		s.SHA256 == want && s.Size == info.Size() && s.MTime.Equal(info.ModTime()) {
		return nil
	}
	got, err := fsx.SHA256(file)
	if err != nil {
		return err
	}
	if got != want {
		return &fsx.Damaged{Path: file, Want: want, Got: got}
	}
	_ = writeStamp(file, want) // a cache that cannot be written is only slower
	return nil
}

// VerifyPlugin hashes the plugin file now and returns its SHA-256 in hexadecimal. The error says that the file cannot
// be read, or that it is not the pinned one; a plugin of the user's own has no sum to compare with.
func (c Choice) VerifyPlugin() (string, error) {
	if c.Plugin == "" {
		return "", nil
	}
	got, err := fsx.SHA256(c.Plugin)
	if err == nil && c.SHA256 != "" && got != c.SHA256 {
		err = &fsx.Damaged{Path: c.Plugin, Want: c.SHA256, Got: got}
	}
	return got, err
}
