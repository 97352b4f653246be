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

// The cosine similarity depends only on the spaces of a truth: not on their bases, the coordinates, or the scale of the
// learned functions; and a function's components in all spaces add up to the function.
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

// Rayleigh quotients of aT + b are a Σ c_i² λ_i / Σ c_i² + b, with c_i the part of the function along eigenfunction i;
// scale, sign and a factor of the weights cancel.
func TestPropertyRayleighQuotients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems().Draw(t, "problem")
		n := len(p.values)
		k := modes(t, n)
		f, tf, weights := randomDense(p.rng, n, k), mat.NewDense(n, k, nil), make([]float64, n)
		var parts mat.Dense
		parts.Mul(testkit.Must(SymEigen(p.a)).Vectors.T(), f)
		a, b := 1+p.rng.Float64(), p.radius()*p.rng.NormFloat64()
		want := make([]float64, k)
		for j := range want {
			squares := mat.Col(nil, j, &parts)
			floats.Mul(squares, squares)
			want[j] = a*floats.Dot(squares, p.values)/floats.Sum(squares) + b
		}
		// W^{-1/2} A W^{1/2} is self-adjoint under the weights, with the eigenvalues of A.
		tf.Mul(p.a, f)
		tf.Apply(func(i, j int, v float64) float64 { return a*v + b*f.At(i, j) }, tf)
		for i := range weights {
			weights[i] = math.Pow(10, 4*p.rng.Float64()-2)
			root := 1 / math.Sqrt(weights[i])
			floats.Scale(root, f.RawRowView(i))
			floats.Scale(root, tf.RawRowView(i))
		}
		floats.Scale(1e3, weights)
		factors := scales(p.rng, k)
		got := testkit.Must(RayleighQuotients(scaleColumns(f, factors...), scaleColumns(tf, factors...), weights))
		require.InDeltaSlice(t, want, got, 1e-11*(p.radius()+math.Abs(b)))
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
