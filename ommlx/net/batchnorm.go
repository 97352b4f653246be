package net

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// The constants of PyTorch's BatchNorm: ε under the root, and how much of a batch goes into the running statistics.
const (
	normEpsilon  = 1e-5
	normMomentum = 0.1
)

// normalise is batch normalisation (Ioffe and Szegedy 2015) in training. Each channel, the last axis of x [R, …, C],
// has over the samples of a run, the axes between, of which there are n,
//
//	y = γ (x − μ)/√(σ² + ε) + β,   μ = mean of x,   σ² = mean of (x − μ)².
//
// gamma, beta and the running statistics are [R, C]. The next ones are, as in PyTorch, of the unbiased variance:
//
//	mean ← 0.9 mean + 0.1 μ,   variance ← 0.9 variance + 0.1 σ² n/(n − 1).
func normalise(x, gamma, beta, mean, variance *Node) (y, nextMean, nextVariance *Node) {
	dims := x.Shape().Dimensions
	flat := Reshape(x, dims[0], -1, dims[len(dims)-1])
	n := float64(flat.Shape().Dim(1))
	mu := ReduceMean(flat, 1)
	sigma2 := ReduceMean(Square(Sub(flat, BroadcastToShape(InsertAxes(mu, 1), flat.Shape()))), 1)
	into := func(running, batch *Node) *Node {
		return Add(MulScalar(running, 1-normMomentum), MulScalar(StopGradient(batch), normMomentum))
	}
	nextMean, nextVariance = into(mean, mu), into(variance, MulScalar(sigma2, n/max(1, n-1)))
	return scaled(x, gamma, beta, mu, sigma2), nextMean, nextVariance
}

// scaled is γ (x − mean)/√(variance + ε) + β, written as one product and one sum for each entry of x.
func scaled(x, gamma, beta, mean, variance *Node) *Node {
	scale := Div(gamma, Sqrt(AddScalar(variance, normEpsilon)))
	shift := Sub(beta, Mul(mean, scale))
	return Add(Mul(x, over(scale, x)), over(shift, x))
}

// over spreads one number for each run and channel, [R, C], over x [R, …, C].
func over(c, x *Node) *Node {
	for c.Rank() < x.Rank() {
		c = InsertAxes(c, 1)
	}
	return BroadcastToShape(c, x.Shape())
}
