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
	common, most, largest := 0, -1.0, ""
	for _, key := range slices.Sorted(maps.Keys(made)) {
		earlier, there := old[key]
		if !there {
			continue
		}
		common++
		if now := made[key]; earlier.distance(now) > most {
			most = earlier.distance(now)
			largest = fmt.Sprintf("; largest change: %s seed %d: %s, was %s; runs have %s", earlier.label,
				earlier.seed, now, earlier, earlier.all.Text(4))
		}
	}
	return fmt.Sprintf("differs: %d common runs, %d new, %d missing", common, len(made)-common, len(old)-common) +
		largest, nil
}

// scored is a run in the JSON of a figure or table.
type scored struct {
	label string
	seed  int64
	score float64       // NaN for a diverged run
	all   report.Spread // over the runs of this configuration, with all seeds
}

// distance returns the absolute change of the score. It is infinite if the run diverged in only one version.
func (s scored) distance(now scored) float64 {
	switch d := math.Abs(now.score - s.score); {
	case !math.IsNaN(d):
		return d
	case math.IsNaN(s.score) && math.IsNaN(now.score):
		return 0
	}
	return math.Inf(1)
}

// String formats the score.
func (s scored) String() string {
	if math.IsNaN(s.score) {
		return "diverged"
	}
	return fmt.Sprintf("%.4f", s.score)
}

// scores decodes a JSON text without notes and circumstances, and returns the score of each run by the key of its
// configuration with that single seed.
func scores(text []byte) (tree any, runs map[string]scored, err error) {
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, nil, err
	}
	runs = map[string]scored{}
	report.EachObject(tree, func(at map[string]any) {
		for _, name := range report.Circumstances {
			delete(at, name)
		}
		delete(at, "note")
		if at["config"] != nil && at["runs"] != nil {
			err = cmp.Or(err, scoresOf(at, runs))
		}
		if key, is := at["key"].(string); is { // a cell of the sweep, of one run
			score, finished := at["average_cosine_similarity"].(float64)
			if !finished {
				score = math.NaN()
			}
			runs[key] = scored{fmt.Sprintf("b = %v, α = %v", at["b"], at["alpha_barrier"]), 1, score,
				report.SpreadOf([]float64{score})}
		}
	})
	return tree, runs, err
}

// scoresOf adds the score of each run of a decoded result, except after a Ritz step, with the same runs.
func scoresOf(result map[string]any, runs map[string]scored) error {
	text, _ := json.Marshal(result) // decoded JSON can be encoded
	var r run.Result
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	e, err := ReadExperiment(r.Config)
	if err != nil {
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
		if _, there := runs[key]; !there {
			runs[key] = scored{e.Label(), s.Seed, s.Score, report.SpreadOf(values)}
		}
	}
	return nil
}
