package representation

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/testkit"
)

// plainConvolution is the sum in the doc comment of convolve.
func plainConvolution(x, w testkit.Array, stride, padding int) testkit.Array {
	d, k := x.Dims, w.Dims
	size := func(n int) int { return (n+2*padding-k[1])/stride + 1 }
	y := testkit.NewArray(d[0], d[1], size(d[2]), size(d[3]), k[4])
	at := 0
	for r := range d[0] {
		for b := range d[1] {
			for i := range size(d[2]) {
				for j := range size(d[3]) {
					for out := range k[4] {
						for u := range k[1] {
							for v := range k[2] {
								row, column := stride*i+u-padding, stride*j+v-padding
								if row < 0 || row >= d[2] || column < 0 || column >= d[3] {
									continue
								}
								for c := range d[4] {
									y.Data[at] += w.Data[(((r*k[1]+u)*k[2]+v)*k[3]+c)*k[4]+out] *
										x.Data[(((r*d[1]+b)*d[2]+row)*d[3]+column)*d[4]+c]
								}
							}
						}
						at++
					}
				}
			}
		}
	}
	return y
}

// y is linear in x and in w, so the gradient of ⟨v, y⟩ is right if its inner product with a direction equals ⟨v, y⟩ in
// that direction.
func TestConvolutionEqualsThePlainSum(t *testing.T) {
	rng := testkit.NewRand(5)
	for _, c := range []struct{ size, channels, kernel, stride, padding int }{
		{7, 16, 3, 1, 1}, {8, 17, 3, 1, 2}, // XLA's convolution
		{5, 3, 3, 1, 2}, {6, 16, 3, 1, 1}, {8, 16, 3, 2, 1}, {7, 16, 3, 2, 1}, // products
		{6, 4, 1, 1, 0}, {7, 4, 1, 2, 0},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			x := testkit.Gaussian(rng, 2, 3, c.size, c.size, c.channels)
			w := testkit.Gaussian(rng, 2, c.kernel, c.kernel, c.channels, 5)
			want := plainConvolution(x, w, c.stride, c.padding)
			v, ex, ew := testkit.Gaussian(rng, want.Dims...), testkit.Gaussian(rng, x.Dims...),
				testkit.Gaussian(rng, w.Dims...)
			along := func(x, w testkit.Array) float64 {
				return floats.Dot(v.Data, plainConvolution(x, w, c.stride, c.padding).Data)
			}
			for _, way := range []struct {
				name string
				on   compute.Backend
				of   func(x, w *Node, stride, padding int) *Node
			}{{"tuned", testkit.Backend(t), convolve}, {"the device's own", testkit.PureGo(t), deviceConvolutions}} {
				convolution := testkit.CompileFor(t, way.on, func(in []*Node) []*Node {
					y := way.of(in[0], in[1], c.stride, c.padding)
					return append([]*Node{y}, Gradient(ReduceAllSum(Mul(y, in[2])), in[0], in[1])...)
				})
				got := convolution.Call(t, x, w, v)
				require.Equal(t, want.Dims, got[0].Dims, way.name)
				testkit.RequireClose(t, want, got[0], 1e-12, way.name)
				require.InEpsilon(t, along(ex, w), floats.Dot(got[1].Data, ex.Data), 1e-10, way.name)
				require.InEpsilon(t, along(x, ew), floats.Dot(got[2].Data, ew.Data), 1e-10, way.name)
			}
		})
	}
}

// pluginBackend is an XLA backend with a plugin.
type pluginBackend struct {
	compute.Backend
	plugin string
}

func (p pluginBackend) PluginName() string { return p.plugin }

func TestTunedConvolutionsAreForCPUs(t *testing.T) {
	require.True(t, onCPU(testkit.PureGo(t)))
	b, choice := testkit.Must2(backend.Open())
	require.Equal(t, choice.Kind != backend.KindXLACUDA, onCPU(b))
	require.True(t, onCPU(pluginBackend{plugin: "/cuda/pjrt_c_api_cpu_v0.11.2_linux_amd64.so"}))
	for _, plugin := range []string{"cuda", "/cpu/pjrt_c_api_cuda_plugin.so", "/x/xla_cuda_plugin.so", "rocm"} {
		require.False(t, onCPU(pluginBackend{plugin: plugin}), plugin)
	}
}

// normed returns y and the next statistics, and y by the previous statistics.
func normed(in []*Node) []*Node {
	affine, running := [2]*Node(in[1:3]), [2]*Node(in[3:5])
	y, next := normalise(1, in[0], affine, running)
	return []*Node{y, next[0], next[1], scaled(in[0], affine, running)}
}

// In training each channel of a run has mean β and variance γ² σ²/(σ² + ε); the running statistics take a tenth of the
// batch's mean and unbiased variance.
func TestNormalisedChannelsHaveMeanBetaAndVarianceGamma(t *testing.T) {
	const runs, images, size, channels = 2, 3, 4, 5
	const n = images * size * size
	rng := testkit.NewRand(8)
	x := testkit.Gaussian(rng, runs, images, size, size, channels).Scaled(3)
	var others []testkit.Array
	for range 3 {
		others = append(others, testkit.Gaussian(rng, runs, channels))
	}
	gamma, beta, mean := others[0], others[1], others[2]
	variance := testkit.NewArray(runs, channels)
	for i := range variance.Data {
		variance.Data[i] = 0.5 + float64(i)
	}
	out := testkit.Compile(t, normed).Call(t, x, gamma, beta, mean, variance)
	moments := func(a testkit.Array, r, c int) (mean, square float64) {
		return stat.PopMeanVariance(mat.Col(nil, c, mat.NewDense(n, channels, a.Run(r).Data)), nil)
	}
	for r := range runs {
		for c := range channels {
			i := r*channels + c
			mu, sigma2 := moments(x, r, c)
			got, spread := moments(out[0], r, c)
			require.InDelta(t, beta.Data[i], got, 1e-12)
			require.InEpsilon(t, gamma.Data[i]*gamma.Data[i]*sigma2/(sigma2+1e-5), spread, 1e-10)
			require.InDelta(t, 0.9*mean.Data[i]+0.1*mu, out[1].Data[i], 1e-12)
			require.InDelta(t, 0.9*variance.Data[i]+0.1*sigma2*n/(n-1), out[2].Data[i], 1e-12)
			at := r*n*channels + c
			want := (x.Data[at]-mean.Data[i])/math.Sqrt(variance.Data[i]+1e-5)*gamma.Data[i] + beta.Data[i]
			require.InDelta(t, want, out[3].Data[at], 1e-12, "by the running statistics")
		}
	}
}
