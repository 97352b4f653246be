//go:build cases

package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
)

func rightKernels() (all []right) {
	distance := func(x, y *Node) *Node { return ReduceSum(Abs(Sub(x, y)), -1) }
	add := func(name string, k int, sample func(rng *rand.Rand) *mat.Dense, kernel func(x, y *Node) *Node) {
		all = append(all, right{"kernel: " + name, k, func(rng *rand.Rand) (learn.Operator, []float64) {
			return learn.Kernel{Samples: sample(rng), K: kernel}, nil
		}, 0.01})
	}
	on := func(draw func(*rand.Rand, int, int) *mat.Dense, n, d int) func(rng *rand.Rand) *mat.Dense {
		return func(rng *rand.Rand) *mat.Dense { return draw(rng, n, d) }
	}
	add("default on a line", 3, on(uniform, 500, 1), nil)
	add("default in the plane", 3, on(gaussians, 600, 2), nil)
	add("default in space", 3, on(gaussians, 600, 3), nil)
	add("exponential", 3, on(uniform, 500, 1), func(x, y *Node) *Node { return Exp(Neg(distance(x, y))) })
	add("Brownian", 3, on(uniform, 500, 1), func(x, y *Node) *Node { return ReduceSum(Min(x, y), -1) })
	add("linear", 3, on(gaussians, 500, 3), func(x, y *Node) *Node { return ReduceSum(Mul(x, y), -1) })
	add("polynomial", 3, on(gaussians, 500, 2), func(x, y *Node) *Node {
		return Square(AddScalar(ReduceSum(Mul(x, y), -1), 1))
	})
	add("Matérn", 3, on(gaussians, 500, 1), func(x, y *Node) *Node {
		r := MulScalar(distance(x, y), math.Sqrt(3))
		return Mul(AddScalar(r, 1), Exp(Neg(r)))
	})
	return all
}

// chain returns frames of a walk on the points of a line with the law e^(−V), and its eigenvalues.
func chain(rng *rand.Rand, v func(x float64) float64, frames, lag, k int) (x *mat.Dense, values []float64) {
	const n = 41
	at := floats.Span(make([]float64, n), -2, 2)
	p := mat.NewDense(n, n, nil)
	for i := range n {
		stay := 1.
		for _, j := range []int{i - 1, i + 1} {
			if j >= 0 && j < n {
				move := 0.5 * min(1, math.Exp(v(at[i])-v(at[j])))
				p.Set(i, j, move)
				stay -= move
			}
		}
		p.Set(i, i, stay)
	}
	similar := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			similar.SetSym(i, j, math.Sqrt(p.At(i, j)*p.At(j, i)))
		}
	}
	x = mat.NewDense(frames, 1, nil)
	state := n / 2
	for range 5_000 {
		state = next(rng, p, state)
	}
	for i := range frames {
		x.Set(i, 0, at[state])
		state = next(rng, p, state)
	}
	for _, value := range testkit.Must(spectral.SymEigen(similar)).Values[:k] {
		values = append(values, math.Pow(value, float64(lag)))
	}
	return x, values
}

func next(rng *rand.Rand, p *mat.Dense, state int) int {
	u := rng.Float64()
	for j, v := range p.RawRowView(state) {
		if u -= v; u < 0 {
			return j
		}
	}
	return state
}

func rightPairs() (all []right) {
	add := func(name string, k int, error float64, make func(rng *rand.Rand) (learn.Pairs, []float64)) {
		all = append(all, right{"pairs: " + name, k, func(rng *rand.Rand) (learn.Operator, []float64) {
			return make(rng)
		}, error})
	}
	process := func(lag, frames int, values []float64, rho ...float64) func(rng *rand.Rand) (learn.Pairs, []float64) {
		return func(rng *rand.Rand) (learn.Pairs, []float64) {
			return testkit.Must(learn.Trajectories(lag, testkit.Autoregressive(rng, frames, rho...))), values
		}
	}
	add("AR .9", 3, 0.03, process(1, 20_000, []float64{1, .9, .81}, .9))
	add("AR .5", 2, 0.03, process(1, 20_000, []float64{1, .5}, .5))
	add("AR .9, lag 5", 2, 0.05, process(5, 20_000, []float64{1, math.Pow(.9, 5)}, .9))
	add("AR .99", 2, 0.01, process(1, 60_000, []float64{1, .99}, .99))
	add("two coordinates", 3, 0.03, process(1, 20_000, []float64{1, .95, .9025}, .95, .8))
	add("three coordinates", 3, 0.03, process(1, 20_000, []float64{1, .9, .81}, .9, .7, .5))
	add("many trajectories", 2, 0.03, func(rng *rand.Rand) (learn.Pairs, []float64) {
		var parts []mat.Matrix
		for range 150 {
			parts = append(parts, testkit.Autoregressive(rng, 100, .9))
		}
		return testkit.Must(learn.Trajectories(1, parts...)), []float64{1, .9}
	})
	add("independent pairs", 3, 0.04, func(rng *rand.Rand) (learn.Pairs, []float64) {
		x, y := gaussians(rng, 8_000, 1), mat.NewDense(8_000, 1, nil)
		y.Apply(func(i, _ int, _ float64) float64 { return .8*x.At(i, 0) + .6*rng.NormFloat64() }, y)
		return learn.Pairs{From: x, To: y}, []float64{1, .8, .64}
	})
	add("weights", 2, 0.04, func(rng *rand.Rand) (learn.Pairs, []float64) {
		o := learn.Pairs{From: mat.NewDense(20_000, 1, nil), To: mat.NewDense(20_000, 1, nil)}
		for i := range 20_000 {
			x := 1.4 * rng.NormFloat64()
			o.From.(*mat.Dense).Set(i, 0, x)
			o.To.(*mat.Dense).Set(i, 0, .8*x+.6*rng.NormFloat64())
			o.Weights = append(o.Weights, math.Exp(x*x*(1/(2*1.96)-0.5)))
		}
		return o, []float64{1, .8}
	})
	well := func(v func(x float64) float64, lag, k int) func(rng *rand.Rand) (learn.Pairs, []float64) {
		return func(rng *rand.Rand) (learn.Pairs, []float64) {
			x, values := chain(rng, v, 100_000, lag, k)
			return testkit.Must(learn.Trajectories(lag, x)), values
		}
	}
	add("double well", 2, 0.02, well(func(x float64) float64 { return 2 * math.Pow(x*x-1, 2) }, 10, 2))
	add("three wells", 3, 0.03, well(func(x float64) float64 { return 1.5 * math.Cos(3*math.Pi/2*x) }, 10, 3))
	states := func(p []float64, n, k int, values ...float64) func(rng *rand.Rand) (learn.Pairs, []float64) {
		return func(rng *rand.Rand) (learn.Pairs, []float64) {
			x, law, state := mat.NewDense(20_000, 1, nil), mat.NewDense(n, n, p), 0
			for i := range 20_000 {
				x.Set(i, 0, float64(state))
				state = next(rng, law, state)
			}
			o := testkit.Must(learn.Trajectories(1, x))
			o.Functions = net.Table{States: n, Out: k, Scale: 0.3}
			return o, values
		}
	}
	add("three states", 3, 0.03, states([]float64{.8, .2, 0, .1, .8, .1, 0, .2, .8}, 3, 3, 1, .8, .6))
	add("two states", 2, 0.03, states([]float64{.9, .1, .1, .9}, 2, 2, 1, .8))
	add("a circle", 3, 0.03, func(rng *rand.Rand) (learn.Pairs, []float64) {
		x, angle := mat.NewDense(20_000, 2, nil), 0.
		for i := range 20_000 {
			x.SetRow(i, []float64{math.Cos(angle), math.Sin(angle)})
			angle += .4 * rng.NormFloat64()
		}
		v := math.Exp(-.08)
		return testkit.Must(learn.Trajectories(1, x)), []float64{1, v, v}
	})
	return all
}

func rightJoint() (all []right) {
	add := func(name string, k int, error float64, make func(rng *rand.Rand) (learn.Joint, []float64)) {
		all = append(all, right{"joint: " + name, k, func(rng *rand.Rand) (learn.Operator, []float64) {
			return make(rng)
		}, error})
	}
	table := func(p *mat.Dense, k int) (learn.Joint, []float64) {
		m, n := p.Dims()
		rows, columns := make([]float64, m), make([]float64, n)
		for i := range m {
			for j := range n {
				rows[i] += p.At(i, j)
				columns[j] += p.At(i, j)
			}
		}
		var scaled mat.Dense
		scaled.Apply(func(i, j int, v float64) float64 { return v / math.Sqrt(rows[i]*columns[j]) }, p)
		var svd mat.SVD
		svd.Factorize(&scaled, mat.SVDNone)
		return learn.Joint{P: p}, svd.Values(nil)[:k]
	}
	add("a table", 3, 1e-3, func(rng *rand.Rand) (learn.Joint, []float64) { return table(uniform(rng, 5, 7), 3) })
	add("a cycle", 2, 1e-3, func(*rand.Rand) (learn.Joint, []float64) {
		return table(mat.NewDense(4, 4, []float64{.1, .7, .2, 0, 0, .1, .7, .2, .2, 0, .1, .7, .7, .2, 0, .1}), 2)
	})
	add("Gaussian views", 3, 0.04, func(rng *rand.Rand) (learn.Joint, []float64) {
		x, y := gaussians(rng, 20_000, 1), mat.NewDense(20_000, 1, nil)
		y.Apply(func(i, _ int, _ float64) float64 { return .8*x.At(i, 0) + .6*rng.NormFloat64() }, y)
		return learn.Joint{X: x, Y: y}, []float64{1, .8, .64}
	})
	add("views in the plane", 3, 0.04, func(rng *rand.Rand) (learn.Joint, []float64) {
		x, y := gaussians(rng, 20_000, 2), mat.NewDense(20_000, 2, nil)
		y.Apply(func(i, j int, _ float64) float64 {
			r := []float64{.9, .5}[j]
			return r*x.At(i, j) + math.Sqrt(1-r*r)*rng.NormFloat64()
		}, y)
		return learn.Joint{X: x, Y: y}, []float64{1, .9, .81}
	})
	return all
}

func rightPotentials() (all []right) {
	add := func(name string, half float64, dim int, v func(x *Node) *Node, values ...float64) {
		all = append(all, right{"potential: " + name, len(values), func(*rand.Rand) (learn.Operator, []float64) {
			box := net.Box{Lower: slices.Repeat([]float64{-half}, dim), Upper: slices.Repeat([]float64{half}, dim)}
			return learn.Schrodinger{Potential: v, Box: box}, values
		}, 0.01})
	}
	radius := func(x *Node) *Node { return ReduceAndKeep(Square(x), ReduceSum, -1) }
	add("oscillator", 7, 1, radius, 1, 3, 5, 7)
	add("oscillator in the plane", 6, 2, radius, 2, 4, 4)
	add("oscillator in space", 5, 3, radius, 3, 5)
	add("quartic", 4, 1, func(x *Node) *Node { return Square(Square(x)) }, 1.0603621, 3.7996730, 7.4556979)
	add("free in a box", 0.5, 1, func(x *Node) *Node { return MulScalar(x, 0) }, math.Pi*math.Pi, 4*math.Pi*math.Pi,
		9*math.Pi*math.Pi)
	add("Pöschl–Teller", 10, 1, pöschlTeller(12), -9, -4)
	valley, energies := morse(16, 0.5, 3)
	add("Morse", 12, 1, valley, energies...)
	add("pair of oscillators", 6, 2, func(x *Node) *Node {
		return ReduceAndKeep(Mul(Square(x), Const(x.Graph(), [][][]float32{{{1, 4}}})), ReduceSum, -1)
	}, 3, 5, 7, 7)
	all = append(all, right{"potential: a deep well on the line", 2, func(*rand.Rand) (learn.Operator, []float64) {
		return learn.Schrodinger{Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2}, Potential: pöschlTeller(6)},
			[]float64{-4, -1}
	}, 0.02}, right{"potential: three states on the line", 3, func(*rand.Rand) (learn.Operator, []float64) {
		return learn.Schrodinger{Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2}, Potential: pöschlTeller(12)},
			[]float64{-9, -4, -1}
	}, 0.02})
	return all
}
