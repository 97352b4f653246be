package notebook

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/images"
	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// TestLetters: of features that are the labels, the nearest images have the letter and a linear classifier is right. An
// untrained network has the features of its width.
func TestLetters(t *testing.T) {
	d := Glyphs()
	few := func(s images.Images) representation.Features {
		x := mat.NewDense(s.Len(), len(d.Classes), nil)
		for i, label := range s.Labels {
			x.Set(i, label, 1)
		}
		return representation.FeaturesOf(x, s.Labels)
	}
	training, test := few(d.Train), few(d.Test)
	sheet := d.Nearest(training, test)
	assert.Len(t, sheet.Rows, 6)
	for _, row := range sheet.Rows {
		for _, letter := range row.Titles {
			assert.Equal(t, row.Titles[0], letter)
		}
	}
	probe := representation.Probe{Batch: 256, Epochs: 2, SGD: optim.SGD{LearningRate: 1, Momentum: 0.9}}
	assert.Greater(t, d.Probe(probe, training, test).Top1, 0.99)
	for _, row := range d.TwoViews().Rows {
		assert.Len(t, row.Images, 8)
	}
	backbone := representation.ResNet18{Channels: d.Channels, Width: 2, Blocks: 1}
	network := representation.Encoder{Backbone: backbone}
	params, state := network.Init([]int64{1})
	small := images.Images{Pixels: d.Test.Pixels[:4*d.Height*d.Width*d.Channels], Labels: d.Test.Labels[:4]}
	features := d.Features(network, images.Recipe{}, train.Snapshot{Params: params, State: state}, small)
	assert.Equal(t, backbone.Features(), features.Dim)
	assert.Equal(t, small.Labels, features.Labels)
}
