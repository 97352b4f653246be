package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/train"
)

// Committed is the folder of committed results in the checkout, with one file per environment, system or data set. Each
// line is the result of one configuration with one seed.
const Committed = "figures/kept"

// line is one kept result: a line of a file in [Committed], or a file in .omm/results.
type line struct {
	Key    string          `json:"key"`
	SHA256 string          `json:"sha256"` // of Result
	Result json.RawMessage `json:"result"`
}

// parseLine reads a line, including its newline. A truncated or changed line is an error.
func parseLine(text []byte) (one line, err error) {
	text, whole := bytes.CutSuffix(text, []byte("\n"))
	if err := json.Unmarshal(text, &one); err != nil || !whole {
		return one, errors.New("truncated or changed: cannot be read")
	}
	if one.SHA256 != fsx.SHA256Of(one.Result) {
		return one, errors.New("changed: wrong checksum")
	}
	return one, nil
}

// keep writes the result of an experiment to .omm/results. No other process may write it at the same time.
func (l *Lab) keep(e Experiment, r *Result) (err error) {
	if r.Config, err = json.Marshal(e); err != nil {
		return err
	}
	key := Key(e)
	text, err := json.Marshal(r)
	if err == nil {
		text, err = json.Marshal(line{Key: key, SHA256: fsx.SHA256Of(text), Result: text})
	}
	if err != nil {
		return err
	}
	path := l.resultPath(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return fsx.Write(path, append(text, '\n'))
}

// committed returns the committed results of the checkout by key, none with IgnoreCommitted. It reads the files once.
// A damaged line is an error.
func (l *Lab) committed() (map[string]line, error) {
	if l.lines != nil || l.IgnoreCommitted {
		return l.lines, nil
	}
	checkout := os.DirFS(l.Root)
	names, _ := fs.Glob(checkout, Committed+"/*.jsonl") // fails only on a malformed pattern
	record, _ := fs.Glob(checkout, Committed+"/record/*.jsonl")
	all := map[string]line{}
	for i, name := range slices.Concat(names, record) {
		text, err := fs.ReadFile(checkout, name)
		if err != nil {
			return nil, err
		}
		number := 0
		for row := range bytes.Lines(text) {
			number++
			one, err := parseLine(row)
			if err != nil {
				return nil, fmt.Errorf("%s, line %d: %w; restore the file with git", name, number, err)
			}
			if i < len(names) { // those on record are only checked
				all[one.Key] = one
			}
		}
	}
	l.lines = all
	return all, nil
}

// Load reads and joins the kept results of an experiment, and lists the seeds without one. The result is nil if no seed
// has one. A damaged file is an error. A result of several seeds has the provenance of the training that finished last,
// with the seconds of all, and the provenance of each in its Parts.
//
// Runs are independent, but reproducible to the bit only if the same seeds were trained in one program, as [Provenance]
// records: products of different shapes round differently, and a long training amplifies the difference. On GridRoom-4
// with 4,000 steps the average cosine similarities of two seeds moved by 0.0006 and 0.0015.
func Load(l *Lab, e Experiment) (r *Result, missing []int64, err error) {
	var parts []Part
	var kept []int64
	var histories [][]train.Point
	seconds := 0.0
	for _, single := range singles(e) {
		key, seed := Key(single), single.RunSeeds()
		one, err := loadSeed(l, single, key)
		if err != nil {
			return nil, nil, err
		}
		if one == nil {
			missing = append(missing, seed...)
			continue
		}
		kept, histories, seconds = append(kept, seed...), append(histories, one.History), seconds+one.Provenance.Seconds
		parts = append(parts, Part{Key: key, Seeds: seed, Provenance: one.Provenance})
		if r == nil {
			r = one
			continue
		}
		if r.Runs = append(r.Runs, one.Runs...); one.Provenance.Finished.After(r.Provenance.Finished) {
			r.Provenance = one.Provenance
		}
	}
	if r != nil && len(e.RunSeeds()) > 1 {
		r.History, r.Provenance.Seconds, r.Provenance.Parts = JoinHistories(histories), seconds, parts
		r.Config, err = json.Marshal(e.With(kept))
	}
	return r, missing, err
}

// loadSeed returns the kept result of an experiment with one seed and this key, or nil.
func loadSeed(l *Lab, e Experiment, key string) (r *Result, err error) {
	file := l.resultPath(key)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		lines, err := l.committed()
		if one, there := lines[key]; there {
			return one.decode(e, key)
		}
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	one, err := parseLine(text)
	if err == nil {
		r, err = one.decode(e, key)
	}
	if err != nil {
		return nil, fmt.Errorf("result %s: %w; remove it to compute it again", file, err)
	}
	return r, nil
}

// decode decodes the result of an experiment with a key. It returns an error if the result has another configuration.
// Old results have fields in another order.
func (l line) decode(e Experiment, key string) (*Result, error) {
	r, own := &Result{}, reflect.New(reflect.TypeOf(e)).Interface()
	if err := json.Unmarshal(l.Result, r); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(r.Config, own); err != nil {
		return nil, err
	}
	if other := Key(own); other != key {
		return nil, fmt.Errorf("the configuration of %s has the key %s", key, other)
	}
	config, err := json.Marshal(e)
	r.Config = config
	return r, err
}

func (l *Lab) resultPath(key string) string {
	return filepath.Join(l.Root, ".omm", "results", key+".json")
}

func (l *Lab) runDir(name string) string { return filepath.Join(l.Root, ".omm", "runs", name) }
