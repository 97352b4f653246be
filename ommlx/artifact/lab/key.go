package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// resultFormat is part of every key; it is raised when the meaning of a configuration changes.
const resultFormat = 1

// Key names a configuration: the first half of the SHA-256 of its JSON, in hexadecimal. A value without JSON is an
// error that says so.
func Key(config any) (string, error) {
	text, err := json.Marshal(struct {
		Format int
		Config any
	}{resultFormat, config})
	if err != nil {
		return "", fmt.Errorf("naming a configuration: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}
