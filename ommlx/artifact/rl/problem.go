package rl

import (
	"cmp"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Problem collects the data and returns the training problem.
func (e Experiment) Problem() (train.Problem, error) {
	g, err := gridworld.Load(e.Environment)
	if err != nil {
		return train.Problem{}, err
	}
	objective, err := e.objective()
	if err != nil {
		return train.Problem{}, err
	}
	data, err := e.data(g)
	if err != nil {
		return train.Problem{}, err
	}
	if e.Penalty == "" {
		objective = ommlx.Shifted{Objective: objective, Kappa: e.Shift}
	}
	network := e.network()
	return train.Problem{
		Seeds: e.Seeds, Params: network.Init(e.Seeds), State: objective.InitState(len(e.Seeds), e.K),
		Data: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(g.Coordinates(), g.N(), 2), data},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			return objective.Loss(e.batch(network.Apply(in.Params, in.Data[0]), in), in.State)
		},
	}, nil
}

// batch returns the batch of an objective that decomposes P. table is f on every state, [R, N, k]. In a minibatch of
// pairs (s, s') F is f(s) and TF is f(s'). Overlap has f on other states.
func (e Experiment) batch(table *Node, in train.Inputs) ommlx.Batch {
	if e.Expectation != Minibatch {
		f, tf := operator.Weighted(table, in.Data[1])
		return ommlx.Batch{F: f, TF: tf}
	}
	episodes := in.Data[1]
	from, to := SamplePairs(episodes, in.Random.Uniform(dtypes.Float32, e.Batch, 3), e.Gamma)
	index := []*Node{from, to}
	apart := map[Overlap]int{OverlapState: 1, OverlapStates: 2}[e.Overlap]
	if e.isALLO() {
		apart = 2
	}
	for range apart {
		index = append(index, SampleStates(episodes, in.Random.Uniform(dtypes.Float32, e.Batch, 2)))
	}
	f := Split(operator.GatherRows(table, Concatenate(index, 1)), 1, len(index))
	if e.Estimator == Differences {
		return ommlx.Differences(f[0], f[1], f[2:]...)
	}
	return ommlx.Batch{F: f[0], TF: f[1], Overlap: f[2:]}
}

// data returns the data tensor of a step: episodes [R, E, L+1] int32, or pair weights [R, N, N].
func (e Experiment) data(g *gridworld.Grid) (*tensors.Tensor, error) {
	runs := len(e.Seeds)
	if e.Expectation != Minibatch {
		var weights []float32
		for _, seed := range e.Seeds {
			pairs, err := e.pairs(g, seed)
			if err != nil {
				return nil, err
			}
			for _, w := range mat.DenseCopyOf(pairs).RawMatrix().Data {
				weights = append(weights, float32(w))
			}
		}
		return tensors.FromFlatDataAndDimensions(weights, runs, g.N(), g.N()), nil
	}
	var states []int32
	for _, seed := range e.Seeds {
		episodes, err := e.collect(g, seed)
		if err != nil {
			return nil, err
		}
		states = append(states, episodes.States...)
	}
	count := len(states) / (runs * (e.Length + 1))
	return tensors.FromFlatDataAndDimensions(states, runs, count, e.Length+1), nil
}

func (e Experiment) collect(g *gridworld.Grid, seed int64) (*gridworld.Episodes, error) {
	if e.Walks == WalksPublic {
		return gridworld.CollectAsAuthors(g, e.Transitions)
	}
	return gridworld.Collect(g, e.Transitions, e.Length, cmp.Or(e.DataSeed, seed))
}

// pairs returns a run's law of pairs, N×N with sum 1: the law of all pairs of its data, or the exact one. It is
// symmetrised, because the walk is reversible and a pair counts in both directions.
func (e Experiment) pairs(g *gridworld.Grid, seed int64) (*mat.SymDense, error) {
	if e.Expectation == Exact {
		law := gridworld.GeometricTransition(g.Transition(), e.Gamma, e.Length)
		law.ScaleSym(1/float64(g.N()), law)
		return law, nil
	}
	episodes, err := e.collect(g, seed)
	if err != nil {
		return nil, err
	}
	return spectral.SymmetricPart(episodes.PairMatrix(e.Gamma)), nil
}
