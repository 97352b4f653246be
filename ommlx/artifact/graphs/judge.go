package graphs

import (
	"context"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/probe"
	"operator-omm/ommlx/train"
)

// block is the number of nodes that are encoded, or classified, at once.
const block = 4_096

// encode returns what linear probes see of nodes: representation and embedding, or a single table for all runs.
type encode func(nodes []int) ([]net.Outputs, error)

// learned encodes nodes by networks in training, or trained ones.
func (s *sight) learned(networks *net.Evaluator, now train.Snapshot) encode {
	return func(nodes []int) ([]net.Outputs, error) {
		both, err := networks.On(now.Params, now.State, len(nodes), func(first int) (*tensors.Tensor, error) {
			x := make([]float32, block*s.Features)
			for row, node := range nodes[first:min(first+block, len(nodes))] {
				s.FeaturesOf(node, x[row*s.Features:])
			}
			return tensors.FromFlatDataAndDimensions(x, block, s.Features), nil
		})
		return both[:], err
	}
}

// table encodes nodes by the rows of a table [N, dim], the same for every run.
func table(dim int, row func(node int, dst []float32)) encode {
	return func(nodes []int) ([]net.Outputs, error) {
		x := make([]float32, len(nodes)*dim)
		for i, node := range nodes {
			row(node, x[i*dim:(i+1)*dim])
		}
		return []net.Outputs{{Runs: [][]float32{x}, Dim: dim}}, nil
	}
}

// labelled are the encodings of nodes with their labels, as probes take them.
func (s *sight) labelled(c net.Outputs, nodes []int) []probe.Features {
	labels := make([]int, len(nodes))
	for i, node := range nodes {
		labels[i] = s.labels[node]
	}
	all := make([]probe.Features, len(c.Runs))
	for r, x := range c.Runs {
		all[r] = probe.Features{X: x, Dim: c.Dim, Labels: labels}
	}
	return all
}

// neighbours are the accuracies of the nearest training nodes on test nodes by the embedding, each of at most 5,000.
func (s *sight) neighbours(vote func(training, test probe.Features) (probe.Accuracy, error), of encode) (
	[]float64, error) {
	const most = 5_000
	var both [2][]probe.Features
	for i, nodes := range [][]int{spread(s.training, most), spread(s.test, most)} {
		found, err := of(nodes)
		if err != nil {
			return nil, err
		}
		both[i] = s.labelled(found[len(found)-1], nodes)
	}
	values := make([]float64, len(both[0]))
	for r := range values {
		a, err := vote(both[0][r], both[1][r])
		if err != nil {
			return nil, err
		}
		values[r] = a.Top1
	}
	return values, nil
}

// spread takes at most n nodes of a list, evenly.
func spread(nodes []int, n int) []int {
	if len(nodes) <= n {
		return nodes
	}
	some := make([]int, n)
	for i := range some {
		some[i] = nodes[i*len(nodes)/n]
	}
	return some
}

// probes trains linear probes on an encoding of the training nodes, one for each run and repetition, run by run.
func (e Experiment) probes(ctx context.Context, b compute.Backend, s *sight, c net.Outputs) (train.Snapshot, error) {
	l := e.linear(s.Classes)
	p, err := l.Problem(s.labelled(c, s.training), lab.Seeds(e.Probe.Repetitions))
	if err != nil {
		return train.Snapshot{}, err
	}
	trained, err := train.Run(ctx, p, l.Config(len(s.training)), train.Options{Backend: b})
	if err != nil {
		return train.Snapshot{}, err
	}
	return trained.Snapshot, nil
}
