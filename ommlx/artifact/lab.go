// Package artifact regenerates the paper's figures and tables: train → result file → drawing. A file for each
// figure or table holds its configurations for every profile; results are keyed by configuration, so that what
// was computed once is not computed again.
package artifact

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/train"

	"github.com/gomlx/compute"
)

// Lab is where experiments are run and kept.
type Lab struct {
	Root    string    // the repository: figures/ and tables/ are written there, results kept in .omm/
	Profile Profile   // recorded in every result
	Out     io.Writer // progress and what was written; nil for silence
	Medium  train.Medium
	Display func(line string) // for train.Notebook

	work work
}

// resultFormat is part of every key; it is raised when the meaning of a configuration changes.
const resultFormat = 1

// keyOf names a configuration: the first half of the SHA-256 of its JSON form.
func keyOf(config any) (string, error) {
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

func (lab *Lab) engine() (compute.Backend, backend.Choice, error) { return backend.Open() }

func (lab *Lab) resultPath(key string) string {
	return filepath.Join(lab.Root, ".omm", "results", key+".json")
}

func (lab *Lab) runDir(key string) string { return filepath.Join(lab.Root, ".omm", "runs", key) }

// load reads a kept result; found is false when there is none. A damaged file is an error that names it.
func (lab *Lab) load(key string, result checked) (found bool, err error) {
	path := lab.resultPath(key)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = decodeResult(text, key, result)
	}
	if err != nil {
		return false, fmt.Errorf("the kept result %s cannot be read (%w); remove it to compute it again", path, err)
	}
	return true, nil
}

func (lab *Lab) keep(key string, result any) error { return writeJSON(lab.resultPath(key), result) }

// writeJSON writes v atomically, indented, making the folder if need be.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return writeFile(path, append(text, '\n'))
}

func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // fails, as it should, after the rename
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// work tells how much of a job of many trainings is done, for the time left.
type work struct {
	total, done float64 // in any unit; kept results do not count
	began       time.Time
}

func (lab *Lab) begin(total float64) { lab.work = work{total: total, began: time.Now()} }

// bar returns the progress of one training that is cost of the whole work; finished must be called after it.
func (lab *Lab) bar(label string, cost float64) (show func(train.Status), finished func()) {
	bar := &train.Bar{W: lab.Out, Medium: lab.Medium, Display: lab.Display, Label: label}
	if lab.work.total > cost {
		bar.Work = func(fraction float64) (float64, time.Duration) {
			return (lab.work.done + fraction*cost) / lab.work.total, time.Since(lab.work.began)
		}
	}
	if show = bar.Show; lab.Out == nil && lab.Display == nil {
		show = nil
	}
	return show, func() { lab.work.done += cost }
}

func (lab *Lab) say(format string, args ...any) {
	if lab.Out != nil {
		fmt.Fprintf(lab.Out, format+"\n", args...)
	}
}
