package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"omm-go/ommlx/artifact/claims"
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

// FigureHead is what the JSON of a figure begins with, and that of a table but for its name.
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

// Uncommitted is the sentence, for a note, on trainings of which nobody can say what computed them, if there are any.
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

// Gather reads the kept results of experiments, each of the seeds that there are and nil where there is none, and tells
// where they come from. The error names a result that is damaged. A result that was joined of several trainings comes
// from each of them.
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

// Finding is a sentence of README.md on what reproduces, from the committed files of a checkout. The error names a file
// that is missing or cannot be read.
type Finding func(root string) (string, error)

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

// Headline is a line of the table of experiments in README.md.
type Headline struct {
	Name  string // of the experiment, as the reader knows it
	Claim string // the ID of the claim whose verdict is shown with the numbers
	Entry Entry  // has the numbers
	// Protocol tells which verdict, for a claim that has several.
	Protocol claims.Protocol
	// Numbers returns the paper's numbers and ours from the JSON of the entry.
	Numbers func(text []byte) (paper, ours string, err error)
}

// NewHeadline returns the line of an entry whose JSON is a T.
func NewHeadline[T any](name, claim string, entry Entry, numbers func(T) (paper, ours string, err error)) Headline {
	return Headline{Name: name, Claim: claim, Entry: entry, Numbers: func(text []byte) (string, string, error) {
		data, err := Decode[T](text)
		if err != nil {
			return "", "", err
		}
		return numbers(data)
	}}
}

// Under returns the line with the verdict by a protocol.
func (h Headline) Under(p claims.Protocol) Headline {
	h.Protocol = p
	return h
}

// Printed is a number of the paper beside ours; nil where there is none.
type Printed struct {
	Label       string
	Paper, Ours *float64
}

// Beside writes numbers in per cent, the paper's with its data and ours with ours.
func Beside(numbers []Printed, paperData, ourData string) (paper, ours string, err error) {
	var printed, measured []string
	for _, n := range numbers {
		if n.Paper == nil || n.Ours == nil {
			return "", "", fmt.Errorf("it has no numbers of %q", n.Label)
		}
		printed = append(printed, fmt.Sprintf("%s %.4g", n.Label, *n.Paper))
		measured = append(measured, fmt.Sprintf("%s %.1f", n.Label, *n.Ours))
	}
	return paperData + ": " + strings.Join(printed, "; "), ourData + ": " + strings.Join(measured, "; "), nil
}

// RunsEach writes the least and the largest number of runs: "4 to 10 runs each". The error says that there are none.
func RunsEach(counts []int) (string, error) {
	if len(counts) == 0 {
		return "", errors.New("it has no results")
	}
	least, most := slices.Min(counts), slices.Max(counts)
	return run.If(least < most, "%d to ", least) + say.Count(most, "run") + " each", nil
}
