package graphs

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/sparse"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

type classical struct {
	judge
	of                 encode
	values             []float64 // eigenvalues
	propagated, spread float64
}

func (j judge) classical() (t run.Task[Run], err error) {
	c := classical{judge: j, of: table(j.Features, j.FeaturesOf)}
	if j.e.Method == Eigenvectors {
		c.of, c.values, err = j.eigenvectors(j.e.K)
	} else {
		c.propagated, c.spread = j.withoutFunctions()
	}
	if err != nil {
		return t, err
	}
	training, err := j.labelled(c.of, j.training)
	if err != nil {
		return t, err
	}
	l := j.e.linear(j.Classes)
	if t.Problem, err = l.Problem(training, j.e.Seeds); err != nil {
		return t, err
	}
	t.Config, t.Judge = l.Config(len(j.training)), c
	return t, nil
}

// Runs implements [run.Judge].
func (c classical) Runs(ctx context.Context, trained *train.Result) ([]Run, error) {
	judged, err := c.e.assess(ctx, c.backend, c.view, c.of, trained.Params)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(judged))
	for r := range runs {
		runs[r] = Run{Embedding: &judged[r], Ritz: c.values, Propagated: c.propagated, Spread: c.spread}
	}
	return c.e.results(runs, trained), nil
}

// withoutFunctions returns accuracies that need only the known labels: of label propagation, 50 times with weight 0.9,
// and of Correct & Smooth on the same prediction for all nodes.
func (s *view) withoutFunctions() (propagated, spread float64) {
	z := probe.PropagateLabels(s.seen, s.Classes, s.labels, s.training, 50, 0.9)
	propagated = s.accuracy(z, s.test)
	for i := range z {
		z[i] = 1 / float32(s.Classes)
	}
	z = probe.CorrectAndSmooth(s.seen, z, s.Classes, s.labels, s.training)
	return propagated, s.accuracy(z, s.test)
}

// eigenvectors encodes nodes by the k leading eigenvectors of S, scaled to mean square 1.
func (s *view) eigenvectors(k int) (encode, []float64, error) {
	m, n := s.seen.Symmetric(), s.Nodes()
	found, err := spectral.Lanczos{K: k, Tolerance: 1e-4}.Solve(n, func(dst, src []float64) {
		sparse.Multiply(m, dst, src, 1)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("eigenvectors of the normalised adjacency matrix: %w", err)
	}
	scale := math.Sqrt(float64(n))
	return table(k, func(node int, dst []float32) {
		for c := range dst {
			dst[c] = float32(scale * found.Vectors.At(node, c))
		}
	}), found.Values, nil
}

// ritzNumbers limits the numbers of F that [view.ritz] keeps in memory: 512 MiB, and as much for SF.
const ritzNumbers = 1 << 26

// moments are sums over all nodes: FᵀF [k, k] and FᵀSF [k, k] of functions F [N, k].
type moments struct{ overlap, projected *mat.Dense }

// ritz returns the eigenvalues of S in the span of each run's k functions over all nodes, descending. On ogbn-products
// F would take 40 GB, so it is computed again, block by block, for each group of columns of SF. At most `most` numbers
// of F are in memory. Each pass collects the columns of F that the next pass needs.
func (s *view) ritz(of encode, runs, k, most int) ([][]float64, error) {
	n, m := s.Nodes(), s.seen.Symmetric()
	width := min(k, max(1, most/(n*runs)))
	sums := make([]moments, runs)
	for r := range sums {
		sums[r] = moments{mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)}
	}
	applied := make([]*mat.Dense, runs) // [N, width], the columns of SF from first on; nil in the first pass
	for first := -width; first < k; first += width {
		from, to := first+width, min(first+2*width, k) // the columns of F for the next pass
		next := make([][]float64, runs)
		err := s.blocks(of, func(node int, c probe.Outputs) error {
			for r, flat := range c.Runs {
				rows := len(flat) / k
				f := mat.NewDense(rows, k, nil)
				for i, x := range flat {
					f.RawMatrix().Data[i] = float64(x)
				}
				if first < 0 {
					add(sums[r].overlap, f, f)
				} else {
					columns := min(width, k-first)
					add(sums[r].projected.Slice(0, k, first, first+columns), f,
						applied[r].Slice(node, node+rows, 0, columns))
				}
				for i := 0; i < rows && from < to; i++ {
					next[r] = append(next[r], f.RawRowView(i)[from:to]...)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for r, collected := range next {
			if from < to {
				applied[r] = mat.NewDense(n, to-from, nil)
				sparse.Multiply(m, applied[r].RawMatrix().Data, collected, to-from)
			}
		}
	}
	all := make([][]float64, runs)
	for r, sum := range sums {
		all[r] = sum.ritz()
	}
	return all, nil
}

func add(sum, a, b mat.Matrix) {
	var product mat.Dense
	product.Mul(a.T(), b)
	part := sum.(*mat.Dense)
	part.Add(part, &product)
}

// ritz returns the eigenvalues of S in the span of the functions, descending: the eigenvalues of BᵀFᵀSF B with
// BᵀFᵀFB = 1. There are fewer than k if functions are linearly dependent in float32, and none if all are zero.
func (m moments) ritz() []float64 {
	const negligible = 1e-12 // relative to the largest eigenvalue of the cosines: squared rounding errors of float32
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
	var projected mat.Dense
	projected.Product(basis.T(), m.projected, basis)
	found, err := spectral.SymEigen(spectral.SymmetricPart(&projected))
	if err != nil {
		return nil
	}
	return found.Values
}
