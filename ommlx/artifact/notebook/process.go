package notebook

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
)

// OrnsteinUhlenbeck is the process x'_j = e^{−Lag r_j} x_j + √(1 − e^{−2 Lag r_j}) z_j in Dim ≥ 2 dimensions, with
// normal z and rates r = 1, 2.5, 3.5, 4, 4.5, … It is stationary for the standard normal law. By Mehler's formula its
// four slowest functions are 1, x_1, (x_1² − 1)/√2 and x_2 in every dimension.
type OrnsteinUhlenbeck struct {
	Dim int
	Lag float64
}

// Rate returns r_j, j = 0, 1, …
func (OrnsteinUhlenbeck) Rate(j int) float64 {
	if j < 2 {
		return 1 + 1.5*float64(j)
	}
	return 2.5 + 0.5*float64(j)
}

// Values returns the four leading eigenvalues.
func (o OrnsteinUhlenbeck) Values() []float64 {
	return []float64{1, math.Exp(-o.Lag), math.Exp(-2 * o.Lag), math.Exp(-o.Rate(1) * o.Lag)}
}

// Errors returns sin² of the angle between each of the four slowest functions and the same column of found, N×4, whose
// rows are values at the points x, N×D. The inner product weights all points equally.
func (OrnsteinUhlenbeck) Errors(x, found *mat.Dense) []float64 {
	return squaredSines(x, found, func([]float64) float64 { return 1 })
}

// Generator returns the generator as −∇² + V, whose states are √ρ times the functions, with ρ the normal law, and the
// box [−6, 6]^D. Both are in the coordinates x_j/√r_j.
func (o OrnsteinUhlenbeck) Generator() (s schrodinger.System, box net.Box) {
	for j := range o.Dim {
		half := 6 / math.Sqrt(o.Rate(j))
		box.Lower, box.Upper = append(box.Lower, -half), append(box.Upper, half)
	}
	return schrodinger.System{Name: "generator", Dim: o.Dim, PotentialAt: func(y []float64) (v float64) {
		for j, y := range y {
			r := o.Rate(j)
			v += r * (r*y*y/4 - 0.5)
		}
		return v
	}}, box
}

// StateErrors is [OrnsteinUhlenbeck.Errors] for states of the generator.
func (o OrnsteinUhlenbeck) StateErrors(states schrodinger.Numerical) []float64 {
	x := mat.DenseCopyOf(states.Points)
	x.Apply(func(_, j int, y float64) float64 { return y * math.Sqrt(o.Rate(j)) }, x)
	return squaredSines(x, states.Vectors, func(x []float64) float64 { return math.Exp(-floats.Dot(x, x) / 4) })
}

// squaredSines compares found with the exact functions times a factor.
func squaredSines(x, found *mat.Dense, factor func(x []float64) float64) []float64 {
	n, _ := x.Dims()
	exact := mat.NewDense(n, 4, nil)
	for p := range n {
		at := x.RawRowView(p)
		exact.SetRow(p, []float64{1, at[0], (at[0]*at[0] - 1) / math.Sqrt2, at[1]})
		floats.Scale(factor(at), exact.RawRowView(p))
	}
	return Must(spectral.SubspaceDistances(exact, found, slices.Repeat([]float64{1}, n),
		[]spectral.Eigenspace{{End: 1}, {First: 1, End: 2}, {First: 2, End: 3}, {First: 3, End: 4}}))
}

// Pairs draws n pairs of the process: its points x, N×D, and what is observed of x and x'. An observation of u = Qx,
// with a random rotation Q, is u_i + u_i³/10.
func (o OrnsteinUhlenbeck) Pairs(n int, seed uint64) (x, from, to *mat.Dense) {
	q := linalg.RandomOrthonormal(rand.New(rand.NewPCG(7, uint64(o.Dim))), o.Dim, o.Dim)
	observe := func(x *mat.Dense) *mat.Dense {
		var y mat.Dense
		y.Mul(x, q.T())
		y.Apply(func(_, _ int, u float64) float64 { return u + u*u*u/10 }, &y)
		return &y
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	x = linalg.RandomGaussian(rng, n, o.Dim)
	next := linalg.RandomGaussian(rng, n, o.Dim)
	next.Apply(func(i, j int, z float64) float64 {
		stays := math.Exp(-o.Lag * o.Rate(j))
		return stays*x.At(i, j) + math.Sqrt(1-stays*stays)*z
	}, next)
	return x, observe(x), observe(next)
}
