package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"omm-go/ommlx/artifact/run"
)

// Origin is the provenance of a figure or table: the program that drew it and the trainings of its results.
type Origin struct {
	Drawn   run.Provenance `json:"drawn"`
	Trained []Trained      `json:"trained"`
}

// Trained is one training. Its full provenance is in its result.
type Trained struct {
	Label    string    `json:"label"`
	Key      string    `json:"key"`
	Seeds    []int64   `json:"seeds"`
	Device   string    `json:"device"`
	Commit   string    `json:"commit"`
	Finished time.Time `json:"finished"`
	Seconds  float64   `json:"seconds"` // wall time
}

// FigureHead has the first fields of the JSON of a figure.
type FigureHead struct {
	Figure     string `json:"figure"`
	Paper      string `json:"paper"` // its place in the paper
	Note       string `json:"note"`
	Provenance Origin `json:"provenance"`
}

// Seconds returns the wall time of all trainings.
func (o Origin) Seconds() (sum float64) {
	for _, t := range o.Trained {
		sum += t.Seconds
	}
	return sum
}

// NotRun returns a sentence for a note that counts the nil results of [Gather]; "" without any.
func NotRun[R any](results []*R) string {
	missing := 0
	for _, r := range results {
		if r == nil {
			missing++
		}
	}
	return run.If(missing > 0, " Not run yet: %d of %d.", missing, len(results))
}

// Uncommitted counts in words the trainings by programs with uncommitted changes; "" without any.
func (o Origin) Uncommitted() string {
	count := 0
	for _, t := range o.Trained {
		if run.Uncommitted(t.Commit) {
			count++
		}
	}
	return run.If(count > 0, "%d of %d trainings were made with changes that were not committed and must be made again",
		count, len(o.Trained))
}

// drawn returns the origin of a drawing without trainings.
func drawn(l *run.Lab) (Origin, error) {
	here, err := l.Here()
	return Origin{here, []Trained{}}, err
}

// Gather returns the kept results of experiments and their origin. A result has the kept seeds of its experiment, and
// is nil without any. The origin of a result joined from several trainings lists each of them.
func Gather[E run.Experiment[E, R], R run.Judged](l *run.Lab, list []E) ([]*run.Result[E, R], Origin, error) {
	o, err := drawn(l)
	if err != nil {
		return nil, o, err
	}
	results := make([]*run.Result[E, R], len(list))
	for i, e := range list {
		r, _, err := run.Load(l, e)
		if err != nil {
			return nil, o, err
		}
		if results[i] = r; r == nil {
			continue
		}
		parts := r.Provenance.Parts
		if parts == nil {
			parts = []run.Part{{Key: run.Key(r.Config), Seeds: r.Config.RunSeeds(), Provenance: r.Provenance}}
		}
		for _, p := range parts {
			o.Trained = append(o.Trained, Trained{Label: r.Config.With(p.Seeds).Label(), Key: p.Key, Seeds: p.Seeds,
				Device: p.Provenance.Device, Commit: p.Provenance.Commit, Finished: p.Provenance.Finished,
				Seconds: p.Provenance.Seconds})
		}
	}
	return results, o, nil
}

// Decode decodes the JSON of an entry.
func Decode[T any](text []byte) (data T, err error) {
	if err := json.Unmarshal(text, &data); err != nil {
		return data, fmt.Errorf("not in the format of this version (%w); make it again", err)
	}
	return data, nil
}

// ReadUnder decodes the JSON of an entry under a profile. The error wraps [fs.ErrNotExist] if there is none.
func ReadUnder[T any](root string, entry Entry, p run.Profile) (data T, err error) {
	text, err := os.ReadFile(filepath.Join(root, entry.File(p)))
	if err != nil {
		return data, err
	}
	if data, err = Decode[T](text); err != nil {
		return data, fmt.Errorf("%s: %w", entry.File(p), err)
	}
	return data, nil
}
