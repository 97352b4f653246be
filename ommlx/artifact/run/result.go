package run

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"omm-go/ommlx/train"
)

// Result is the result of an experiment, with the JSON of its configuration and runs. Its own JSON is kept.
type Result struct {
	Config     json.RawMessage   `json:"config"`
	Provenance Provenance        `json:"provenance"`
	Runs       []json.RawMessage `json:"runs"` // one per seed
	History    []train.Point     `json:"history"`
	// Picture contains the values of the first run's functions at points, for experiments that draw them.
	Picture [][]float64 `json:"picture,omitempty"`
}

// Summaries returns how each run of the experiment ended.
func (r *Result) Summaries(e Experiment) (all []Summary, err error) {
	for _, text := range r.Runs {
		one := e.NewRun()
		if err := json.Unmarshal(text, one); err != nil {
			return nil, err
		}
		all = append(all, one.Summary())
	}
	return all, nil
}

// Decoded is a [Result] of experiments of type E with runs of type R.
type Decoded[E any, R Evaluated] struct {
	Config     E             `json:"config"`
	Provenance Provenance    `json:"provenance"`
	Runs       []R           `json:"runs"`
	History    []train.Point `json:"history"`
	Picture    [][]float64   `json:"picture,omitempty"`
}

// Decode decodes results. Those that are nil stay nil.
func Decode[E any, R Evaluated](results []*Result) ([]*Decoded[E, R], error) {
	all := make([]*Decoded[E, R], len(results))
	for i, r := range results {
		if r == nil {
			continue
		}
		d := &Decoded[E, R]{Provenance: r.Provenance, Runs: make([]R, len(r.Runs)), History: r.History,
			Picture: r.Picture}
		err := json.Unmarshal(r.Config, &d.Config)
		for j, text := range r.Runs {
			err = cmp.Or(err, json.Unmarshal(text, &d.Runs[j]))
		}
		if all[i] = d; err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Finished returns the runs that did not diverge; none if the result is nil.
func (r *Decoded[E, R]) Finished() (runs []R) {
	if r == nil {
		return nil
	}
	for _, run := range r.Runs {
		if run.Summary().Diverged == 0 {
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

// JoinHistories joins the histories of runs that were trained separately, in their order. After the end of a diverged
// run its numbers are NaN.
func JoinHistories(parts [][]train.Point) (joined []train.Point) {
	for _, part := range parts {
		joined = append(joined, part[min(len(joined), len(part)):]...)
	}
	add := func(all *train.PerRun, one, first train.PerRun) {
		if len(first) > 0 && len(one) == 0 {
			one = train.PerRun{math.NaN()}
		}
		*all = append(*all, one...)
	}
	for i, first := range joined {
		joined[i] = train.Point{Step: first.Step}
		for _, part := range parts {
			var p train.Point
			if i < len(part) {
				p = part[i]
			}
			add(&joined[i].Loss, p.Loss, first.Loss)
			add(&joined[i].Value, p.Value, first.Value)
		}
	}
	return joined
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
