package probe

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Features are the features of N samples by a frozen network, and the samples' labels.
type Features struct {
	X      []float32 // [N, Dim], row by row
	Dim    int       // d, the number of features of a sample
	Labels []int     // [N], counted from 0
}

// FeaturesOf returns the rows of x, N×d, with their labels.
func FeaturesOf(x *mat.Dense, labels []int) Features {
	n, dim := x.Dims()
	f := Features{X: make([]float32, 0, n*dim), Dim: dim, Labels: labels}
	for i := range n {
		for _, v := range x.RawRowView(i) {
			f.X = append(f.X, float32(v))
		}
	}
	return f
}

// Nearest returns the indices of the n training samples whose features have the largest cosine similarity to sample i,
// nearest first.
func (f Features) Nearest(i, n int, training Features) []int {
	cosines, order := make([]float64, len(training.Labels)), make([]int, len(training.Labels))
	for at := range order {
		dot, square := 0.0, 0.0
		for j, y := range training.X[at*f.Dim : (at+1)*f.Dim] {
			dot += float64(f.X[i*f.Dim+j]) * float64(y)
			square += float64(y) * float64(y)
		}
		cosines[at], order[at] = dot/math.Sqrt(max(square, math.SmallestNonzeroFloat64)), at
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cosines[b], cosines[a]) })
	return order[:min(n, len(order))]
}

// check returns an error unless all sets of features have the same shape and labels in [0, classes).
func check(sets []Features, classes int) error {
	for i, f := range sets {
		first := sets[0]
		if n := len(f.Labels); n*f.Dim == 0 || len(f.X) != n*f.Dim || f.Dim != first.Dim || n != len(first.Labels) {
			return fmt.Errorf("probe: feature set %d has %d numbers for %d samples of dimension %d, set 0 is [%d %d]",
				i, len(f.X), len(f.Labels), f.Dim, len(first.Labels), first.Dim)
		}
		if slices.Min(f.Labels) < 0 || slices.Max(f.Labels) >= classes {
			return fmt.Errorf("probe: feature set %d has labels from %d to %d, want [0, %d)", i,
				slices.Min(f.Labels), slices.Max(f.Labels), classes)
		}
	}
	return nil
}

// rows returns the features of samples [first, end).
func (f Features) rows(first, end int) []float32 { return f.X[first*f.Dim : end*f.Dim] }

// blocks covers n rows with blocks of equal size, so that one compiled program serves all of them, and calls do with
// the first row of each. The last block ends with the last row and may overlap the previous one.
func blocks(n, size int, do func(first int) error) error {
	for first := 0; first < n; first += size {
		if err := do(min(first, n-size)); err != nil {
			return err
		}
	}
	return nil
}

// stacked returns the rows [first, end) of all sets, set by set.
func stacked(sets []Features, first, end int) []float32 {
	all := make([][]float32, len(sets))
	for i, f := range sets {
		all[i] = f.rows(first, end)
	}
	return slices.Concat(all...)
}
