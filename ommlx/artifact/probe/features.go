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

// check returns an error that names what does not fit; name says which features they are. classes 0 stands for any
// number of classes.
func (f Features) check(name string, classes int) error {
	if f.Dim < 1 || len(f.Labels) == 0 {
		return fmt.Errorf("probe: the %s are of %d samples with %d numbers each; there must be at least 1 of both",
			name, len(f.Labels), f.Dim)
	}
	if len(f.X) != f.Dim*len(f.Labels) {
		return fmt.Errorf("probe: the %s have %d numbers in X, which are not %d for each of %d labels",
			name, len(f.X), f.Dim, len(f.Labels))
	}
	if classes == 0 {
		classes = math.MaxInt32
	}
	for i, label := range f.Labels {
		if label < 0 || label >= classes {
			return fmt.Errorf("probe: label %d of the %s is %d; it must be from 0 to %d", i, name, label, classes-1)
		}
	}
	for i, x := range f.X {
		if x-x != 0 { // NaN for NaN and for infinities
			return fmt.Errorf("probe: feature %d of sample %d of the %s is %g; it must be finite",
				i%f.Dim, i/f.Dim, name, x)
		}
	}
	return nil
}

// checkSets does the same for sets that must have one shape.
func checkSets(name string, sets []Features, classes int) error {
	if len(sets) == 0 {
		return fmt.Errorf("probe: there are no %s; give at least one set", name)
	}
	for i, f := range sets {
		if err := f.check(fmt.Sprintf("%s (set %d)", name, i), classes); err != nil {
			return err
		}
		if len(f.Labels) != len(sets[0].Labels) || f.Dim != sets[0].Dim {
			return fmt.Errorf("probe: set %d of the %s is %d×%d, and set 0 is %d×%d; probe sets of another shape "+
				"on their own", i, name, len(f.Labels), f.Dim, len(sets[0].Labels), sets[0].Dim)
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
