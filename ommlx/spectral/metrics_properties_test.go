package spectral

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx/internal/testkit"
)

// A metric knows of the points only their weights: it does not see their order, nor one point in two halves, nor
// weights that moved into the functions; and a factor of all weights cancels.
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

// The cosine similarity knows a truth by its spaces: not the basis of each, nor the coordinates, nor the scale of what
// was learned; and what one function has in all spaces together is the function.
func TestPropertyCosineSimilarity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems().Draw(t, "problem")
		n := len(p.values)
		k := modes(t, n)
		truth := testkit.Must(SymEigen(p.a))
		f := randomDense(p.rng, n, k)
		want, _ := testkit.Must2(CosineSimilarity(truth, f))
		require.True(t, floats.Min(want) >= 0 && floats.Max(want) <= 1)

		other := truth
		other.Vectors = mixWithin(truth.Vectors, truth.Eigenspaces(), n,
			func(m int) *mat.Dense { return randomOrthogonal(p.rng, m) })
		q := randomOrthogonal(p.rng, n)
		other.Vectors.Mul(q, mat.DenseCopyOf(other.Vectors))
		turned := scaleColumns(f, scales(p.rng, k)...)
		turned.Mul(q, mat.DenseCopyOf(turned))
		got, _ := testkit.Must2(CosineSimilarity(other, turned))
		require.InDeltaSlice(t, want, got, 1e-12)

		same := mat.NewDense(n, n, nil)
		for i := range n {
			same.SetCol(i, mat.Col(nil, 0, f))
		}
		everywhere, _ := testkit.Must2(CosineSimilarity(truth, same))
		total := 0.0
		for _, s := range truth.Eigenspaces() {
			total += everywhere[s.First] * everywhere[s.First]
		}
		require.InDelta(t, 1, total, 1e-12)
	})
}

// Rayleigh quotients lie within the spectrum, are λ on eigenfunctions, and follow aT + b; scale, sign and a factor of
// the weights cancel.
func TestPropertyRayleighQuotients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems().Draw(t, "problem")
		n := len(p.values)
		k := modes(t, n)
		weights := make([]float64, n)
		for i := range weights {
			weights[i] = math.Pow(10, 4*p.rng.Float64()-2)
		}
		// T = W^{-1/2} A W^{1/2} is self-adjoint under the weights, with the eigenvalues of A.
		apply := func(f *mat.Dense, a, b float64) *mat.Dense {
			var tf mat.Dense
			g := mat.DenseCopyOf(f)
			g.Apply(func(i, _ int, v float64) float64 { return v * math.Sqrt(weights[i]) }, g)
			tf.Mul(p.a, g)
			tf.Apply(func(i, j int, v float64) float64 { return a*v/math.Sqrt(weights[i]) + b*f.At(i, j) }, &tf)
			return &tf
		}
		f := randomDense(p.rng, n, k)
		want := testkit.Must(RayleighQuotients(f, apply(f, 1, 0), weights))
		round := 1e-12 * p.radius()
		for _, r := range want {
			require.True(t, r <= p.values[0]+round && r >= p.values[n-1]-round)
		}
		a, b := 1+p.rng.Float64(), p.radius()*p.rng.NormFloat64()
		factors := scales(p.rng, k)
		scaled := slices.Clone(weights)
		floats.Scale(1e3, scaled)
		got, err := RayleighQuotients(scaleColumns(f, factors...), scaleColumns(apply(f, a, b), factors...), scaled)
		require.NoError(t, err)
		for i, r := range got {
			require.InDelta(t, a*want[i]+b, r, 10*round+1e-12*math.Abs(b))
		}

		truth := testkit.Must(SymEigen(p.a))
		eigen := columns(truth.Vectors, 0, k)
		eigen.Apply(func(i, _ int, v float64) float64 { return v / math.Sqrt(weights[i]) }, eigen)
		got = testkit.Must(RayleighQuotients(eigen, apply(eigen, 1, 0), weights))
		require.InDeltaSlice(t, p.values[:k], got, 10*round)
	})
}

// Gram–Schmidt undoes a triangular mixture of orthonormal functions, which makes them orthonormal again, is nested, and
// follows scales of the functions and of the weights.
func TestPropertyGramSchmidt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := learnings().Draw(t, "learning")
		_, k := l.learned.Dims()
		factor := func(f *mat.Dense, weights []float64) *mat.TriDense {
			return testkit.Must(GramSchmidt(f, weights))
		}
		require.True(t, mat.EqualApprox(identity(k), factor(l.learned, l.weights), 1e-12))

		mixture := mat.NewTriDense(k, mat.Upper, nil) // of positive diagonal, so that its inverse is sought
		for i := range k {
			for j := i; j < k; j++ {
				mixture.SetTri(i, j, 0.3*l.rng.NormFloat64()/math.Sqrt(float64(k)))
			}
			mixture.SetTri(i, i, 0.5+l.rng.Float64())
		}
		var f, product mat.Dense
		f.Mul(l.learned, mixture)
		c := factor(&f, l.weights)
		product.Mul(mixture, c)
		require.True(t, mat.EqualApprox(identity(k), &product, 1e-9))
		first := 1 + l.rng.IntN(k)
		require.True(t, mat.EqualApprox(c.SliceTri(0, first), factor(columns(&f, 0, first), l.weights), 1e-9))

		weights, by := slices.Clone(l.weights), make([]float64, k)
		floats.Scale(9, weights)
		for i := range by {
			by[i] = 0.1 + l.rng.Float64()
		}
		scaled := factor(scaleColumns(&f, by...), weights)
		for i := range k {
			for j := i; j < k; j++ {
				require.InDelta(t, c.At(i, j)/(3*by[i]), scaled.At(i, j), 1e-8)
			}
		}
	})
}
