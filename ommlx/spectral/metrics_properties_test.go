package spectral

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx/internal/testkit"
)

// Metrics depend on the points only through their weights: the order of the points, splitting a point in two, and
// moving weights into the functions change nothing, and a common factor of the weights cancels.
func TestPropertyMetricsSeeOnlyTheQuadrature(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := learnings().Draw(t, "learning")
		n, _ := l.learned.Dims()
		angles, subspaces := distances(t, l.truth, l.learned, l.weights, l.spaces)
		again := func(rows []int, weights []float64, times func(p int) float64) {
			pick := func(f *mat.Dense) *mat.Dense {
				_, c := f.Dims()
				g := mat.NewDense(len(rows), c, nil)
				g.Apply(func(p, i int, _ float64) float64 { return f.At(rows[p], i) * times(rows[p]) }, g)
				return g
			}
			otherAngles, otherSubspaces := distances(t, pick(l.truth), pick(l.learned), weights, l.spaces)
			requireSameDistances(t, angles, otherAngles, subspaces, otherSubspaces)
			norms := testkit.Must(Norms(pick(l.learned), weights))
			cosines := products(t, pick(l.learned), weights)
			cosines.ScaleSym(1/(norms[0]*norms[0]), cosines)
			require.True(t, mat.EqualApprox(identity(len(norms)), cosines, 1e-12))
			floats.Scale(1/norms[0], norms)
			require.InDeltaSlice(t, ones(len(norms)), norms, 1e-12)
		}
		once := func(int) float64 { return 1 }
		order := l.rng.Perm(n)
		shuffled := make([]float64, n)
		for p, from := range order {
			shuffled[p] = l.weights[from]
		}
		again(order, shuffled, once)
		order = append(order, order[0])
		shuffled[0] /= 2
		again(order, append(shuffled, shuffled[0]), once)

		slices.Sort(order)
		order = slices.Compact(order)
		again(order, ones(n), func(p int) float64 { return math.Sqrt(l.weights[p]) })
		scaled := slices.Clone(l.weights)
		floats.Scale(math.Pow(10, 20*l.rng.Float64()-10), scaled)
		again(order, scaled, once)
	})
}

// Gram–Schmidt undoes a triangular mixture of orthonormal functions.
func TestPropertyGramSchmidt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := learnings().Draw(t, "learning")
		_, k := l.learned.Dims()
		require.True(t, mat.EqualApprox(identity(k), testkit.Must(GramSchmidt(l.learned, l.weights)), 1e-12))
		mixture := mat.NewTriDense(k, mat.Upper, nil) // with a positive diagonal, so that C is its inverse
		for i := range k {
			for j := i; j < k; j++ {
				mixture.SetTri(i, j, 0.3*l.rng.NormFloat64()/math.Sqrt(float64(k)))
			}
			mixture.SetTri(i, i, 0.5+l.rng.Float64())
		}
		var f, product mat.Dense
		f.Mul(l.learned, mixture)
		product.Mul(mixture, testkit.Must(GramSchmidt(&f, l.weights)))
		require.True(t, mat.EqualApprox(identity(k), &product, 1e-9))
	})
}
