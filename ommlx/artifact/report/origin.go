package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"omm-go/ommlx/artifact/run"
)

// Origin is the provenance of a figure or table: the program that drew it and the trainings of its results.
type Origin struct {
	Drawn   Drawn     `json:"drawn"`
	Trained []Trained `json:"trained"`
}

// Drawn describes when and by which program something was drawn.
type Drawn struct {
	Profile  run.Profile `json:"profile"`
	Commit   string      `json:"commit"` // see [run.Uncommitted]
	Finished time.Time   `json:"finished"`
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

// Head has the first fields of the JSON of a figure or table.
type Head struct {
	Figure     string `json:"figure,omitempty"` // its name; "" for a table
	Table      string `json:"table,omitempty"`  // its name; "" for a figure
	Title      string `json:"title,omitempty"`
	Paper      string `json:"paper,omitempty"` // its place in the paper
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

// Stamp returns the first sentence of a note, which is printed in the picture to mark quick runs. figures/README.md has
// the whole note.
func Stamp(note string) string {
	first, _, more := strings.Cut(note, ". ")
	if more {
		first += "."
	}
	return first
}

// Prose joins sentences, such as those of embedded files, to one line.
func Prose(texts ...string) string {
	return strings.Join(strings.Fields(strings.Join(texts, " ")), " ")
}

// NotRun returns a sentence for a note that counts the nil results; "" without any.
func NotRun[R any](results []*R) string {
	missing := 0
	for _, r := range results {
		if r == nil {
			missing++
		}
	}
	if missing == 0 {
		return ""
	}
	return fmt.Sprintf("Not run yet: %d of %d.", missing, len(results))
}

// Uncommitted counts in words the trainings by programs with uncommitted changes; "" without any.
func (o Origin) Uncommitted() string {
	count := 0
	for _, t := range o.Trained {
		if run.Uncommitted(t.Commit) {
			count++
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d trainings were made with changes that were not committed and must be made again",
		count, len(o.Trained))
}

// add lists the trainings of a result of an experiment.
func (o *Origin) add(e run.Experiment, r *run.Result) {
	parts := r.Provenance.Parts
	if parts == nil {
		parts = []run.Part{{Key: run.Key(r.Config), Seeds: e.RunSeeds(), Provenance: r.Provenance}}
	}
	for _, p := range parts {
		o.Trained = append(o.Trained, Trained{Label: e.With(p.Seeds).Label(), Key: p.Key, Seeds: p.Seeds,
			Device: p.Provenance.Device, Commit: p.Provenance.Commit, Finished: p.Provenance.Finished,
			Seconds: p.Provenance.Seconds})
	}
}

// Decode decodes the JSON of an exhibit.
func Decode[T any](text []byte) (data T, err error) {
	if err := json.Unmarshal(text, &data); err != nil {
		return data, fmt.Errorf("not in the format of this version (%w); make it again", err)
	}
	return data, nil
}

// ReadUnder decodes the JSON of an exhibit under a profile. The error wraps [fs.ErrNotExist] if there is none.
func ReadUnder[T any](root string, x Exhibit, p run.Profile) (data T, err error) {
	text, err := os.ReadFile(filepath.Join(root, x.File(p)))
	if err != nil {
		return data, err
	}
	if data, err = Decode[T](text); err != nil {
		return data, fmt.Errorf("%s: %w", x.File(p), err)
	}
	return data, nil
}
