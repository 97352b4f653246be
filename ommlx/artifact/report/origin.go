package report

import (
	"fmt"
	"time"

	"operator-omm/ommlx/artifact/lab"
)

// Origin says where the numbers of a figure or table come from: what drew it, and what trained each of its results.
type Origin struct {
	Drawn   lab.Provenance `json:"drawn"`
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

// Seconds is the wall time of all trainings.
func (o Origin) Seconds() (sum float64) {
	for _, t := range o.Trained {
		sum += t.Seconds
	}
	return sum
}

// NotRun is the sentence, for a note, on results of [Gather] that are not there yet; empty if there is none.
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
	return fmt.Sprintf(" Not run yet: %d of %d.", missing, len(results))
}

// Uncommitted is the sentence, for a note, on trainings of builds with changes that were not committed, of which nobody
// can say what they computed; empty if there is none.
func (o Origin) Uncommitted() string {
	count := 0
	for _, t := range o.Trained {
		if lab.Uncommitted(t.Commit) {
			count++
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf(" %d of %d trainings were made with changes that were not committed and must be made again.",
		count, len(o.Trained))
}

// Gather reads the kept results of experiments as [lab.Need] does and tells where they come from. The error names a
// result that is missing or damaged. A result that was joined of several trainings comes from each of them.
func Gather[E lab.Experiment[E, R], R lab.Judged](l *lab.Lab, list []E) ([]*lab.Result[E, R], Origin, error) {
	o := Origin{Trained: []Trained{}}
	results, err := lab.Need(l, list)
	if err != nil {
		return nil, o, err
	}
	if o.Drawn, err = l.Here(); err != nil {
		return nil, o, err
	}
	for _, r := range results {
		if r == nil {
			continue // not run yet
		}
		key, err := lab.Key(r.Config)
		if err != nil {
			return nil, o, err
		}
		parts := r.Provenance.Parts
		if parts == nil {
			parts = []lab.Part{{Key: key, Seeds: r.Config.RunSeeds(), Provenance: r.Provenance}}
		}
		for _, p := range parts {
			o.Trained = append(o.Trained, Trained{Label: r.Config.With(p.Seeds).Label(), Key: p.Key, Seeds: p.Seeds,
				Device: p.Provenance.Device, Commit: p.Provenance.Commit, Finished: p.Provenance.Finished,
				Seconds: p.Provenance.Seconds})
		}
	}
	return results, o, nil
}
