package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// Origin says where the numbers of a figure or table come from: what drew it, and what trained each of its results.
type Origin struct {
	Drawn   run.Provenance `json:"drawn"`
	Trained []Trained      `json:"trained"`
}

// Trained is one training. The rest of its provenance stands with its result.
type Trained struct {
	Label    string    `json:"label"`
	Key      string    `json:"key"`
	Seeds    []int64   `json:"seeds"`
	Device   string    `json:"device"`
	Commit   string    `json:"commit"`
	Finished time.Time `json:"finished"`
	Seconds  float64   `json:"seconds"` // wall time
}

// FigureHead is the beginning of the JSON of a figure.
type FigureHead struct {
	Figure     string `json:"figure"`
	Paper      string `json:"paper"` // where it is in the paper
	Note       string `json:"note"`
	Provenance Origin `json:"provenance"`
}

// Seconds is the wall time of all trainings.
func (o Origin) Seconds() (sum float64) {
	for _, t := range o.Trained {
		sum += t.Seconds
	}
	return sum
}

// NotRun is the sentence, for a note, on results of [Gather] that are not there yet, if there are any.
func NotRun[R any](results []*R) string {
	missing := 0
	for _, r := range results {
		if r == nil {
			missing++
		}
	}
	return run.If(missing > 0, " Not run yet: %d of %d.", missing, len(results))
}

// Uncommitted is the sentence, for a note, on trainings by programs with uncommitted changes, if there are any.
func (o Origin) Uncommitted() string {
	count := 0
	for _, t := range o.Trained {
		if run.Uncommitted(t.Commit) {
			count++
		}
	}
	return run.If(count > 0, " %d of %d trainings were made with changes that were not committed and must be made "+
		"again.", count, len(o.Trained))
}

// Gather reads the kept results of experiments, each of its kept seeds and nil without any, and returns where they
// come from. The error names a result that is damaged. A result that was joined of several trainings comes from each
// of them.
func Gather[E run.Experiment[E, R], R run.Judged](l *run.Lab, list []E) ([]*run.Result[E, R], Origin, error) {
	here, err := l.Here()
	if err != nil {
		return nil, Origin{}, err
	}
	o, results := Origin{here, []Trained{}}, make([]*run.Result[E, R], len(list))
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

// Decode reads the JSON of an entry, which is a T.
func Decode[T any](text []byte) (data T, err error) {
	if err := json.Unmarshal(text, &data); err != nil {
		return data, fmt.Errorf("it does not have the form that this version writes (%w); make it again", err)
	}
	return data, nil
}

// ReadAtScale reads the JSON of an entry at the paper's scale, which is a T.
func ReadAtScale[T any](root string, entry Entry) (data T, err error) {
	text, err := os.ReadFile(filepath.Join(root, entry.File(run.Paper)))
	if err != nil {
		return data, err
	}
	if data, err = Decode[T](text); err != nil {
		return data, fmt.Errorf("%s: %w", entry.File(run.Paper), err)
	}
	return data, nil
}

// RunsEach writes the least and the largest number of runs: "4 to 10 runs each". It is an error if there are no
// counts.
func RunsEach(counts []int) (string, error) {
	if len(counts) == 0 {
		return "", errors.New("it has no results")
	}
	least, most := slices.Min(counts), slices.Max(counts)
	return run.If(least < most, "%d to ", least) + say.Count(most, "run") + " each", nil
}
