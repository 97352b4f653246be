package representation

import (
	_ "embed"
	"math/rand/v2"
	"os"
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

// passProgram returns the outputs in training, the outputs by the next statistics, the next statistics and, if
// requested, the gradients of the sum of squared training outputs, in float64. Gradients take XLA seconds to compile.
func passProgram(t *testing.T, b compute.Backend, network Backbone, gradients bool) testkit.Program {
	t.Helper()
	n := Encoder{Backbone: network}
	_, params := start(network, 1)
	return testkit.CompileFor(t, b, func(in []*Node) []*Node {
		p, s, x := in[:params], in[params:len(in)-1], in[len(in)-1]
		f, next := n.Train(p, s, x)
		y := f[0]
		_, applied := n.Apply(p, next, x)
		out := append([]*Node{y, applied}, next...)
		if gradients {
			out = append(out, Gradient(ReduceAllSum(Square(y)), p...)...)
		}
		return out
	})
}

// perturbed is start with a little noise, so that γ, β and the statistics matter.
func perturbed(rng *rand.Rand, n Backbone, seeds ...int64) []testkit.Array {
	all, _ := start(n, seeds...)
	for _, p := range all {
		for i := range p.Data {
			p.Data[i] += 0.1 * rng.Float64()
		}
	}
	return all
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

func TestRunsOfStatefulNetworksAreIndependent(t *testing.T) {
	for name, c := range severalRuns {
		t.Run(name, func(t *testing.T) {
			all := testkit.Gaussian(testkit.NewRand(3), c.shape...)
			program := passProgram(t, testkit.PureGo(t), c.network, false)
			begun := func(x testkit.Array, seeds ...int64) []testkit.Array {
				in, _ := start(c.network, seeds...)
				return program.Call(t, in, x)
			}
			together := begun(all, 4, 9)
			for r, seed := range []int64{4, 9} {
				x := all.Run(r)
				x.Dims = append([]int{1}, x.Dims...)
				alone := begun(x, seed)
				require.Len(t, together, len(alone))
				for i := range alone {
					testkit.RequireClose(t, alone[i].Run(0), together[i].Run(r), 1e-9, "a separate run")
				}
			}
		})
	}
}

func TestStackedViewsEqualSeparateViews(t *testing.T) {
	rng := testkit.NewRand(5)
	for name, c := range severalRuns {
		t.Run(name, func(t *testing.T) {
			in := perturbed(rng, c.network, 4, 9)
			_, params := start(c.network, 4, 9)
			views := []testkit.Array{testkit.Gaussian(rng, c.shape...),
				testkit.Gaussian(rng, c.shape...).Scaled(3)}
			pass := func(together bool) []testkit.Array {
				return testkit.Compile(t, func(in []*Node) []*Node {
					n := Encoder{Backbone: c.network}
					p, s, x := in[:params], in[params:len(in)-2], in[len(in)-2:]
					f, next := n.Train(p, s, x...)
					if !together {
						var second []*Node
						f, next = n.Train(p, s, x[0])
						second, next = n.Train(p, next, x[1])
						f = append(f, second...)
					}
					out := append(append([]*Node{}, f...), next...)
					return append(out, Gradient(ReduceAllSum(Mul(f[0], Square(f[1]))), p...)...)
				}).Call(t, in, views)
			}
			want, got := pass(false), pass(true)
			require.Len(t, got, len(want))
			for i := range want {
				testkit.RequireClose(t, want[i], got[i], 1e-9, "together")
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
			in := perturbed(rng, c.network, 6)
			_, params := start(c.network, 6)
			var want struct{ Results []testkit.Array }
			request := map[string]any{"network": name, "params": in[:params], "state": in[params:], "x": c.x}
			// This skips the test without PyTorch.
			testkit.AskPython(t, "torch, torchvision", string(resnet18)+encoders, request, &want)
			got := passProgram(t, testkit.Backend(t), c.network, true).Call(t, in, c.x)
			require.Len(t, want.Results, len(got))
			for i := range got {
				testkit.RequireClose(t, want.Results[i], got[i], 1e-9, "PyTorch")
			}
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
