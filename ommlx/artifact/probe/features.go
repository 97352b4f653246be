package probe

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Features are what a frozen network makes of N samples, and the samples' classes.
type Features struct {
	X      []float32 // [N, Dim], row by row
	Dim    int       // d, numbers for each sample
	Labels []int     // [N], counted from 0
}

// FeaturesOf are the rows of x, N×d, with their labels.
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

// Nearest returns the numbers of the n training samples whose features have the largest cosines with those of sample i,
// the nearest first.
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

// check returns an error unless sets of features have one shape and labels in [0, classes).
func check(sets []Features, classes int) error {
	for i, f := range sets {
		first := sets[0]
		if n := len(f.Labels); n*f.Dim == 0 || len(f.X) != n*f.Dim || f.Dim != first.Dim || n != len(first.Labels) {
			return fmt.Errorf("probe: set %d of features has %d numbers for %d samples of dimension %d, set 0 is %d×%d",
				i, len(f.X), len(f.Labels), f.Dim, len(first.Labels), first.Dim)
		}
		if slices.Min(f.Labels) < 0 || slices.Max(f.Labels) >= classes {
			return fmt.Errorf("probe: set %d of features has labels from %d to %d, want [0, %d)", i,
				slices.Min(f.Labels), slices.Max(f.Labels), classes)
		}
	}
	return nil
}

// rows are the features of samples first to before end.
func (f Features) rows(first, end int) []float32 { return f.X[first*f.Dim : end*f.Dim] }

// blocks covers n rows with blocks of one size, so that one program does for all of them, and calls do for each with
// its first row. The last block ends with the last row, and may begin with some that the one before has had.
func blocks(n, size int, do func(first int) error) error {
	for first := 0; first < n; first += size {
		if err := do(min(first, n-size)); err != nil {
			return err
		}
	}
	return nil
}

// stacked are the rows first to before end of each set in turn.
func stacked(sets []Features, first, end int) []float32 {
	all := make([][]float32, len(sets))
	for i, f := range sets {
		all[i] = f.rows(first, end)
	}
	return slices.Concat(all...)
}
