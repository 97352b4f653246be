package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"omm-go/ommlx/internal/fsx"
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
			one, fault := line{file: name}, ""
			text, whole := bytes.CutSuffix(row, []byte("\n"))
			err := json.Unmarshal(text, &one)
			switch _, twice := all[one.Key]; {
			case err != nil || !whole:
				fault = "the line was cut or changed, so that it cannot be read"
			case one.SHA256 != fsx.SHA256Of(one.Result):
				fault = "the line was changed, so that its checksum does not fit"
			case twice:
				fault = "another line has the same key"
			}
			if fault != "" {
				return nil, fmt.Errorf("%s, line %d, key %q: %s; %s", name, number, one.Key, fault, restore(name))
			}
			all[one.Key] = one
		}
	}
	l.lines = all
	return all, nil
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
		if _, there := l.lines[j.Key]; there {
			continue
		}
		result, missing, err := j.Result(l)
		if err != nil {
			return nil, nil, err
		}
		if len(missing) > 0 {
			continue
		}
		if commit := result.Trained().Commit; Uncommitted(commit) {
			refused = append(refused, fmt.Sprintf("%s, seeds %v, was trained at commit %s, and nobody can say what "+
				"that computed: commit all changes, remove %s and train it again", j.Label, j.Seeds, commit,
				l.resultPath(j.Key)))
			continue
		}
		text, _ := json.Marshal(result) // which was read from JSON
		of, _, _ := strings.Cut(j.Label, " ")
		more[of] = fmt.Appendf(more[of], "{\"key\":%q,\"sha256\":%q,\"result\":%s}\n", j.Key, fsx.SHA256Of(text),
			text)
		added = append(added, j)
	}
	for of, rows := range more {
		name := filepath.Join(dir, of+".jsonl")
		before, err := os.ReadFile(name)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = fsx.Write(name, append(before, rows...))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("committing results: %w", err)
		}
	}
	l.lines = nil
	return added, refused, nil
}
