package learn_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/cmplx"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

// The three leading eigenvalues of a matrix.
func ExampleMatrix() {
	a := mat.NewSymDense(100, nil)
	for i := range 100 {
		for j := range i + 1 {
			a.SetSym(i, j, math.Pow(0.9, float64(i-j)))
		}
	}
	learned, err := learn.Learn(context.Background(), learn.Matrix{A: a}, 3, learn.Settings{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("eigenvalues %.3f, residuals %.3f\n", learned.Values, learned.Residuals)
	// Output: eigenvalues [17.872 15.116 11.936], residuals [0.000 0.000 0.000]
}

// A complex Hermitian matrix: a ring of three sites with H_j,j+1 = exp(iπ/12). Each eigenvalue is found twice. The
// second, 2 cos(2π/3 − π/12), has the eigenvector u + iv = exp(−2πij/3) on site j, up to a factor.
func ExampleMatrix_hermitian() {
	const n = 3
	blocks := mat.NewDense(2*n, 2*n, nil)
	for i := range n {
		j, h := (i+1)%n, cmplx.Exp(complex(0, math.Pi/12))
		for _, entry := range []struct {
			i, j int
			h    complex128
		}{{i, j, h}, {j, i, cmplx.Conj(h)}} {
			blocks.Set(entry.i, entry.j, real(entry.h))
			blocks.Set(n+entry.i, n+entry.j, real(entry.h))
			blocks.Set(entry.i, n+entry.j, -imag(entry.h))
			blocks.Set(n+entry.i, entry.j, imag(entry.h))
		}
	}
	learned, err := learn.Learn(context.Background(), learn.Matrix{A: blocks}, 4, learn.Settings{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", learned.Values)
	v, err := learned.At(nil)
	if err != nil {
		log.Fatal(err)
	}
	second := func(site int) complex128 { return complex(v.At(site, 2), v.At(n+site, 2)) }
	fmt.Printf("phase %.0f°\n", cmplx.Phase(second(1)/second(0))*180/math.Pi)
	// Output:
	// [1.93 1.93 -0.52 -0.52]
	// phase -120°
}

// The bonds of benzene, a ring of six atoms, by Hückel's rule. Both (i, j) and (j, i) are listed.
func ExampleSparse() {
	benzene := learn.Sparse{N: 6}
	for i := range 6 {
		j := (i + 1) % 6
		benzene.Rows, benzene.Columns = append(benzene.Rows, i, j), append(benzene.Columns, j, i)
		benzene.Values = append(benzene.Values, 1, 1)
	}
	learned, err := learn.Learn(context.Background(), benzene, 3, learn.Settings{Steps: 1_000})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", learned.Values)
	// Output: [2.00 1.00 1.00]
}

// The Möbius ladder of 40 nodes, a circle with rungs. Eigenvalues come in pairs.
func ExampleGraph() {
	var edges [][2]int
	for i := range 40 {
		edges = append(edges, [2]int{i, (i + 1) % 40})
	}
	for i := range 20 {
		edges = append(edges, [2]int{i, i + 20})
	}
	learned, err := learn.Learn(context.Background(), learn.Graph{Nodes: 40, Edges: edges}, 5, learn.Settings{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", learned.Values)
	// Output: [1.000 0.967 0.967 0.873 0.873]
}

// A kernel on samples, and its first eigenfunction at new points.
func ExampleKernel() {
	rng := rand.New(rand.NewPCG(1, 2))
	samples := mat.NewDense(400, 1, nil)
	samples.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, samples)
	kernel := func(x, y *graph.Node) *graph.Node { // exp(−|x − y|²/2)
		square := graph.ReduceSum(graph.Square(graph.Sub(x, y)), -1)
		return graph.Exp(graph.MulScalar(square, -0.5))
	}
	learned, err := learn.Learn(context.Background(), learn.Kernel{Samples: samples, K: kernel}, 3,
		learn.Settings{Steps: 500})
	if err != nil {
		log.Fatal(err)
	}
	phi, err := learned.At(mat.NewDense(3, 1, []float64{-1, 0, 1}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f\n", learned.Values)
	fmt.Printf("largest in the middle: %t\n", math.Abs(phi.At(1, 0)) > math.Abs(phi.At(0, 0)))
	// Output:
	// [0.6 0.2 0.1]
	// largest in the middle: true
}

// Pairs of an autoregressive process, x' = 0.9x + noise, with the eigenvalues 1, 0.9, 0.81.
func ExamplePairs() {
	rng := rand.New(rand.NewPCG(3, 4))
	from, to := mat.NewDense(50_000, 1, nil), mat.NewDense(50_000, 1, nil)
	for i := range 50_000 {
		x := rng.NormFloat64()
		from.Set(i, 0, x)
		to.Set(i, 0, 0.9*x+math.Sqrt(1-0.81)*rng.NormFloat64())
	}
	learned, err := learn.Learn(context.Background(), learn.Pairs{From: from, To: to}, 3, learn.Settings{Steps: 600})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f\n", learned.Values)
	// Output: [1.0 0.9 0.8]
}

// A noisy channel: the bit y equals the bit x nine times in ten. The first singular value is 1, with u = v = 1; the
// second is the correlation of x and y.
func ExampleJoint() {
	channel := mat.NewDense(2, 2, []float64{0.45, 0.05, 0.05, 0.45})
	learned, err := learn.Learn(context.Background(), learn.Joint{P: channel}, 2, learn.Settings{})
	if err != nil {
		log.Fatal(err)
	}
	u, err := learned.Left(nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("singular values %.3f\n", learned.Values)
	fmt.Printf("u₂ of 0 and 1 have other signs: %t\n", u.At(0, 1)*u.At(1, 1) < 0)
	// Output:
	// singular values [1.000 0.800]
	// u₂ of 0 and 1 have other signs: true
}

// A trajectory of a process that decorrelates in ten frames, learned from pairs with a lag of two frames.
func ExampleTrajectories() {
	const lag = 2
	rng, rho := rand.New(rand.NewPCG(7, 8)), math.Exp(-0.1)
	x := mat.NewDense(50_000, 1, nil)
	for t := 1; t < 50_000; t++ {
		x.Set(t, 0, rho*x.At(t-1, 0)+math.Sqrt(1-rho*rho)*rng.NormFloat64())
	}
	pairs, err := learn.Trajectories(lag, x)
	if err != nil {
		log.Fatal(err)
	}
	learned, err := learn.Learn(context.Background(), pairs, 2, learn.Settings{Steps: 400})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("values %.1f, held-out values %.1f\n", learned.Values, learned.HeldOut.Values)
	times, errors := learned.Timescales(lag)
	fmt.Printf("ten frames within two errors: %t\n", math.Abs(times[1]-10) < 2*errors[1])
	// Output:
	// values [1.0 0.8], held-out values [1.0 0.8]
	// ten frames within two errors: true
}

// A particle in the double well V = x⁴ − 6x². Tunnelling splits the two lowest energies slightly.
func ExampleSchrodinger() {
	well := learn.Schrodinger{
		Potential: func(x *graph.Node) *graph.Node {
			square := graph.Square(x)
			return graph.Sub(graph.Square(square), graph.MulScalar(square, 6))
		},
		Box: net.Box{Lower: []float64{-4}, Upper: []float64{4}},
	}
	learned, err := learn.Learn(context.Background(), well, 3, learn.Settings{Steps: 400})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", learned.Values)
	// Output: [-5.75 -5.71 -0.72]
}

// The bound states of V = −6(1 − tanh²x) on the line, with the energies −4 and −1. Samples must cover the states.
func ExampleSchrodinger_sampler() {
	well := learn.Schrodinger{
		Potential: func(x *graph.Node) *graph.Node {
			return graph.MulScalar(graph.OneMinus(graph.Square(graph.Tanh(x))), -6)
		},
		Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2},
	}
	learned, err := learn.Learn(context.Background(), well, 2, learn.Settings{Steps: 300})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f\n", learned.Values)
	// Output: [-4.0 -1.0]
}

// A custom operator: the mean of f at two neighbours on a circle, (Tf)(φ) = (f(φ − ½) + f(φ + ½))/2. Its eigenvalues
// are cos(n/2), all double except the first.
func ExampleTask() {
	const k = 3
	mean := learn.Task{
		Functions: net.MLP{In: 2, Hidden: []int{32, 32}, Out: k}, // of (cos φ, sin φ)
		Draw: func(in learn.Inputs, n int) ommlx.Batch {
			angle := graph.MulScalar(in.Random.Uniform(in.Params[0].DType(), n, 1), 2*math.Pi)
			at := func(turn float64) *graph.Node {
				moved := graph.AddScalar(angle, turn)
				return in.F(graph.Concatenate([]*graph.Node{graph.Cos(moved), graph.Sin(moved)}, -1))
			}
			return ommlx.Batch{F: at(0), TF: graph.DivScalar(graph.Add(at(-0.5), at(0.5)), 2)}
		},
	}
	learned, err := learn.Learn(context.Background(), mean, k, learn.Settings{Batch: 128, Steps: 600})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", learned.Values)
	// Output: [1.00 0.88 0.88]
}
