package images

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx"
	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/operator"
	"operator-omm/ommlx/train"
)

// encoder is the network of an experiment: the backbone, and the projector if it has one.
func (e Experiment) encoder(channels int) net.Encoder {
	n := net.Encoder{Backbone: e.backbone(channels), Top: e.K}
	if e.Encoding == Projected {
		p := e.projector()
		n.Projector = &p
	}
	return n
}

// read returns the data of the experiment.
func (e Experiment) read() (*dataset.Images, error) {
	switch e.Data {
	case dataset.CIFAR100Name:
		return dataset.LoadCIFAR100()
	case dataset.DigitsName:
		return dataset.Digits(), nil
	}
	return dataset.Negatives(), nil
}

// problem is the training on images: data is the pixels [N, H, W, C] uint8; the state is the place in the shuffled
// epochs, see [train.Minibatches], and the running statistics.
//
// Each view is normalised by its own statistics, as in solo-learn, and the running ones take both.
func (e Experiment) problem(d *dataset.Images) (p train.Problem, err error) {
	objective, err := ommlx.Lookup(e.Method)
	if err != nil {
		return p, err
	}
	if err := e.minibatches(d.Train.Len()).Validate(); err != nil {
		return p, fmt.Errorf("%s has %d training images: %w", d.Name, d.Train.Len(), err)
	}
	batches := train.Minibatches{Samples: d.Train.Len(), Batch: e.Batch / max(1, e.Parts)} // or parts of them
	n := e.encoder(d.Channels)
	p.Seeds = e.Seeds
	p.Params, p.State = n.Init(e.Seeds)
	position := batches.Start(e.Seeds)
	p.State = append(position, p.State...)
	p.Data = []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(d.Train.Pixels, d.Train.Len(), d.Height, d.Width, d.Channels)}
	p.Loss = func(in train.Inputs) (*Node, []*Node) {
		statistics := in.State[len(position):]
		samples, next := batches.Take(e.Seeds, in.State[:len(position)])
		images := Gather(in.Data[0], InsertAxes(samples, -1)) // [R, B, H, W, C]
		first, second := e.Recipe.Views(images, in.Random)
		f, statistics := n.Train(in.Params, statistics, first, second)
		batch := operator.CDK(f[0], f[1], norms[e.Norm])
		in.Watch("features", batch.F)
		loss, _ := objective.Loss(batch, nil)
		return loss, append(next, statistics...)
	}
	return p, nil
}
