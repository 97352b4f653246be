package graphs

import (
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/train"
)

// block is the number of nodes that are encoded, or classified, at once.
const block = 4_096

// encode returns the inputs of linear probes for the given nodes, for each run or as one table for all runs.
type encode func(nodes []int) (probe.Outputs, error)

// The outputs of a network, as indices into the result of [probe.Evaluator.On].
const (
	representation = iota
	embedding
)

// learned encodes nodes by networks, during training or after it.
func (s *view) learned(networks *probe.Evaluator, now train.Snapshot, which int) encode {
	return func(nodes []int) (probe.Outputs, error) {
		both, err := networks.On(now, len(nodes), func(first int) (*tensors.Tensor, error) {
			x := make([]float32, block*s.Features)
			for row, node := range nodes[first:min(first+block, len(nodes))] {
				s.FeaturesOf(node, x[row*s.Features:])
			}
			return tensors.FromFlatDataAndDimensions(x, block, s.Features), nil
		})
		return both[which], err
	}
}

// table encodes nodes by the rows of a table [N, dim], the same for every run.
func table(dim int, row func(node int, dst []float32)) encode {
	return func(nodes []int) (probe.Outputs, error) {
		x := make([]float32, len(nodes)*dim)
		for i, node := range nodes {
			row(node, x[i*dim:(i+1)*dim])
		}
		return probe.Outputs{Runs: [][]float32{x}, Dim: dim}, nil
	}
}

// blocks encodes all nodes, block by block, and calls do with each block and its first node.
func (s *view) blocks(of encode, do func(first int, c probe.Outputs) error) error {
	for nodes := range slices.Chunk(s.all, block) {
		c, err := of(nodes)
		if err == nil {
			err = do(nodes[0], c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *view) labelled(of encode, nodes []int) ([]probe.Features, error) {
	c, err := of(nodes)
	labels := make([]int, len(nodes))
	for i, node := range nodes {
		labels[i] = s.labels[node]
	}
	return c.Labelled(labels), err
}

// neighbours returns the accuracies by nearest neighbours, on at most 5,000 training and 5,000 test nodes.
func (s *view) neighbours(b compute.Backend, of encode) ([]float64, error) {
	const most = 5_000
	training, err := s.labelled(of, spread(s.training, most))
	if err != nil {
		return nil, err
	}
	test, err := s.labelled(of, spread(s.test, most))
	if err != nil {
		return nil, err
	}
	found, err := probe.Neighbours.Score(b, training, test)
	values := make([]float64, len(found))
	for r, a := range found {
		values[r] = a.Top1
	}
	return values, err
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

// Judged lists the accuracies of linear probes on one kind of functions, one for each repetition.
type Judged struct {
	Test     []float64 `json:"test"`             // on the test nodes
	Smoothed []float64 `json:"smoothed"`         // on the test nodes, after Correct & Smooth
	Unseen   []float64 `json:"unseen,omitempty"` // on the unseen test nodes, if any
}

// probed trains linear probes on the encoded training nodes and judges them, for each run.
func (e Experiment) probed(ctx context.Context, b compute.Backend, s *view, of encode) ([]Judged, error) {
	training, err := s.labelled(of, s.training)
	if err != nil {
		return nil, err
	}
	l := e.linear(s.Classes)
	p, err := l.Problem(training, run.Seeds(e.Probe.Repetitions))
	if err != nil {
		return nil, err
	}
	trained, err := train.Run(ctx, p, l.Config(len(s.training)), train.Options{Backend: b})
	if err != nil {
		return nil, err
	}
	return e.assess(ctx, b, s, of, trained.Params)
}

// probesAtOnce is the number of probes of a run that are evaluated at once. On ogbn-products each takes 460 MB.
const probesAtOnce = 4

// assess returns the accuracies of trained probes, for each run.
func (e Experiment) assess(ctx context.Context, b compute.Backend, s *view, of encode, probes []*tensors.Tensor) (
	[]Judged, error) {
	all := make([]Judged, len(e.Seeds))
	for first := 0; first < probes[0].Shape().Dim(0)/len(all); first += probesAtOnce {
		answers, err := s.answers(b, of, part(probes[0], len(all), first), part(probes[1], len(all), first))
		if err != nil {
			return nil, err
		}
		for i, z := range answers {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("%w before Correct & Smooth", train.ErrInterrupted)
			}
			smooth := probe.CorrectAndSmooth(s.seen, z, s.Classes, s.labels, s.training)
			j := &all[i*len(all)/len(answers)]
			j.Test = append(j.Test, s.accuracy(z, s.test))
			j.Smoothed = append(j.Smoothed, s.accuracy(smooth, s.test))
			if len(s.unseen) > 0 && e.Method != Eigenvectors { // eigenvectors are zero on unseen nodes
				j.Unseen = append(j.Unseen, s.accuracy(z, s.unseen))
			}
		}
	}
	return all, nil
}

// part returns a parameter [R·S, …] of up to [probesAtOnce] of each run's S probes, from first on: [R·s, …].
func part(probes *tensors.Tensor, runs, first int) *tensors.Tensor {
	dims := slices.Clone(probes.Shape().Dimensions)
	flat := tensors.MustCopyFlatData[float32](probes)
	each := dims[0] / runs
	size, end := len(flat)/dims[0], min(first+probesAtOnce, each)
	var some []float32
	for r := range runs {
		some = append(some, flat[(r*each+first)*size:(r*each+end)*size]...)
	}
	dims[0] = runs * (end - first)
	return tensors.FromFlatDataAndDimensions(some, dims...)
}

// answers returns the class probabilities [N, C] of all nodes for each probe, w [R·S, C, d] and bias [R·S, C].
func (s *view) answers(b compute.Backend, of encode, w, bias *tensors.Tensor) ([][]float32, error) {
	exec := MustNewExec(b, func(w, bias, x *Node) *Node {
		classifiers, runs := w.Shape().Dim(0), x.Shape().Dim(0)
		w = Reshape(w, runs, classifiers/runs, s.Classes, -1)
		z := Reshape(Einsum("rnd,rscd->rsnc", x, w), classifiers, block, s.Classes)
		return Softmax(Add(z, BroadcastToShape(InsertAxes(bias, 1), z.Shape())), -1)
	})
	defer exec.Finalize()
	all := make([][]float32, w.Shape().Dim(0))
	for i := range all {
		all[i] = make([]float32, 0, s.Nodes()*s.Classes)
	}
	return all, s.blocks(of, func(_ int, c probe.Outputs) error {
		values := make([]float32, len(c.Runs)*block*c.Dim) // padded with zeros
		for r, rows := range c.Runs {
			copy(values[r*block*c.Dim:], rows)
		}
		x := tensors.FromFlatDataAndDimensions(values, len(c.Runs), block, c.Dim)
		out, err := exec.Call(w, bias, x)
		x.FinalizeAll()
		if err != nil {
			return fmt.Errorf("evaluating probes: %w", err)
		}
		flat := tensors.MustCopyFlatData[float32](out[0])
		out[0].FinalizeAll()
		for i := range all {
			all[i] = append(all[i], flat[i*block*s.Classes:][:len(c.Runs[0])/c.Dim*s.Classes]...)
		}
		return nil
	})
}

// accuracy returns the share of nodes whose row of z [N, C] is largest at their label.
func (s *view) accuracy(z []float32, nodes []int) float64 {
	right := 0
	for _, i := range nodes {
		row := z[i*s.Classes : (i+1)*s.Classes]
		if slices.Index(row, slices.Max(row)) == s.labels[i] {
			right++
		}
	}
	return float64(right) / float64(max(len(nodes), 1))
}
