package lab

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// Pace corrects estimates of time by what was measured: for each kind of experiment, the median over kept results of
// the time that one took over the time that was estimated for it; 1 for a kind without a kept result.
//
// The kept runs of one configuration differ up to twentyfold in their time, by what else the machine did. A sum follows
// those that had to share the machine, so it is the median; and one configuration predicts no better than a whole kind.
type Pace map[string]float64

// Seconds is the estimate, so corrected, of the time that jobs take one after the other.
func (p Pace) Seconds(jobs ...Job) (sum float64) {
	for _, j := range jobs {
		sum += j.Cost.Seconds * cmp.Or(p[j.Kind], 1)
	}
	return sum
}

// Pace measures the pace of a process on so many cores, by all kept results that [Lab.Known] has, and of jobs, each
// counted once, so that it does not depend on what was chosen. Those count that were trained on as many cores. Where a
// kind has none, those on the nearest number of cores do, of two as near the fewer, as they are: a factor between
// numbers of cores is not known. The error names a result that is damaged.
func (l *Lab) Pace(jobs []Job, cores int) (Pace, error) {
	if l.Known != nil {
		known, err := l.Known(l.Profile)
		if err != nil {
			return nil, err
		}
		jobs = slices.Concat(known, jobs)
	}
	pace := Pace{}
	for _, j := range jobs {
		pace[j.Kind] = 1
	}
	runs, err := Runs(jobs)
	if err != nil {
		return nil, err
	}
	measured := map[string][]measurement{} // by kind
	for _, j := range runs {
		r, found, err := j.load(l)
		if err != nil {
			return nil, err
		}
		if !found {
			continue
		}
		if origin, _ := r.Trained(); origin.Seconds > 0 {
			measured[j.Kind] = append(measured[j.Kind], measurement{origin.Cores, origin.Seconds / j.Cost.Seconds})
		}
	}
	for kind, list := range measured {
		pace[kind] = medianOn(cores, list)
	}
	return pace, nil
}

// measurement is the time that a result took, over the estimate, on so many cores.
type measurement struct {
	cores int
	ratio float64
}

// medianOn is the median of the measurements whose number of cores is nearest to one, as a factor.
func medianOn(cores int, list []measurement) float64 {
	away := func(m measurement) float64 { return math.Abs(math.Log(float64(m.cores) / float64(cores))) }
	nearest := slices.MinFunc(list, func(a, b measurement) int {
		return cmp.Or(cmp.Compare(away(a), away(b)), a.cores-b.cores)
	})
	var ratios []float64
	for _, m := range list {
		if m.cores == nearest.cores {
			ratios = append(ratios, m.ratio)
		}
	}
	slices.Sort(ratios)
	n := len(ratios)
	return (ratios[(n-1)/2] + ratios[n/2]) / 2
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
