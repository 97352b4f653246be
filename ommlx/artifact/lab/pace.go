package lab

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Pace corrects estimates of time by what was measured: for each kind of experiment, the time that kept results took
// over the time that was estimated for them; 1 for a kind without a kept result.
//
// It is of a whole kind, since the kept runs of one configuration predict no better: by what else the machine did, they
// differ up to twentyfold.
type Pace map[string]float64

// Seconds is the estimate, so corrected, of the time that jobs take one after the other.
func (p Pace) Seconds(jobs ...Job) (sum float64) {
	for _, j := range jobs {
		sum += j.Cost.Seconds * cmp.Or(p[j.Kind], 1)
	}
	return sum
}

// Pace measures the pace of all kept results that [Lab.Known] has, and of jobs, each counted once, so that it does not
// depend on what was chosen. The error names a result that is damaged.
func (l *Lab) Pace(jobs []Job) (Pace, error) {
	if l.Known != nil {
		known, err := l.Known(l.Profile)
		if err != nil {
			return nil, err
		}
		jobs = slices.Concat(known, jobs)
	}
	took, estimated := map[string]float64{}, map[string]float64{}
	kept := map[string]bool{} // by key, of what was looked at
	count := func(j Job) (bool, error) {
		if found, seen := kept[j.Key]; seen {
			return found, nil
		}
		r, found, err := j.load(l)
		kept[j.Key] = found
		if !found || err != nil {
			return false, err
		}
		if origin, _ := r.Trained(); origin.Seconds > 0 {
			took[j.Kind] += origin.Seconds
			estimated[j.Kind] += j.Cost.Seconds
		}
		return true, nil
	}
	pace := Pace{}
	for _, j := range jobs {
		pace[j.Kind] = 1
		parts, err := j.Parts()
		if err != nil {
			return nil, err
		}
		alone := false
		for _, p := range parts {
			found, err := count(p)
			if err != nil {
				return nil, err
			}
			alone = alone || found
		}
		if !alone && len(parts) > 1 { // else the whole is the sum of its seeds
			if _, err := count(j); err != nil {
				return nil, err
			}
		}
	}
	for kind := range pace {
		if estimated[kind] > 0 {
			pace[kind] = took[kind] / estimated[kind]
		}
	}
	return pace, nil
}

// About writes an estimate of time without digits that it has not: "1m12s", "8 min", "13.5 h", "4334 h".
func About(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < 2*time.Minute:
		return d.Round(time.Second).String()
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d > 100*time.Hour:
		return fmt.Sprintf("%.0f h", d.Hours())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}
