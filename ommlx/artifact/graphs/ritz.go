package graphs

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/sparse"
	"omm-go/ommlx/spectral"
)

// ritzNumbers limits the numbers of F that [view.ritz] keeps in memory: 2 GiB, and as much for SF.
const ritzNumbers = 1 << 28

// ritz returns the eigenvalues of S in the span of each run's k functions over all nodes, descending. On ogbn-products
// the values F would take 40 GB, so the functions are evaluated again for each group of columns of SF. At most `most`
// numbers of F are in memory.
func (s *view) ritz(of encode, runs, k, most int) ([][]float64, error) {
	n, m := s.Nodes(), s.seen.Symmetric()
	width := min(k, max(1, most/(n*runs)))
	overlap, projected := make([]*mat.Dense, runs), make([]*mat.Dense, runs) // FᵀF and FᵀSF, [k, k]
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
			return nil, err
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
			return nil, err
		}
	}
	all := make([][]float64, runs)
	for r := range all {
		all[r] = ritzValues(overlap[r], projected[r])
	}
	return all, nil
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

// captured is the sum of the leading eigenvalues, one for each class of ogbn-products.
func captured(ritz []float64) float64 { return floats.Sum(ritz[:min(len(ritz), products.classes)]) }

// ritzValues returns the eigenvalues of BᵀFᵀSF B with BᵀFᵀFB = 1, descending. There are fewer than k if functions are
// linearly dependent in float32, and none if all are zero.
func ritzValues(overlap, projected *mat.Dense) []float64 {
	const negligible = 1e-12 // relative to the largest eigenvalue of the cosines: squared rounding errors of float32
	k, _ := overlap.Dims()
	scale, cosines := make([]float64, k), mat.NewSymDense(k, nil)
	for i := range k {
		if square := overlap.At(i, i); square > 0 {
			scale[i] = 1 / math.Sqrt(square)
		}
		for j := range i + 1 {
			cosines.SetSym(i, j, scale[i]*scale[j]*overlap.At(i, j))
		}
	}
	own, err := spectral.SymEigen(cosines)
	if err != nil || own.Values[0] <= 0 {
		return nil
	}
	rank := 0
	for rank < k && own.Values[rank] > negligible*own.Values[0] {
		rank++
	}
	basis := mat.NewDense(k, rank, nil)
	basis.Apply(func(i, j int, _ float64) float64 {
		return scale[i] * own.Vectors.At(i, j) / math.Sqrt(own.Values[j])
	}, basis)
	var small mat.Dense
	small.Product(basis.T(), projected, basis)
	found, err := spectral.SymEigen(spectral.SymmetricPart(&small))
	if err != nil {
		return nil
	}
	return found.Values
}
