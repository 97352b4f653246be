package learn_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
)

// confined is a potential in a box.
type confined struct {
	potential    func(x *Node) *Node
	lower, upper []float64
	k, n         int       // states, and points per axis of the coarser lattice
	steps, batch int       // fewer than the defaults; batch 0: 192
	exact        []float64 // energies in closed form, if known
	advice       string    // expected; may be empty
}

var confinements = map[string]confined{
	// V = 12 (1 − e^{−x/2})², with E_n = √12 (n + ½) − ¼(n + ½)² for all bound states (Morse 1929).
	"Morse": {lower: []float64{-3}, upper: []float64{20}, k: 3, n: 399, steps: 500,
		potential: func(x *Node) *Node { return MulScalar(Square(OneMinus(Exp(MulScalar(x, -0.5)))), 12) },
		exact:     []float64{math.Sqrt(12)/2 - 1./16, math.Sqrt(12)*3/2 - 9./16, math.Sqrt(12)*5/2 - 25./16}},
	// A ring (notebook 12), V = (r² − 4)²/5 + r³ cos(3φ)/10, whose gaps of 0.01 are less than a training resolves.
	"three valleys": {lower: []float64{-3.5, -3.5}, upper: []float64{3.5, 3.5}, k: 3, n: 39, steps: 400,
		potential: polynomial([]float64{0.2, 4, 0}, []float64{0.4, 2, 2}, []float64{0.2, 0, 4}, []float64{-1.6, 2, 0},
			[]float64{-1.6, 0, 2}, []float64{3.2, 0, 0}, []float64{0.1, 3, 0}, []float64{-0.3, 1, 2}),
		advice: "functions 2, 3 are not separated"},
	"two coupled dimensions and a quartic one": {lower: []float64{-5, -4.5, -4}, upper: []float64{5, 4.5, 4}, k: 2,
		n: 19, steps: 800, batch: 320, potential: polynomial([]float64{1, 2, 0, 0}, []float64{1.7, 0, 2, 0},
			[]float64{1, 0, 0, 4}, []float64{0.5, 1, 1, 0})},
}

// polynomial is the sum of terms (c, p, q, …), c x_1^p x_2^q ….
func polynomial(terms ...[]float64) func(x *Node) *Node {
	return func(x *Node) *Node {
		coordinate := func(d int) *Node { return Slice(x, AxisRange().Spacer(), AxisElem(d)) }
		sum := ZerosLike(coordinate(0))
		for _, term := range terms {
			product := MulScalar(OnesLike(sum), term[0])
			for d, power := range term[1:] {
				for range int(power) {
					product = Mul(product, coordinate(d))
				}
			}
			sum = Add(sum, product)
		}
		return sum
	}
}

// TestSchrodingerNeedsNoTuning: given potential, box and k, with fewer steps and samples than the defaults, energies
// and functions agree to 1 % with finite differences and, if known, the closed form.
func TestSchrodingerNeedsNoTuning(t *testing.T) {
	testkit.XLA(t) // pure Go takes minutes
	for name, c := range confinements {
		t.Run(name, func(t *testing.T) {
			box := net.Box{Lower: c.lower, Upper: c.upper}
			truth, err := schrodinger.System{Name: name, Dim: len(c.lower), Potential: c.potential}.
				Extrapolated(testkit.Backend(t), box, c.n, c.k)
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

// TestBoundStatesOnTheLine compares a Gaussian well, V = −10 exp(−x²/2), with finite differences in a wide box.
func TestBoundStatesOnTheLine(t *testing.T) {
	const k = 3
	system := schrodinger.System{Name: "Gaussian well", Dim: 1,
		Potential: func(x *Node) *Node { return MulScalar(Exp(MulScalar(Square(x), -0.5)), -10) }}
	box := net.Box{Lower: []float64{-10}, Upper: []float64{10}}
	truth := testkit.Must(system.Extrapolated(testkit.Backend(t), box, 399, k))
	require.Less(t, truth.Values[k-1], 0.0)
	op := learn.Schrodinger{Potential: system.Potential, Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2}}
	learned := mustLearn(t, op, k, learn.Settings{Steps: 400})
	functions := testkit.Must(learned.At(truth.Points))
	for i := range k {
		assert.InEpsilon(t, truth.Values[i], learned.Values[i], 0.02)
		assert.Less(t, sine(functions.ColView(i), truth.Vectors.ColView(i)), 0.1)
	}
}

// TestBoxes: a wall in the box is refused, wells that one network cannot represent are named, and a box that is much
// too wide is not.
func TestBoxes(t *testing.T) {
	testkit.XLA(t)
	in := func(a float64, v func(x *Node) *Node) learn.Schrodinger {
		return learn.Schrodinger{Box: net.Box{Lower: []float64{-a}, Upper: []float64{a}}, Potential: v}
	}
	walls := func(x *Node) *Node { return AddScalar(step(-1e4, 0, 1)(x), 1e4) }
	requireOneLine(t, learnError(in(5, walls), 3, learn.Settings{}), "jumps")
	learned, _ := advised(t, in(1000, Square), 2, learn.Settings{Steps: 400, Batch: 192})
	assert.InDeltaSlice(t, []float64{1, 3}, learned.Values, 0.05)
	apart := func(x *Node) *Node {
		return Min(Square(AddScalar(x, 20)), AddScalar(Square(AddScalar(x, -20)), 0.05))
	}
	_, advice := advised(t, in(30, apart), 2, learn.Settings{Steps: 20, Batch: 64})
	assert.Contains(t, advice, "each in a Box of its own")
	sampled := learn.Schrodinger{Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2},
		Potential: func(x *Node) *Node { return Neg(Exp(Neg(Square(x)))) }}
	requireOneLine(t, learnError(sampled, 1, learn.Settings{Batch: 1 << 40}), "Batch")
}

// TestTiltedDoubleWell: two values differ by less than their residuals, but the Ritz step separates their functions,
// and there is no advice.
func TestTiltedDoubleWell(t *testing.T) {
	well := learn.Schrodinger{Box: net.Box{Lower: []float64{-3}, Upper: []float64{3}}, Potential: func(x *Node) *Node {
		return Add(MulScalar(Square(AddScalar(Square(x), -1.5)), 15), MulScalar(x, 0.0025))
	}}
	learned := mustLearn(t, well, 3, learn.Settings{})
	assert.InDelta(t, 0.0123, learned.Values[1]-learned.Values[0], 2e-4)
	assert.Less(t, learned.Values[1]-learned.Values[0], learned.Residuals[0])
	assert.Empty(t, learned.Advice())
	wells := testkit.Must(learned.At(mat.NewDense(2, 1, []float64{-math.Sqrt(1.5), math.Sqrt(1.5)})))
	assert.InDelta(t, 0.6015, wells.At(1, 0)/wells.At(0, 0), 0.005, "finite differences with 4,000 points")
}

// TestBoxesFarFromTheOrigin: a box and its states can be moved, until float32 has too few numbers in the box. The
// network of a caller takes x.
func TestBoxesFarFromTheOrigin(t *testing.T) {
	seen := func(x *Node) *Node { return MulScalar(x, 0) }
	points := mat.NewDense(3, 1, []float64{0.25, 0.5, 0.9})
	own := net.Disjoint{In: 1, Hidden: []int{8}, Out: 4}
	for name, network := range map[string]net.Waves{"default": nil, "own": own} {
		at := func(origin float64) (*learn.Learned, *mat.Dense) {
			var x mat.Dense
			x.Apply(func(_, _ int, v float64) float64 { return v + origin }, points)
			well := learn.Schrodinger{Potential: seen, Network: network,
				Box: net.Box{Lower: []float64{origin}, Upper: []float64{origin + 1}}}
			learned := mustLearn(t, well, 2, brief(t))
			return learned, testkit.Must(learned.At(&x))
		}
		near, f := at(0)
		far, g := at(4096)
		assert.Equal(t, name == "default", slices.Equal(near.Values, far.Values), "%s: %v %v", name, near.Values,
			far.Values)
		assert.Equal(t, name == "default", mat.EqualApprox(f, g, 1e-6), name)
	}
	for origin, refused := range map[float64]bool{8e3: false, 9e3: true, 1e6: true, -1e6: true} {
		well := learn.Schrodinger{Potential: seen, Box: net.Box{Lower: []float64{origin}, Upper: []float64{origin + 1}}}
		_, err := well.Define(testkit.PureGo(t), 2)
		assert.Equal(t, refused, err != nil, "%g", origin)
		if refused {
			requireOneLine(t, err, "numbers in float32")
		}
	}
}
