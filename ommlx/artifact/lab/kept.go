package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"operator-omm/ommlx/internal/fsx"
)

// Committed is the folder of the checkout with the kept results that everybody gets: a file for each environment,
// system or data set, in which each line has the result of one configuration with one seed.
const Committed = "figures/kept"

// line is one line of a file of committed results.
type line struct {
	Key    string          `json:"key"`
	SHA256 string          `json:"sha256"` // of the bytes of Result
	Result json.RawMessage `json:"result"`

	file string // in the checkout
}

// restore says what to do about a file of committed results that was changed.
func restore(file string) string { return fmt.Sprintf("`git checkout %s` restores the file", file) }

// committed returns the committed results of the checkout by key. It reads them once. The error names the first line
// that is not as it was written.
func (l *Lab) committed() (map[string]line, error) {
	if l.lines != nil {
		return l.lines, nil
	}
	checkout := os.DirFS(l.Root)
	names, _ := fs.Glob(checkout, Committed+"/*.jsonl") // fails only on a malformed pattern
	all := map[string]line{}
	for _, name := range names {
		text, err := fs.ReadFile(checkout, name)
		if err != nil {
			return nil, fmt.Errorf("reading committed results: %w", err)
		}
		number := 0
		for row := range bytes.Lines(text) {
			number++
			one := line{file: name}
			fault := one.read(row)
			if _, twice := all[one.Key]; twice && fault == "" {
				fault = "another line has the same key"
			}
			if fault != "" {
				return nil, fmt.Errorf("%s, line %d, key %q: %s; %s", one.file, number, one.Key, fault,
					restore(one.file))
			}
			all[one.Key] = one
		}
	}
	l.lines = all
	return all, nil
}

// read takes a row of a file apart and returns what is wrong with it; "" for nothing.
func (one *line) read(row []byte) (fault string) {
	text, whole := bytes.CutSuffix(row, []byte("\n"))
	if err := json.Unmarshal(text, one); err != nil || !whole {
		return "the line was cut or changed, so that it cannot be read"
	}
	if one.SHA256 != fsx.SHA256Of(one.Result) {
		return "the line was changed, so that its checksum does not fit"
	}
	return ""
}

// Commit appends the finished results of the single seeds of jobs to the committed ones and returns those that were not
// there before. It leaves out those that were trained with changes that were not committed, since nobody else has that
// program: refused has a sentence on each of them. The error names a result that is damaged; nothing is added then.
func (l *Lab) Commit(ctx context.Context, jobs []Job) (added []Job, refused []string, err error) {
	dir := filepath.Join(l.Root, Committed)
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.MkdirAll(filepath.Join(l.Root, ".omm"), 0o755)); err != nil {
		return nil, nil, fmt.Errorf("committing results: %w", err)
	}
	lock, err := fsx.Lock(ctx, filepath.Join(l.Root, ".omm", "kept.lock"), func() {
		l.Say("waiting for another process, which keeps results")
	})
	if err != nil {
		return nil, nil, fmt.Errorf("committing results: %w", err)
	}
	defer lock.Close()
	l.lines = nil // another process may have added some
	if _, err := l.committed(); err != nil {
		return nil, nil, err
	}
	more := map[string][]byte{} // by file
	for _, j := range Runs(jobs) {
		text, why, err := l.committable(j)
		if err != nil {
			return nil, nil, err
		}
		if why != "" {
			refused = append(refused, why)
		}
		if text == nil {
			continue
		}
		of, _, _ := strings.Cut(j.Label, " ")
		more[of] = fmt.Appendf(more[of], "{\"key\":%q,\"sha256\":%q,\"result\":%s}\n", j.Key, fsx.SHA256Of(text), text)
		added = append(added, j)
	}
	for _, of := range slices.Sorted(maps.Keys(more)) {
		name := filepath.Join(dir, of+".jsonl")
		before, err := os.ReadFile(name)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = fsx.Write(name, append(before, more[of]...))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("committing results: %w", err)
		}
	}
	l.lines = nil
	return added, refused, nil
}

// committable is the result to be committed of a job of one seed, without blanks; nil if it is not finished, or there,
// or refused for what is said.
func (l *Lab) committable(j Job) (text []byte, refused string, err error) {
	if _, there := l.lines[j.Key]; there {
		return nil, "", nil
	}
	result, found, err := j.Result(l)
	if err != nil || !found {
		return nil, "", err
	}
	var small bytes.Buffer
	from := l.resultPath(j.Key)
	sealed, err := os.ReadFile(from)
	if err == nil {
		text, err = unseal(sealed)
	}
	if err := errors.Join(err, json.Compact(&small, text)); err != nil {
		return nil, "", fmt.Errorf("the kept result %s cannot be committed: %w", from, err)
	}
	if origin, seeds := result.Trained(); Uncommitted(origin.Commit) {
		return nil, fmt.Sprintf("%s, seeds %v, was trained at commit %s, and nobody can say what that computed: "+
			"commit all changes, remove %s and train it again", j.Label, seeds, origin.Commit, from), nil
	}
	return small.Bytes(), "", nil
}
