package notebook

import (
	"cmp"
	"context"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/images"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/train"
)

// Letters draws a set of images and evaluates features of them.
type Letters struct{ *images.Set }

// Glyphs is [images.Glyphs].
func Glyphs() Letters { return Letters{images.Glyphs()} }

// Pixels returns images as an input of the device, [N, H, W, C].
func (d Letters) Pixels(s images.Images) *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(s.Pixels, s.Len(), d.Height, d.Width, d.Channels)
}

// TwoViews draws two views of every 37th glyph.
func (d Letters) TwoViews() (sheet draw.Panels) {
	views := func(in train.Inputs) []*graph.Node {
		samples := graph.Const(in.Data[0].Graph(), [][]int32{{0, 592, 1184, 1776, 2368, 2960, 3552, 4144}})
		first, second := d.Views(images.Recipe{}, in.Data[0], samples, in.Random)
		flat := func(v *graph.Node) *graph.Node { return graph.Reshape(v, 1, samples.Shape().Dim(1), -1) }
		return []*graph.Node{flat(first), flat(second)}
	}
	p := train.Problem{Seeds: []int64{1}, Data: []*tensors.Tensor{d.Pixels(d.Train)}}
	none := train.Snapshot{Params: []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{0}, 1)}}
	for i, view := range Must(p.Evaluate(Engine(), none, views))[0] {
		values := xslices.Map(view.RawMatrix().Data, func(v float64) uint8 { return uint8(255 * v) })
		sheet.Rows = append(sheet.Rows, draw.PanelRow{Label: []string{"one view", "another view"}[i],
			Images: Must(draw.Images(values, d.Height, d.Channels))})
	}
	return sheet
}

// Features returns the outputs of the backbone for images without augmentation, with the running statistics.
func (d Letters) Features(n representation.Encoder, r images.Recipe, now train.Snapshot,
	s images.Images) representation.Features {
	network := representation.NewExtractor(Engine(), n, r.Normalise, s.Len(), d.Height, d.Width, d.Channels)
	defer network.Close()
	return Must(representation.Extract(network, now, s.Pixels, s.Labels))[0][0]
}

// Probe returns the accuracy of a linear classifier of features.
func (d Letters) Probe(p representation.Probe, training, test representation.Features) representation.Accuracy {
	return classified(p, len(d.Classes), training, test)[0]
}

// classified trains a linear classifier and returns its accuracy on each of the others.
func classified(p representation.Probe, classes int, training representation.Features,
	others ...representation.Features) []representation.Accuracy {
	trained := Must(p.Train(context.Background(), []representation.Features{training}, classes, []int64{1},
		train.Options{Backend: Engine()}))
	return xslices.Map(others, func(test representation.Features) representation.Accuracy {
		return representation.Accuracies(trained.Snapshot, []representation.Features{test})[0][0]
	})
}

// Nearest draws six test images of different letters, each with the five training images whose features have the
// largest cosine similarity, and the class below each.
func (d Letters) Nearest(training, test representation.Features) draw.Panels {
	sheet := draw.Panels{Head: []string{"test image", "nearest", "2nd", "3rd", "4th", "5th"}}
	size, x, y := d.Height*d.Width*d.Channels, training.Dense(), test.Dense()
	for letter := range 6 {
		i := 17 * d.Draws * letter
		far := func(n int) float64 { return -mat.Dot(x.RowView(n), y.RowView(i)) / mat.Norm(x.RowView(n), 2) }
		order := xslices.Iota(0, d.Train.Len())
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(far(a), far(b)) })
		shown, classes := slices.Clone(d.Test.Pixels[i*size:][:size]), []string{d.Classes[d.Test.Labels[i]]}
		for _, at := range order[:5] {
			shown = append(shown, d.Train.Pixels[at*size:][:size]...)
			classes = append(classes, d.Classes[d.Train.Labels[at]])
		}
		sheet.Rows = append(sheet.Rows,
			draw.PanelRow{Titles: classes, Images: Must(draw.Images(shown, d.Height, d.Channels))})
	}
	return sheet
}
