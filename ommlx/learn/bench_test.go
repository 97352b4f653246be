package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

// process is a reversible process with known eigenvalues and eigenfunctions after the constant.
type process struct {
	name     string
	draw     func(seed uint64) (from, to *mat.Dense)
	values   []float64
	points   *mat.Dense // where functions are compared
	measure  []float64  // roots of the weights of points
	function func(i int) []float64
}

// autoregression draws 50,000 pairs of x' = ρx + √(1−ρ²)z in each coordinate. The first has the largest ρ, and the
// functions compared are its Hermite polynomials 1 to 3.
func autoregression(rho ...float64) process {
	const n = 50_000
	pairs := func(seed uint64) (from, to *mat.Dense) {
		from = normal(n, len(rho), 2*seed)
		return from, autoregress(from, normal(n, len(rho), 2*seed+1), rho...)
	}
	p := process{name: fmt.Sprintf("%d coordinates, ρ = %g", len(rho), rho[0]), draw: pairs,
		values: []float64{rho[0], math.Pow(rho[0], 2), math.Pow(rho[0], 3)}, points: normal(n, len(rho), 1_000),
		measure: slices.Repeat([]float64{1}, n)}
	p.function = func(i int) (h []float64) {
		for _, x := range mat.Col(nil, 0, p.points) {
			h = append(h, []float64{x, x*x - 1, x * (x*x - 3)}[i])
		}
		return h
	}
	return p
}

// doubleWell draws 50,000 pairs of a trajectory of dx = −U'dt + √2 dβ with U = 2(x² − 1)² and a lag of 0.2. The truth
// is the same as in notebook 12.
func doubleWell() process {
	const n, delay, substeps = 50_000, 0.2, 50
	force := func(x float64) float64 { return 8 * x * (1 - x*x) } // −U'
	pairs := func(seed uint64) (from, to *mat.Dense) {
		rng, x, path := rand.New(rand.NewPCG(seed, 6)), 1., []float64{1}
		for range n {
			for range substeps {
				x += force(x)*delay/substeps + math.Sqrt(2*delay/substeps)*rng.NormFloat64()
			}
			path = append(path, x)
		}
		return mat.NewDense(n, 1, path[:n]), mat.NewDense(n, 1, path[1:])
	}
	v := func(x []float64) float64 { return math.Pow(force(x[0]), 2)/4 + 4 - 12*x[0]*x[0] }
	truth := testkit.Must(schrodinger.System{Name: "double well", Dim: 1, PotentialAt: v}.
		Differences(nil, net.Box{Lower: []float64{-1.9}, Upper: []float64{1.9}}, 599, 3))
	p := process{name: "double well", draw: pairs, points: truth.Points, measure: mat.Col(nil, 0, truth.Vectors)}
	for _, energy := range truth.Values[1:] {
		p.values = append(p.values, math.Exp(-delay*energy))
	}
	p.function = func(i int) []float64 {
		return floats.DivTo(make([]float64, 599), mat.Col(nil, i+1, truth.Vectors), p.measure)
	}
	return p
}

// BenchmarkFormsOfPairs compares one batch for both moments with halves, the default, and with differences, with two
// extra batches of half the size for M[f]. All evaluate the same number of points. Each seed has its own pairs.
func BenchmarkFormsOfPairs(b *testing.B) {
	forms := []learn.Settings{{Overlap: learn.None}, {},
		{Batch: 512, Overlap: 2}}
	names := []string{"one batch", "halves", "differences"}
	for _, p := range []process{autoregression(0.99), autoregression(0.9), autoregression(0.5), doubleWell(),
		autoregression(0.9, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1)} {
		b.Run(p.name, func(b *testing.B) {
			var all [3][3][]float64 // measures, forms, seeds
			for seed := range int64(5) {
				from, to := p.draw(uint64(seed))
				for form, s := range forms {
					s.Seeds = []int64{seed}
					op := learn.Pairs{From: from, To: to}
					learned := testkit.Must(learn.Learn(b.Context(), op, 1+len(p.values), s))
					off, mixed := p.compare(learned)
					for m, v := range []float64{off, mixed, learned.HeldOut.Score()} {
						all[m][form] = append(all[m][form], v)
					}
				}
			}
			for m, measure := range []string{"error of values", "sin²", "held-out score"} {
				for form, name := range names {
					change := floats.SubTo(make([]float64, 5), all[m][form], all[m][0])
					mean, deviation := stat.MeanStdDev(change, nil)
					b.Logf("%s, %s: %.4f, changed by %.4f ± %.4f", measure, name, stat.Mean(all[m][form], nil), mean,
						stat.StdErr(deviation, 5))
				}
			}
		})
	}
}

// compare returns the mean error of the values after the constant and the mean sin² of their functions.
func (p process) compare(learned *learn.Learned) (off, mixed float64) {
	at, roots, count := testkit.Must(learned.At(p.points)), mat.NewVecDense(len(p.measure), p.measure), len(p.values)
	for i, exact := range p.values {
		off += math.Abs(learned.Values[i+1]-exact) / float64(count)
		var f, g mat.VecDense
		f.MulElemVec(at.ColView(i+1), roots)
		g.MulElemVec(mat.NewVecDense(len(p.measure), p.function(i)), roots)
		mixed += math.Pow(sine(&f, &g), 2) / float64(count)
	}
	return off, mixed
}
