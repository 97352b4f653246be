package graphs

import (
	"slices"
)

// CorrectAndSmooth returns improved predictions [N, C] of the labels of a graph's nodes, from predictions z [N, C] and
// the labels of known nodes (Huang, He, Singh, Lim, Benson 2021, Combining label propagation and simple models
// out-performs graph neural networks; Section C.3 of the paper). With S = D^{-1/2} A D^{-1/2} and one-hot rows Y:
//
//	correct:  E_0 = Y − Z on known nodes, 0 elsewhere;   40 times E ← 1.1 S E − 0.1 E_0, with E = E_0 again on known
//	          nodes;   Z ← Z + 3 E;
//	smooth:   Z_0 = Y on known nodes, Z elsewhere;   25 times Z ← 0.75 D⁻¹A Z + 0.25 Z_0, clipped to [0, 1].
//
// The numbers are from the code of Neural Eigenmaps (thudzj/NEigenmaps at commit 008a379, graph/main_products.py),
// which the paper uses. It smooths with D⁻¹A where the publication has S.
func CorrectAndSmooth(a Adjacency, z []float32, classes int, labels, known []int) []float32 {
	const corrections, correction, scale, smoothings, smoothing = 40, 1.1, 3, 25, 0.75
	e := make([]float32, len(z))
	for _, i := range known {
		for class := range classes {
			e[i*classes+class] = -z[i*classes+class]
		}
		e[i*classes+labels[i]]++
	}
	start := slices.Clone(e)
	e = propagate(a.Symmetric(), e, corrections, correction, func(e []float32) {
		for _, i := range known {
			copy(e[i*classes:(i+1)*classes], start[i*classes:])
		}
	})
	for i, x := range z {
		e[i] = x + scale*e[i]
	}
	for _, i := range known {
		clear(e[i*classes : (i+1)*classes])
		e[i*classes+labels[i]] = 1
	}
	return propagate(a.Walk(), e, smoothings, smoothing, func(z []float32) {
		for i, x := range z {
			z[i] = min(max(x, 0), 1)
		}
	})
}

// PropagateLabels is label propagation, the baseline without features, from one-hot rows Y of the known labels:
// F ← 0.9 S F + 0.1 Y, 50 times from F = Y, with S = D^{-1/2} A D^{-1/2}. It approximates 0.1 (I − 0.9 S)⁻¹ Y (Zhou,
// Bousquet, Lal, Weston, Schölkopf 2004, Learning with local and global consistency). It returns F [N, C].
func PropagateLabels(a Adjacency, classes int, labels, known []int) []float32 {
	y := make([]float32, a.Nodes()*classes)
	for _, i := range known {
		y[i*classes+labels[i]] = 1
	}
	return propagate(a.Symmetric(), y, 50, 0.9, func([]float32) {})
}

// propagate repeats x ← α M x + (1 − α) x_0 from x_0 and calls then after each step.
func propagate(m Normalised, x []float32, times int, alpha float64, then func([]float32)) []float32 {
	start, next := slices.Clone(x), make([]float32, len(x))
	for range times {
		Multiply(m, next, x, len(x)/m.Nodes())
		for i := range next {
			next[i] = float32(alpha)*next[i] + float32(1-alpha)*start[i]
		}
		then(next)
		x, next = next, x
	}
	return x
}
