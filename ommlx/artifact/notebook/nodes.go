package notebook

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/optim"
)

// Nodes is a generated graph with labels. Every tenth test node is new: Seen has none of its edges.
type Nodes struct {
	*graphs.Dataset
	Seen graphs.Adjacency
	X    *mat.Dense // N×d, the features
}

// GeneratedNodes is [graphs.Generate].
func GeneratedNodes(g graphs.Generation) Nodes {
	d := graphs.Generate(g)
	all := Nodes{Dataset: d, X: representation.Features{X: d.X, Dim: d.Features, Labels: d.Labels}.Dense()}
	all.Seen = d.Without(all.New)
	return all
}

// New reports whether a node has no edges in training.
func (d Nodes) New(i int) bool { return d.Parts[i] == graphs.Test && i%10 == 0 }

// Test reports whether a node is for testing and not new.
func (d Nodes) Test(i int) bool { return d.Parts[i] == graphs.Test && !d.New(i) }

// where lists the nodes of a kind, ascending.
func (d Nodes) where(kind func(i int) bool) []int {
	return slices.DeleteFunc(xslices.Iota(0, d.Nodes()), func(i int) bool { return !kind(i) })
}

// Probe returns the accuracies in % of a linear classifier of the rows of x on test nodes and on new nodes. It is
// fitted to the nodes with known labels.
func (d Nodes) Probe(x *mat.Dense) (onTest, onNew float64) {
	of := func(nodes []int) representation.Features {
		return representation.FeaturesOf(linalg.Rows(x, nodes), xslices.Gather(d.Labels, nodes))
	}
	sgd := optim.SGD{LearningRate: 0.01, Momentum: 0.9, WeightDecay: 1e-3}
	probe := representation.Probe{Batch: 64, Epochs: 100, SGD: sgd}
	accuracies := classified(probe, d.Classes, of(d.Of(graphs.Training)), of(d.where(d.Test)), of(d.where(d.New)))
	return 100 * accuracies[0].Top1, 100 * accuracies[1].Top1
}

// Propagated returns the accuracy in % of label propagation on test nodes, which needs no functions.
func (d Nodes) Propagated() float64 {
	spread := graphs.PropagateLabels(d.Seen, d.Classes, d.Labels, d.Of(graphs.Training))
	nodes, scores := d.where(d.Test), []float32(nil)
	for _, i := range nodes {
		scores = append(scores, spread[i*d.Classes:][:d.Classes]...)
	}
	return 100 * representation.AccuracyOf(scores, xslices.Gather(d.Labels, nodes)).Top1
}

// ByClass draws every fifth node, with a mark for each class, at the first two principal components of the rows of f
// after their division by their norms, which removes the degree.
func (d Nodes) ByClass(f *mat.Dense) draw.Curves {
	unit := mat.DenseCopyOf(f)
	for i := range d.Labels {
		floats.Scale(1/floats.Norm(unit.RawRowView(i), 2), unit.RawRowView(i))
	}
	var directions stat.PC
	directions.PrincipalComponents(unit, nil)
	var axes, at mat.Dense
	directions.VectorsTo(&axes)
	_, k := f.Dims()
	at.Mul(unit, axes.Slice(0, k, 0, 2))
	picture := draw.Curves{XLabel: "principal component 1", YLabel: "principal component 2"}
	for class := range d.Classes {
		series := draw.Series{Name: fmt.Sprintf("class %d", class+1), Marks: true}
		for i := 0; i < len(d.Labels); i += 5 {
			if d.Labels[i] == class {
				series.Add(at.At(i, 0), at.At(i, 1))
			}
		}
		picture.Series = append(picture.Series, series)
	}
	return picture
}
