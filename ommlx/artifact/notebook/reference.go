package notebook

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

// Lattice returns the k lowest states of −∇² + V in a box by finite differences on n points per axis, with energies
// extrapolated to zero spacing. V maps x [R, n, D] to [R, n, 1].
func Lattice(potential func(x *graph.Node) *graph.Node, box net.Box, n, k int) schrodinger.Numerical {
	s := schrodinger.System{Name: "lattice", Dim: len(box.Lower), Potential: potential}
	return Must(s.Extrapolated(Engine(), box, n, k))
}

// DoubleWell returns the k slowest functions of the process dx = −U'dt + √2 dβ, U = 2(x² − 1)², at points x: N×k, and
// their eigenvalues after a time. With V = ¼U'² − ½U" the operator −∂² + V has energies E_i and states ψ_i, by finite
// differences; the values are exp(−E_i time) and the functions ψ_i/ψ_1.
func DoubleWell(time float64, k int) (x []float64, functions *mat.Dense, values []float64) {
	s := schrodinger.System{Name: "double well", Dim: 1, PotentialAt: func(x []float64) float64 {
		square := x[0] * x[0]
		return 16*square*(1-square)*(1-square) + 4 - 12*square
	}}
	states := Must(s.Differences(nil, net.Box{Lower: []float64{-1.9}, Upper: []float64{1.9}}, 599, k))
	functions = mat.DenseCopyOf(states.Vectors)
	for p := range functions.RawMatrix().Rows {
		row := functions.RawRowView(p)
		floats.Scale(1/row[0], row)
	}
	for _, energy := range states.Values {
		values = append(values, math.Exp(-energy*time))
	}
	return mat.Col(nil, 0, states.Points), functions, values
}
