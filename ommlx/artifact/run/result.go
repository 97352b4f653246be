package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"omm-go/ommlx/train"
)

// Result is the result of an experiment of type E with runs of type R. Its JSON is kept.
type Result[E any, R Judged] struct {
	Config     E             `json:"config"`
	Provenance Provenance    `json:"provenance"`
	Runs       []R           `json:"runs"` // one per seed
	History    []train.Point `json:"history"`
	// Picture contains the values of the first run's functions at points, for experiments that draw them.
	Picture [][]float64 `json:"picture,omitempty"`
}

// Judged is an evaluated run.
type Judged interface {
	Outcome() Outcome
}

// Outcome is how a run ended.
type Outcome struct {
	Seed     int64
	Diverged int    // the step at which it diverged; 0 if it did not
	Score    string // in words, such as "average cosine similarity 0.9957 over 11 modes"
	// Value is the first number of the score, not in percent; NaN without one.
	Value float64
}

// Outcomes returns how each run ended; nothing if the result is nil.
func (r *Result[E, R]) Outcomes() (all []Outcome) {
	if r == nil {
		return nil
	}
	for _, run := range r.Runs {
		all = append(all, run.Outcome())
	}
	return all
}

// Finished returns the runs that did not diverge; none if the result is nil.
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

// Digits rounds values in place to four significant digits, for [Result].Picture, and returns them. Values that are not
// finite become 0, because JSON has none.
func Digits(values []float64) []float64 {
	for i, v := range values {
		values[i], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', 3, 64), 64)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			values[i] = 0
		}
	}
	return values
}

// decode reads the kept result of the configuration with a key. It returns an error if the result has another
// configuration or other seeds.
func decode[E Experiment[E, R], R Judged](text []byte, key string) (*Result[E, R], error) {
	r := &Result[E, R]{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, err
	}
	if own := Key(r.Config); own != key {
		return nil, fmt.Errorf("the configuration of %s has the key %s", key, own)
	}
	var seeds []int64
	for _, run := range r.Outcomes() {
		seeds = append(seeds, run.Seed)
	}
	if want := r.Config.RunSeeds(); !slices.Equal(seeds, want) {
		return nil, fmt.Errorf("%s has runs of the seeds %v, want %v", key, seeds, want)
	}
	return r, nil
}

// join joins the results of single seeds of an experiment. Each part keeps its provenance. The joined result has the
// provenance of the part that finished last, with the seconds of all parts.
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

// JoinHistories joins the histories of runs that were trained separately, in their order. After the end of a diverged
// run its numbers are NaN.
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

// appendRun appends the numbers of one run, or NaN if they are wanted but missing.
func appendRun(all, one train.PerRun, wanted bool) train.PerRun {
	if wanted && len(one) == 0 {
		one = train.PerRun{math.NaN()}
	}
	return append(all, one...)
}

// historyOf returns the history of one run.
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

// resultFormat is part of every key. Raise it when the meaning of a configuration changes.
const resultFormat = 1

// Key returns the key of a configuration: the first half of the SHA-256 of its JSON, in hexadecimal. It panics if a
// number is not finite, which no valid experiment has.
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
