package rl

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"operator-omm/ommlx/artifact/report"
)

// ReadingDistance is how far a reading comes from the printed means, in the mean over the environments in which most
// readings were tried and it was.
type ReadingDistance struct {
	Name         string
	Ours         float64 // by our score
	Rotated      float64 // by that of the ALLO code; NaN where it is not known everywhere
	Environments int
}

// Distances compares the readings that have a score there: first those that were tried in more of the environments, and
// of them the nearest one by our score.
func (d ReadingsData) Distances() (all []ReadingDistance) {
	rows := map[string]int{}
	for _, r := range d.Rows {
		rows[r.Environment]++
	}
	most := 0
	for _, n := range rows {
		most = max(most, n)
	}
	for _, r := range d.Rows {
		if r.All == nil || 2*rows[r.Environment] < most {
			continue
		}
		i := slices.IndexFunc(all, func(a ReadingDistance) bool { return a.Name == r.Name() })
		if i < 0 {
			i, all = len(all), append(all, ReadingDistance{Name: r.Name()})
		}
		a := &all[i]
		a.Ours += math.Abs(*r.All - r.PaperMean)
		a.Rotated += math.Abs(report.OrNaN(r.Rotated) - r.PaperMean)
		a.Environments++
	}
	for i := range all {
		all[i].Ours /= float64(all[i].Environments)
		all[i].Rotated /= float64(all[i].Environments)
	}
	slices.SortStableFunc(all, func(a, b ReadingDistance) int {
		return cmp.Or(b.Environments-a.Environments, cmp.Compare(a.Ours, b.Ours))
	})
	return all
}

// ShiftedPair is one way to estimate the moments, in one environment, with the shift κ = 1 of the text and without one.
type ShiftedPair struct {
	Environment        string
	Source             string // γ, and what M[f] is estimated from
	Shifted, Unshifted ReadingRow
}

// Shifts pairs the rows that differ in the shift alone, and whose data and batch are the paper's.
func (d ReadingsData) Shifts() (pairs []ShiftedPair) {
	for _, r := range d.Rows {
		v := r.variant()
		if v.Shift != 1 {
			continue
		}
		v.Shift = 0
		i := d.scored(r.Environment, v)
		if i < 0 || r.All == nil {
			continue
		}
		source := fmt.Sprintf("γ = %g, ", v.Gamma)
		switch v.Expectation {
		case AllPairs:
			source += "all pairs in every step"
		case Exact:
			source += "exact P"
		default:
			source += "M[f] from " + v.Overlap.words()
		}
		pairs = append(pairs, ShiftedPair{r.Environment, source, r, d.Rows[i]})
	}
	return pairs
}

// scored is the place of the row of a variant in an environment, -1 where there is none with a score.
func (d ReadingsData) scored(environment string, v variant) int {
	return slices.IndexFunc(d.Rows, func(r ReadingRow) bool {
		return r.Environment == environment && r.All != nil && r.variant() == v
	})
}

// SeparatedPair is one pair law and shift in one environment, with M[f] from the pairs and from two batches of states.
type SeparatedPair struct {
	Environment       string
	Law               string // γ and κ
	Pairs, Separately ReadingRow
}

// Separations pairs the rows that differ in the source of M[f] alone.
func (d ReadingsData) Separations() (pairs []SeparatedPair) {
	for _, r := range d.Rows {
		v := r.variant()
		if v.Overlap != OverlapPairs || v.Expectation != Minibatch {
			continue
		}
		v.Overlap = OverlapStates
		i := d.scored(r.Environment, v)
		if i < 0 || r.All == nil {
			continue
		}
		pairs = append(pairs, SeparatedPair{r.Environment, v.law(), r, d.Rows[i]})
	}
	return pairs
}
