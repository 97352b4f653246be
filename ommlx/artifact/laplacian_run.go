package artifact

import (
	"context"
	"errors"
	"fmt"

	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/spectral"
	"operator-omm/ommlx/train"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"
)

// Judge evaluates learned functions on all states of an environment and scores them against its truth.
type Judge struct {
	world *gridworld.World
	exec  *Exec
}

// NewJudge returns the judge of networks with inputs (row, column), as in [net.MLP] with In 2. Free it with Close.
func NewJudge(backend compute.Backend, network net.MLP, w *gridworld.World) (*Judge, error) {
	exec, err := NewExec(backend, func(in []*Node) *Node {
		last := len(in) - 1
		return network.Apply(in[:last], in[last])
	})
	return &Judge{w, exec}, err
}

// Close frees what the judge holds on the device.
func (j *Judge) Close() { j.exec.Finalize() }

// Functions returns, for each run, the N×k table of function values. The parameters are those of [net.MLP.Init].
func (j *Judge) Functions(params []*tensors.Tensor) ([]*mat.Dense, error) {
	args := make([]any, 0, len(params)+1)
	for _, p := range params {
		args = append(args, p)
	}
	args = append(args, tensors.FromFlatDataAndDimensions(j.world.Grid.Coordinates(), j.world.Grid.N(), 2))
	out, err := j.exec.Exec(args...)
	if err != nil {
		return nil, err
	}
	shape := out[0].Shape()
	flat := tensors.MustCopyFlatData[float32](out[0])
	tables := make([]*mat.Dense, shape.Dim(0))
	size := shape.Dim(1) * shape.Dim(2)
	for r := range tables {
		values := make([]float64, size)
		for i, v := range flat[r*size : (r+1)*size] {
			values[i] = float64(v)
		}
		tables[r] = mat.NewDense(shape.Dim(1), shape.Dim(2), values)
	}
	return tables, nil
}

// Cosines returns the cosine similarities with the true eigenvectors, [R][k], and their averages, [R]: see
// [spectral.CosineSimilarity].
func (j *Judge) Cosines(params []*tensors.Tensor) (perMode [][]float64, average []float64, err error) {
	tables, err := j.Functions(params)
	if err != nil {
		return nil, nil, fmt.Errorf("evaluating the learned functions: %w", err)
	}
	for _, table := range tables {
		modes, mean, err := spectral.CosineSimilarity(j.world.Truth, table)
		if err != nil {
			return nil, nil, err
		}
		perMode, average = append(perMode, modes), append(average, mean)
	}
	return perMode, average, nil
}

// LaplacianResult is what one [Laplacian] experiment gave.
type LaplacianResult struct {
	Config     Laplacian      `json:"config"`
	Provenance Provenance     `json:"provenance"`
	Runs       []LaplacianRun `json:"runs"`
	History    []train.Point  `json:"history"` // value: average cosine similarity of each run
}

// LaplacianRun is one run.
type LaplacianRun struct {
	Seed     int64     `json:"seed"`
	Average  float64   `json:"average_cosine_similarity"` // over the k modes, in [0, 1]
	PerMode  []float64 `json:"cosine_similarity"`         // [k]
	Diverged int       `json:"diverged_at_step,omitempty"`
	Note     string    `json:"note,omitempty"`
}

// Averages returns the average cosine similarities of the runs that did not diverge, and how many did.
func (r *LaplacianResult) Averages() (finished []float64, diverged int) {
	for _, run := range r.Runs {
		if run.Diverged > 0 {
			diverged++
			continue
		}
		finished = append(finished, run.Average)
	}
	return finished, diverged
}

// label names an experiment in a progress bar.
func (l Laplacian) label() string {
	name := l.Environment + " " + l.Method
	if l.Expectation != Minibatch {
		name += "/" + string(l.Expectation)
	}
	return fmt.Sprintf("%s k=%d ×%d", name, l.K, len(l.Seeds))
}

// cost estimates the time of the experiment, in units of a step's fixed work: the network's grows with the
// number of states, the rest with the batch.
func (l Laplacian) cost(states int) float64 {
	return float64(l.Train.Steps*len(l.Seeds)) * (1 + float64(states)/100)
}

// Train returns the result of the experiment, from its file if it is kept, else by training, which goes on from
// the checkpoint of an interrupted one.
func (lab *Lab) Train(ctx context.Context, l Laplacian) (*LaplacianResult, error) {
	key, err := keyOf(l)
	if err != nil {
		return nil, err
	}
	result := &LaplacianResult{}
	if found, err := lab.load(key, result); found || err != nil {
		return result, err
	}
	w, err := gridworld.LoadWorld(l.Environment)
	if err != nil {
		return nil, err
	}
	p, err := l.Problem()
	if err != nil {
		return nil, err
	}
	b, _, err := lab.engine()
	if err != nil {
		return nil, err
	}
	j, err := NewJudge(b, l.network(), w)
	if err != nil {
		return nil, err
	}
	defer j.Close()
	show, finished := lab.bar(l.label(), l.cost(w.Grid.N()))
	trained, err := train.Run(ctx, p, l.Train.config(), train.Options{
		Backend: b, Dir: lab.runDir(key), Key: key, Progress: show, Warn: lab.Out,
		Eval: func(now train.Snapshot) ([]float64, error) {
			_, average, err := j.Cosines(now.Params)
			return average, err
		},
	})
	if err != nil && !errors.Is(err, train.ErrDiverged) { // which is a result, too
		return nil, fmt.Errorf("%s: %w", l.label(), err)
	}
	finished()
	perMode, average, err := j.Cosines(trained.Params)
	if err != nil {
		return nil, err
	}
	result.Config, result.History = l, trained.History
	for i, seed := range l.Seeds {
		run := LaplacianRun{Seed: seed, Average: average[i], PerMode: perMode[i], Diverged: trained.Diverged[i]}
		if run.Diverged > 0 {
			run.Note = fmt.Sprintf("diverged at step %d", run.Diverged)
		}
		result.Runs = append(result.Runs, run)
	}
	if result.Provenance, err = lab.provenance(trained.Seconds); err != nil {
		return nil, err
	}
	if err := lab.keep(key, result); err != nil {
		return nil, err
	}
	return result, train.Clear(lab.runDir(key))
}

// TrainAll trains a list of experiments, with the time left for all of it.
func (lab *Lab) TrainAll(ctx context.Context, list []Laplacian) ([]*LaplacianResult, error) {
	total := 0.0
	for _, l := range list {
		key, err := keyOf(l)
		if err != nil {
			return nil, err
		}
		if found, err := lab.load(key, &LaplacianResult{}); err != nil {
			return nil, err
		} else if found {
			continue
		}
		w, err := gridworld.LoadWorld(l.Environment)
		if err != nil {
			return nil, err
		}
		total += l.cost(w.Grid.N())
	}
	lab.begin(total)
	results := make([]*LaplacianResult, len(list))
	for i, l := range list {
		var err error
		if results[i], err = lab.Train(ctx, l); err != nil {
			return nil, err
		}
	}
	return results, nil
}
