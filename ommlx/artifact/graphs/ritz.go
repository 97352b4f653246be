package graphs

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/internal/linalg"
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
	n, all, m := s.Nodes(), runs*k, s.seen.Symmetric()
	overlap, projected := mat.NewDense(all, all, nil), mat.NewDense(all, all, nil) // of the functions of all runs
	group := min(all, max(1, most/n))
	for first := 0; first < all; first += group {
		width := min(group, all-first)
		columns, applied := mat.NewDense(n, width, nil), mat.NewDense(n, width, nil) // of F, and of SF
		err := s.blocks(of, func(node int, sets []*mat.Dense) {
			for i := range sets[0].RawMatrix().Rows {
				for c := 0; c < width && s.seen.Degree(node+i) > 0; c++ {
					columns.Set(node+i, c, sets[(first+c)/k].At(i, (first+c)%k))
				}
			}
		})
		if err != nil {
			return nil, nil, err
		}
		Multiply(m, applied.RawMatrix().Data, columns.RawMatrix().Data, width)
		err = s.blocks(of, func(node int, sets []*mat.Dense) {
			for r, f := range sets {
				for sum, with := range map[*mat.Dense]*mat.Dense{overlap: columns, projected: applied} {
					product := linalg.Product(f.T(), with.Slice(node, node+f.RawMatrix().Rows, 0, width))
					to := sum.Slice(r*k, (r+1)*k, first, first+width).(*mat.Dense)
					to.Add(to, product)
				}
			}
		})
		if err != nil {
			return nil, nil, err
		}
	}
	for at := 0; at < all; at += k {
		own, c := spectral.RitzPairs(overlap.Slice(at, at+k, at, at+k), projected.Slice(at, at+k, at, at+k), negligible)
		values, weights = append(values, own), append(weights, c)
	}
	return values, weights, nil
}

// optimum returns OMM's optimum over functions W x + b of the features: the k leading eigenfunctions of S in
// their span, scaled to mean square 1, with their eigenvalues. They solve the generalised eigenproblem of the moments
// M[x̂, Sx̂] and M[x̂], x̂ = (x, 1), over the nodes with an edge, as [GraphEdges] samples them. There are fewer than k
// if the span has fewer dimensions.
func (s *view) optimum(k int) ([]float32, []float64, error) {
	x := s.withConstant()
	ritz, weights, err := s.ritz(s.table(x.X), 1, x.Dim, ritzNumbers)
	if err != nil {
		return nil, nil, err
	}
	k = min(k, len(ritz[0]))
	f := linalg.Product(x.Dense(), weights[0].Slice(0, x.Dim, 0, k))
	f.Scale(math.Sqrt(float64(s.Nodes())), f)
	return representation.FeaturesOf(f, s.Labels).X, ritz[0][:k], nil
}

// withConstant returns the features of the nodes and a constant, (x, 1).
func (s *view) withConstant() representation.Features {
	f := representation.Features{Dim: s.Features + 1, Labels: s.Labels}
	for x := range slices.Chunk(s.X, s.Features) {
		f.X = append(append(f.X, x...), 1)
	}
	return f
}

// captured is the sum of the leading eigenvalues, one for each class of the graph.
func (e Experiment) captured(ritz []float64) float64 {
	return floats.Sum(ritz[:min(len(ritz), e.counts().classes)])
}
