package artifact

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"operator-omm/ommlx/artifact/lab"
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
	switch d := math.Abs(c.New - c.Old); {
	case !math.IsNaN(d):
		return d
	case math.IsNaN(c.Old) && math.IsNaN(c.New):
		return 0
	}
	return math.Inf(1)
}

// String writes the change in words.
func (c Change) String() string {
	word := func(x float64) string {
		if math.IsNaN(x) {
			return "diverged"
		}
		return fmt.Sprintf("%.4f", x)
	}
	return fmt.Sprintf("%s seed %d: %s, was %s", c.Label, c.Seed, word(c.New), word(c.Old)) +
		lab.If(c.Between.Runs > 1, "; %d runs have %s", c.Between.Runs, c.Between.Text(4))
}

// String writes the comparison in words.
func (c Comparison) String() string {
	if c.Runs+c.Added+c.Gone == 0 {
		return "it differs, and has no runs of its own"
	}
	text := "no run is in both"
	if c.Runs > 0 {
		text = fmt.Sprintf("%d runs, the largest change: %s", c.Runs, c.Largest)
	}
	return text + lab.If(c.Added+c.Gone > 0,
		"; %d are of other configurations (another plan, or stand-ins), and %d are not there", c.Added, c.Gone)
}

// Compare compares the JSON of a figure or a table with that of the same one from before. The error says which of them
// cannot be read.
func Compare(before, now []byte) (c Comparison, err error) {
	was, old, err := scores(before)
	if err != nil {
		return c, fmt.Errorf("the old one cannot be read: %w", err)
	}
	is, made, err := scores(now)
	if err != nil {
		return c, fmt.Errorf("the new one cannot be read: %w", err)
	}
	c.Same = reflect.DeepEqual(was, is)
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

// scores decodes a JSON, without its circumstances, and returns the score of each run of its results as Old, by the key
// of the configuration with that seed alone.
func scores(text []byte) (tree any, runs map[string]Change, err error) {
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, nil, err
	}
	runs = map[string]Change{}
	eachObject(tree, func(at map[string]any) {
		for _, name := range circumstances {
			delete(at, name)
		}
		if at["config"] != nil && at["runs"] != nil {
			err = errors.Join(err, scoresOf(at, runs))
		}
		if key, is := at["key"].(string); is { // a cell of the sweep, of one run
			score, scored := at["average_cosine_similarity"].(float64)
			if !scored {
				score = math.NaN()
			}
			runs[key] = Change{Label: fmt.Sprintf("b = %v, α = %v", at["b"], at["alpha_barrier"]), Seed: 1, Old: score}
		}
	})
	return tree, runs, err
}

func scoresOf(result map[string]any, runs map[string]Change) error {
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	var of struct{ Config json.RawMessage }
	if err := json.Unmarshal(text, &of); err != nil {
		return err
	}
	job, err := ReadJob(of.Config)
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
		runs[part.Key] = Change{Label: job.Label, Seed: o.Seed, Old: o.Value, Between: report.SpreadOf(values)}
	}
	return nil
}
