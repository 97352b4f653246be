package probe

import (
	"cmp"
	"fmt"
	"slices"

	"omm-go/ommlx/sparse"
)

// CorrectAndSmooth improves predictions of the labels of a graph's nodes with the known labels (Huang, He, Singh, Lim,
// Benson 2021, Combining label propagation and simple models out-performs graph neural networks; Section C.3 of the
// paper). With S = D^{-1/2} A D^{-1/2}, one-hot rows Y for the known nodes and predictions Z:
//
//	correct:  E_0 = Y − Z on known nodes, 0 elsewhere;   E ← α S E + (1 − α) E_0, with E = E_0 again on known nodes;
//	          Z ← Z + γ E;
//	smooth:   Z_0 = Y on known nodes, Z elsewhere;   Z ← β D⁻¹A Z + (1 − β) Z_0, clipped to [0, 1].
//
// The defaults come from the code of Neural Eigenmaps (thudzj/NEigenmaps at commit 008a379, graph/main_products.py),
// which the paper uses. That code calls PyTorch Geometric's CorrectAndSmooth and smooths with D⁻¹A where the
// publication has S.
type CorrectAndSmooth struct {
	Corrections int     // number of propagations of E, 40 when zero
	Correction  float64 // α, 1.1 when zero
	Smoothings  int     // number of propagations of Z, 25 when zero
	Smoothing   float64 // β, 0.75 when zero
	Scale       float64 // γ, 3 when zero
}

func (c CorrectAndSmooth) withDefaults() CorrectAndSmooth {
	c.Corrections, c.Correction = cmp.Or(c.Corrections, 40), cmp.Or(c.Correction, 1.1)
	c.Smoothings, c.Smoothing = cmp.Or(c.Smoothings, 25), cmp.Or(c.Smoothing, 0.75)
	c.Scale = cmp.Or(c.Scale, 3)
	return c
}

// Apply returns improved predictions [N, C] from predictions z [N, C], such as the softmax of a classifier, which it
// does not change. It uses only the labels of known nodes. It returns an error if sizes do not fit.
func (c CorrectAndSmooth) Apply(a sparse.Adjacency, z []float32, classes int, labels []int, known []int) ([]float32,
	error) {
	c = c.withDefaults()
	if err := checkNodes(a, z, classes, labels, known); err != nil {
		return nil, err
	}
	e := make([]float32, len(z))
	for _, i := range known {
		for class := range classes {
			e[i*classes+class] = indicator(class == labels[i]) - z[i*classes+class]
		}
	}
	start := slices.Clone(e)
	e = propagate(a.Symmetric(), e, classes, c.Corrections, c.Correction, func(e []float32) {
		for _, i := range known {
			copy(e[i*classes:(i+1)*classes], start[i*classes:])
		}
	})
	for i, x := range z {
		e[i] = x + float32(c.Scale)*e[i]
	}
	return smooth(a, e, classes, labels, known, c.Smoothings, c.Smoothing), nil
}

// PropagateLabels is label propagation (Zhu and Ghahramani 2002), the baseline without features: the smoothing of
// [CorrectAndSmooth] from zero predictions, the given number of times with weight β. It returns [N, C], or an error if
// sizes do not fit.
func PropagateLabels(a sparse.Adjacency, classes int, labels, known []int, times int, beta float64) ([]float32, error) {
	z := make([]float32, a.Nodes()*max(classes, 0))
	if err := checkNodes(a, z, classes, labels, known); err != nil {
		return nil, err
	}
	return smooth(a, z, classes, labels, known, times, beta), nil
}

// smooth overwrites z.
func smooth(a sparse.Adjacency, z []float32, classes int, labels, known []int, times int, beta float64) []float32 {
	for _, i := range known {
		for class := range classes {
			z[i*classes+class] = indicator(class == labels[i])
		}
	}
	return propagate(a.Walk(), z, classes, times, beta, func(z []float32) {
		for i, x := range z {
			z[i] = min(max(x, 0), 1)
		}
	})
}

// propagate repeats x ← α M x + (1 − α) x_0 from x_0 and calls then after each step.
func propagate(m sparse.Matrix, x []float32, columns, times int, alpha float64, then func([]float32)) []float32 {
	start, next := slices.Clone(x), make([]float32, len(x))
	for range times {
		sparse.Multiply(m, next, x, columns)
		for i := range next {
			next[i] = float32(alpha)*next[i] + float32(1-alpha)*start[i]
		}
		then(next)
		x, next = next, x
	}
	return x
}

// indicator returns 1 for true and 0 for false.
func indicator(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func checkNodes(a sparse.Adjacency, z []float32, classes int, labels, known []int) error {
	if n := a.Nodes(); classes < 1 || len(z) != n*classes || len(labels) != n || len(known) == 0 {
		return fmt.Errorf("probe: %d predictions, %d labels and %d known nodes do not fit %d nodes and %d classes",
			len(z), len(labels), len(known), n, classes)
	}
	return nil
}
