package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/probe"
	"operator-omm/ommlx/sparse"
	"operator-omm/ommlx/spectral"
	"operator-omm/ommlx/train"
)

// classical is the task of training probes on features or eigenvectors.
func (e Experiment) classical(b compute.Backend, s *sight) (t lab.Task[Run], err error) {
	of, values := table(s.Features, s.FeaturesOf), []float64(nil)
	propagated, spread := 0.0, 0.0
	if e.Method == Eigenvectors {
		of, values, err = s.eigenvectors(e.K)
	} else {
		propagated, spread, err = s.withoutFunctions()
	}
	if err != nil {
		return t, err
	}
	training, err := of(s.training)
	if err != nil {
		return t, err
	}
	l := e.linear(s.Classes)
	if t.Problem, err = l.Problem(s.labelled(training[0], s.training), e.Seeds); err != nil {
		return t, err
	}
	t.Config = l.Config(len(s.training))
	t.Judge = func(ctx context.Context, trained *train.Result) ([]Run, error) {
		judged, err := e.assess(ctx, b, s, of, 0, trained.Params, 1)
		if err != nil {
			return nil, err
		}
		runs := make([]Run, len(e.Seeds))
		for r := range runs {
			own := Judged{Test: judged[0].Test[r : r+1], Smoothed: judged[0].Smoothed[r : r+1]}
			if judged[0].Unseen != nil {
				own.Unseen = judged[0].Unseen[r : r+1]
			}
			runs[r] = Run{Embedding: &own, Ritz: values, Propagated: propagated, Spread: spread}
		}
		return e.results(runs, trained), nil
	}
	return t, nil
}

// withoutFunctions are the accuracies of label propagation, 50 times with weight 0.9, and of Correct & Smooth on the
// same prediction for all nodes: what known labels give alone.
func (s *sight) withoutFunctions() (propagated, spread float64, err error) {
	z, err := probe.PropagateLabels(s.seen, s.Classes, s.labels, s.training, 50, 0.9)
	if err != nil {
		return 0, 0, err
	}
	propagated = s.accuracy(z, s.test)
	for i := range z {
		z[i] = 1 / float32(s.Classes)
	}
	if z, err = (probe.CorrectAndSmooth{}).Apply(s.seen, z, s.Classes, s.labels, s.training); err != nil {
		return 0, 0, err
	}
	return propagated, s.accuracy(z, s.test), nil
}

// eigenvectors encodes nodes by the k leading eigenvectors of S, scaled to mean square 1.
func (s *sight) eigenvectors(k int) (encode, []float64, error) {
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
