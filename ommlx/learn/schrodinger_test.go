package learn_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
)

// interval is a particle between two walls.
func interval(lower, upper float64, v func(x *Node) *Node) learn.Schrodinger {
	return learn.Schrodinger{Box: net.Box{Lower: []float64{lower}, Upper: []float64{upper}}, Potential: v}
}

// small is a Schrödinger operator for short trainings.
var small = interval(-3, 4, Square)

// pöschlTeller is V = −depth/cosh²x.
func pöschlTeller(depth float64) func(x *Node) *Node {
	return func(x *Node) *Node { return MulScalar(OneMinus(Square(Tanh(x))), -depth) }
}

// morse is V = D (1 − e^{−ax})², and its k lowest energies, 2a√D (n + ½) − a²(n + ½)² (Morse 1929).
func morse(depth, a float64, k int) (v func(x *Node) *Node, energies []float64) {
	for n := range k {
		level := a * (float64(n) + 0.5)
		energies = append(energies, 2*math.Sqrt(depth)*level-level*level)
	}
	return func(x *Node) *Node { return MulScalar(Square(OneMinus(Exp(MulScalar(x, -a)))), depth) }, energies
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

// step is a potential of height v where |x − centre| < half.
func step(v, centre, half float64) func(x *Node) *Node {
	return func(x *Node) *Node {
		inside := LessThan(Abs(AddScalar(x, -centre)), MulScalar(OnesLike(x), half))
		return Where(inside, MulScalar(OnesLike(x), v), ZerosLike(x))
	}
}

// confined is a particle in a box.
type confined struct {
	op           learn.Schrodinger
	k            int
	steps, batch int       // fewer than the defaults; batch 0: 192
	energies     []float64 // of the lowest states
	error        float64   // relative
	points       int       // per axis of the coarser lattice of finite differences; 0: not compared
	advice       string    // part of it; empty: none
}

func confinements() map[string]confined {
	valley, levels := morse(12, 0.5, 3)
	// A ring (notebook 12), V = (r² − 4)²/5 + r³ cos(3φ)/10, whose gaps of 0.01 are less than a training resolves.
	valleys := polynomial([]float64{0.2, 4, 0}, []float64{0.4, 2, 2}, []float64{0.2, 0, 4}, []float64{-1.6, 2, 0},
		[]float64{-1.6, 0, 2}, []float64{3.2, 0, 0}, []float64{0.1, 3, 0}, []float64{-0.3, 1, 2})
	coupled := polynomial([]float64{1, 2, 0, 0}, []float64{1.7, 0, 2, 0}, []float64{1, 0, 0, 4},
		[]float64{0.5, 1, 1, 0})
	const metre = 1e-9 // with mω/ħ = 10¹⁸ m⁻²
	free := interval(-3, 4, ZerosLike)
	free.Network = net.Disjoint{In: 1, Hidden: []int{24, 24}, Out: 4}
	return map[string]confined{
		"Morse": {op: interval(-3, 20, valley), k: 3, steps: 500, energies: levels, error: 0.01, points: 399},
		"three valleys": {op: learn.Schrodinger{Potential: valleys,
			Box: net.Box{Lower: []float64{-3.5, -3.5}, Upper: []float64{3.5, 3.5}}}, k: 3, steps: 400, points: 39,
			advice: "functions 2, 3 are not separated"},
		"two coupled dimensions and a quartic one": {op: learn.Schrodinger{Potential: coupled,
			Box: net.Box{Lower: []float64{-5, -4.5, -4}, Upper: []float64{5, 4.5, 4}}}, k: 2, steps: 800, batch: 320,
			points: 19},
		// Pairs of levels at the roots of q cot(q/3) = −κ tanh(κ/6) and −κ coth(κ/6) with κ² = V − q².
		"barrier": {op: interval(0, 1, step(400, 0.5, 1./6)), k: 4, steps: 500,
			energies: []float64{66.5702, 66.7128, 256.383, 259.151}, error: 0.002, advice: "functions 1, 2, 3, 4"},
		"square well": {op: interval(-10, 10, step(-5, 0, 1)), k: 3, steps: 400,
			energies: []float64{-3.8526, -0.9315}, error: 0.03, advice: "value 3"}, // a state of the box
		"metres": {op: interval(-10*metre, 10*metre, func(x *Node) *Node { return Square(MulScalar(x, 1e18)) }), k: 3,
			steps: 250, energies: []float64{1e18, 3e18, 5e18}, error: 5e-3},
		"energies from 10⁶": {op: interval(-8, 8, func(x *Node) *Node { return AddScalar(Square(x), 1e6) }), k: 2,
			steps: 250, energies: []float64{1e6 + 1, 1e6 + 3}, error: 2.5e-7}, // V itself is rounded to 1/16
		"a box that is too wide": {op: interval(-1000, 1000, Square), k: 2, steps: 400, energies: []float64{1, 3},
			error: 0.02},
		"own network": {op: free, k: 2, steps: 250, energies: []float64{math.Pow(math.Pi/7, 2),
			math.Pow(math.Pi*2/7, 2)}, error: 0.01, advice: "value 2"},
	}
}

// TestSchrodingerNeedsNoTuning: given potential, box and k, with fewer steps and samples than the defaults, energies
// agree with the closed form or, to 1 % and with the functions, with finite differences.
func TestSchrodingerNeedsNoTuning(t *testing.T) {
	testkit.XLA(t) // pure Go takes minutes
	for name, c := range confinements() {
		t.Run(name, func(t *testing.T) {
			learned, advice := advised(t, c.op, c.k, learn.Settings{Steps: c.steps, Batch: cmp.Or(c.batch, 192)})
			for i, energy := range c.energies {
				assert.InEpsilon(t, energy, learned.Values[i], c.error, "energy %d", i+1)
				assert.False(t, math.Abs(energy-learned.Values[i]) > learned.Bounds[i], "bound %d", i+1)
			}
			if c.points > 0 {
				c.compare(t, learned)
			}
			if c.advice == "" {
				assert.Equal(t, "[]", advice)
			} else {
				assert.Contains(t, advice, c.advice)
			}
		})
	}
}

// compare compares energies, functions and norms with finite differences.
func (c confined) compare(t *testing.T, learned *learn.Learned) {
	box := c.op.Box
	truth := testkit.Must(schrodinger.System{Name: "box", Dim: len(box.Lower), Potential: c.op.Potential}.
		Extrapolated(testkit.Backend(t), box, c.points, c.k))
	functions := testkit.Must(learned.At(truth.Points))
	points, _ := truth.Points.Dims()
	cell := schrodinger.Lattice{Box: box}.Volume() / math.Pow(float64(c.points+1), float64(len(box.Lower)))
	norms := testkit.Must(spectral.Norms(functions, slices.Repeat([]float64{cell}, points)))
	for i := range c.k {
		assert.InEpsilon(t, truth.Values[i], learned.Values[i], 0.01, "energy %d", i+1)
		assert.Less(t, sine(truth.Vectors.ColView(i), functions.ColView(i)), 0.1, "function %d", i+1)
		assert.InDelta(t, 1, norms[i], 0.01, "∫ψ² of function %d", i+1)
	}
}

// TestBoundStatesOnTheLine: −6/cosh²x has two, 1/cosh²x and tanh x/cosh x, in any unit of length.
func TestBoundStatesOnTheLine(t *testing.T) {
	testkit.XLA(t)
	well := learn.Schrodinger{Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2}, Potential: pöschlTeller(6)}
	learned, advice := advised(t, well, 3, learn.Settings{Steps: 300})
	assert.InEpsilonSlice(t, []float64{-4, -1}, learned.Values[:2], 0.02)
	assert.Contains(t, advice, "only 2 of 3 energies")
	x, exact := mat.NewDense(201, 1, nil), mat.NewDense(201, 2, nil)
	for i := range 201 {
		x.Set(i, 0, float64(i-100)/10)
		root := 1 / math.Cosh(x.At(i, 0))
		exact.SetRow(i, []float64{root * root, root * math.Tanh(x.At(i, 0))})
	}
	functions := testkit.Must(learned.At(x))
	for i := range 2 {
		assert.Less(t, sine(exact.ColView(i), functions.ColView(i)), 0.1)
	}
	well.Sampler = schrodinger.Gaussian{Dim: 1, Sigma: 2e-9}
	well.Potential = func(x *Node) *Node { return pöschlTeller(6e18)(MulScalar(x, 1e9)) }
	learned = mustLearn(t, well, 2, learn.Settings{Steps: 150})
	assert.InDeltaSlice(t, []float64{-4e18, -1e18}, learned.Values, 1e17)
}

// TestHydrogen in three dimensions, whose lowest energy is −1, needs more steps than these, and the advice reports it.
func TestHydrogen(t *testing.T) {
	testkit.XLA(t)
	hydrogen := learn.Schrodinger{Sampler: schrodinger.Gaussian{Dim: 3, Sigma: 1.5}, Potential: func(x *Node) *Node {
		return MulScalar(Reciprocal(Sqrt(ReduceAndKeep(Square(x), ReduceSum, -1))), -2)
	}}
	learned, advice := advised(t, hydrogen, 1, learn.Settings{Steps: 400})
	assert.Less(t, learned.Values[0], 0.0)
	assert.LessOrEqual(t, math.Abs(learned.Values[0]+1), learned.Residuals[0])
	assert.Contains(t, advice, "value 1")
}

// TestTiltedDoubleWell: two values differ by less than their residuals, but the Ritz step separates their functions,
// and there is no advice.
func TestTiltedDoubleWell(t *testing.T) {
	well := interval(-3, 3, func(x *Node) *Node {
		return Add(MulScalar(Square(AddScalar(Square(x), -1.5)), 15), MulScalar(x, 0.0025))
	})
	learned := mustLearn(t, well, 3, learn.Settings{Steps: 1_000, Batch: 192})
	assert.InDelta(t, 0.0123, learned.Values[1]-learned.Values[0], 2e-4)
	assert.Less(t, learned.Values[1]-learned.Values[0], learned.Residuals[0])
	assert.Empty(t, learned.Advice())
	wells := testkit.Must(learned.At(mat.NewDense(2, 1, []float64{-math.Sqrt(1.5), math.Sqrt(1.5)})))
	assert.InDelta(t, 0.6015, wells.At(1, 0)/wells.At(0, 0), 0.005, "finite differences with 4,000 points")
}

// TestBoxesFarFromTheOrigin: a box and its states can be moved, until float32 has too few numbers in the box. The
// network of a caller takes x.
func TestBoxesFarFromTheOrigin(t *testing.T) {
	points := mat.NewDense(3, 1, []float64{0.25, 0.5, 0.9})
	own := net.Disjoint{In: 1, Hidden: []int{8}, Out: 4}
	for name, network := range map[string]net.Waves{"default": nil, "own": own} {
		at := func(origin float64) (*learn.Learned, *mat.Dense) {
			var x mat.Dense
			x.Apply(func(_, _ int, v float64) float64 { return v + origin }, points)
			well := interval(origin, origin+1, ZerosLike)
			well.Network = network
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
		_, err := interval(origin, origin+1, ZerosLike).Define(testkit.PureGo(t), 2)
		assert.Equal(t, refused, err != nil, "%g", origin)
		if refused {
			requireOneLine(t, err, "numbers in float32")
		}
	}
}
