package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"operator-omm/ommlx/internal/fsx"
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
// and returns how many were not there before. It leaves out those that were trained with changes that were not
// committed, since nobody else has that program: refused has a sentence on each of them. The error names a result that
// is damaged, larger than [CommittedFile], or one too many for [CommittedTotal].
func (l *Lab) Commit(j Job) (added int, refused []string, err error) {
	parts, err := j.Parts()
	if err != nil {
		return 0, nil, err
	}
	for _, p := range parts {
		text, why, err := l.committable(p)
		if err != nil {
			return added, refused, err
		}
		if why != "" {
			refused = append(refused, why)
		}
		if text == nil {
			continue
		}
		to := l.committedPath(p.Key)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return added, refused, fmt.Errorf("committing a result: %w", err)
		}
		if err := fsx.Write(to, text); err != nil {
			return added, refused, fmt.Errorf("committing a result: %w", err)
		}
		added++
	}
	return added, refused, nil
}

// committable is the content of the file to be committed for a job of one seed; nil if it is not finished, or there, or
// refused for what is said.
func (l *Lab) committable(j Job) (text []byte, refused string, err error) {
	if _, err := os.Stat(l.committedPath(j.Key)); err == nil {
		return nil, "", nil
	}
	from := l.resultPath(j.Key)
	text, err = os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("committing a result: %w", err)
	}
	var small bytes.Buffer
	result, err := j.Read(text)
	if err := errors.Join(err, json.Compact(&small, text)); err != nil {
		return nil, "", fmt.Errorf("the kept result %s cannot be committed: %w", from, err)
	}
	if origin, seeds := result.Trained(); Uncommitted(origin.Commit) {
		return nil, fmt.Sprintf("%s, seeds %v, was trained at commit %s, and nobody can say what that computed: "+
			"commit all changes, remove %s and train it again", j.Label, seeds, origin.Commit, from), nil
	}
	small.WriteByte('\n')
	if small.Len() > CommittedFile {
		return nil, "", fmt.Errorf("the kept result %s has %d bytes without blanks; a committed one may have %d",
			from, small.Len(), CommittedFile)
	}
	total, err := l.CommittedSize()
	if err != nil {
		return nil, "", err
	}
	if total += int64(small.Len()); total > CommittedTotal {
		return nil, "", fmt.Errorf("with the result %s the folder %s would have %d bytes; it may have %d: "+
			"remove results that nothing shows", from, Committed, total, CommittedTotal)
	}
	return small.Bytes(), "", nil
}

// CommittedSize is the size of the committed results together, in bytes.
func (l *Lab) CommittedSize() (total int64, err error) {
	files, err := os.ReadDir(filepath.Dir(l.committedPath("")))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("the size of committed results: %w", err)
	}
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			return 0, fmt.Errorf("the size of committed results: %w", err)
		}
		total += info.Size()
	}
	return total, nil
}
