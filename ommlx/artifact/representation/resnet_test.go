package representation

import (
	_ "embed"
	"os"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/internal/testkit"
)

//go:embed testdata/encoders.py
var encoders string

// grey is a small ResNet-18 for images of 8×8, in which every stage has more than one pixel.
var (
	grey        = ResNet18{Channels: 2, Width: 4, Blocks: 2}
	projector   = Projector{In: 7, Hidden: 6, Layers: 2, Out: 5}
	residualMLP = ResidualMLP{In: 7, Width: 6, Layers: 5}
)

// severalRuns lists networks with the shape of the inputs of two runs.
var severalRuns = map[string]struct {
	network Backbone
	shape   []int
}{
	"ResNet18":  {ResNet18{Channels: 2, Width: 2, Blocks: 1}, []int{2, 3, 6, 6, 2}},
	"Projector": {projector, []int{2, 9, 7}},
	"residual":  {residualMLP, []int{2, 9, 7}},
}

// start returns the initial parameters of a network's runs, followed by its running statistics, and the number of
// parameters.
func start(n Backbone, seeds ...int64) (all []testkit.Array, params int) {
	first, state := Encoder{Backbone: n}.Init(seeds)
	return xslices.Map(append(first, state...), testkit.FromTensor), len(first)
}

// perturbed is start with the same noise in each run, so that γ, β and the statistics matter.
func perturbed(n Backbone, seeds ...int64) []testkit.Array {
	all, _ := start(n, seeds...)
	for r := range seeds {
		rng := testkit.NewRand(5)
		for _, p := range all {
			for i := range p.Run(r).Data {
				p.Run(r).Data[i] += 0.1 * rng.Float64()
			}
		}
	}
	return all
}

// passed returns the outputs in training for each view, the outputs for the first view by the next statistics, the next
// statistics, and the gradients of Σ_v v Σ f_v², in float64. Views are stacked or pass one after another.
func passed(t *testing.T, b compute.Backend, network Backbone, stacked bool,
	in, views []testkit.Array) []testkit.Array {
	t.Helper()
	n := Encoder{Backbone: network}
	_, params := start(network, 1)
	return testkit.CompileFor(t, b, func(all []*Node) []*Node {
		p, s, x := all[:params], all[params:len(in)], all[len(in):]
		calls := [][]*Node{x}
		if !stacked {
			calls = slices.Collect(slices.Chunk(x, 1))
		}
		var f []*Node
		for _, views := range calls {
			var now []*Node
			now, s = n.Train(p, s, views...)
			f = append(f, now...)
		}
		loss := Const(x[0].Graph(), 0.)
		for v, y := range f {
			loss = Add(loss, MulScalar(ReduceAllSum(Square(y)), float64(v+1)))
		}
		_, applied := n.Apply(p, s, x[0])
		return slices.Concat(f, []*Node{applied}, s, Gradient(loss, p...))
	}).Call(t, in, views)
}

func TestNetworksHaveTheirPublishedSize(t *testing.T) {
	size := func(n Backbone) (count int) {
		all, params := start(n, 1)
		for _, p := range all[:params] {
			count += len(p.Data)
		}
		return count
	}
	// torchvision's resnet18 has 11,689,512 parameters: 513,000 in the last layer, 9,408 in the first convolution,
	// where ours has 1,728.
	assert.Equal(t, 11_689_512-513_000-9_408+1_728, size(ResNet18{Channels: 3, Width: 64, Blocks: 2}))
	assert.Equal(t, 32, grey.Features())
	_, params := start(ResNet18{Channels: 3, Width: 2, Blocks: 1}, 1)
	assert.Equal(t, 3*12, params, "ResNet-10: 9 layers and 3 shortcuts")
	assert.Equal(t, 513*2048+2049*2048+2049*256+4*2048, size(Projector{In: 512, Hidden: 2048, Layers: 2, Out: 256}))
	assert.Equal(t, 100*2048+10*2048*2048+11*2*2048, size(ResidualMLP{In: 100, Width: 2048, Layers: 11}), "11 layers")
}

// Runs and views have the results of separate calls.
func TestRunsAndViewsAreIndependent(t *testing.T) {
	rng := testkit.NewRand(5)
	for name, c := range severalRuns {
		t.Run(name, func(t *testing.T) {
			views := []testkit.Array{testkit.Gaussian(rng, c.shape...), testkit.Gaussian(rng, c.shape...).Scaled(3)}
			in := perturbed(c.network, 4, 9)
			together := passed(t, testkit.PureGo(t), c.network, true, in, views)
			separate := passed(t, testkit.PureGo(t), c.network, false, in, views)
			testkit.RequireAllClose(t, separate, together, 1e-9, "separate views")
			for r, seed := range []int64{4, 9} {
				own := xslices.Map(views, func(x testkit.Array) testkit.Array {
					return testkit.Array{Dims: append([]int{1}, x.Dims[1:]...), Data: x.Run(r).Data}
				})
				alone := passed(t, testkit.PureGo(t), c.network, true, perturbed(c.network, seed), own)
				for i, want := range alone {
					testkit.RequireClose(t, want.Run(0), together[i].Run(r), 1e-9, "a separate run")
				}
			}
		})
	}
}

// Outputs in training and by running statistics, gradients and the next statistics equal PyTorch's.
func TestParityOfStatefulNetworks(t *testing.T) {
	resnet18 := testkit.Must(os.ReadFile("../bench/torch_resnet18.py"))
	rng := testkit.NewRand(17)
	for name, c := range map[string]struct {
		network Backbone
		x       testkit.Array
	}{
		"resnet18":  {grey, testkit.Gaussian(rng, 1, 4, 9, 9, 2)},
		"projector": {projector, testkit.Gaussian(rng, 1, 9, 7)},
		"shallow":   {Projector{In: 7, Hidden: 6, Layers: 1, Out: 5}, testkit.Gaussian(rng, 1, 9, 7)},
		"residual":  {residualMLP, testkit.Gaussian(rng, 1, 9, 7)},
	} {
		t.Run(name, func(t *testing.T) {
			in := perturbed(c.network, 6)
			_, params := start(c.network, 6)
			var want struct{ Results []testkit.Array }
			request := map[string]any{"network": name, "params": in[:params], "state": in[params:], "x": c.x}
			// This skips the test without PyTorch.
			testkit.AskPython(t, "torch, torchvision", string(resnet18)+encoders, request, &want)
			got := passed(t, testkit.Backend(t), c.network, true, in, []testkit.Array{c.x})
			testkit.RequireAllClose(t, want.Results, got, 1e-9, "PyTorch")
		})
	}
}

// With bfloat16 products, features, statistics and the gradient of the last layer are float32 and agree with exact ones
// up to rounding, 2⁻⁸.
func TestProductsInBFloat16(t *testing.T) {
	x := testkit.Gaussian(testkit.NewRand(6), 1, 8, 8, 8, 2)
	n := Encoder{Backbone: ResNet18{Channels: 2, Width: 8, Blocks: 1}}
	in, params := start(n.Backbone, 4)
	pass := func(b compute.Backend) []testkit.Array {
		return testkit.CompileFor(t, b, testkit.In(dtypes.Float32, func(in []*Node) []*Node {
			p, s, x := in[:params], in[params:len(in)-1], in[len(in)-1]
			f, next := n.Train(p, s, x)
			require.Equal(t, dtypes.Float32, f[0].DType())
			return []*Node{f[0], next[len(next)-1], Gradient(ReduceAllSum(Square(f[0])), p[len(p)-1])[0]}
		})).Call(t, in, x)
	}
	want := pass(testkit.PureGo(t))
	n.BFloat16 = true
	for _, b := range []compute.Backend{testkit.PureGo(t), testkit.Backend(t)} {
		for i, got := range pass(b) {
			difference := floats.Distance(want[i].Data, got.Data, 2) / floats.Norm(want[i].Data, 2)
			require.Less(t, difference, 0.05, "output %d on %s", i, b.Name())
			require.Positive(t, difference, "output %d on %s is exact", i, b.Name())
		}
	}
}
