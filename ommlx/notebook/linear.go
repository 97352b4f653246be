package notebook

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/theory"
	"operator-omm/ommlx/train"
)

// Linear is k linear functions f = zV of samples z with n independent standard normal coordinates, with Tf = zΛV. The
// coordinates are the eigenfunctions.
type Linear struct {
	Eigenvalues []float64 // the diagonal of Λ: n
	Functions   int       // k
	Batch       int       // samples of a step: B
	Seeds       []int64   // one for each run
	Starts      []float64 // the standard deviation of V's numbers, n×k, at the start of each run
	// Loss builds the loss [R] of f and Tf, each [R, B, k], and the next state of an objective that has one.
	Loss func(f, tf *Node) (loss *Node, state []*Node)
}

// Problem returns what is to be trained; its parameters are V, [R, n, k]. The error says that there is not one start
// for each run.
func (l Linear) Problem() (train.Problem, error) {
	if len(l.Starts) != len(l.Seeds) {
		return train.Problem{}, fmt.Errorf("linear functions: %d starts and %d seeds; give one of each for every run",
			len(l.Starts), len(l.Seeds))
	}
	n := len(l.Eigenvalues)
	start := make([]float32, 0, len(l.Seeds)*n*l.Functions)
	for r, seed := range l.Seeds {
		v := theory.Gaussian(rand.New(rand.NewPCG(uint64(seed), 9)), n, l.Functions)
		for _, x := range v.RawMatrix().Data {
			start = append(start, float32(l.Starts[r]*x))
		}
	}
	return train.Problem{
		Seeds:  l.Seeds,
		Params: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(start, len(l.Seeds), n, l.Functions)},
		Data:   []*tensors.Tensor{train.Table(mat.NewDense(1, n, l.Eigenvalues))},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			z, v := in.Random.Normal(dtypes.Float32, l.Batch, n), in.Params[0]
			tz := Mul(z, InsertAxes(in.Data[0], 0))
			return l.Loss(Einsum("rbd,rdk->rbk", z, v), Einsum("rbd,rdk->rbk", tz, v))
		},
	}, nil
}

// Train trains the functions, with its progress below the cell. The error is that of [Linear.Problem] or of the
// training.
func (l Linear) Train(label string, c train.Config) (*train.Result, error) {
	p, err := l.Problem()
	if err != nil {
		return nil, err
	}
	return train.Run(context.Background(), p, c, train.Options{Backend: Engine(), Progress: Progress(label)})
}
