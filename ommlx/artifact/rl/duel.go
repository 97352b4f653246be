package rl

import (
	"fmt"
	"math"

	"operator-omm/ommlx/artifact/report"
)

// Duel is how two methods stand in an environment at equal steps. Before the first step there is no standing. A method
// is ahead where the difference of the means over the runs counts, see [report.Spread.Minus].
type Duel struct {
	First  string `json:"first"`
	Second string `json:"second"`
	Leads  []Lead `json:"leads"` // at the evaluations between them neither was ahead
	// Crossings are where the two mean curves cross, whether or not the differences around it count.
	Crossings []Crossing `json:"crossings"`
	// Tenth is the last evaluation up to a tenth of the planned steps, and End that after all of them; nil without one.
	Tenth *Standing `json:"tenth,omitempty"`
	End   *Standing `json:"end,omitempty"`
}

// Lead is a stretch of evaluations at all of which the same method was ahead.
type Lead struct {
	Ahead string `json:"ahead"`
	From  int    `json:"from"` // step
	To    int    `json:"to"`   // step
}

// Crossing is where two curves meet between evaluations, or at one.
type Crossing struct {
	Step   float64 `json:"step"`   // interpolated
	Higher string  `json:"higher"` // from there on
}

// Standing is how two methods stand after a number of steps.
type Standing struct {
	Step       int      `json:"step"`
	Difference float64  `json:"difference"`         // the first's mean less the second's
	Interval   *float64 `json:"interval,omitempty"` // half of its width, at 95%; nil where both have a single run
	Ahead      string   `json:"ahead,omitempty"`    // "": neither
}

// duels are the methods that are compared.
func duels() [][2]string {
	return [][2]string{{labelSequential, labelALLO}, {labelJoint, labelALLO}, {labelSequential, labelJoint}}
}

// newDuel compares two curves; ok is false where they have no evaluation after the same steps. steps are those of a
// whole run.
func newDuel(a, b Curve, steps int) (d Duel, ok bool) {
	all := standings(a, b)
	d = Duel{First: a.Method, Second: b.Method, Leads: leads(all), Crossings: []Crossing{}}
	last := -1 // the latest standing with a difference
	for i, s := range all {
		if s.Step*10 <= steps {
			d.Tenth = &all[i]
		}
		if s.Step == steps {
			d.End = &all[i]
		}
		if s.Difference == 0 {
			continue
		}
		if last >= 0 && math.Signbit(s.Difference) != math.Signbit(all[last].Difference) {
			crossing := Crossing{zeroBetween(all[last], all[last+1]), a.Method}
			if s.Difference < 0 {
				crossing.Higher = b.Method
			}
			d.Crossings = append(d.Crossings, crossing)
		}
		last = i
	}
	return d, len(all) > 0
}

// standings compares two curves after each number of steps at which both have a point, but for 0, where nothing was
// trained yet.
func standings(a, b Curve) (all []Standing) {
	at := map[int]CurvePoint{}
	for _, p := range b.Points {
		at[p.Step] = p
	}
	for _, p := range a.Points {
		q, both := at[p.Step]
		if !both || p.Step == 0 {
			continue
		}
		d, half, counts := report.FromNumbers(&p.Mean, p.Std, a.Runs).
			Minus(report.FromNumbers(&q.Mean, q.Std, b.Runs))
		s := Standing{Step: p.Step, Difference: d}
		if !math.IsInf(half, 1) {
			s.Interval = &half
		}
		switch {
		case counts && d > 0:
			s.Ahead = a.Method
		case counts:
			s.Ahead = b.Method
		}
		all = append(all, s)
	}
	return all
}

// leads joins standings that follow each other and have the same method ahead.
func leads(all []Standing) []Lead {
	list := []Lead{}
	for i, s := range all {
		switch {
		case s.Ahead == "":
		case i > 0 && all[i-1].Ahead == s.Ahead:
			list[len(list)-1].To = s.Step
		default:
			list = append(list, Lead{s.Ahead, s.Step, s.Step})
		}
	}
	return list
}

// zeroBetween is the step at which the straight line between two differences is 0.
func zeroBetween(from, to Standing) float64 {
	share := from.Difference / (from.Difference - to.Difference)
	return float64(from.Step) + share*float64(to.Step-from.Step)
}

// DuelRecord counts the environments in which a method stands before, level with or behind another.
type DuelRecord struct {
	First  string    `json:"first"`
	Second string    `json:"second"`
	Tenth  DuelCount `json:"tenth"` // at a tenth of the steps
	End    DuelCount `json:"end"`
}

// DuelCount is a number of environments for each outcome, seen from the first method.
type DuelCount struct {
	Ahead  int `json:"ahead"`
	Level  int `json:"level"` // neither is ahead
	Behind int `json:"behind"`
}

func (r *DuelRecord) add(d Duel) {
	r.Tenth.add(d.Tenth, d.First)
	r.End.add(d.End, d.First)
}

func (c *DuelCount) add(s *Standing, first string) {
	switch {
	case s == nil:
	case s.Ahead == "":
		c.Level++
	case s.Ahead == first:
		c.Ahead++
	default:
		c.Behind++
	}
}

// String tells the record, as "OMM-seq is ahead of ALLO at the end in 3 of 12 environments (behind in 5), at a tenth of
// the steps in 10 of 12 (behind in 1)".
func (r DuelRecord) String() string {
	if r.End.all() == 0 {
		return fmt.Sprintf("%s and %s have no environment yet in which both were run to the end", r.First, r.Second)
	}
	text := fmt.Sprintf("%s is ahead of %s at the end in %d of %d environments (behind in %d)", r.First, r.Second,
		r.End.Ahead, r.End.all(), r.End.Behind)
	if r.Tenth.all() > 0 {
		text += fmt.Sprintf(", at a tenth of the steps in %d of %d (behind in %d)", r.Tenth.Ahead, r.Tenth.all(),
			r.Tenth.Behind)
	}
	return text
}

func (c DuelCount) all() int { return c.Ahead + c.Level + c.Behind }
