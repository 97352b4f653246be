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

// Compare describes how the JSON of a figure or table differs after it was made again, apart from its provenance: how
// many runs of the same configuration and seed both have, and which of them changed most in its score, the first number
// of [run.Outcome]. It returns "" if nothing differs. The error names the one that cannot be read.
func Compare(before, now []byte) (difference string, err error) {
	was, old, err := scores(before)
	if err != nil {
		return "", fmt.Errorf("the old one cannot be read: %w", err)
	}
	is, made, err := scores(now)
	if err != nil {
		return "", fmt.Errorf("the new one cannot be read: %w", err)
	}
	if reflect.DeepEqual(was, is) {
		return "", nil
	}
	var largest change
	inBoth := 0
	for _, key := range slices.Sorted(maps.Keys(made)) {
		c, there := old[key]
		if !there {
			continue
		}
		if c.now = made[key].was; inBoth == 0 || c.size() > largest.size() {
			largest = c
		}
		inBoth++
	}
	added, gone := len(made)-inBoth, len(old)-inBoth
	switch {
	case inBoth+added+gone == 0:
		return "it differs, and has no runs", nil
	case inBoth == 0:
		difference = "no run is in both"
	default:
		difference = fmt.Sprintf("%d runs, the largest change: %s", inBoth, largest)
	}
	return difference + run.If(added+gone > 0,
		"; %d are of other configurations (another plan, or stand-ins), and %d are not there", added, gone), nil
}

type change struct {
	label    string
	seed     int64
	was, now float64       // NaN for a run that diverged
	between  report.Spread // over the runs of the old figure or table that differ only in their seed
}

// size is the absolute change. A run that diverged on one side only has changed most.
func (c change) size() float64 {
	switch d := math.Abs(c.now - c.was); {
	case !math.IsNaN(d):
		return d
	case math.IsNaN(c.was) && math.IsNaN(c.now):
		return 0
	}
	return math.Inf(1)
}

// String writes the change in words.
func (c change) String() string {
	word := func(x float64) string {
		if math.IsNaN(x) {
			return "diverged"
		}
		return fmt.Sprintf("%.4f", x)
	}
	return fmt.Sprintf("%s seed %d: %s, was %s", c.label, c.seed, word(c.now), word(c.was)) +
		run.If(c.between.Runs > 1, "; %d runs have %s", c.between.Runs, c.between.Text(4))
}

// eachObject visits the objects of a decoded JSON, each before those in it.
func eachObject(tree any, visit func(map[string]any)) {
	switch at := tree.(type) {
	case []any:
		for _, v := range at {
			eachObject(v, visit)
		}
	case map[string]any:
		visit(at)
		for _, v := range at {
			eachObject(v, visit)
		}
	}
}

// circumstances are the fields that tell where and how fast something was made.
var circumstances = []string{"provenance", "timed", "seconds", "seconds_per_step", "hours", "cost_of_tuning", "note",
	"seconds_note"}

// scores decodes a JSON, without its circumstances, and returns what the score of each run of its results was, by the
// key of the configuration with that seed alone.
func scores(text []byte) (tree any, runs map[string]change, err error) {
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, nil, err
	}
	runs = map[string]change{}
	eachObject(tree, func(at map[string]any) {
		for _, name := range circumstances {
			delete(at, name)
		}
		if at["config"] != nil && at["runs"] != nil {
			err = cmp.Or(err, scoresOf(at, runs))
		}
		if key, is := at["key"].(string); is { // a cell of the sweep, of one run
			score, scored := at["average_cosine_similarity"].(float64)
			if !scored {
				score = math.NaN()
			}
			runs[key] = change{label: fmt.Sprintf("b = %v, α = %v", at["b"], at["alpha_barrier"]), seed: 1, was: score}
		}
	})
	return tree, runs, err
}

func scoresOf(result map[string]any, runs map[string]change) error {
	config, _ := json.Marshal(result["config"]) // what was read can be written
	text, _ := json.Marshal(result)
	job, err := ReadJob(config)
	if err != nil {
		return err
	}
	outcomes, err := job.Outcomes(text)
	if err != nil {
		return err
	}
	var values []float64
	for i, o := range outcomes {
		if o.Diverged > 0 {
			outcomes[i].Value = math.NaN()
		} else {
			values = append(values, o.Value)
		}
	}
	for i, part := range job.Parts() {
		o := outcomes[i]
		runs[part.Key] = change{label: job.Label, seed: o.Seed, was: o.Value, between: report.SpreadOf(values)}
	}
	return nil
}
