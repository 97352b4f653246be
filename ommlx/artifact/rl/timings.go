package rl

import (
	"fmt"
	"maps"
	"slices"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/train"
)

// timings are the wall times of a step, in seconds, by what was computed on: of the fastest run there, since other work
// on the machine can only make a run slower.
type timings map[string]float64

// timings returns those of the runs that went to their end, nil without one. A program of several runs counts as
// so many runs of an equal share of its time. One that went on on another machine counts on neither.
func (r *Result) timings() timings {
	if r == nil || len(r.finished()) == 0 {
		return nil
	}
	parts := r.Provenance.Parts
	if parts == nil {
		parts = []lab.Part{{Seeds: r.Config.Seeds, Provenance: r.Provenance}}
	}
	all := timings{}
	for _, p := range parts {
		ended := slices.ContainsFunc(r.finished(), func(run Run) bool { return slices.Contains(p.Seeds, run.Seed) })
		moved := slices.ContainsFunc(p.Provenance.Sessions, func(s train.Session) bool {
			return s.Device != p.Provenance.Device || s.Devices != p.Provenance.Devices ||
				s.Cores != p.Provenance.Cores
		})
		if !ended || moved || p.Provenance.Seconds <= 0 {
			continue
		}
		on := fmt.Sprintf("%s, %d core(s)", p.Provenance.Device, p.Provenance.Cores)
		if p.Provenance.Devices > 1 {
			on = fmt.Sprintf("%d × %s", p.Provenance.Devices, on)
		}
		step := p.Provenance.Seconds / float64(len(p.Seeds)*r.Config.Train.Steps)
		if before, there := all[on]; !there || step < before {
			all[on] = step
		}
	}
	return all
}

// time gives the curves their seconds per step, of their timings. Times of different devices or numbers of cores do not
// compare, so they are of what ran every method with a run that went to its end; of several, of the first in the order
// of the alphabet.
func (e *CurvesEnvironment) time() {
	var common timings
	for _, c := range e.Curves {
		if c.timings == nil {
			continue
		}
		if common == nil {
			common = maps.Clone(c.timings)
		}
		maps.DeleteFunc(common, func(on string, _ float64) bool { _, there := c.timings[on]; return !there })
	}
	e.TimedOn = ""
	if len(common) > 0 {
		e.TimedOn = slices.Min(slices.Collect(maps.Keys(common)))
	}
	for i := range e.Curves {
		e.Curves[i].SecondsPerStep = nil
		if step, there := e.Curves[i].timings[e.TimedOn]; there {
			e.Curves[i].SecondsPerStep = &step
		}
	}
}
