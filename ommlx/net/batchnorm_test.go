package net

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
)

// normed has y and the next statistics, and y by the statistics that there were.
func normed(in []*Node) []*Node {
	y, mean, variance := normalise(1, in[0], in[1], in[2], in[3], in[4])
	return []*Node{y, mean, variance, scaled(in[0], in[1], in[2], in[3], in[4])}
}

// In training each channel of a run has mean β and variance γ² σ²/(σ² + ε); the running statistics take a tenth of the
// batch's mean and unbiased variance.
func TestNormalisedChannelsHaveMeanBetaAndVarianceGamma(t *testing.T) {
	const runs, images, size, channels = 2, 3, 4, 5
	const n = images * size * size
	rng := graphtest.NewRand(8)
	x := graphtest.Gaussian(rng, runs, images, size, size, channels).Scaled(3)
	var others []graphtest.Array
	for range 3 {
		others = append(others, graphtest.Gaussian(rng, runs, channels))
	}
	gamma, beta, mean := others[0], others[1], others[2]
	variance := graphtest.NewArray(runs, channels)
	for i := range variance.Data {
		variance.Data[i] = 0.5 + float64(i)
	}
	out := graphtest.NewProgram(t, normed).Call(t, x, gamma, beta, mean, variance)
	moments := func(a graphtest.Array, r, c int) (mean, square float64) {
		for i := range n {
			mean += a.Data[(r*n+i)*channels+c] / n
		}
		for i := range n {
			square += math.Pow(a.Data[(r*n+i)*channels+c]-mean, 2) / n
		}
		return mean, square
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
