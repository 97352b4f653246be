package representation

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
// The scale γ and shift β and the running statistics, mean and variance, are [R, C] each. As in PyTorch, the statistics
// use the unbiased variance. They are updated once for each view:
//
//	mean ← 0.9 mean + 0.1 μ,   variance ← 0.9 variance + 0.1 σ² n/(n − 1).
func normalise(views int, x *Node, affine, running [2]*Node) (y *Node, next [2]*Node) {
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
	next = [2]*Node{into(running[0], mu), into(running[1], MulScalar(sigma2, n/max(1, n-1)))}
	y = scaled(flat, [2]*Node{InsertAxes(affine[0], 1), InsertAxes(affine[1], 1)}, [2]*Node{mu, sigma2})
	return Reshape(y, dims...), next
}

// scaled is γ (x − mean)/√(variance + ε) + β, with one product and one sum for each entry of x; see [over].
func scaled(x *Node, affine, statistics [2]*Node) *Node {
	scale := Div(affine[0], Sqrt(AddScalar(statistics[1], normEpsilon)))
	shift := Sub(affine[1], Mul(statistics[0], scale))
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
