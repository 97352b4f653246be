package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/train"
)

// Result is what an experiment of type E gave, in runs of type R. Its JSON is kept.
type Result[E any, R Judged] struct {
	Config     E             `json:"config"`
	Provenance Provenance    `json:"provenance"`
	Runs       []R           `json:"runs"` // one for each seed
	History    []train.Point `json:"history"`
	// Picture has the functions of the first run on points, of experiments that draw them.
	Picture [][]float64 `json:"picture,omitempty"`
}

// Judged is one run of an experiment, judged.
type Judged interface {
	// Outcome is how the run ended.
	Outcome() Outcome
}

// Outcome is how a run ended.
type Outcome struct {
	Seed     int64
	Diverged int    // the step at which it stopped being finite; 0: it never did
	Score    string // in words, as "average cosine similarity 0.9957 over 11 modes"
	// Value is the first number of the score; NaN without one. It is not in percent.
	Value float64
}

// AnyResult is a [Result] whatever it is of.
type AnyResult interface {
	// Trained returns where it was trained.
	Trained() *Provenance
	// Outcomes is how each run ended.
	Outcomes() []Outcome
}

// Trained is [AnyResult]'s.
func (r *Result[E, R]) Trained() *Provenance { return &r.Provenance }

// Outcomes is [AnyResult]'s.
func (r *Result[E, R]) Outcomes() (all []Outcome) {
	for _, run := range r.Runs {
		all = append(all, run.Outcome())
	}
	return all
}

// Finished returns the runs that did not diverge; a result of nil has none.
func (r *Result[E, R]) Finished() (runs []R) {
	if r == nil {
		return nil
	}
	for _, run := range r.Runs {
		if run.Outcome().Diverged == 0 {
			runs = append(runs, run)
		}
	}
	return runs
}

// Decode reads the kept result of the configuration that key names. It refuses what [Check] refuses.
func Decode[E Experiment[E, R], R Judged](text []byte, key string) (*Result[E, R], error) {
	r := &Result[E, R]{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, err
	}
	return r, Check(r, key)
}

// Check returns an error where a result is of another configuration than key names, where something that is drawn or
// averaged is missing from it, and where its numbers cannot be.
func Check[E Experiment[E, R], R Judged](r *Result[E, R], key string) error {
	if own := Key(r.Config); own != key {
		return fmt.Errorf("it is the result of another configuration, %s", own)
	}
	seeds := r.Config.RunSeeds()
	if len(r.Runs) != len(seeds) {
		return fmt.Errorf("it holds %d runs instead of %d", len(r.Runs), len(seeds))
	}
	for i, run := range r.Runs {
		if got := run.Outcome().Seed; got != seeds[i] {
			return fmt.Errorf("run %d has the seed %d instead of %d", i, got, seeds[i])
		}
	}
	return r.Config.Whole(r)
}

// Lengths returns an error where one of the scores of a run has not the length that it must have.
func Lengths(run, want int, scores ...[]float64) error {
	for _, s := range scores {
		if len(s) != want {
			return fmt.Errorf("run %d has %d scores where there must be %d", run, len(s), want)
		}
	}
	return nil
}

// rounding is what sums and shares may be off by.
const rounding = 1e-9

// Shares returns an error where one of the scores of a run is not in [0, 1].
func Shares(run int, scores ...float64) error {
	for _, s := range scores {
		if !(s >= -rounding && s <= 1+rounding) {
			return fmt.Errorf("run %d has the score %g, which must lie in [0, 1]", run, s)
		}
	}
	return nil
}

// Average returns an error where the average of the scores of a run is not the mean of as many as there must be, or
// one of them is outside of [0, 1].
func Average(run, want int, average float64, scores []float64) error {
	if err := Lengths(run, want, scores); err != nil {
		return err
	}
	if err := Shares(run, scores...); err != nil {
		return err
	}
	if mean := stat.Mean(scores, nil); math.Abs(mean-average) > rounding {
		return fmt.Errorf("run %d has the average score %g, but the mean of its scores is %g", run, average, mean)
	}
	return nil
}

// join returns the result of some seeds of an experiment from the results of each. Each part keeps its provenance. The
// whole has the provenance of the part that was finished last, with the seconds of all.
func join[E Experiment[E, R], R Judged](e E, parts []*Result[E, R]) *Result[E, R] {
	whole := &Result[E, R]{Provenance: parts[0].Provenance, Picture: parts[0].Picture}
	var seeds []int64
	seconds, list, histories := 0.0, make([]Part, len(parts)), make([][]train.Point, len(parts))
	for i, p := range parts {
		list[i] = Part{Key: Key(p.Config), Seeds: p.Config.RunSeeds(), Provenance: p.Provenance}
		seeds, histories[i] = append(seeds, list[i].Seeds...), p.History
		whole.Runs = append(whole.Runs, p.Runs...)
		if seconds += p.Provenance.Seconds; p.Provenance.Finished.After(whole.Provenance.Finished) {
			whole.Provenance = p.Provenance
		}
	}
	whole.Config, whole.History = e.With(seeds), JoinHistories(histories)
	whole.Provenance.Seconds, whole.Provenance.Parts = seconds, list
	return whole
}

// JoinHistories joins the histories of runs that were trained apart, in their order. A run that
// diverged may have ended before the others; from there on its numbers are NaN.
func JoinHistories(parts [][]train.Point) (joined []train.Point) {
	for _, part := range parts {
		joined = append(joined, part[min(len(joined), len(part)):]...)
	}
	for i, first := range joined {
		joined[i] = train.Point{Step: first.Step}
		for _, part := range parts {
			var p train.Point
			if i < len(part) {
				p = part[i]
			}
			joined[i].Loss = appendRun(joined[i].Loss, p.Loss, len(first.Loss) > 0)
			joined[i].Value = appendRun(joined[i].Value, p.Value, len(first.Value) > 0)
		}
	}
	return joined
}

// appendRun appends the numbers of one run, NaN if they should be there but are not.
func appendRun(all, one train.PerRun, there bool) train.PerRun {
	if there && len(one) == 0 {
		one = train.PerRun{math.NaN()}
	}
	return append(all, one...)
}

// historyOf is the part of a history that is of one run.
func historyOf(history []train.Point, run int) []train.Point {
	part := append([]train.Point{}, history...)
	for i, p := range history {
		if p.Loss != nil {
			part[i].Loss = p.Loss[run : run+1]
		}
		if p.Value != nil {
			part[i].Value = p.Value[run : run+1]
		}
	}
	return part
}

// resultFormat is part of every key; it is raised when the meaning of a configuration changes.
const resultFormat = 1

// Key names a configuration: the first half of the SHA-256 of its JSON, in hexadecimal. It panics for a number that is
// not finite, which has no JSON and which no valid experiment has.
func Key(config any) string {
	text, err := json.Marshal(struct {
		Format int
		Config any
	}{resultFormat, config})
	if err != nil {
		panic(fmt.Errorf("naming a configuration: %w", err))
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
