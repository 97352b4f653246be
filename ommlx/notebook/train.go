package notebook

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/spectral"
	"operator-omm/ommlx/theory"
	"operator-omm/ommlx/train"
)

// Judged is k functions of one run beside exact ones, on N points of equal weight.
type Judged struct {
	F         *mat.Dense // N×k
	Norms     []float64  // the root of each function's mean square
	Angles    []float64  // from each function to the exact one of its number: in radians, from 0 to π/2
	Quotients []float64  // Rayleigh quotients ⟨f_i,Tf_i⟩/⟨f_i,f_i⟩
}

// Judge compares the values of functions f with those of exact ones that are orthonormal in the mean over the N points;
// tf is what the operator makes of f. All three are N×k. An error says that shapes differ, that a value is not finite,
// or that a function is zero.
func Judge(f, tf, exact *mat.Dense) (Judged, error) {
	n, k := f.Dims()
	for name, m := range map[string]*mat.Dense{"the operator applied to them": tf, "exact functions": exact} {
		if rows, columns := m.Dims(); rows != n || columns != k {
			return Judged{}, fmt.Errorf("functions are %d×%d, but %s %d×%d; give as many of each, at the same points",
				n, k, name, rows, columns)
		}
	}
	weights := slices.Repeat([]float64{1 / float64(n)}, n)
	norms, err := spectral.Norms(f, weights)
	if err != nil {
		return Judged{}, err
	}
	quotients, err := spectral.RayleighQuotients(f, tf, weights)
	if err != nil {
		return Judged{}, err
	}
	angles := theory.Angles(f, theory.Scaled(1/math.Sqrt(float64(n)), exact))
	return Judged{F: f, Norms: norms, Angles: angles, Quotients: quotients}, nil
}

// Judgement is a training that was judged on the way.
type Judgement struct {
	Runs  []Judged      // at the end, with averaged parameters if there are any
	Mean  draw.Series   // the mean angle of all functions of all runs, against the step
	Modes []draw.Series // the angle of each function of the first run, against the step
}

// TrainJudged trains a problem, with its progress below the cell, and judges each run by [Judge] as often as
// c.EvalEvery says and at the end. values builds f and Tf, each [R, N, k], at the points of exact. The mean angle has
// the label as its name. An error says why the training or what judges it failed.
func TrainJudged(label string, p train.Problem, c train.Config, values func(in train.Inputs) (f, tf *Node),
	exact *mat.Dense) (Judgement, error) {
	engine := Engine()
	evaluate, free := p.Evaluator(engine, func(in train.Inputs) []*Node {
		f, tf := values(in)
		return []*Node{f, tf}
	})
	defer free()
	judge := func(now train.Snapshot) (runs []Judged, err error) {
		all, err := evaluate(now)
		if err != nil {
			return nil, err
		}
		runs = make([]Judged, len(all))
		for r, values := range all {
			if runs[r], err = Judge(values[0], values[1], exact); err != nil {
				return nil, fmt.Errorf("run %d at step %d: %w", r+1, now.Step, err)
			}
		}
		return runs, nil
	}
	_, k := exact.Dims()
	j := Judgement{Modes: make([]draw.Series, k)}
	eval := func(now train.Snapshot) (scores []float64, err error) {
		runs, err := judge(now)
		if err != nil {
			return nil, err
		}
		for _, run := range runs {
			scores = append(scores, stat.Mean(run.Angles, nil))
		}
		for i, angle := range runs[0].Angles {
			j.Modes[i].Name = fmt.Sprintf("mode %d", i+1)
			j.Modes[i].Add(float64(now.Step), angle)
		}
		return scores, nil
	}
	result, err := train.Run(context.Background(), p, c,
		train.Options{Backend: engine, Progress: Progress(label), Eval: eval})
	if err != nil {
		return Judgement{}, err
	}
	j.Mean = Curve(label, result.History)
	result.Params = result.Best()
	j.Runs, err = judge(result.Snapshot)
	return j, err
}

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

// problem is what is to be trained; its parameters are V, [R, n, k]. The error says that there is not one start
// for each run.
func (l Linear) problem() (train.Problem, error) {
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

// Train trains the functions, with its progress below the cell. The error says that there is not one start for each
// run, or is that of the training.
func (l Linear) Train(label string, c train.Config) (*train.Result, error) {
	p, err := l.problem()
	if err != nil {
		return nil, err
	}
	return train.Run(context.Background(), p, c, train.Options{Backend: Engine(), Progress: Progress(label)})
}

// blockOfBatches is how many batches are evaluated in one call.
const blockOfBatches = 2_000

// BatchLosses returns the losses of many batches of independent samples, in float64. draw returns the values of f and
// Tf, samples×k each, on new samples; loss builds the losses [R] of R batches from f and Tf, [R, batch, k]. An error
// says why the loss could not be built.
func BatchLosses(loss func(f, tf *Node) (*Node, []*Node), batch, count int,
	draw func(samples int) (f, tf *mat.Dense)) ([]float64, error) {
	exec, err := NewExec(Engine(), func(f, tf *Node) *Node {
		losses, _ := loss(f, tf)
		return losses
	})
	if err != nil {
		return nil, fmt.Errorf("losses of batches: %w", err)
	}
	defer exec.Finalize()
	all := make([]float64, 0, count)
	for len(all) < count {
		block := min(blockOfBatches, count-len(all))
		f, tf := draw(block * batch)
		_, k := f.Dims()
		tensor := func(m *mat.Dense) *tensors.Tensor {
			return tensors.FromFlatDataAndDimensions(m.RawMatrix().Data, block, batch, k)
		}
		out, err := exec.Call(tensor(f), tensor(tf))
		if err != nil {
			return nil, fmt.Errorf("losses of batches: %w", err)
		}
		all = append(all, tensors.MustCopyFlatData[float64](out[0])...)
	}
	return all, nil
}
