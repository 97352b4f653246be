package bench

import (
	_ "embed"
	"fmt"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/artifact/rl"
	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/spectral"
	"operator-omm/ommlx/train"
)

//go:embed scipy_eigsh.py
var scipyEigsh string

// solvers compares ways to the leading eigenvectors of a grid world, k = 11, that are classical with training: Lanczos,
// which is ours, beside the dense solver, SciPy's eigsh and a short training. Target: SciPy. A matrix that is small
// enough to be written down is the classical solvers' ground; the training is there to say by how much.
func (s *session) solvers() error {
	environments := []string{"GridRoom-4", "GridRoom-64"}
	if s.options.scale < 1 {
		environments = environments[:1]
	}
	scipy := script(s.ctx, s.options.Python, "SciPy", scipyEigsh)
	defer scipy.stop()
	for _, name := range environments {
		world, err := gridworld.LoadWorld(name)
		if err != nil {
			return err
		}
		if err := s.solve(world, scipy); err != nil {
			return err
		}
	}
	if scipy.version != "" {
		fmt.Fprintf(s.out, "SciPy %s\n", scipy.version)
	}
	return nil
}

// solve measures one environment. Times are those of one solution.
func (s *session) solve(world *gridworld.World, scipy *framework) error {
	const solutions, steps = 10, 1000
	label := world.Grid.Name
	matrix := sparseOf(world.P)
	product := spectral.Product(world.P)
	var pairs spectral.Eigenpairs
	lanczos := func() (err error) {
		pairs, err = spectral.Lanczos{K: outputs, Tolerance: matrix.Tolerance}.Solve(matrix.N, product)
		return err
	}
	dense := func() error {
		_, err := spectral.SymEigen(world.P)
		return err
	}
	q := question{Steps: s.steps(solutions), Sparse: &matrix}
	laps, err := s.compare(label, repeated(q.Steps, lanczos),
		contender{label: "SciPy eigsh", target: 1, round: func() (lap, error) { return scipy.ask(q) }},
		contender{label: "dense", round: repeated(1, dense)})
	if err != nil {
		return err
	}
	n := s.steps(steps)
	learned, took, err := s.trained(world, n)
	if err != nil {
		return err
	}
	s.sum(label, median(walls(laps[0])), took, fmt.Sprintf("OMM-seq, %d steps", n), 0)
	for _, solution := range []struct {
		name    string
		vectors *mat.Dense
	}{{"Lanczos", pairs.Vectors}, {fmt.Sprintf("OMM-seq after %d steps", n), learned}} {
		cosines, _, err := spectral.CosineSimilarity(world.Truth, solution.vectors)
		if err != nil {
			return err
		}
		rounding := 0x1p-52
		fmt.Fprintf(s.out, "%s of %d states, %s: mean sin² of the angle to the true eigenspaces %.1e\n",
			label, world.Grid.N(), solution.name, max(rounding, 1-floats.Dot(cosines, cosines)/outputs))
	}
	return nil
}

// repeated is a contender's round of n equal pieces of work.
func repeated(n int, work func() error) func() (lap, error) {
	return func() (lap, error) {
		began := now()
		for range n {
			if err := work(); err != nil {
				return lap{}, err
			}
		}
		end := now()
		return lap{(end.wall - began.wall) / time.Duration(n), (end.cpu - began.cpu) / time.Duration(n)}, nil
	}
}

// trained returns what the paper's network has learned in the given number of steps with exact moments, N×k, and how
// long the training took with all that belongs to it.
func (s *session) trained(world *gridworld.World, steps int) (*mat.Dense, time.Duration, error) {
	set := rl.Paper(world.Grid.Name, "omm_seq", outputs, 1).Here().As(reading).Expecting(rl.Exact)
	p, err := set.Problem()
	if err != nil {
		return nil, 0, err
	}
	engine, began := s.options.Engine, time.Now()
	config := train.Config{Steps: steps, EvalEvery: steps, Optimiser: optim.Adam{LearningRate: 1e-3}.WithDefaults()}
	result, err := train.Run(s.ctx, p, config, train.Options{Backend: engine,
		Eval: func(now train.Snapshot) ([]float64, error) {
			if now.Step == 0 {
				s.compiled = append(s.compiled, compilation{world.Grid.Name, time.Since(began)})
			}
			return []float64{0}, nil
		}})
	took := time.Since(began)
	if err != nil {
		return nil, 0, err
	}
	network := net.MLP{In: 2, Hidden: set.Hidden, Out: set.K}
	tables, err := p.Evaluate(engine, result.Snapshot, func(in train.Inputs) []*Node {
		return []*Node{network.Apply(in.Params, in.Data[0])}
	})
	if err != nil {
		return nil, 0, err
	}
	return tables[0][0], took, nil
}

// sparse is a symmetric matrix by its entries that are not zero, with what is asked of it, as scipy_eigsh.py takes it.
type sparse struct {
	N       int       `json:"n"`
	Rows    []int     `json:"rows"`
	Columns []int     `json:"columns"`
	Values  []float64 `json:"values"`
	K       int       `json:"k"`
	// Tolerance is that of residuals, relative to an eigenvalue here and to the spectral radius in [spectral.Lanczos].
	Tolerance float64 `json:"tolerance"`
}

func sparseOf(a mat.Symmetric) sparse {
	m := sparse{N: a.SymmetricDim(), K: outputs, Tolerance: 1e-10}
	for i := range m.N {
		for j := range m.N {
			if v := a.At(i, j); v != 0 {
				m.Rows, m.Columns, m.Values = append(m.Rows, i), append(m.Columns, j), append(m.Values, v)
			}
		}
	}
	return m
}
