package schrodinger_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/schrodinger"
	"operator-omm/ommlx/spectral"
)

// TestNoStateIsMissing: below an energy between two levels, the closed form has as many states as linear finite
// elements for the radial equation find over all angular momenta, and their energies agree to the elements' accuracy.
func TestNoStateIsMissing(t *testing.T) {
	claim := claims.Of(t, "hydrogen-spectrum")
	for _, test := range []struct {
		system schrodinger.System
		below  float64
		count  int
		reach  float64
	}{
		{must(schrodinger.Hydrogen(2)), -1. / 60, 16, 90},
		{must(schrodinger.Hydrogen(3)), -1. / 45, 14, 90},
		{must(schrodinger.Oscillator(2)), 15, 28, 7},
		{must(schrodinger.Oscillator(3)), 10, 20, 6},
	} {
		var found []float64
		for l := 0; ; l++ {
			energies := radial(t, test.system, l, test.reach, test.below)
			if len(energies) == 0 {
				break
			}
			for range multiplicity(test.system.Dim, l) {
				found = append(found, energies...)
			}
		}
		slices.Sort(found)
		spectrum, err := test.system.Lowest(test.count)
		require.NoError(t, err)
		require.Len(t, spectrum.States, test.count)
		require.Len(t, found, test.count, test.system.Name)
		for i, energy := range spectrum.Energies() {
			assert.InEpsilon(t, energy, found[i], 0.01, "%s, state %d", test.system.Name, i)
			if test.system.Dim == 2 {
				claim.Printed("relative difference from finite elements, which find as many states",
					math.Abs(found[i]/energy-1), 0.01)
			}
		}
		next, err := test.system.Lowest(test.count + 1)
		require.NoError(t, err)
		assert.Greater(t, next.Energies()[test.count], test.below)
	}
}

// multiplicity is the number of angular functions of momentum l.
func multiplicity(dim, l int) int {
	if dim == 3 {
		return 2*l + 1
	}
	return min(2, l+1)
}

// radial returns the energies below a bound of −u” − (D−1)/r u' + l(l+D−2)/r² u + V u = E u on [0, reach] from its weak
// form, ∫(u'v' + (l(l+D−2)/r² + V) uv) r^{D−1} dr, with hat functions on nodes that crowd at 0 and a lumped mass.
func radial(t *testing.T, s schrodinger.System, l int, reach, below float64) (energies []float64) {
	const n = 180
	first := min(l, 1) // u(0) = 0 for l > 0
	node := func(i int) float64 { return reach * math.Pow(float64(i)/n, 2) }
	stiffness, mass := mat.NewSymDense(n-first, nil), make([]float64, n-first)
	x := make([]float64, s.Dim)
	for i := range n {
		h := node(i+1) - node(i)
		gauss := legendre(4, node(i), node(i+1))
		for q, r := range gauss.at {
			x[0] = r
			weight := gauss.weight[q] * math.Pow(r, float64(s.Dim-1))
			potential := float64(l*(l+s.Dim-2))/(r*r) + s.PotentialAt(x)
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
	truth, err := spectral.SymEigen(stiffness)
	require.NoError(t, err)
	for _, energy := range truth.Values {
		if energy < below {
			energies = append(energies, energy)
		}
	}
	return energies
}
