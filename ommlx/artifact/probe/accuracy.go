// Package probe has the encoders of the paper's Tables 1 and 3, and judges their frozen features by a linear classifier
// trained on them and by a vote among nearest neighbours, which needs no training.
package probe

import "math"

// Accuracy is how often a classifier is right.
type Accuracy struct {
	Top1 float64 `json:"top1"` // share of the samples, in [0, 1], whose label is the first answer
	Top5 float64 `json:"top5"` // and of those whose label is among the first five
	N    int     `json:"n"`    // number of samples
}

// accuracyOf counts how many samples are right, of the number of answers ahead of each one's label.
func accuracyOf(ahead []int) Accuracy {
	top1, top5 := 0, 0
	for _, answers := range ahead {
		if answers < 1 {
			top1++
		}
		if answers < 5 {
			top5++
		}
	}
	n := float64(len(ahead))
	return Accuracy{Top1: float64(top1) / n, Top5: float64(top5) / n, N: len(ahead)}
}

// ahead is the number of classes that a classifier with these scores names before the label. Of classes that tie, the
// one with the lower number comes first, so that a classifier that says nothing is right by chance alone. NaN counts
// against the classifier: it is ahead of every label, and a label that scores NaN is beyond all answers.
func ahead[T float32 | float64](scores []T, label int) (classes int) {
	own := scores[label]
	if own != own {
		return math.MaxInt
	}
	for c, score := range scores {
		behind := score < own || score == own && c >= label
		if !behind && c != label {
			classes++
		}
	}
	return classes
}
