package fsx

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// SHA256 returns the SHA-256 of the content of a file as 64 lower-case hexadecimal digits. The error says why it cannot
// be read.
func SHA256(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// SHA256Of is [SHA256] of a content.
func SHA256Of(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Damaged is the error of a file whose content is not the pinned one.
type Damaged struct{ Path, Want, Got string }

// Error implements [error].
func (e *Damaged) Error() string {
	return fmt.Sprintf("%s is truncated or altered: its SHA-256 is %s, expected %s", e.Path, e.Got, e.Want)
}
