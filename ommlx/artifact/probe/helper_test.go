package probe

import (
	"math/rand/v2"

	"omm-go/ommlx/internal/testkit"
)

// clusters draws n samples around one centre for each class; distance scales the centres.
func clusters(rng *rand.Rand, n, dim, classes int, centres []float64, distance float64) Features {
	f := Features{Dim: dim}
	for range n {
		label := rng.IntN(classes)
		f.Labels = append(f.Labels, label)
		for j := range dim {
			f.X = append(f.X, float32(distance*centres[label*dim+j]+rng.NormFloat64()))
		}
	}
	return f
}

// task returns a training and a test set of the same clusters.
func task(seed uint64, n, tests, dim, classes int, distance float64) (training, test Features) {
	rng := testkit.NewRand(seed)
	centres := testkit.Gaussian(rng, classes, dim).Data
	return clusters(rng, n, dim, classes, centres, distance), clusters(rng, tests, dim, classes, centres, distance)
}
