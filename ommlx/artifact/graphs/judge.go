package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx/probe"
	"operator-omm/ommlx/train"
)

// block is the number of nodes that are encoded, or classified, at once.
const block = 4_096

// encoding is what linear probes see of some nodes: one table of functions for each run.
type encoding struct {
	runs [][]float32 // [R][nodes, dim]
	dim  int
}

// encode returns the encodings of nodes: representation and embedding, or a single one.
type encode func(nodes []int) ([]encoding, error)

// program computes representation and embedding of a block of nodes: parameters, running statistics, features.
func (e Experiment) program(b compute.Backend, s *sight) (*Exec, error) {
	n := e.encoder(s.Features)
	params, _ := n.Init(e.Seeds[:1])
	return NewExec(b, func(in []*Node) []*Node {
		last := len(in) - 1
		representation, f := n.Apply(in[:len(params)], in[len(params):last], in[last])
		return []*Node{representation, f}
	})
}

// learned encodes nodes by networks in training, or trained ones. A run whose functions are not finite gives zeros.
func (e Experiment) learned(program *Exec, s *sight, now train.Snapshot) encode {
	return func(nodes []int) ([]encoding, error) {
		x := make([]float32, block*s.Features)
		all := make([]encoding, 2)
		for i := range all {
			all[i].runs = make([][]float32, len(e.Seeds))
		}
		for part := range slices.Chunk(nodes, block) {
			for row, node := range part {
				s.FeaturesOf(node, x[row*s.Features:])
			}
			in := tensors.FromFlatDataAndDimensions(x, block, s.Features)
			var args []any
			for _, t := range slices.Concat(now.Params, now.State) {
				args = append(args, t)
			}
			out, err := program.Call(append(args, in)...)
			in.FinalizeAll()
			if err != nil {
				return nil, fmt.Errorf("functions on nodes: %w", err)
			}
			for i, of := range out {
				all[i].add(of, len(part))
			}
		}
		return all, nil
	}
}

// add appends the first n rows that each run gives; t is [R, block, dim].
func (c *encoding) add(t *tensors.Tensor, n int) {
	c.dim = t.Shape().Dim(2)
	flat := tensors.MustCopyFlatData[float32](t)
	t.FinalizeAll()
	for r := range c.runs {
		rows := flat[r*block*c.dim:][:n*c.dim]
		if slices.ContainsFunc(rows, func(x float32) bool { return !(math.Abs(float64(x)) <= math.MaxFloat32) }) {
			clear(rows)
		}
		c.runs[r] = append(c.runs[r], rows...)
	}
}

// table encodes nodes by the rows of a table [N, dim], the same for every run.
func table(dim int, row func(node int, dst []float32)) encode {
	return func(nodes []int) ([]encoding, error) {
		x := make([]float32, len(nodes)*dim)
		for i, node := range nodes {
			row(node, x[i*dim:(i+1)*dim])
		}
		return []encoding{{[][]float32{x}, dim}}, nil
	}
}

// labelled are the encodings of nodes with their labels, as probes take them.
func (s *sight) labelled(c encoding, nodes []int) []probe.Features {
	labels := make([]int, len(nodes))
	for i, node := range nodes {
		labels[i] = s.labels[node]
	}
	all := make([]probe.Features, len(c.runs))
	for r, x := range c.runs {
		all[r] = probe.Features{X: x, Dim: c.dim, Labels: labels}
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
func (e Experiment) probes(ctx context.Context, b compute.Backend, s *sight, c encoding) (train.Snapshot, error) {
	l := e.linear(s.Classes)
	p, err := l.Problem(s.labelled(c, s.training), e.repetitions())
	if err != nil {
		return train.Snapshot{}, err
	}
	trained, err := train.Run(ctx, p, l.Config(len(s.training)), train.Options{Backend: b})
	if err != nil {
		return train.Snapshot{}, err
	}
	return trained.Snapshot, nil
}
