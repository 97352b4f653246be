package artifact

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// Compare describes the difference between two versions of a figure's or table's JSON, apart from provenance: the
// number of common runs (same configuration and seed), and the run whose score, the first number of its outcome,
// changed most. It returns "" if nothing differs.
func Compare(before, now []byte) (difference string, err error) {
	was, old, err := scores(before)
	if err != nil {
		return "", fmt.Errorf("old version: %w", err)
	}
	is, made, err := scores(now)
	if err != nil {
		return "", fmt.Errorf("new version: %w", err)
	}
	if reflect.DeepEqual(was, is) {
		return "", nil
	}
	var largest *change
	common := 0
	for _, key := range slices.Sorted(maps.Keys(made)) {
		if c, there := old[key]; there {
			common++
			if c.now = made[key].was; largest == nil || c.size() > largest.size() {
				largest = &c
			}
		}
	}
	difference = fmt.Sprintf("differs: %d common runs, %d new, %d missing", common, len(made)-common, len(old)-common)
	if largest != nil {
		difference += "; largest change: " + largest.String()
	}
	return difference, nil
}

type change struct {
	label    string
	seed     int64
	was, now float64       // NaN for a diverged run
	between  report.Spread // over the old runs of this configuration, with all seeds
}

// size returns the absolute change. It is infinite if the run diverged in only one version.
func (c change) size() float64 {
	switch d := math.Abs(c.now - c.was); {
	case !math.IsNaN(d):
		return d
	case math.IsNaN(c.was) && math.IsNaN(c.now):
		return 0
	}
	return math.Inf(1)
}

// String formats the change.
func (c change) String() string {
	word := func(x float64) string {
		if math.IsNaN(x) {
			return "diverged"
		}
		return fmt.Sprintf("%.4f", x)
	}
	return fmt.Sprintf("%s seed %d: %s, was %s; runs have %s", c.label, c.seed, word(c.now), word(c.was),
		c.between.Text(4))
}

// scores decodes a JSON text without notes and circumstances, and returns the score of each run by the key of its
// configuration with that single seed.
func scores(text []byte) (tree any, runs map[string]change, err error) {
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, nil, err
	}
	runs = map[string]change{}
	report.EachObject(tree, func(at map[string]any) {
		for _, name := range report.Circumstances {
			delete(at, name)
		}
		delete(at, "note")
		if at["config"] != nil && at["runs"] != nil {
			err = cmp.Or(err, scoresOf(at, runs))
		}
		if key, is := at["key"].(string); is { // a cell of the sweep, of one run
			score, scored := at["average_cosine_similarity"].(float64)
			if !scored {
				score = math.NaN()
			}
			runs[key] = change{label: fmt.Sprintf("b = %v, α = %v", at["b"], at["alpha_barrier"]), seed: 1, was: score,
				between: report.SpreadOf([]float64{score})}
		}
	})
	return tree, runs, err
}

// scoresOf adds the score of each run of a decoded result.
func scoresOf(result map[string]any, runs map[string]change) error {
	config, _ := json.Marshal(result["config"]) // decoded JSON can be encoded
	text, _ := json.Marshal(result)
	e, err := ReadExperiment(config)
	if err != nil {
		return err
	}
	var r run.Result
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	summaries, err := r.Summaries(e)
	if err != nil {
		return err
	}
	var values []float64
	for i, s := range summaries {
		if s.Diverged > 0 {
			summaries[i].Score = math.NaN()
		} else {
			values = append(values, s.Score)
		}
	}
	for _, s := range summaries {
		key := run.Key(e.With([]int64{s.Seed}))
		if _, there := runs[key]; there { // the same runs after a Ritz step
			continue
		}
		runs[key] = change{label: e.Label(), seed: s.Seed, was: s.Score, between: report.SpreadOf(values)}
	}
	return nil
}
