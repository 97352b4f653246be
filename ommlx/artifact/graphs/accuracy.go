package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/train"
)

// block is the number of nodes that are encoded at once.
const block = 4_096

// encode returns the inputs of linear probes for the given nodes, with labels: a set for each run, or one for all runs.
type encode func(nodes []int) ([]representation.Features, error)

// table encodes nodes by the rows of a table x [N, d], the same for every run.
func (s *view) table(x []float32) encode {
	return func(nodes []int) ([]representation.Features, error) {
		return []representation.Features{{X: s.gather(x, nodes), Dim: len(x) / s.Nodes(),
			Labels: xslices.Gather(s.Labels, nodes)}}, nil
	}
}

// gather returns the rows of x [N, d] at some nodes.
func (s *view) gather(x []float32, nodes []int) (rows []float32) {
	dim := len(x) / s.Nodes()
	for _, i := range nodes {
		rows = append(rows, x[i*dim:(i+1)*dim]...)
	}
	return rows
}

// blocks calls do with the sets of inputs [B, d] of all nodes, block by block, and the first node of each block.
func (s *view) blocks(of encode, do func(first int, sets []*mat.Dense)) error {
	for nodes := range slices.Chunk(s.all, block) {
		sets, err := of(nodes)
		if err != nil {
			return err
		}
		do(nodes[0], xslices.Map(sets, representation.Features.Dense))
	}
	return nil
}

// accuracies returns the accuracies of trained probes, the same number for each run. It evaluates one at a time: on
// ogbn-products its predictions take 460 MB.
func (v *evaluator) accuracies(ctx context.Context, of encode, probes train.Snapshot) ([]Accuracies, error) {
	classifiers, all := representation.Classifiers(probes), make([]Accuracies, len(v.e.Seeds))
	for i, logits := range classifiers {
		r := i * len(all) / len(classifiers)
		z, err := v.predictions(of, r, logits)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%w before Correct & Smooth", train.ErrInterrupted)
		}
		smooth := CorrectAndSmooth(v.seen, z, v.Classes, v.Labels, v.training)
		all[r].Test = append(all[r].Test, v.accuracy(z, v.test))
		all[r].Smoothed = append(all[r].Smoothed, v.accuracy(smooth, v.test))
		if len(v.unseen) > 0 && v.e.Method != Eigenvectors { // eigenvectors are zero on unseen nodes
			all[r].Unseen = append(all[r].Unseen, v.accuracy(z, v.unseen))
		}
	}
	return all, nil
}

// predictions returns the softmax of a probe's logits for all nodes, [N, C], on the functions of a run.
func (s *view) predictions(of encode, run int, logits func(x *mat.Dense) *mat.Dense) (z []float32, err error) {
	z = make([]float32, 0, s.Nodes()*s.Classes)
	err = s.blocks(of, func(_ int, sets []*mat.Dense) {
		for row := range slices.Chunk(logits(sets[run%len(sets)]).RawMatrix().Data, s.Classes) {
			sum := floats.LogSumExp(row)
			for _, x := range row {
				z = append(z, float32(math.Exp(x-sum)))
			}
		}
	})
	return z, err
}

// accuracy returns the share of nodes whose row of z [N, C] is largest at their label.
func (s *view) accuracy(z []float32, nodes []int) float64 {
	return representation.AccuracyOf(s.gather(z, nodes), xslices.Gather(s.Labels, nodes)).Top1
}
