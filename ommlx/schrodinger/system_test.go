package schrodinger_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/schrodinger"
)

// −Δψ + Vψ = Eψ with the Laplacian of the jet, to 1e-8 of the largest term, for every state at random points away from
// the nucleus; and the values of ψ and V in the graph equal the host's.
func TestSchrodingerEquation(t *testing.T) {
	of := spectrumClaims(t)
	for _, s := range everySystem {
		claim := of(s.System)
		spectrum := testkit.Must(s.Lowest(s.k))
		points := testkit.Points(rand.New(rand.NewPCG(31, 0)), 50, s.Dim, s.reach)
		host := testkit.Must(spectrum.OnPoints(points))
		out := testkit.Compile(t, func(in []*Node) []*Node {
			all := []*Node{s.Potential(in[0])}
			for _, state := range spectrum.States {
				psi := state.Jet(jet.Inputs(in[0]))
				all = append(all, psi.Value, psi.Laplacian)
			}
			return all
		}).Call(t, testkit.FromMatrix(points))
		potential := out[0].Data
		for p, v := range potential {
			assert.InDelta(t, s.PotentialAt(points.RawRowView(p)), v, 1e-12*math.Abs(v), s.Name)
		}
		for i, state := range spectrum.States {
			psi, laplacian := out[2*i+1].Data, out[2*i+2].Data
			var scale float64
			for p := range psi {
				scale = max(scale, math.Abs(laplacian[p]), math.Abs(potential[p]*psi[p]), math.Abs(state.Energy*psi[p]))
			}
			require.Positive(t, scale)
			for p := range psi {
				claim.Within(t, "largest residual of Hψ = Eψ, relative",
					math.Abs((state.Energy-potential[p])*psi[p]+laplacian[p])/scale, 1e-8)
				assert.InDelta(t, host.At(p, i), psi[p], 1e-12, "%s, state %v at point %d", s.Name, state.Numbers, p)
			}
		}
	}
	assert.Equal(t, math.Inf(1), must(schrodinger.Well(2, 5)).PotentialAt([]float64{0, -5.1}))
}

// The paper's closed forms, and degeneracies by counting quantum numbers one by one.
func TestEnergies(t *testing.T) {
	sizes := func(s schrodinger.Spectrum) (out []int) {
		for _, space := range s.Spaces {
			out = append(out, space.Dim())
		}
		return out
	}
	for _, test := range []struct {
		system schrodinger.System
		k      int
		lowest []float64 // of each eigenspace
		sizes  []int
	}{
		{schrodinger.Hydrogen(), 16, []float64{-1, -1. / 9, -1. / 25, -1. / 49}, []int{1, 3, 5, 7}},
		{must(schrodinger.Oscillator(1)), 3, []float64{1, 3, 5}, []int{1, 1, 1}},
		{must(schrodinger.Oscillator(2)), 28, []float64{2, 4, 6, 8, 10, 12, 14}, []int{1, 2, 3, 4, 5, 6, 7}},
		{must(schrodinger.Oscillator(3)), 11, []float64{3, 5, 7, 9}, []int{1, 3, 6, 10}},
		{must(schrodinger.Well(1, math.Pi/2)), 4, []float64{1, 4, 9, 16}, []int{1, 1, 1, 1}},
		{must(schrodinger.Well(2, math.Pi/2)), 14, []float64{2, 5, 8, 10, 13, 17, 18, 20, 25},
			[]int{1, 2, 1, 2, 2, 2, 1, 2, 2}},
	} {
		spectrum := testkit.Must(test.system.Lowest(test.k))
		assert.Equal(t, test.sizes, sizes(spectrum), test.system.Name)
		for i, space := range spectrum.Spaces {
			for j := space.First; j < space.End; j++ {
				assert.InEpsilon(t, test.lowest[i], spectrum.Energies()[j], 1e-15, "%s, state %d", test.system.Name, j)
			}
		}
	}

	hydrogen := testkit.Must(schrodinger.Hydrogen().Lowest(16))
	claim := papertest.Of(t, "hydrogen-spectrum")
	for i, energy := range hydrogen.Energies() {
		n := math.Floor(math.Sqrt(float64(i))) // levels 0, 1, 2, 3 have 1, 3, 5, 7 states
		claim.Printed.Within(t, "difference of the 16 eigenvalues of T from (2n+1)⁻²",
			math.Abs(-energy-math.Pow(2*n+1, -2)), 1e-15)
	}
	require.Len(t, hydrogen.States, 16, "which close a level")

	// In the well of the paper 50 = 1² + 7² = 5² + 5² is threefold, and nothing is missing below.
	spectrum := testkit.Must(must(schrodinger.Well(2, 5)).Lowest(300))
	var all []float64
	for n := 1; n <= 60; n++ {
		for m := 1; m <= 60; m++ {
			all = append(all, math.Pi*math.Pi/100*float64(n*n+m*m))
		}
	}
	slices.Sort(all)
	well := papertest.Of(t, "well-spectrum")
	for i, energy := range spectrum.Energies() {
		well.Printed.Within(t, "difference of the lowest 300 from π²(n_x² + n_y²)/4L², n_x, n_y ≥ 1, sorted",
			math.Abs(all[i]-energy), 1e-12)
	}
	assert.Contains(t, sizes(spectrum), 3)
}

// Spaces tile the states, energies ascend between them, quantum numbers within.
func TestOrderWithinAnEigenspace(t *testing.T) {
	for _, s := range everySystem {
		spectrum := testkit.Must(s.Lowest(s.k))
		energies, end := spectrum.Energies(), 0
		for _, space := range spectrum.Spaces {
			assert.Equal(t, end, space.First)
			assert.True(t, end == 0 || energies[end] > energies[end-1])
			for i := space.First + 1; i < space.End; i++ {
				assert.Equal(t, energies[i-1], energies[i])
				assert.Negative(t, slices.Compare(spectrum.States[i-1].Numbers, spectrum.States[i].Numbers), s.Name)
			}
			end = space.End
		}
		assert.Len(t, spectrum.States, end)
		cut := testkit.Must(s.Lowest(spectrum.Spaces[1].First + 1))
		assert.Equal(t, spectrum.Spaces[:2], cut.Spaces, "the space of the last mode is whole")
	}
}

func TestNothingOutsideTheWell(t *testing.T) {
	spectrum := testkit.Must(must(schrodinger.Well(2, 5)).Lowest(4))
	values := testkit.Must(spectrum.OnPoints(mat.NewDense(3, 2, []float64{-5.01, 0, 1, 6, 1, 1})))
	for i := range spectrum.States {
		assert.Zero(t, values.At(0, i))
		assert.Zero(t, values.At(1, i))
		assert.NotZero(t, values.At(2, i))
	}
}
