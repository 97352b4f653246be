package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/train"
)

// Load reads the kept results of the seeds of an experiment, joins those that there are, which is nil for none, and
// lists the seeds that are missing. The error names a damaged file.
//
// Runs are independent. They have the same bits only if the same seeds were trained in one program, as [Provenance]
// says: products of another shape are rounded in another way, which a long training amplifies. On GridRoom-4, with
// 4,000 steps, average cosine similarities of two seeds moved by 0.0006 and 0.0015.
func Load[E Experiment[E, R], R Judged](l *Lab, e E) (r *Result[E, R], missing []int64, err error) {
	var parts []*Result[E, R]
	for _, alone := range each(e) {
		part, err := loadSeed(l, alone)
		if err != nil {
			return nil, nil, err
		}
		if part == nil {
			missing = append(missing, alone.RunSeeds()...)
		} else {
			parts = append(parts, part)
		}
	}
	switch {
	case parts == nil:
		return nil, missing, nil
	case len(e.RunSeeds()) == 1:
		return parts[0], nil, nil
	}
	return join(e, parts), missing, nil
}

// loadSeed reads the kept result of an experiment of one seed; nil where there is none.
func loadSeed[E Experiment[E, R], R Judged](l *Lab, e E) (*Result[E, R], error) {
	key := Key(e)
	from, advice := l.resultPath(key), "remove it to compute it again"
	text, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		lines, damaged := l.committed()
		one, there := lines[key]
		if !there {
			return nil, damaged
		}
		text, from, advice, err = one.Result, fmt.Sprintf("%s in %s", key, one.file), restore(one.file), nil
	} else if err == nil {
		text, err = unseal(text)
	}
	var r *Result[E, R]
	if err == nil {
		r, err = Decode[E, R](text, key)
	}
	if _, unreadable := errors.AsType[*fs.PathError](err); unreadable {
		advice = "run the same command again once it can be read; it is not known to be damaged"
	}
	if err != nil {
		return nil, fmt.Errorf("the kept result %s cannot be read (%w); %s", from, err, advice)
	}
	return r, nil
}

func (l *Lab) resultPath(key string) string {
	return filepath.Join(l.Root, ".omm", "results", key+".json")
}

func (l *Lab) runDir(name string) string { return filepath.Join(l.Root, ".omm", "runs", name) }

// runName is the name of the folder of the checkpoints of an experiment: its key, and that of its first seed before it
// if it has several, by which [Lab.Sweep] knows whether it is done.
func runName[E Experiment[E, R], R Judged](e E) string {
	name := Key(e)
	if seeds := e.RunSeeds(); len(seeds) > 1 {
		name = Key(e.With(seeds[:1])) + "-" + name
	}
	return name
}

// Sweep removes the checkpoints that processes left which were killed once the results were in .omm/results. It leaves
// alone what another process works on, and what cannot be removed.
func (l *Lab) Sweep() {
	trained, _ := os.ReadDir(l.runDir(""))
	for _, of := range trained {
		first, _, _ := strings.Cut(of.Name(), "-")
		if _, err := os.Stat(l.resultPath(first)); err == nil { // which is kept last
			dir := l.runDir(of.Name())
			if lock, err := train.Lock(dir); err == nil {
				_ = clearRun(dir)
				lock.Close()
			}
		}
	}
}

// clearRun removes the folder of a training whose results are kept; its lock is held. It leaves the folder to another
// process that makes a lock there at the same time, which finds the results and clears the folder.
func clearRun(dir string) error {
	if err := os.RemoveAll(dir); !errors.Is(err, syscall.ENOTEMPTY) {
		return err
	}
	return nil
}

// keep writes a result, which no other process does at the same time, and removes what one left that was killed at it.
func keep(path string, result any) error {
	text, err := json.MarshalIndent(result, "", " ")
	if err != nil {
		return fmt.Errorf("keeping the result %s: %w", path, err)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("keeping a result: %w", err)
	}
	left, _ := fs.Glob(os.DirFS(dir), filepath.Base(path)+".*"+fsx.Unfinished)
	for _, name := range left {
		_ = os.Remove(filepath.Join(dir, name)) // one that stays does no harm
	}
	return fsx.Write(path, seal(append(text, '\n')))
}

// A kept result begins with the checksum of what it is without it: sealBefore, the sum, sealAfter.
const (
	sealBefore = "{\n \"sha256\": \""
	sealAfter  = "\",\n"
)

// seal puts the checksum of a result, as json.MarshalIndent wrote it, before its first field.
func seal(text []byte) []byte {
	return slices.Concat([]byte(sealBefore), []byte(fsx.SHA256Of(text)), []byte(sealAfter), text[len("{\n"):])
}

// unseal returns a result without its checksum. The error says that it does not fit.
func unseal(sealed []byte) ([]byte, error) {
	if _, rest, ends := bytes.Cut(sealed, []byte(sealAfter)); ends {
		if text := append([]byte("{\n"), rest...); bytes.Equal(seal(text), sealed) {
			return text, nil
		}
	}
	return nil, errors.New("it was cut or changed, so that its checksum does not fit")
}
