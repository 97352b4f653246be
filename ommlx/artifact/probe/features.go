// Package probe has the encoders, the minibatches and the optimiser of the paper's Tables 1 and 3. It evaluates frozen
// features with a linear classifier trained on them and with nearest neighbours.
package probe

import (
	"math"
	"slices"

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

// rows returns the features of samples [first, end).
func (f Features) rows(first, end int) []float32 { return f.X[first*f.Dim : end*f.Dim] }

// stacked returns the features of all sets, set by set.
func stacked(sets []Features) []float32 {
	return slices.Concat(xslices.Map(sets, func(f Features) []float32 { return f.X })...)
}

// Accuracy is the accuracy of a classifier.
type Accuracy struct {
	Top1 float64 `json:"top1"` // share of the samples, in [0, 1], whose label is the first answer
	Top5 float64 `json:"top5"` // share of the samples whose label is among the first five answers
	N    int     `json:"n"`    // number of samples
}

// AccuracyOf returns the accuracy of the answers with the largest scores [N, C] on samples with these labels [N].
func AccuracyOf[T float32 | float64](scores []T, labels []int) Accuracy {
	answers, classes := make([]int, len(labels)), len(scores)/max(1, len(labels))
	for i, label := range labels {
		answers[i] = ahead(scores[i*classes:(i+1)*classes], label)
	}
	return ranked(answers)
}

// ranked returns the accuracy, given the number of answers ahead of each sample's label; 0 without samples.
func ranked(ahead []int) Accuracy {
	top1, top5 := 0, 0
	for _, answers := range ahead {
		if answers < 1 {
			top1++
		}
		if answers < 5 {
			top5++
		}
	}
	n := float64(max(1, len(ahead)))
	return Accuracy{Top1: float64(top1) / n, Top5: float64(top5) / n, N: len(ahead)}
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
