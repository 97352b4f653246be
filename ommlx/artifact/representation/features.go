package representation

import (
	"math"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"
)

// Features are the features of N samples by a frozen network, and the samples' labels.
type Features struct {
	X      []float32 // [N, Dim], row by row
	Dim    int       // d, the number of features of a sample
	Labels []int     // [N], counted from 0
}

// FeaturesOf returns the rows of x, N×d, with their labels.
func FeaturesOf(x *mat.Dense, labels []int) Features {
	flat := mat.DenseCopyOf(x).RawMatrix() // of a slice without gaps between rows
	return Features{X: xslices.Map(flat.Data, func(v float64) float32 { return float32(v) }), Dim: flat.Cols,
		Labels: labels}
}

// Dense returns the features as a matrix, N×d.
func (f Features) Dense() *mat.Dense {
	x := xslices.Map(f.X, func(v float32) float64 { return float64(v) })
	return mat.NewDense(len(f.Labels), f.Dim, x)
}

// Accuracy is the accuracy of a classifier.
type Accuracy struct {
	Top1 float64 `json:"top1"` // share of the samples, in [0, 1], whose label is the first answer
	Top5 float64 `json:"top5"` // share of the samples whose label is among the first five answers
	N    int     `json:"n"`    // number of samples
}

// AccuracyOf returns the accuracy of the answers with the largest scores [N, C] on samples with these labels [N]; 0
// without samples.
func AccuracyOf[T float32 | float64](scores []T, labels []int) (a Accuracy) {
	a.N = len(labels)
	share := 1 / float64(max(1, a.N))
	for i, label := range labels {
		classes := len(scores) / a.N
		before := ahead(scores[i*classes:(i+1)*classes], label)
		if before < 1 {
			a.Top1 += share
		}
		if before < 5 {
			a.Top5 += share
		}
	}
	return a
}

// ahead returns the number of classes that rank before the label by score. A tie goes to the lower class, so a constant
// classifier is right only by chance. NaN counts against the classifier: other classes with NaN rank before the label,
// and a label with NaN ranks after all classes.
func ahead[T float32 | float64](scores []T, label int) (classes int) {
	own := scores[label]
	if math.IsNaN(float64(own)) {
		return math.MaxInt
	}
	for c, score := range scores {
		after := score < own || score == own && c >= label
		if !after {
			classes++
		}
	}
	return classes
}
