//go:build cases

package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

func rightKernels() map[string]right {
	on := func(k int, draw func(*rand.Rand, int, int) *mat.Dense, n, d int, kernel func(x, y *Node) *Node) right {
		return right{k, func(rng *rand.Rand) learn.Operator {
			return learn.Kernel{Samples: draw(rng, n, d), K: kernel}
		}, nil, 0.01}
	}
	distance := func(x, y *Node) *Node { return ReduceSum(Abs(Sub(x, y)), -1) }
	product := func(x, y *Node) *Node { return ReduceSum(Mul(x, y), -1) }
	return map[string]right{
		"default on a line":    on(3, uniform, 500, 1, nil),
		"default in the plane": on(3, gaussians, 600, 2, nil),
		"default in space":     on(3, gaussians, 600, 3, nil),
		"exponential":          on(3, uniform, 500, 1, func(x, y *Node) *Node { return Exp(Neg(distance(x, y))) }),
		"Brownian":             on(3, uniform, 500, 1, func(x, y *Node) *Node { return ReduceSum(Min(x, y), -1) }),
		"linear":               on(3, gaussians, 500, 3, product),
		"polynomial":           on(3, gaussians, 500, 2, func(x, y *Node) *Node { return Square(OnePlus(product(x, y))) }),
		"Matérn": on(3, gaussians, 500, 1, func(x, y *Node) *Node {
			r := MulScalar(distance(x, y), math.Sqrt(3))
			return Mul(OnePlus(r), Exp(Neg(r)))
		}),
	}
}

func rightPairs() map[string]right {
	all := map[string]right{}
	for name, p := range processes() {
		if p.long > 0 {
			all[name] = right{len(p.values), func(rng *rand.Rand) learn.Operator { return p.draw(rng, p.long) }, p.values,
				p.error}
		}
	}
	return all
}

func rightJoint() map[string]right {
	views := func(rho ...float64) func(rng *rand.Rand) learn.Operator {
		return func(rng *rand.Rand) learn.Operator {
			x := gaussians(rng, 20_000, len(rho))
			return learn.Joint{X: x, Y: autoregress(x, gaussians(rng, 20_000, len(rho)), rho...)}
		}
	}
	return map[string]right{
		"a table": {3, func(rng *rand.Rand) learn.Operator { return learn.Joint{P: uniform(rng, 5, 7)} }, nil, 1e-3},
		"a cycle": {2, func(*rand.Rand) learn.Operator {
			return learn.Joint{P: mat.NewDense(4, 4, []float64{.1, .7, .2, 0, 0, .1, .7, .2, .2, 0, .1, .7, .7, .2, 0,
				.1})}
		}, nil, 1e-3},
		"Gaussian views":     {3, views(.8), []float64{1, .8, .64}, 0.04},
		"views in the plane": {3, views(.9, .5), []float64{1, .9, .81}, 0.04},
	}
}

func rightPotentials(t *testing.T) map[string]right {
	in := func(half float64, dim int, v func(x *Node) *Node, energies ...float64) right {
		box := net.Box{Lower: slices.Repeat([]float64{-half}, dim), Upper: slices.Repeat([]float64{half}, dim)}
		op := learn.Schrodinger{Potential: v, Box: box}
		return right{len(energies), func(*rand.Rand) learn.Operator { return op }, energies, 0.01}
	}
	onLine := func(v func(x *Node) *Node, energies ...float64) right {
		op := learn.Schrodinger{Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2}, Potential: v}
		return right{len(energies), func(*rand.Rand) learn.Operator { return op }, energies, 0.02}
	}
	square := func(x *Node) *Node { return ReduceAndKeep(Square(x), ReduceSum, -1) }
	stiff := polynomial([]float64{1, 2, 0}, []float64{4, 0, 2})
	valley, levels := morse(16, 0.5, 3)
	narrow := func(x *Node) *Node { return MulScalar(Exp(Neg(square(x))), -600) }
	wide := net.Box{Lower: []float64{-10}, Upper: []float64{10}}
	deep := testkit.Must(schrodinger.System{Name: "well", Dim: 1, Potential: narrow}.
		Extrapolated(testkit.XLA(t), wide, 1_999, 6)).Values
	return map[string]right{
		"oscillator":               in(7, 1, square, 1, 3, 5, 7),
		"oscillator in the plane":  in(6, 2, square, 2, 4, 4),
		"oscillator in space":      in(5, 3, square, 3, 5),
		"pair of oscillators":      in(6, 2, stiff, 3, 5, 7, 7),
		"quartic":                  in(4, 1, polynomial([]float64{1, 4}), 1.0603621, 3.7996730, 7.4556979),
		"free in a box":            in(0.5, 1, ZerosLike, math.Pi*math.Pi, 4*math.Pi*math.Pi, 9*math.Pi*math.Pi),
		"deep and narrow":          in(10, 1, narrow, deep...),
		"Pöschl–Teller":            in(10, 1, pöschlTeller(12), -9, -4),
		"Morse":                    in(12, 1, valley, levels...),
		"a deep well on the line":  onLine(pöschlTeller(6), -4, -1),
		"three states on the line": onLine(pöschlTeller(12), -9, -4, -1),
	}
}
