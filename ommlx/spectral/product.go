package spectral

import "gonum.org/v1/gonum/mat"

// Product returns the product of a sparse symmetric matrix with a vector, as [Lanczos.Solve] takes it: it sets dst to
// p src. All N² entries of p are read once, here; a product then takes time in proportion to those that are not zero.
// The function that is returned panics unless dst and src have at least N numbers; they must not overlap.
func Product(p mat.Symmetric) func(dst, src []float64) {
	type entry struct {
		column int
		value  float64
	}
	rows := make([][]entry, p.SymmetricDim())
	for i := range rows {
		for j := range rows {
			if v := p.At(i, j); v != 0 {
				rows[i] = append(rows[i], entry{j, v})
			}
		}
	}
	return func(dst, src []float64) {
		for i, row := range rows {
			dst[i] = 0
			for _, e := range row {
				dst[i] += e.value * src[e.column]
			}
		}
	}
}
