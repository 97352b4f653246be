package schrodinger

import (
	"math"

	"omm-go/ommlx/jet"
)

// number is the arithmetic of the closed forms, which are evaluated on the host and as jets in a graph.
type number[T any] interface {
	plus(T) T
	times(T) T
	scale(c float64) T // times c
	shift(c float64) T // plus c
	exp() T
	sin() T
	sqrt() T
}

// real is a number on the host.
type real float64

func (a real) plus(b real) real     { return a + b }
func (a real) times(b real) real    { return a * b }
func (a real) scale(c float64) real { return a * real(c) }
func (a real) shift(c float64) real { return a + real(c) }
func (a real) exp() real            { return real(math.Exp(float64(a))) }
func (a real) sin() real            { return real(math.Sin(float64(a))) }
func (a real) sqrt() real           { return real(math.Sqrt(float64(a))) }

// wave is a function of the coordinates in a graph, with its derivatives.
type wave struct{ jet.Jet }

func (a wave) plus(b wave) wave     { return wave{jet.Add(a.Jet, b.Jet)} }
func (a wave) times(b wave) wave    { return wave{jet.Mul(a.Jet, b.Jet)} }
func (a wave) scale(c float64) wave { return wave{jet.Scale(a.Jet, c)} }
func (a wave) shift(c float64) wave { return wave{jet.Shift(a.Jet, c)} }
func (a wave) exp() wave            { return wave{jet.Exp(a.Jet)} }
func (a wave) sin() wave            { return wave{jet.Sin(a.Jet)} }
func (a wave) sqrt() wave           { return wave{jet.Sqrt(a.Jet)} }
