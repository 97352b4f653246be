package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/rl"
	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/internal/atomicfile"
)

// methods compares the steps of figure 1's methods on its environments, OMM-seq with each other one. With
// [Options.Keep] it writes their times for the picture of learning curves over seconds.
func (s *session) methods() error {
	times := rl.StepTimes{Seconds: map[string]map[string]float64{}}
	for _, name := range gridworld.Names() {
		seconds, err := s.methodsOn(name)
		if err != nil {
			return err
		}
		times.Seconds[name] = seconds
	}
	if s.options.Keep == "" {
		return nil
	}
	var err error
	if times.Provenance, err = (&lab.Lab{Root: s.options.Keep, Profile: lab.Paper}).Here(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(times, "", " ")
	if err != nil {
		return fmt.Errorf("keeping the times: %w", err)
	}
	path := filepath.Join(s.options.Keep, filepath.FromSlash(rl.StepTimesFile))
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("keeping the times: %s is not a checkout of this project: %w", s.options.Keep, err)
	}
	return atomicfile.Write(path, append(text, '\n'))
}

// methodsOn returns the median time of a step of each method on one environment, in seconds.
func (s *session) methodsOn(environment string) (map[string]float64, error) {
	const steps = 40
	var labels []string
	var rounds []contender
	for _, b := range rl.Bars(environment) {
		p, err := b.Experiment.Here().Problem() // a step on a stand-in takes as long
		if err != nil {
			return nil, err
		}
		t, err := s.train(environment+" "+b.Label, p, s.steps(steps))
		if err != nil {
			return nil, err
		}
		defer t.close()
		labels, rounds = append(labels, b.Label), append(rounds, contender{label: b.Label, round: t.round})
	}
	laps, err := s.compare(environment, rounds[0].round, rounds[1:]...)
	if err != nil {
		return nil, err
	}
	if len(laps) != len(labels) {
		return nil, fmt.Errorf("%s: the step of a method could not be timed", environment)
	}
	seconds := map[string]float64{}
	for i, label := range labels {
		seconds[label] = median(walls(laps[i])).Seconds()
	}
	return seconds, nil
}
