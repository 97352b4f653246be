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

// ReadingPair is two rows of an environment that differ in one choice alone.
type ReadingPair struct {
	Environment string
	Rest        string // what they have in common
	Rows        [2]ReadingRow
}

// Shifts pairs the rows with the shift κ = 1 of the text with those without a shift.
func (d ReadingsData) Shifts() []ReadingPair {
	return d.pairs(func(v variant) (other variant, rest string, ok bool) {
		source := "M[f] from " + v.Overlap.words()
		switch v.Expectation {
		case AllPairs:
			source = "all pairs in every step"
		case Exact:
			source = "exact P"
		}
		ok, v.Shift = v.Shift == 1, 0
		return v, fmt.Sprintf("γ = %g, %s", v.Gamma, source), ok
	})
}

// Separations pairs the rows whose M[f] is from the pairs with those that have two batches of states for it.
func (d ReadingsData) Separations() []ReadingPair {
	return d.pairs(func(v variant) (other variant, rest string, ok bool) {
		ok, v.Overlap = v.Overlap == OverlapPairs && v.Expectation == Minibatch, OverlapStates
		return v, v.law(), ok
	})
}

// pairs makes pairs of the rows with a score for whose variant there is another one.
func (d ReadingsData) pairs(to func(variant) (other variant, rest string, ok bool)) (pairs []ReadingPair) {
	for _, r := range d.Rows {
		other, rest, ok := to(r.variant())
		i := slices.IndexFunc(d.Rows, func(o ReadingRow) bool {
			return o.Environment == r.Environment && o.All != nil && o.variant() == other
		})
		if ok && i >= 0 && r.All != nil {
			pairs = append(pairs, ReadingPair{r.Environment, rest, [2]ReadingRow{r, d.Rows[i]}})
		}
	}
	return pairs
}

// PairsText is a table of pairs, with the names of the two choices, and counts those in which the second one has the
// higher mean.
func PairsText(pairs []ReadingPair, first, second string) (t report.Text, higher int) {
	t.Header = []string{"environment", "reading", first, second, first + ", Ritz", second + ", Ritz"}
	for _, p := range pairs {
		a, b := p.Rows[0], p.Rows[1]
		t.Rows = append(t.Rows, []string{p.Environment, p.Rest, a.Ours().String(), b.Ours().String(),
			optional(a.Ritz), optional(b.Ritz)})
		if *b.All > *a.All {
			higher++
		}
	}
	t.Note = fmt.Sprintf("%s has the higher mean in %d of %d pairs.", second, higher, len(pairs))
	return t, higher
}
