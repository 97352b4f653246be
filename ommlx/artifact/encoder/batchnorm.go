package encoder

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// The constants of PyTorch's BatchNorm: ε under the root, and the weight of a batch in the running statistics.
const (
	normEpsilon  = 1e-5
	normMomentum = 0.1
)

// normalise is batch normalisation (Ioffe and Szegedy 2015) in training. x is [R, views·B, …, C]: views are stacked on
// the axis of samples and normalised separately. With the mean over the n entries of a channel in one run and view,
//
//	y = γ (x − μ)/√(σ² + ε) + β,   μ = mean of x,   σ² = mean of (x − μ)².
//
// gamma, beta and the running statistics are [R, C]. As in PyTorch, the statistics use the unbiased variance. They are
// updated once for each view:
//
//	mean ← 0.9 mean + 0.1 μ,   variance ← 0.9 variance + 0.1 σ² n/(n − 1).
func normalise(views int, x, gamma, beta, mean, variance *Node) (y, nextMean, nextVariance *Node) {
	dims := x.Shape().Dimensions
	runs, channels := dims[0], dims[len(dims)-1]
	flat := Reshape(x, runs, views, -1, channels)
	n := float64(flat.Shape().Dim(2))
	mu := ReduceMean(flat, 2) // [R, views, C]
	sigma2 := ReduceMean(Square(Sub(flat, over(mu, flat))), 2)
	into := func(running, batch *Node) *Node {
		for v := range views {
			of := Reshape(Slice(batch, AxisRange(), AxisElem(v)), runs, channels)
			running = Add(MulScalar(running, 1-normMomentum), MulScalar(StopGradient(of), normMomentum))
		}
		return running
	}
	nextMean, nextVariance = into(mean, mu), into(variance, MulScalar(sigma2, n/max(1, n-1)))
	y = scaled(flat, InsertAxes(gamma, 1), InsertAxes(beta, 1), mu, sigma2)
	return Reshape(y, dims...), nextMean, nextVariance
}

// scaled is γ (x − mean)/√(variance + ε) + β, with one product and one sum for each entry of x; see [over].
func scaled(x, gamma, beta, mean, variance *Node) *Node {
	scale := Div(gamma, Sqrt(AddScalar(variance, normEpsilon)))
	shift := Sub(beta, Mul(mean, scale))
	return Add(Mul(x, over(scale, x)), over(shift, x))
}

// over broadcasts c, [R, C] or [R, views, C], to the shape of x, [R, …, C] or [R, views, …, C].
func over(c, x *Node) *Node {
	axes := c.Rank() - 1
	for c.Rank() < x.Rank() {
		c = InsertAxes(c, axes)
	}
	return BroadcastToShape(c, x.Shape())
}
