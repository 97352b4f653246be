package learn

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
)

const networkWidth = 64

// orNetwork returns f or, if f is nil, the default network for such points.
func orNetwork(f net.Functions, samples mat.Matrix, k int) net.Functions {
	if f != nil {
		return f
	}
	_, d := samples.Dims()
	s := standardised{MLP: net.MLP{In: d, Hidden: []int{networkWidth, networkWidth}, Out: k}}
	for j := range d {
		mean, deviation := stat.PopMeanStdDev(mat.Col(nil, j, samples), nil)
		if deviation == 0 {
			deviation = 1 // a constant coordinate
		}
		s.mean, s.scale = append(s.mean, mean), append(s.scale, 1/deviation)
	}
	return s
}

// standardised is a network with the inputs (x − mean)·scale.
type standardised struct {
	net.MLP
	mean, scale []float64 // D each
}

func (s standardised) Apply(params []*graph.Node, x *graph.Node) *graph.Node {
	if d := x.Shape().Dim(-1); d != len(s.mean) {
		panic(fmt.Errorf("points are %s, want %d coordinates", x.Shape(), len(s.mean)))
	}
	return s.MLP.Apply(params, jet.Standardise(jet.Inputs(x), s.mean, s.scale).Value)
}
