// Package probe has the encoders of the paper's Tables 1 and 3. It evaluates their frozen features with a linear
// classifier trained on them and with nearest neighbours.
package probe

import "math"

// Accuracy is the accuracy of a classifier.
type Accuracy struct {
	Top1 float64 `json:"top1"` // share of the samples, in [0, 1], whose label is the first answer
	Top5 float64 `json:"top5"` // share of the samples whose label is among the first five answers
	N    int     `json:"n"`    // number of samples
}

// accuracyOf returns the accuracy, given the number of answers ahead of each sample's label.
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

// ahead returns the number of classes that rank before the label by score. A tie goes to the lower class, so a constant
// classifier is right only by chance. NaN counts against the classifier: other classes with NaN rank before the label,
// and a label with NaN ranks after all classes.
func ahead[T float32 | float64](scores []T, label int) (classes int) {
	own := scores[label]
	if own != own {
		return math.MaxInt
	}
	for c, score := range scores {
		after := score < own || score == own && c >= label
		if !after && c != label {
			classes++
		}
	}
	return classes
}
