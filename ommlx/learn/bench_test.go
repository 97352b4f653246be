package learn_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/train"
)

// BenchmarkDifferencesOfPairs compares differences, with two extra batches for M[f], with the default, products, on
// batches twice as large, so that both evaluate the same number of points. The pairs are from an Ornstein–Uhlenbeck
// process, with the eigenvalues ρⁿ and Hermite polynomials as functions. The error is the largest sin² of the three
// functions after the constant, the median over rounds with different seeds.
func BenchmarkDifferencesOfPairs(b *testing.B) {
	const n, k, steps = 50_000, 4, 5_000
	for _, rho := range []float64{0.99, 0.5} {
		b.Run(fmt.Sprint(rho), func(b *testing.B) {
			from, noise := normal(n, 1, 1), normal(n, 1, 2)
			to := mat.NewDense(n, 1, nil)
			to.Apply(func(i, _ int, x float64) float64 { return rho*x + math.Sqrt(1-rho*rho)*noise.At(i, 0) }, from)
			training := func(s learn.Settings, name string) func() (time.Duration, error) {
				s.Steps, s.Options.Backend = steps, testkit.Backend(b)
				var all []float64
				return testkit.Repeated(1, func() error {
					s.Seeds = []int64{int64(len(all))}
					learned, err := learn.Learn(b.Context(), learn.Pairs{From: from, To: to, HeldOut: -1}, k, s)
					if err != nil {
						return err
					}
					worst, at := 0.0, testkit.Must(learned.At(from))
					for i := 1; i < k; i++ {
						sine := sine(at.ColView(i), hermite(from, i))
						worst = max(worst, sine*sine)
					}
					all = append(all, worst)
					b.ReportMetric(testkit.Median(all), name)
					return nil
				})
			}
			testkit.Compare(b, training(learn.Settings{Batch: 512, Overlap: 2}, "sin²"),
				training(learn.Settings{Batch: 1_024}, "alternative-sin²"))
		})
	}
}

// hermite returns He_i at x, n×1, for i from 1 to 3.
func hermite(x *mat.Dense, i int) mat.Vector {
	h := mat.NewVecDense(x.RawMatrix().Rows, nil)
	for p := range h.Len() {
		v := x.At(p, 0)
		h.SetVec(p, []float64{1, v, v*v - 1, v * (v*v - 3)}[i])
	}
	return h
}

// BenchmarkLanczos compares training with the Lanczos method for 50 functions on a grid of 30×30 nodes, to 1e-4.
func BenchmarkLanczos(b *testing.B) {
	const side, k, steps = 30, 50, 3_000
	g := learn.Graph{Nodes: side * side}
	for i := range side {
		for j := range side - 1 {
			g.Edges = append(g.Edges, [2]int{side*i + j, side*i + j + 1}, [2]int{side*j + i, side*(j+1) + i})
		}
	}
	var exact, learned []float64
	testkit.Compare(b, testkit.Repeated(1, func() error {
		s := learn.Settings{Steps: steps, Options: train.Options{Backend: testkit.Backend(b)}}
		l, err := learn.Learn(b.Context(), g, k, s)
		if err == nil {
			learned = l.Values
		}
		return err
	}), testkit.Repeated(1, func() error {
		pairs, err := g.Exact(k)
		exact = pairs.Values
		return err
	}))
	b.ReportMetric(floats.Distance(exact, learned, math.Inf(1)), "error")
}
