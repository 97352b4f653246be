package rl

import (
	_ "embed" // of step_times.json
	"encoding/json"
	"fmt"
	"slices"

	"operator-omm/ommlx/artifact/lab"
)

// StepTimes are the wall times of a step of figure 1's methods, which took turns on a machine with nothing else to do.
// Kept results do not tell them: other work ran beside, and not beside each of them the same.
type StepTimes struct {
	Provenance lab.Provenance `json:"provenance"`
	// Seconds of a step, by environment and method.
	Seconds map[string]map[string]float64 `json:"seconds_per_step"`
}

// StepTimesFile is where the step times lie in the checkout.
const StepTimesFile = "ommlx/artifact/rl/step_times.json"

//go:embed step_times.json
var stepTimes []byte

// readStepTimes reads the step times that were built in.
func readStepTimes() (t StepTimes, err error) {
	if err = json.Unmarshal(stepTimes, &t); err != nil {
		err = fmt.Errorf("reading %s: %w", StepTimesFile, err)
	}
	return t, err
}

// of returns the time of a step of a method as an experiment trains it; false where the environment is not the
// official one, or the step is not the paper's.
func (t StepTimes) of(label string, e Experiment) (seconds float64, ok bool) {
	p := Paper(e.Environment, e.Method, e.K, 1)
	if e.Generated || e.K != spectrumModes || e.Batch != p.Batch || !slices.Equal(e.Hidden, p.Hidden) {
		return 0, false
	}
	seconds, ok = t.Seconds[e.Environment][label]
	return seconds, ok
}

// Bar is a method of figure 1 in an environment, by the paper's protocol, as one run.
type Bar struct {
	Label      string
	Experiment Experiment
}

// Bars lists the methods of figure 1 in an environment.
func Bars(environment string) (bars []Bar) {
	for _, m := range fig1Methods() {
		bars = append(bars, Bar{m.label, m.in(environment, 1)})
	}
	return bars
}
