package rl

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/net"
	"omm-go/ommlx/spectral"
)

// Representation evaluates learned functions on all states of an environment, the coordinates of a Laplacian
// representation, and scores them against the true modes.
type Representation struct {
	world *gridworld.World
	exec  *Exec
}

// NewRepresentation compiles a network with inputs (row, column), a [net.MLP] with In 2. Call Close to free it.
func NewRepresentation(backend compute.Backend, network net.MLP, w *gridworld.World) (*Representation, error) {
	exec, err := NewExec(backend, func(in []*Node) *Node {
		last := len(in) - 1
		return network.Apply(in[:last], in[last])
	})
	return &Representation{w, exec}, err
}

// Close frees the device memory.
func (r *Representation) Close() { r.exec.Finalize() }

// Functions returns the N×k table of function values of each run. params are as from [net.MLP.Init].
func (r *Representation) Functions(params []*tensors.Tensor) ([]*mat.Dense, error) {
	states := tensors.FromFlatDataAndDimensions(r.world.Grid.Coordinates(), r.world.Grid.N(), 2)
	out, err := r.exec.Call(append(slices.Clone(params), states))
	if err != nil {
		return nil, err
	}
	return tensorx.Matrices(out[0]), nil
}

// Cosines returns the [spectral.CosineSimilarity] of each run with the true eigenvectors.
func (r *Representation) Cosines(params []*tensors.Tensor) (averages []float64, err error) {
	tables, err := r.Functions(params)
	if err != nil {
		return nil, fmt.Errorf("evaluating the learned functions: %w", err)
	}
	for _, table := range tables {
		_, average, err := spectral.CosineSimilarity(r.world.Truth, table)
		if err != nil {
			return nil, err
		}
		averages = append(averages, average)
	}
	return averages, nil
}
