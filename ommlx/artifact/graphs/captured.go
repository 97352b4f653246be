package graphs

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/sparse"
	"operator-omm/ommlx/spectral"
)

// held is how many numbers of functions on all nodes are in memory at once, to be multiplied with S exactly: 512 MiB,
// and as many of the product.
const held = 1 << 26

// moments are sums over all nodes: FᵀF [k, k] and FᵀSF [k, k] of functions F [N, k].
type moments struct{ overlap, projected *mat.Dense }

// ritz puts in the eigenvalues of S in the span of each run's embedding over all nodes, descending. The functions of
// ogbn-products would take 40 GB, so that they are computed anew, block by block, for each part of the columns of SF,
// of which no more than most numbers are held.
func (e Experiment) ritz(s *sight, of encode, runs []Run, most int) error {
	n, m := s.Nodes(), s.seen.Symmetric()
	width := min(e.K, max(1, most/(n*len(runs))))
	sums := make([]moments, len(runs))
	for r := range sums {
		sums[r] = moments{mat.NewDense(e.K, e.K, nil), mat.NewDense(e.K, e.K, nil)}
	}
	applied := make([][]float64, len(runs)) // [N, width], the columns of SF from first on
	for first := -width; first < e.K; first += width {
		columns := max(min(width, e.K-first), 0) // of SF, if this isn't the first pass
		after := min(width, e.K-first-width)     // of F, which are collected for the next pass
		next := make([][]float64, len(runs))
		for node := 0; node < n; node += block {
			nodes := numbers(node, min(node+block, n))
			found, err := of(nodes)
			if err != nil {
				return err
			}
			for r, flat := range found[len(found)-1].Runs[:len(runs)] {
				f := mat.NewDense(len(nodes), e.K, nil)
				for i, x := range flat {
					f.RawMatrix().Data[i] = float64(x)
				}
				if first < 0 {
					add(sums[r].overlap, f, f, 0)
				} else {
					part := mat.NewDense(len(nodes), columns, applied[r][node*columns:(node+len(nodes))*columns])
					add(sums[r].projected, f, part, first)
				}
				for i := range nodes {
					if after > 0 {
						next[r] = append(next[r], f.RawRowView(i)[first+width:first+width+after]...)
					}
				}
			}
		}
		for r, collected := range next {
			if after > 0 {
				applied[r] = make([]float64, len(collected))
				sparse.Multiply(m, applied[r], collected, after)
			}
		}
	}
	for r, sum := range sums {
		runs[r].Ritz = sum.ritz()
	}
	return nil
}

// add adds aᵀb to the columns of sum from first on.
func add(sum, a, b *mat.Dense, first int) {
	var product mat.Dense
	product.Mul(a.T(), b)
	k, columns := product.Dims()
	part := sum.Slice(0, k, first, first+columns).(*mat.Dense)
	part.Add(part, &product)
}

// ritz are the eigenvalues of S in the span of the functions, descending: those of B ᵀFᵀSF B with BᵀFᵀFB = 1. There are
// fewer than k where functions are linearly dependent in float32, and none where all are zero.
func (m moments) ritz() []float64 {
	const negligible = 1e-12 // of the largest eigenvalue of the cosines: squares of the rounding errors of float32
	k, _ := m.overlap.Dims()
	scale, cosines := make([]float64, k), mat.NewSymDense(k, nil)
	for i := range k {
		if square := m.overlap.At(i, i); square > 0 {
			scale[i] = 1 / math.Sqrt(square)
		}
		for j := range i + 1 {
			cosines.SetSym(i, j, scale[i]*scale[j]*m.overlap.At(i, j))
		}
	}
	var of, small mat.EigenSym
	if !of.Factorize(cosines, true) {
		return nil
	}
	values, vectors := of.Values(nil), new(mat.Dense)
	of.VectorsTo(vectors)
	dropped := 0
	for dropped < k && values[dropped] <= negligible*values[k-1] {
		dropped++
	}
	if dropped == k || values[k-1] <= 0 {
		return nil
	}
	basis := mat.NewDense(k, k-dropped, nil)
	basis.Apply(func(i, j int, _ float64) float64 {
		return scale[i] * vectors.At(i, dropped+j) / math.Sqrt(values[dropped+j])
	}, basis)
	var projected mat.Dense
	projected.Product(basis.T(), m.projected, basis)
	if !small.Factorize(spectral.SymmetricPart(&projected), false) {
		return nil
	}
	ritz := small.Values(nil)
	slices.Reverse(ritz)
	return ritz
}
