package artifact

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"operator-omm/ommlx/artifact/report"
)

// Comparison is how a figure or a table that was made again stands to one of before.
type Comparison struct {
	Same  bool // but for where it comes from
	Runs  int  // that both have, of the same configuration and seed
	Added int  // runs of the new one that the old one has not
	Gone  int  // runs of the old one that the new one has not
	// Largest is the change of the run whose score, the first number of [lab.Outcome], changed most.
	Largest Change
}

// Change is what became of the score of a run.
type Change struct {
	Label   string
	Seed    int64
	Old     float64 // NaN for a run that diverged
	New     float64
	Between report.Spread // over the runs of the old figure or table that differ in their seed alone
}

// size is that of the change. A run that diverged on one side alone has changed most.
func (c Change) size() float64 {
	switch {
	case math.IsNaN(c.Old) && math.IsNaN(c.New):
		return 0
	case math.IsNaN(c.Old) || math.IsNaN(c.New):
		return math.Inf(1)
	}
	return math.Abs(c.New - c.Old)
}

// String writes the change in words.
func (c Change) String() string {
	word := func(x float64) string {
		if math.IsNaN(x) {
			return "diverged"
		}
		return fmt.Sprintf("%.4f", x)
	}
	text := fmt.Sprintf("%s seed %d: %s, was %s", c.Label, c.Seed, word(c.New), word(c.Old))
	if c.Between.Runs > 1 {
		return fmt.Sprintf("%s; %d runs have %s", text, c.Between.Runs, c.Between.Text(4))
	}
	return text
}

// String writes the comparison in words.
func (c Comparison) String() string {
	text := "no run is in both"
	if c.Runs == 0 && c.Added+c.Gone == 0 {
		return "it differs, and has no runs of its own"
	}
	if c.Runs > 0 {
		text = fmt.Sprintf("%d runs, the largest change: %s", c.Runs, c.Largest)
	}
	if c.Added+c.Gone > 0 {
		text += fmt.Sprintf("; %d are of other configurations (another plan, or stand-ins), and %d are not there",
			c.Added, c.Gone)
	}
	return text
}

// Compare compares the JSON of a figure or a table with that of the same one from before. The error says which of them
// cannot be read.
func Compare(before, now []byte) (c Comparison, err error) {
	var was, is any
	if err := json.Unmarshal(before, &was); err != nil {
		return c, fmt.Errorf("the old one cannot be read: %w", err)
	}
	if err := json.Unmarshal(now, &is); err != nil {
		return c, fmt.Errorf("the new one cannot be read: %w", err)
	}
	c.Same = reflect.DeepEqual(withoutCircumstances(was), withoutCircumstances(is))
	old, made := map[string]Change{}, map[string]Change{}
	if err := errors.Join(scores(was, old), scores(is, made)); err != nil {
		return c, err
	}
	for _, key := range slices.Sorted(maps.Keys(made)) {
		o, there := old[key]
		if !there {
			c.Added++
			continue
		}
		if o.New = made[key].Old; c.Runs == 0 || o.size() > c.Largest.size() {
			c.Largest = o
		}
		c.Runs++
	}
	c.Gone = len(old) - c.Runs
	return c, nil
}

// scores finds the results in a decoded JSON and notes the score of each of their runs as Old, by the key of the
// configuration with that seed alone.
func scores(tree any, runs map[string]Change) error {
	switch at := tree.(type) {
	case []any:
		for _, v := range at {
			if err := scores(v, runs); err != nil {
				return err
			}
		}
	case map[string]any:
		if at["config"] != nil && at["runs"] != nil {
			return scoresOf(at, runs)
		}
		if key, is := at["key"].(string); is { // a cell of the sweep, of one run
			score, scored := at["average_cosine_similarity"].(float64)
			if !scored {
				score = math.NaN()
			}
			runs[key] = Change{Label: fmt.Sprintf("b = %v, α = %v", at["b"], at["alpha_barrier"]), Seed: 1, Old: score}
		}
		for _, name := range slices.Sorted(maps.Keys(at)) {
			if err := scores(at[name], runs); err != nil {
				return err
			}
		}
	}
	return nil
}

func scoresOf(result map[string]any, runs map[string]Change) error {
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	config, err := json.Marshal(result["config"])
	if err != nil {
		return err
	}
	job, err := ReadJob(config)
	if err != nil {
		return err
	}
	outcomes, err := job.Outcomes(text)
	if err != nil {
		return err
	}
	parts := job.Parts()
	var values []float64
	for i, o := range outcomes {
		if o.Diverged > 0 {
			outcomes[i].Value = math.NaN()
		} else {
			values = append(values, o.Value)
		}
	}
	for i, o := range outcomes {
		runs[parts[i].Key] = Change{Label: job.Label, Seed: o.Seed, Old: o.Value, Between: report.SpreadOf(values)}
	}
	return nil
}

// circumstances are the fields that tell where and how fast something was made.
var circumstances = []string{"provenance", "timed", "seconds", "seconds_per_step", "hours", "cost_of_tuning", "note",
	"seconds_note"}

// withoutCircumstances takes them out of a decoded JSON.
func withoutCircumstances(tree any) any {
	switch at := tree.(type) {
	case []any:
		for _, v := range at {
			withoutCircumstances(v)
		}
	case map[string]any:
		for _, name := range circumstances {
			delete(at, name)
		}
		for _, v := range at {
			withoutCircumstances(v)
		}
	}
	return tree
}
