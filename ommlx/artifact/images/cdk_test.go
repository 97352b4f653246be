package images

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// viewDistribution is a joint distribution p(t₁,t₂) = Σ_x p(x) p(t₁|x) p(t₂|x) of two views, for five images and five
// views. All probabilities are multiples of 1/80.
type viewDistribution struct {
	joint *mat.Dense // p(t₁,t₂)
	p     []float64  // p(t)
}

func newViewDistribution() viewDistribution {
	given := mat.NewDense(5, 5, []float64{ // 4 p(t|x) in row x
		4, 0, 0, 0, 0,
		0, 3, 1, 0, 0,
		0, 1, 2, 1, 0,
		0, 0, 1, 2, 1,
		1, 0, 0, 1, 2,
	})
	var l viewDistribution
	l.joint = linalg.Scaled(1.0/80, linalg.Gram(given))
	for i := range 5 {
		l.p = append(l.p, floats.Sum(mat.Row(nil, i, l.joint)))
	}
	return l
}

// everyBatch returns the first and second views of all batches of size pairs, one-hot, [R, B, 5], and the probability
// of each batch.
func (l viewDistribution) everyBatch(size int) (first, second, probability testkit.Array) {
	const n = 5
	draws := combin.Cartesian(slices.Repeat([]int{n * n}, size))
	first, second = testkit.NewArray(len(draws), size, n), testkit.NewArray(len(draws), size, n)
	probability = testkit.NewArray(len(draws))
	for r, pairs := range draws {
		probability.Data[r] = 1
		for b, pair := range pairs {
			i, j := pair/n, pair%n
			first.Data[(r*size+b)*n+i], second.Data[(r*size+b)*n+j] = 1, 1
			probability.Data[r] *= l.joint.At(i, j)
		}
	}
	return first, second, probability
}

// moments returns M[f] = Σ p(t) f(t)f(t)ᵀ and M[f,Tf] = Σ p(t₁,t₂) f(t₁)f(t₂)ᵀ for a table of f, [5, k].
func (l viewDistribution) moments(f *mat.Dense) (overlap, projected *mat.Dense) {
	overlap, projected = new(mat.Dense), new(mat.Dense)
	overlap.Product(f.T(), mat.NewDiagDense(len(l.p), l.p), f)
	projected.Product(f.T(), l.joint, f)
	return overlap, projected
}

// at returns the embeddings of one-hot views: rows of a table [5, k].
func at(views, table *Node) *Node { return Einsum("rbn,nk->rbk", views, table) }

// Over all batches of two images the second moments have means M[f] and M[f,Tf], and M[f,Tf] is symmetric in each
// batch.
func TestCDKMomentsAreUnbiased(t *testing.T) {
	const k = 3
	l := newViewDistribution()
	first, second, probability := l.everyBatch(2)
	require.InDelta(t, 1, floats.Sum(probability.Data), 1e-14)
	table := testkit.Gaussian(testkit.NewRand(1), len(l.p), k)
	out := testkit.Compile(t, func(in []*Node) []*Node {
		b := CDK(at(in[0], in[3]), at(in[1], in[3]), Free)
		m, mT := ommlx.SecondMoment(b.F, b.F), ommlx.SecondMoment(b.F, b.TF)
		weigh := func(m *Node) *Node { return ReduceSum(Mul(m, InsertAxes(in[2], -1, -1)), 0) }
		return []*Node{weigh(m), weigh(mT), ReduceAllMax(Abs(Sub(mT, Transpose(mT, -1, -2))))}
	}).Call(t, first, second, probability, table)
	overlap, projected := l.moments(table.Matrix())
	testkit.RequireClose(t, testkit.FromMatrix(overlap), out[0], 1e-14, "M[f]")
	testkit.RequireClose(t, testkit.FromMatrix(projected), out[1], 1e-14, "M[f,Tf]")
	require.InDelta(t, 0, out[2].Data[0], 1e-15, "asymmetry")
}

// If |f|² = s, the mean of OMM-1's loss over batches of B images is −(2 − s/B) tr M[f,Tf] + (1 − 1/B) tr(M[f] M[f,Tf]);
// with M[f] from views of other images it is the population loss.
func TestCDKLossOverBatches(t *testing.T) {
	const k, size = 3, 2
	l := newViewDistribution()
	table := testkit.Gaussian(testkit.NewRand(2), len(l.p), k)
	for norm, s := range map[Norm]float64{Unit: 1, Root: k} {
		f := mat.DenseCopyOf(table.Matrix())
		for i := range l.p {
			row := f.RawRowView(i)
			floats.Scale(math.Sqrt(s)/floats.Norm(row, 2), row)
		}
		overlap, projected := l.moments(f)
		product := linalg.Product(overlap, projected)

		mean := func(apart int) float64 {
			first, second, probability := l.everyBatch(size + apart)
			return testkit.Compile(t, func(in []*Node) []*Node {
				images := func(from, to int) ommlx.Batch {
					part := func(x *Node) *Node { return at(Slice(x, AxisRange(), AxisRange(from, to)), in[3]) }
					return CDK(part(in[0]), part(in[1]), norm)
				}
				b := images(0, size)
				if apart > 0 {
					b.Overlap = []*Node{images(size, size+apart).F}
				}
				loss, _ := ommlx.OMM{}.Loss(b, nil)
				return []*Node{ReduceAllSum(Mul(loss, in[2]))}
			}).Call(t, first, second, probability, table)[0].Data[0]
		}
		same := -(2-s/size)*mat.Trace(projected) + (1-1.0/size)*mat.Trace(product)
		require.InDelta(t, same, mean(0), 1e-13, "%s, the same images", norm)
		population := mat.Trace(product) - 2*mat.Trace(projected)
		require.InDelta(t, population, mean(1), 1e-13, "%s, other images", norm)
		require.Greater(t, math.Abs(same-population), 0.01, "bias")
	}
}
