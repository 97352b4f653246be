package bench

import (
	_ "embed"
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/train"
)

var (
	//go:embed torch_resnet18.py
	torchResNet18 string
	//go:embed torch_resnet.py
	torchResNet string
)

// resnetStep is a step of ResNet-18 on one batch of colour images: forward, backward and Adam.
type resnetStep struct {
	Batch        int  `json:"batch"`
	Size         int  `json:"size"` // pixels of a side
	Width        int  `json:"width"`
	Blocks       int  `json:"-"`             // per stage; two in PyTorch
	ChannelsLast bool `json:"channels_last"` // PyTorch's memory layout
}

// problem minimises the mean square of the features. The cost of an objective is measured elsewhere.
func (p resnetStep) problem() train.Problem {
	seeds := []int64{1}
	network := representation.Encoder{Backbone: representation.ResNet18{Channels: 3, Width: p.Width, Blocks: p.Blocks}}
	weights, statistics := network.Init(seeds)
	flat := make([]float32, p.Batch*p.Size*p.Size*3)
	for i := range flat {
		flat[i] = float32(i%97) / 97
	}
	return train.Problem{
		Seeds:  seeds,
		Params: weights,
		State:  statistics,
		Data:   []*tensors.Tensor{tensors.FromFlatDataAndDimensions(flat, p.Batch, p.Size, p.Size, 3)},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			features, next := network.Train(in.Params, in.State, in.Data[0])
			return ReduceMean(Square(features[0]), 1, 2), next
		},
	}
}

// resnet compares the step of ResNet-18 with PyTorch's in both memory layouts. Target: 1.3 of the usual one. At batch
// 32 (AMD EPYC, two cores), XLA's convolutions with both gradients take as long as oneDNN's with 64 channels, 1.4 times
// as long with 128 and 256, and twice as long with strides. Together they take 210 ms longer, which is the difference
// between steps of 1,000 ms and 780 ms. Barriers after gradients, and gradients of products without transposed kernels,
// gain at most 3 %.
func (s *session) resnet() error {
	torch := s.script("PyTorch", torchResNet18+torchResNet)
	p, batches := resnetStep{Size: 32, Width: 64, Blocks: 2}, []int{32, 128}
	if s.small {
		p.Size, p.Width, p.Blocks, batches = 8, 2, 1, batches[1:] // each size takes seconds to compile
	}
	for _, p.Batch = range batches {
		steps, last := max(1, 128/p.Batch), p
		last.ChannelsLast = true
		if err := s.train(fmt.Sprintf("batch %d", p.Batch), p.problem(), steps,
			contender{"NCHW", 1.3, torch.round(s.steps(steps), p)},
			contender{"channels last", 0, torch.round(s.steps(steps), last)}); err != nil {
			return err
		}
	}
	return nil
}
