package graphs

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/graphs/sparse"
	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/spectral"
)

const (
	ritzNumbers = 1 << 28 // limit of the numbers of F that [view.ritz] keeps in memory: 2 GiB, and as much for SF
	negligible  = 1e-12   // squared rounding errors of float32: variance of a function that depends on others
)

// ritz returns the eigenvalues of S in the span of a run's k functions F over the nodes with an edge, descending, and
// the functions' weights as in [spectral.RitzPairs], from FᵀF and FᵀSF. On ogbn-products F would take 40 GB: at most
// `most` numbers of F are in memory, and the functions are evaluated again for each group of columns.
func (s *view) ritz(of encode, run, k, most int) (values []float64, weights *mat.Dense, err error) {
	n, m := s.Nodes(), s.seen.Symmetric()
	overlap, projected := mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
	width := min(k, max(1, most/n))
	for first := 0; first < k; first += width {
		end := min(first+width, k)
		columns, applied := mat.NewDense(n, end-first, nil), mat.NewDense(n, end-first, nil) // of F, and of SF
		err := s.blocks(of, run, func(node int, f *mat.Dense) {
			rows := f.RawMatrix().Rows
			columns.Slice(node, node+rows, 0, end-first).(*mat.Dense).Copy(f.Slice(0, rows, first, end))
		})
		if err != nil {
			return nil, nil, err
		}
		sparse.Multiply(m, applied.RawMatrix().Data, columns.RawMatrix().Data, end-first)
		err = s.blocks(of, run, func(node int, f *mat.Dense) {
			rows := f.RawMatrix().Rows
			for i := range rows {
				if s.seen.Degree(node+i) == 0 {
					clear(f.RawRowView(i))
				}
			}
			add := func(sum, with *mat.Dense) {
				var product mat.Dense
				product.Mul(f.T(), with.Slice(node, node+rows, 0, end-first))
				to := sum.Slice(0, k, first, end).(*mat.Dense)
				to.Add(to, &product)
			}
			add(overlap, columns)
			add(projected, applied)
		})
		if err != nil {
			return nil, nil, err
		}
	}
	values, weights = spectral.RitzPairs(overlap, projected, negligible)
	return values, weights, nil
}

// optimum encodes nodes by OMM's optimum over functions W x + b of the features: the k leading eigenfunctions of S in
// their span, scaled to mean square 1, with their eigenvalues. They solve the generalised eigenproblem of the moments
// M[x̂, Sx̂] and M[x̂], x̂ = (x, 1), over the nodes with an edge, as [GraphEdges] samples them. There are fewer than k
// if the span has fewer dimensions.
func (s *view) optimum(k int) (encode, []float64, error) {
	d, n := s.Features+1, s.Nodes()
	of := s.beside(slices.Repeat([]float32{1}, n))
	values, w, err := s.ritz(of, 0, d, ritzNumbers)
	if err != nil {
		return nil, nil, err
	}
	k = min(k, len(values))
	f := make([]float32, 0, n*k)
	err = s.blocks(of, 0, func(_ int, x *mat.Dense) {
		var product mat.Dense
		product.Mul(x, w.Slice(0, d, 0, k))
		product.Scale(math.Sqrt(float64(n)), &product)
		f = append(f, probe.FeaturesOf(&product, nil).X...)
	})
	return s.table(f), values[:k], err
}

// captured is the sum of the leading eigenvalues, one for each class of the graph.
func (e Experiment) captured(ritz []float64) float64 {
	return floats.Sum(ritz[:min(len(ritz), e.counts().classes)])
}
