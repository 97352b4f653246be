package images

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/spectral"
)

// Baselines for [Experiment.Method]: features that are not learned.
const (
	// Pixels are the normalised pixels of the images.
	Pixels = "pixels"
	// Components are the k leading principal components of the training images, each with variance 1.
	Components = "components"
)

func (e Experiment) learns() bool { return e.Method != Pixels && e.Method != Components }

// plain drops what only learning needs.
func (e Experiment) plain() Experiment {
	p := Experiment{Data: e.Data, Method: e.Method, Recipe: e.Recipe, Probe: e.Probe, Seeds: e.Seeds}
	if e.Method == Components {
		p.K = e.K
	}
	return p
}

// pixels returns the normalised pixels of N images, N×HWC.
func (e Experiment) pixels(d *Set, s Images) *mat.Dense {
	x := make([]float64, len(s.Pixels))
	for i, v := range s.Pixels {
		c := i % d.Channels
		x[i] = float64(float32((float64(v)/255 - e.Recipe.Mean[c]) / e.Recipe.Std[c]))
	}
	return mat.NewDense(s.Len(), len(x)/s.Len(), x)
}

// components returns the k leading principal axes of samples x, N×d, scaled so that x along them has variance 1: d×k.
func components(x *mat.Dense, k int) (*mat.Dense, error) {
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, x, nil)
	if most := covariance.SymmetricDim(); k > most {
		return nil, fmt.Errorf("principal components: k is %d, want at most %d, the numbers of an image", k, most)
	}
	principal, err := spectral.SymEigen(&covariance)
	if err != nil {
		return nil, fmt.Errorf("principal components: %w", err)
	}
	axes := mat.DenseCopyOf(principal.Vectors.Slice(0, covariance.SymmetricDim(), 0, k))
	axes.Apply(func(_, c int, x float64) float64 { return x / math.Sqrt(max(1e-12, principal.Values[c])) }, axes)
	return axes, nil
}

// fixed returns the features of the training images and of the test images, which are not learned.
func (e Experiment) fixed(d *Set) (training, test []probe.Features, err error) {
	x, y := e.pixels(d, d.Train), e.pixels(d, d.Test)
	if e.Method == Components {
		axes, err := components(x, e.K)
		if err != nil {
			return nil, nil, err
		}
		var first, second mat.Dense
		first.Mul(x, axes)
		second.Mul(y, axes)
		x, y = &first, &second
	}
	training = []probe.Features{probe.FeaturesOf(x, d.Train.Labels)}
	return training, []probe.Features{probe.FeaturesOf(y, d.Test.Labels)}, nil
}
