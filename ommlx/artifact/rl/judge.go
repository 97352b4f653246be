package rl

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/internal/tensorx"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/spectral"
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
	states := tensors.FromFlatDataAndDimensions(j.world.Grid.Coordinates(), j.world.Grid.N(), 2)
	out, err := j.exec.Call(append(slices.Clone(params), states))
	if err != nil {
		return nil, err
	}
	return tensorx.Matrices(out[0]), nil
}

// Scores are cosine similarities with the true modes.
type Scores struct {
	Average float64   `json:"average"`
	PerMode []float64 `json:"per_mode"` // [k], in [0, 1]
}

// measure judges functions on all states by [spectral.CosineSimilarity] and by [spectral.RotatedCosineSimilarity].
func (j *Judge) measure(functions *mat.Dense) (ours, rotated Scores, err error) {
	if ours.PerMode, ours.Average, err = spectral.CosineSimilarity(j.world.Truth, functions); err != nil {
		return ours, rotated, err
	}
	rotated.PerMode, rotated.Average, err = spectral.RotatedCosineSimilarity(j.world.Truth, functions)
	return ours, rotated, err
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
