package pde

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
)

var must = testkit.Must[schrodinger.System]

// legendre is the Gauss–Legendre rule with n nodes on [from, to].
func legendre(n int, from, to float64) (at, weight []float64) {
	at, weight = make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(at, weight, from, to)
	return at, weight
}

// spectrumClaims returns where to record measurements of a system's spectrum: the paper has claims only in two
// dimensions.
func spectrumClaims(t *testing.T) func(s schrodinger.System) papertest.Measure {
	bound, well := papertest.Of(t, "hydrogen-spectrum"), papertest.Of(t, "well-spectrum")
	return func(s schrodinger.System) papertest.Measure {
		switch {
		case s.Dim != 2:
			return func(string, float64, float64) {}
		case s.HalfWidth > 0:
			return well.Printed
		}
		return bound.Printed
	}
}

// ∫ψ_i ψ_j = δ_ij. Grids are exact for products of sines, and nearly exact for functions that vanish with all
// derivatives. Discs reach to where the slowest state, e^{−r/(2n+1)}, is below rounding.
func TestOrthonormal(t *testing.T) {
	of := spectrumClaims(t)
	for _, test := range []struct {
		system schrodinger.System
		k      int
		on     Quadrature
	}{
		{schrodinger.Hydrogen(), 16, testkit.Must(Disc(100, 32, 200))},
		{schrodinger.Hydrogen(), 36, testkit.Must(Disc(150, 16, 500))},
		{must(schrodinger.Oscillator(2)), 36, testkit.Must(Midpoint(120, 11))},
		{must(schrodinger.Well(2, 5)), 45, testkit.Must(Midpoint(40, 5))},
	} {
		spectrum := testkit.Must(test.system.Lowest(test.k))
		values := testkit.Must(spectrum.OnPoints(test.on.Points))
		gram := testkit.Must(spectral.Diagnose(values, values, test.on.Weights)).Overlap
		off := linalg.Difference(gram, linalg.IdentityMatrix(len(spectrum.States)))
		of(test.system).Within(t, "largest entry of ∫ψ_iψ_j − δ_ij", max(mat.Max(off), -mat.Min(off)), 1e-11)
	}
}

// Below an energy between two levels, the closed form has as many states as linear finite
// elements find for the radial equations of all angular momenta, with energies that agree to the accuracy of the
// elements.
func TestNoStateIsMissing(t *testing.T) {
	claim := papertest.Of(t, "hydrogen-spectrum")
	for _, test := range []struct {
		system schrodinger.System
		below  float64
		count  int
		reach  float64
	}{
		{schrodinger.Hydrogen(), -1. / 60, 16, 90},
		{must(schrodinger.Oscillator(2)), 15, 28, 7},
	} {
		var found []float64
		for l := 0; ; l++ {
			energies := radial(t, test.system, l, test.reach, test.below)
			if len(energies) == 0 {
				break
			}
			for range multiplicity(l) {
				found = append(found, energies...)
			}
		}
		slices.Sort(found)
		spectrum := testkit.Must(test.system.Lowest(test.count))
		require.Len(t, spectrum.States, test.count)
		require.Len(t, found, test.count, test.system.Name)
		for i, energy := range spectrum.Energies() {
			claim.Printed.Within(t, "relative difference from finite elements, which find as many states",
				math.Abs(found[i]/energy-1), 0.01)
		}
		next := testkit.Must(test.system.Lowest(test.count + 1))
		assert.Greater(t, next.Energies()[test.count], test.below)
	}
}

// multiplicity is the number of angular functions of momentum l in the plane.
func multiplicity(l int) int { return min(2, l+1) }

// radial returns the energies below a bound of −u” − u'/r + l²/r² u + V u = E u on [0, reach] in the plane, from its
// weak form, ∫(u'v' + (l²/r² + V) uv) r dr, with hat functions on nodes that cluster at 0 and a lumped mass.
func radial(t *testing.T, s schrodinger.System, l int, reach, below float64) (energies []float64) {
	const n = 180
	first := min(l, 1) // u(0) = 0 for l > 0
	node := func(i int) float64 { return reach * math.Pow(float64(i)/n, 2) }
	stiffness, mass := mat.NewSymDense(n-first, nil), make([]float64, n-first)
	for i := range n {
		h := node(i+1) - node(i)
		at, weights := legendre(4, node(i), node(i+1))
		for q, r := range at {
			weight := weights[q] * r
			potential := float64(l*l)/(r*r) + s.PotentialAt([]float64{r, 0})
			hat, slope := [2]float64{(node(i+1) - r) / h, (r - node(i)) / h}, [2]float64{-1 / h, 1 / h}
			for a := range 2 {
				row := i + a - first
				if row < 0 || row >= n-first {
					continue
				}
				mass[row] += weight * hat[a]
				for b := a; b < 2; b++ {
					if column := i + b - first; column < n-first {
						stiffness.SetSym(row, column,
							stiffness.At(row, column)+weight*(slope[a]*slope[b]+potential*hat[a]*hat[b]))
					}
				}
			}
		}
	}
	for i := range mass {
		for j := range i + 1 {
			stiffness.SetSym(i, j, stiffness.At(i, j)/math.Sqrt(mass[i]*mass[j]))
		}
	}
	truth := testkit.Must(spectral.SymEigen(stiffness))
	for _, energy := range truth.Values {
		if energy < below {
			energies = append(energies, energy)
		}
	}
	return energies
}

// closedForms are systems with the number of states to test and the half-width of the region that they fill.
var closedForms = []struct {
	schrodinger.System
	k     int
	reach float64
}{
	{schrodinger.Hydrogen(), 36, 40},
	{must(schrodinger.Oscillator(1)), 20, 6},
	{must(schrodinger.Oscillator(2)), 28, 4},
	{must(schrodinger.Oscillator(3)), 20, 3},
	{must(schrodinger.Well(1, 0.7)), 10, 0.7},
	{must(schrodinger.Well(2, schrodinger.WellHalfWidth)), 45, schrodinger.WellHalfWidth},
	{must(schrodinger.Well(3, 2)), 17, 2},
}

// −Δψ + Vψ = Eψ to 1e-7 of the largest term, with Δψ by finite differences, for every state at random points.
func TestSchrodingerEquation(t *testing.T) {
	of := spectrumClaims(t)
	for _, s := range closedForms {
		claim := of(s.System)
		spectrum := testkit.Must(s.Lowest(s.k))
		points := testkit.Points(rand.New(rand.NewPCG(31, 0)), 50, s.Dim, 0.95*s.reach) // no difference crosses a wall
		for i, state := range spectrum.States {
			psi := func(x []float64) float64 {
				return testkit.Must(spectrum.OnPoints(mat.NewDense(1, s.Dim, x))).At(0, i)
			}
			var scale, worst float64
			for p := range 50 {
				x := points.RawRowView(p)
				local := state.Energy - s.PotentialAt(x) // the square of a wave number
				h := 0.02 / math.Sqrt(1+math.Abs(local))
				by := func(h float64) float64 {
					return fd.Laplacian(psi, x, &fd.Settings{Formula: fd.Central2nd, Step: h})
				}
				laplacian := (4*by(h) - by(2*h)) / 3 // of fourth order
				scale = max(scale, math.Abs(laplacian), math.Abs(local*psi(x)))
				worst = max(worst, math.Abs(local*psi(x)+laplacian))
			}
			require.Positive(t, scale)
			claim.Within(t, "largest residual of Hψ = Eψ, relative", worst/scale, 1e-7)
		}
	}
}

// TestEnergies counts quantum numbers one by one. In the paper's well 50 = 1² + 7² = 5² + 5² is threefold.
func TestEnergies(t *testing.T) {
	bound, well := papertest.Of(t, "hydrogen-spectrum"), papertest.Of(t, "well-spectrum")
	odd, square, unit := func(n int) int { return 2*n + 1 }, func(n int) int { return (n + 1) * (n + 1) },
		math.Pi*math.Pi/100
	for _, c := range []struct {
		system schrodinger.System
		unit   float64         // of the energy
		cost   func(n int) int // of a quantum number, from 0
		count  int             // of quantum numbers
	}{
		{must(schrodinger.Oscillator(1)), 1, odd, 300}, {must(schrodinger.Well(1, 5)), unit, square, 300},
		{must(schrodinger.Oscillator(2)), 1, odd, 60}, {must(schrodinger.Well(2, 5)), unit, square, 60},
		{must(schrodinger.Oscillator(3)), 1, odd, 20}, {must(schrodinger.Well(3, 5)), unit, square, 20},
	} {
		var all []float64
		for _, numbers := range combin.Cartesian(slices.Repeat([]int{c.count}, c.system.Dim)) {
			sum := 0
			for _, n := range numbers {
				sum += c.cost(n)
			}
			all = append(all, c.unit*float64(sum))
		}
		slices.Sort(all)
		for i, energy := range testkit.Must(c.system.Lowest(300)).Energies() {
			assert.InDelta(t, all[i], energy, 1e-12*all[i], "%s, state %d", c.system.Name, i)
			if c.system.Dim == 2 && c.system.HalfWidth > 0 {
				well.Printed.Within(t, "difference of the lowest 300 from π²(n_x² + n_y²)/4L², n_x, n_y ≥ 1, sorted",
					math.Abs(all[i]-energy), 1e-12)
			}
		}
	}

	hydrogen := testkit.Must(schrodinger.Hydrogen().Lowest(16))
	require.Len(t, hydrogen.States, 16, "which close a level")
	for i, energy := range hydrogen.Energies() {
		n := math.Floor(math.Sqrt(float64(i))) // levels 0, 1, 2, 3 have 1, 3, 5, 7 states
		bound.Printed.Within(t, "difference of the 16 eigenvalues of T from (2n+1)⁻²",
			math.Abs(-energy-math.Pow(2*n+1, -2)), 1e-15)
	}
}
