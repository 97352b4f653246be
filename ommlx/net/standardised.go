package net

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Coordinates are (x − Mean)·Scale. The zero value leaves x as it is.
type Coordinates struct{ Mean, Scale []float64 } // D each

// Standardise returns coordinates with mean 0 and standard deviation 1 over samples, N×D.
func Standardise(samples mat.Matrix) (c Coordinates) {
	_, d := samples.Dims()
	for j := range d {
		mean, deviation := stat.PopMeanStdDev(mat.Col(nil, j, samples), nil)
		if deviation == 0 {
			deviation = 1 // a constant coordinate
		}
		c.Mean, c.Scale = append(c.Mean, mean), append(c.Scale, 1/deviation)
	}
	return c
}

// Prepare returns the coordinates of points, N×D, in float64: float32 would lose the digits of points far from zero.
func (c Coordinates) Prepare(points mat.Matrix) mat.Matrix {
	if _, d := points.Dims(); d != len(c.Mean) {
		return points // no coordinates, or an error in Apply
	}
	var x mat.Dense
	x.Apply(func(_, j int, v float64) float64 { return (v - c.Mean[j]) * c.Scale[j] }, points)
	return &x
}

// Standardised is a network of standardised coordinates.
type Standardised struct {
	MLP
	Coordinates
}

// Apply is [MLP.Apply] of what Prepare returns.
func (s Standardised) Apply(params []*Node, x *Node) *Node {
	if d := x.Shape().Dim(-1); d != len(s.Mean) {
		panic(fmt.Errorf("points are %s, want %d coordinates", x.Shape(), len(s.Mean)))
	}
	return s.MLP.Apply(params, x)
}
