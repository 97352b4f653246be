package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"operator-omm/ommlx/internal/atomicfile"
)

// Committed is the folder of the checkout with the kept results that everybody gets: one file for each configuration
// and seed.
const Committed = "ommlx/artifact/kept"

// The sizes that the folder of committed results may have, in bytes.
const (
	CommittedFile  = 512 << 10 // of one file
	CommittedTotal = 20_000_000
)

// committedPath is where the result of a configuration is committed.
func (l *Lab) committedPath(key string) string {
	return filepath.Join(l.Root, filepath.FromSlash(Committed), key+".json")
}

// Commit copies the finished results of the single seeds of a job into the folder of committed results, without blanks,
// and returns how many were not there before. The error names a result that is damaged or larger than [CommittedFile].
func (l *Lab) Commit(j Job) (added int, err error) {
	parts, err := j.Parts()
	if err != nil {
		return 0, err
	}
	for _, p := range parts {
		if len(p.Seeds) != 1 {
			continue
		}
		to := l.committedPath(p.Key)
		if _, err := os.Stat(to); err == nil {
			continue
		}
		from := l.resultPath(p.Key)
		text, err := os.ReadFile(from)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return added, fmt.Errorf("committing a result: %w", err)
		}
		if err := p.Check(text); err != nil {
			return added, fmt.Errorf("the kept result %s cannot be committed: %w", from, err)
		}
		var small bytes.Buffer
		if err := json.Compact(&small, text); err != nil {
			return added, fmt.Errorf("the kept result %s cannot be committed: %w", from, err)
		}
		small.WriteByte('\n')
		if small.Len() > CommittedFile {
			return added, fmt.Errorf("the kept result %s has %d bytes without blanks; a committed one may have %d",
				from, small.Len(), CommittedFile)
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return added, fmt.Errorf("committing a result: %w", err)
		}
		if err := atomicfile.Write(to, small.Bytes()); err != nil {
			return added, fmt.Errorf("committing a result: %w", err)
		}
		added++
	}
	return added, nil
}
