package pde

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/internal/graphtest"
	"omm-go/ommlx/internal/stopwatch"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// BenchmarkHydrogen: a step of the paper's hydrogen by Sanger's rule beside its matrix products alone: those of the
// networks on constant features, forward for value, two slopes and Laplacian, backward for the value. The ratio − 1 is
// the share of features, activations, samples, objective and optimiser.
func BenchmarkHydrogen(b *testing.B) {
	e := PaperHydrogen("sanger")
	e.Seeds = e.Seeds[:1]
	step := testkit.Must(e.Problem())
	networks := testkit.Must(e.waves()).Networks()
	features := graphtest.Gaussian(graphtest.NewRand(1), 4*e.Batch, networks.In)
	values := make([]float32, len(features.Data))
	for i, v := range features.Data {
		values[i] = float32(v)
	}
	products := train.Problem{Seeds: e.Seeds, Params: networks.Init(e.Seeds),
		Data: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(values, 4, 1, e.Batch, networks.In)}}
	products.Loss = func(in train.Inputs) (*Node, []*Node) {
		stream := func(i int) *Node { return Squeeze(Slice(in.Data[0], AxisElem(i)), 0) }
		h := jet.Jet{Value: stream(0), Gradient: []*Node{stream(1), stream(2)}, Laplacian: stream(3)}
		others := ScalarZero(h.Value.Graph(), h.Value.DType())
		for l := 0; l < len(in.Params); l += 2 {
			h = jet.Dense(h, in.Params[l], in.Params[l+1])
			if l+2 < len(in.Params) {
				others = Add(others, ReduceAllSum(Add(Square(h.Gradient[0]), Square(h.Gradient[1]))))
			}
		}
		others = StopGradient(Add(others, ReduceAllSum(Square(h.Laplacian))))
		return Reshape(Add(ReduceAllSum(Square(h.Value)), MulScalar(others, 1e-9)), 1), nil
	}
	round := func(p train.Problem, o optim.Optimiser) stopwatch.Round {
		t := testkit.Must(stopwatch.Start(b.Context(), graphtest.Backend(b), p, o, 3))
		b.Cleanup(t.Close)
		return t.Round
	}
	stopwatch.Beside(b, round(step, optim.Adam{}), round(products, optim.SGD{LearningRate: 1e-9}))
}
