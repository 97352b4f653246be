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

// ritz returns the eigenvalues of S in the span of each run's k functions over the nodes with an edge, descending. At
// most `most` numbers of F are in memory.
func (s *view) ritz(of encode, runs, k, most int) ([][]float64, error) {
	overlap, projected, err := s.moments(of, runs, k, most)
	all := make([][]float64, len(overlap))
	for r := range all {
		all[r], _ = spectral.RitzPairs(overlap[r], projected[r], negligible)
	}
	return all, err
}

// optimum encodes nodes by OMM's optimum over functions W x + b of the features: the k leading eigenfunctions of S in
// their span, scaled to mean square 1, with their eigenvalues. They solve the generalised eigenproblem of the moments
// M[x̂, Sx̂] and M[x̂], x̂ = (x, 1), over the nodes with an edge, as [GraphEdges] samples them. There are fewer than k
// if the span has fewer dimensions.
func (s *view) optimum(k int) (encode, []float64, error) {
	d, n := s.Features+1, s.Nodes()
	x := s.beside(slices.Repeat([]float32{1}, n))
	overlap, projected, err := s.moments(s.table(x), 1, d, ritzNumbers)
	if err != nil {
		return nil, nil, err
	}
	values, w := spectral.RitzPairs(overlap[0], projected[0], negligible)
	k = min(k, len(values))
	f := make([]float32, 0, n*k)
	err = s.blocks(s.table(x), func(_ int, sets []probe.Features) {
		var product mat.Dense
		product.Mul(dense(sets[0]), w.Slice(0, d, 0, k))
		product.Scale(math.Sqrt(float64(n)), &product)
		f = append(f, probe.FeaturesOf(&product, sets[0].Labels).X...)
	})
	return s.table(f), values[:k], err
}

// moments returns FᵀF and FᵀSF, [k, k], for the values F of each run's functions at the nodes with an edge. On
// ogbn-products F would take 40 GB, so the functions are evaluated again for each group of columns of SF.
func (s *view) moments(of encode, runs, k, most int) (overlap, projected []*mat.Dense, err error) {
	n, m := s.Nodes(), s.seen.Symmetric()
	width := min(k, max(1, most/(n*runs)))
	overlap, projected, of = make([]*mat.Dense, runs), make([]*mat.Dense, runs), s.connected(of)
	for r := range runs {
		overlap[r], projected[r] = mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
	}
	for first := 0; first < k; first += width {
		end := min(first+width, k)
		columns, applied := make([][]float64, runs), make([]*mat.Dense, runs) // of F, and of SF
		err := s.blocks(of, func(_ int, sets []probe.Features) {
			for r, f := range sets {
				for row := range slices.Chunk(f.X, k) {
					for _, x := range row[first:end] {
						columns[r] = append(columns[r], float64(x))
					}
				}
			}
		})
		if err != nil {
			return nil, nil, err
		}
		for r := range runs {
			applied[r] = mat.NewDense(n, end-first, nil)
			sparse.Multiply(m, applied[r].RawMatrix().Data, columns[r], end-first)
		}
		err = s.blocks(of, func(node int, sets []probe.Features) {
			for r, set := range sets {
				f := dense(set)
				if first == 0 {
					addProduct(overlap[r], f, f)
				}
				sf := applied[r].Slice(node, node+f.RawMatrix().Rows, 0, end-first)
				addProduct(projected[r].Slice(0, k, first, end).(*mat.Dense), f, sf)
			}
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return overlap, projected, nil
}

// connected encodes nodes as before, but those without an edge by zeros.
func (s *view) connected(of encode) encode {
	return func(nodes []int) ([]probe.Features, error) {
		sets, err := of(nodes)
		for _, f := range sets {
			for i, node := range nodes {
				if s.seen.Degree(node) == 0 {
					clear(f.X[i*f.Dim : (i+1)*f.Dim])
				}
			}
		}
		return sets, err
	}
}

func dense(f probe.Features) *mat.Dense {
	m := mat.NewDense(len(f.Labels), f.Dim, nil)
	for i, v := range f.X {
		m.RawMatrix().Data[i] = float64(v)
	}
	return m
}

// addProduct adds aᵀb to a sum.
func addProduct(sum *mat.Dense, a, b mat.Matrix) {
	var product mat.Dense
	product.Mul(a.T(), b)
	sum.Add(sum, &product)
}

// captured is the sum of the leading eigenvalues, one for each class of the graph.
func (e Experiment) captured(ritz []float64) float64 {
	return floats.Sum(ritz[:min(len(ritz), e.counts().classes)])
}
