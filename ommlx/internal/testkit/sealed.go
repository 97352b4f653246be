package testkit

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// Sealed is a result, a JSON object, as omm keeps it: its first field, on a line of its own, has the SHA-256 of the
// object that follows without it, whose brace is on a line of its own.
func Sealed(text string) []byte {
	return fmt.Appendf(nil, "{\n \"sha256\": \"%x\",\n%s", sha256.Sum256([]byte(text)), text[len("{\n"):])
}

// Unsealed is what Sealed was given.
func Unsealed(sealed []byte) string {
	lines := strings.SplitN(string(sealed), "\n", 3)
	return "{\n" + lines[2]
}
