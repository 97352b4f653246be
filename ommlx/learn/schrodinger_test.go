package learn_test

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/learn"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/schrodinger"
	"operator-omm/ommlx/spectral"
)

// confined is a potential in a box.
type confined struct {
	potential    func(x *Node) *Node
	lower, upper []float64
	k, n         int       // states, and points of the coarser lattice in each direction
	steps, batch int       // fewer than the defaults; batch 0: 192
	exact        []float64 // energies in closed form, if there is one
	advice       string    // what is to be said; empty: nothing
}

func coordinate(x *Node, d int) *Node { return Slice(x, AxisRange().Spacer(), AxisElem(d)) }

// morse is V = 12 (1 − e^{−x/2})², with E_n = 2√12·½(n + ½) − ¼(n + ½)² for all that are bound (Morse 1929).
func morse() confined {
	c := confined{lower: []float64{-3}, upper: []float64{20}, k: 3, n: 399, steps: 500,
		potential: func(x *Node) *Node { return MulScalar(Square(OneMinus(Exp(MulScalar(x, -0.5)))), 12) }}
	for n := range c.k {
		q := float64(n) + 0.5
		c.exact = append(c.exact, math.Sqrt(12)*q-q*q/4)
	}
	return c
}

// oscillator is V = x² + 2.5y², with E = 2n + 1 + √2.5(2m + 1), in a box three times as wide as it needs.
func oscillator() confined {
	r := math.Sqrt(2.5)
	return confined{lower: []float64{-12, -10}, upper: []float64{12, 14}, k: 3, n: 47, steps: 350,
		potential: func(x *Node) *Node {
			return Add(Square(coordinate(x, 0)), MulScalar(Square(coordinate(x, 1)), 2.5))
		},
		exact: []float64{1 + r, 3 + r, 1 + 3*r, 5 + r, 3 + 3*r, 7 + r}}
}

// valleys is a ring with three valleys (notebook 12), V = (r² − 4)²/5 + r³ cos(3φ)/10.
func valleys() confined {
	return confined{lower: []float64{-3.5, -3.5}, upper: []float64{3.5, 3.5}, k: 3, n: 39, steps: 400,
		// At gaps of 0.01, less than a training resolves.
		advice: "functions 2 and 3 are not told apart",
		potential: func(x *Node) *Node {
			u, v := coordinate(x, 0), coordinate(x, 1)
			ring := Square(AddScalar(Add(Square(u), Square(v)), -4))
			cubic := Sub(Mul(u, Square(u)), MulScalar(Mul(u, Square(v)), 3))
			return Add(DivScalar(ring, 5), DivScalar(cubic, 10))
		}}
}

// crooked has no symmetry, and a minimum below zero.
func crooked() confined {
	return confined{lower: []float64{-4, -4.5}, upper: []float64{3.5, 5}, k: 3, n: 39, steps: 450,
		potential: func(x *Node) *Node {
			u, v := coordinate(x, 0), coordinate(x, 1)
			even := Add(MulScalar(Square(Square(u)), 0.5), Sub(MulScalar(Square(v), 1.3), MulScalar(Square(u), 1.1)))
			odd := Add(MulScalar(Mul(u, Square(v)), 0.4), Sub(MulScalar(u, 0.7), MulScalar(Mul(u, v), 1.1)))
			return Add(even, odd)
		}}
}

// coupled is in three dimensions, two of them coupled and one quartic.
func coupled() confined {
	return confined{lower: []float64{-5, -4.5, -4}, upper: []float64{5, 4.5, 4}, k: 2, n: 19, steps: 800, batch: 320,
		potential: func(x *Node) *Node {
			u, v, w := coordinate(x, 0), coordinate(x, 1), coordinate(x, 2)
			return Add(Add(Square(u), MulScalar(Square(v), 1.7)),
				Add(Square(Square(w)), MulScalar(Mul(u, v), 0.5)))
		}}
}

// TestSchrodingerNeedsNoTuning: potential, box and k are all that is given, and fewer steps and samples than the
// default, which do; every state is found to 1 %: its energy, and its function on a lattice, against finite differences
// and, if there is one, the closed form.
func TestSchrodingerNeedsNoTuning(t *testing.T) {
	for name, c := range map[string]confined{"Morse": morse(), "oscillator": oscillator(), "valleys": valleys(),
		"crooked": crooked(), "coupled": coupled()} {
		t.Run(name, func(t *testing.T) {
			box := net.Box{Lower: c.lower, Upper: c.upper}
			truth, err := schrodinger.System{Name: name, Dim: len(c.lower), Potential: c.potential}.
				Extrapolated(graphtest.Backend(t), box, c.n, c.k)
			require.NoError(t, err)
			learned := mustLearn(t, learn.Schrodinger{Potential: c.potential, Box: box}, c.k,
				learn.Settings{Steps: c.steps, Batch: cmp.Or(c.batch, 192)})
			functions := testkit.Must(learned.At(truth.Points))
			points, _ := truth.Points.Dims()
			cell := schrodinger.Lattice{Box: box}.Volume() / math.Pow(float64(c.n+1), float64(len(c.lower)))
			weights := slices.Repeat([]float64{cell}, points)
			var spaces []spectral.Eigenspace
			for i := range c.k {
				spaces = append(spaces, spectral.Eigenspace{First: i, End: i + 1})
			}
			distances := testkit.Must(spectral.SubspaceDistances(truth.Vectors, functions, weights, spaces))
			norms := testkit.Must(spectral.Norms(functions, weights))
			for i := range c.k {
				if c.exact != nil {
					assert.InEpsilon(t, c.exact[i], truth.Values[i], 2e-3, "the truth itself, energy %d", i+1)
				}
				assert.InEpsilon(t, truth.Values[i], learned.Values[i], 0.01, "energy %d", i+1)
				assert.Less(t, distances[i], 0.01, "function %d", i+1)
				assert.InDelta(t, 1, norms[i], 0.01, "∫ψ² of function %d", i+1)
			}
			if c.advice == "" {
				assert.Empty(t, learned.Advice())
			} else {
				assert.Contains(t, strings.Join(learned.Advice(), "\n"), c.advice)
			}
		})
	}
}

// TestDirectFindsBoundStates of a Gaussian well, V = −10 exp(−x²/2), against finite differences in a wide box.
func TestDirectFindsBoundStates(t *testing.T) {
	const k = 3
	system := schrodinger.System{Name: "Gaussian well", Dim: 1,
		Potential: func(x *Node) *Node { return MulScalar(Exp(MulScalar(Square(x), -0.5)), -10) }}
	box := net.Box{Lower: []float64{-10}, Upper: []float64{10}}
	truth := testkit.Must(system.Extrapolated(graphtest.Backend(t), box, 399, k))
	require.Less(t, truth.Values[k-1], 0.0)
	learned, err := learn.Learn(context.Background(),
		learn.Direct{System: system, Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2}}, k,
		learn.Settings{Steps: 400})
	require.NoError(t, err)
	functions := testkit.Must(learned.At(truth.Points))
	for i := range k {
		assert.InEpsilon(t, truth.Values[i], learned.Values[i], 0.02)
		assert.Less(t, sine(functions.ColView(i), truth.Vectors.ColView(i)), 0.1)
	}
}
