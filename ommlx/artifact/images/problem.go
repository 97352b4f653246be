package images

import (
	"context"
	"fmt"
	"io"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx"
	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/operator"
	"operator-omm/ommlx/train"
)

// encoder is the network of an experiment: the backbone, and the projector if it has one.
type encoder struct {
	backbone  net.ResNet18
	projector *net.Projector
	k         int

	params, state int // of the backbone, the first ones of the lists
}

func (e Experiment) encoder(channels int) *encoder {
	n := &encoder{backbone: e.backbone(channels), k: e.K}
	n.params, n.state = len(n.backbone.Init([]int64{1})), len(n.backbone.InitState(1))
	if e.Encoding == Projected {
		p := e.projector()
		n.projector = &p
	}
	return n
}

// initial returns the parameters and running statistics of runs before the first step.
func (n *encoder) initial(seeds []int64) (params, state []*tensors.Tensor) {
	params, state = n.backbone.Init(seeds), n.backbone.InitState(len(seeds))
	if n.projector != nil {
		params = append(params, n.projector.Init(seeds)...)
		state = append(state, n.projector.InitState(len(seeds))...)
	}
	return params, state
}

// train returns the embeddings [R, B, k] of views [R, B, H, W, C] and the next running statistics.
func (n *encoder) train(params, state []*Node, views ...*Node) (f, next []*Node) {
	f, next = n.backbone.Train(params[:n.params], state[:n.state], views...)
	if n.projector == nil {
		for i := range f {
			f[i] = n.top(f[i])
		}
		return f, next
	}
	f, after := n.projector.Train(params[n.params:], state[n.state:], f...)
	return f, append(next, after...)
}

// apply returns the features [R, B, d] of the backbone and the embeddings [R, B, k], by the running statistics.
func (n *encoder) apply(params, state []*Node, images *Node) (features, f *Node) {
	features = n.backbone.Apply(params[:n.params], state[:n.state], images)
	if n.projector == nil {
		return features, n.top(features)
	}
	return features, n.projector.Apply(params[n.params:], state[n.state:], features)
}

// top are the first k features.
func (n *encoder) top(features *Node) *Node {
	return Slice(features, AxisRange(), AxisRange(), AxisRange(0, n.k))
}

// read returns the data of the experiment; it gets the digits where they are missing.
func (e Experiment) read() (*dataset.Images, error) {
	switch e.Data {
	case dataset.CIFAR100Name:
		return dataset.LoadCIFAR100()
	case dataset.DigitsName:
		return dataset.FetchDigits(context.Background(), io.Discard)
	}
	return dataset.LoadGenerated()
}

// problem is the training on images: data is the pixels [N, H, W, C] uint8; the state is the place in the shuffled
// epochs, see [train.Minibatches], and the running statistics.
//
// Each view is normalised by its own statistics, as in solo-learn, and the running ones take both.
func (e Experiment) problem(d *dataset.Images) (train.Problem, error) {
	var p train.Problem
	objective, err := ommlx.Lookup(e.Method)
	if err != nil {
		return p, err
	}
	norm, err := e.Norm.of()
	if err != nil {
		return p, err
	}
	if err := e.minibatches(d.Train.Len()).Validate(); err != nil {
		return p, fmt.Errorf("%s has %d training images: %w", d.Name, d.Train.Len(), err)
	}
	batches, n := e.parts(d.Train.Len()), e.encoder(d.Channels)
	p.Seeds = e.Seeds
	p.Params, p.State = n.initial(e.Seeds)
	position := batches.Start(e.Seeds)
	p.State = append(position, p.State...)
	p.Data = []*tensors.Tensor{pixels(d, d.Train)}
	p.Loss = func(in train.Inputs) (*Node, []*Node) {
		statistics := in.State[len(position):]
		samples, next := batches.Take(e.Seeds, in.State[:len(position)])
		images := Gather(in.Data[0], InsertAxes(samples, -1)) // [R, B, H, W, C]
		first, second := e.Recipe.Views(images, in.Random)
		f, statistics := n.train(in.Params, statistics, first, second)
		batch := operator.CDK(f[0], f[1], norm)
		in.Watch("features", batch.F)
		loss, _ := objective.Loss(batch, nil)
		return loss, append(next, statistics...)
	}
	return p, nil
}

// pixels are the images of a split on their way to the device.
func pixels(d *dataset.Images, s dataset.Split) *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(s.Pixels, s.Len(), d.Height, d.Width, d.Channels)
}
