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

// ritz returns for each run the eigenvalues of S in the span of its k functions F over the nodes with an edge,
// descending, and the functions' weights as in [spectral.RitzPairs], from FᵀF and FᵀSF. On ogbn-products F would take
// 40 GB: at most `most` numbers are in memory, and the functions are evaluated again for each group of columns.
func (s *view) ritz(of encode, runs, k, most int) (values [][]float64, weights []*mat.Dense, err error) {
	n, m := s.Nodes(), s.seen.Symmetric()
	overlap, projected := mat.NewDense(k, runs*k, nil), mat.NewDense(k, runs*k, nil) // run by run
	group := min(k, max(1, most/(n*runs)))
	for first := 0; first < k; first += group {
		width := min(group, k-first)
		columns, applied := mat.NewDense(n, runs*width, nil), mat.NewDense(n, runs*width, nil) // of F, and of SF
		part := func(of *mat.Dense, node, nodes, run int) *mat.Dense {
			return of.Slice(node, node+nodes, run*width, (run+1)*width).(*mat.Dense)
		}
		err := s.blocks(of, func(node int, sets []*mat.Dense) {
			for r, f := range sets {
				part(columns, node, f.RawMatrix().Rows, r).Copy(f.Slice(0, f.RawMatrix().Rows, first, first+width))
			}
		})
		if err != nil {
			return nil, nil, err
		}
		for i := range n {
			if s.seen.Degree(i) == 0 {
				clear(columns.RawRowView(i))
			}
		}
		sparse.Multiply(m, applied.RawMatrix().Data, columns.RawMatrix().Data, runs*width)
		err = s.blocks(of, func(node int, sets []*mat.Dense) {
			for r, f := range sets {
				add := func(sum, with *mat.Dense) {
					var product mat.Dense
					product.Mul(f.T(), part(with, node, f.RawMatrix().Rows, r))
					to := sum.Slice(0, k, r*k+first, r*k+first+width).(*mat.Dense)
					to.Add(to, &product)
				}
				add(overlap, columns)
				add(projected, applied)
			}
		})
		if err != nil {
			return nil, nil, err
		}
	}
	for r := range runs {
		own, c := spectral.RitzPairs(overlap.Slice(0, k, r*k, (r+1)*k), projected.Slice(0, k, r*k, (r+1)*k), negligible)
		values, weights = append(values, own), append(weights, c)
	}
	return values, weights, nil
}

// optimum returns OMM's optimum over functions W x + b of the features: the k leading eigenfunctions of S in
// their span, scaled to mean square 1, with their eigenvalues. They solve the generalised eigenproblem of the moments
// M[x̂, Sx̂] and M[x̂], x̂ = (x, 1), over the nodes with an edge, as [GraphEdges] samples them. There are fewer than k
// if the span has fewer dimensions.
func (s *view) optimum(k int) ([]float32, []float64, error) {
	d, n := s.Features+1, s.Nodes()
	of := s.table(s.beside(slices.Repeat([]float32{1}, n)))
	ritz, weights, err := s.ritz(of, 1, d, ritzNumbers)
	if err != nil {
		return nil, nil, err
	}
	k = min(k, len(ritz[0]))
	f := make([]float32, 0, n*k)
	err = s.blocks(of, func(_ int, x []*mat.Dense) {
		var product mat.Dense
		product.Mul(x[0], weights[0].Slice(0, d, 0, k))
		product.Scale(math.Sqrt(float64(n)), &product)
		f = append(f, probe.FeaturesOf(&product, nil).X...)
	})
	return f, ritz[0][:k], err
}

// captured is the sum of the leading eigenvalues, one for each class of the graph.
func (e Experiment) captured(ritz []float64) float64 {
	return floats.Sum(ritz[:min(len(ritz), e.counts().classes)])
}
