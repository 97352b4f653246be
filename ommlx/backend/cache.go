package backend

import (
	"encoding/json"
	"os"
	"path/filepath"

	"operator-omm/ommlx/internal/fsx"
)

// stampName is the file beside an installed plugin that says what was verified.
const stampName = "verified.json"

// stamp lets a later start trust an installed plugin without hashing its 200 MB again, until the machine is booted.
type stamp struct {
	SHA256 string `json:"sha256"`
	Of     string `json:"of"` // the file, as identity has it
}

// writeStamp records file as it is now, under the sum that it was verified to have.
func writeStamp(file, sum string) error {
	text, err := json.Marshal(stamp{sum, identity(file)})
	if err != nil {
		return err
	}
	return fsx.Write(filepath.Join(filepath.Dir(file), stampName), text)
}

// checkStamp verifies that file is the one with the wanted sum: by its stamp where that is of this very file, as it was
// last changed and since this boot, otherwise by hashing it. A copied cache is hashed once, a cache that cannot be
// written each time.
func checkStamp(file, want string) error {
	var s stamp
	text, err := os.ReadFile(filepath.Join(filepath.Dir(file), stampName))
	if now := identity(file); err == nil && json.Unmarshal(text, &s) == nil && now != "" &&
		s == (stamp{want, now}) {
		return nil
	}
	if _, err := verify(file, want); err != nil {
		return err
	}
	_ = writeStamp(file, want) // a cache that cannot be written is only slower
	return nil
}

// verify hashes a file, and returns an error where that is not the sum wanted, unless that is empty.
func verify(file, want string) (sum string, err error) {
	sum, err = fsx.SHA256(file)
	if err == nil && want != "" && sum != want {
		err = &fsx.Damaged{Path: file, Want: want, Got: sum}
	}
	return sum, err
}

// VerifyPlugin hashes the plugin file now and returns its SHA-256 in hexadecimal, "" without a plugin. The error says
// that the file cannot be read, or that it is not the pinned one; one of the user's own has no sum to compare with.
func (c Choice) VerifyPlugin() (string, error) {
	if c.Plugin == "" {
		return "", nil
	}
	return verify(c.Plugin, c.SHA256)
}
