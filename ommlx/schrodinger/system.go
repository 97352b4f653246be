// Package schrodinger provides Schrödinger operators H = −∇² + V whose eigenpairs are known in closed form (paper,
// section 3.2 and appendix C.2), and tools to train on them: samplers that run on the device, and finite differences
// for potentials without a closed form.
//
// Units are the paper's, ħ²/2m = 1, so the Laplacian has no factor 1/2.
package schrodinger

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/net"
	"omm-go/ommlx/spectral"
)

// maxStates bounds [System.Lowest]; the recurrences of all closed forms are accurate up to it.
const maxStates = 400

// System is a Schrödinger operator H = −∇² + V on ℝ^D, or on a box with ψ = 0 on its faces. [Hydrogen], [Oscillator]
// and [Well] include their eigenpairs; a System made from the exported fields has only a potential.
type System struct {
	Name        string                    // for titles and messages, such as "2D hydrogen atom"
	Dim         int                       // D
	HalfWidth   float64                   // L of the box [−L, L]^D outside which ψ = 0; 0 stands for all of ℝ^D
	Potential   func(x *Node) *Node       // V: x [..., B, D] to [..., B, 1]
	PotentialAt func(x []float64) float64 // V at one point, on the host; nil if only the graph is given
	series      *series                   // nil without a closed form
}

// series is the closed form of a system's eigenpairs, level by level.
type series struct {
	first   int                     // the lowest level
	members func(level int) [][]int // quantum numbers of the level's states, in lexicographic order
	energy  func(level int) float64 // strictly increasing
	psi     func(numbers []int) func(x []float64) float64
}

// State is an eigenpair Hψ = Eψ with ∫ψ² = 1.
type State struct {
	Energy  float64 // E
	Numbers []int   // quantum numbers, named in the system's constructor
}

// Spectrum is the low end of a system's spectrum.
type Spectrum struct {
	States []State               // ascending in energy; within one energy, in lexicographic order of quantum numbers
	Spaces []spectral.Eigenspace // which states share an energy; together they are all of States

	system System
}

// Lowest returns the k states of lowest energy, or more if k cuts through a degenerate eigenspace: it returns whole
// eigenspaces, because a basis within one is arbitrary. It returns an error if k is not in 1 … 400 or the system has no
// closed form.
func (s System) Lowest(k int) (Spectrum, error) {
	if s.series == nil {
		return Spectrum{}, fmt.Errorf("schrodinger: system %q: no closed form for the states; use Differences", s.Name)
	}
	if k < 1 || k > maxStates {
		return Spectrum{}, fmt.Errorf("schrodinger: %s: %d states, want 1 to %d", s.Name, k, maxStates)
	}
	spectrum := Spectrum{system: s}
	for level := s.series.first; len(spectrum.States) < k; level++ {
		first := len(spectrum.States)
		for _, numbers := range s.series.members(level) {
			spectrum.States = append(spectrum.States, State{Energy: s.series.energy(level), Numbers: numbers})
		}
		if end := len(spectrum.States); end > first {
			spectrum.Spaces = append(spectrum.Spaces, spectral.Eigenspace{First: first, End: end})
		}
	}
	return spectrum, nil
}

// Energies returns E of every state.
func (s Spectrum) Energies() []float64 {
	return xslices.Map(s.States, func(state State) float64 { return state.Energy })
}

// OnPoints evaluates the eigenfunctions on the host: points is N×D, and column i of the result (N×len(States)) is state
// i. Outside the system's box they are zero. It returns an error if the dimension of the points differs.
func (s Spectrum) OnPoints(points *mat.Dense) (*mat.Dense, error) {
	if points == nil || points.IsEmpty() {
		return nil, fmt.Errorf("schrodinger: %s: no points, want N×%d coordinates", s.system.Name, s.system.Dim)
	}
	n, dim := points.Dims()
	if dim != s.system.Dim || len(s.States) == 0 {
		return nil, fmt.Errorf("schrodinger: %s: %d states on points of dimension %d, want dimension %d", s.system.Name,
			len(s.States), dim, s.system.Dim)
	}
	values := mat.NewDense(n, len(s.States), nil)
	for i, state := range s.States {
		psi := s.system.series.psi(state.Numbers)
		for p := range n {
			if x := points.RawRowView(p); !math.IsInf(s.system.PotentialAt(x), 1) { // ψ = 0 there
				values.Set(p, i, psi(x))
			}
		}
	}
	return values, nil
}

// Numerical contains states by finite differences: Values are energies, ascending, and Vectors, N×k, are the functions
// on the lattice Points, N×D, whose last coordinate changes fastest.
type Numerical struct {
	spectral.Eigenpairs
	Points *mat.Dense
}

// residual is the tolerance of the eigensolver, relative to the spectral radius.
const residual = 1e-8

// Differences returns the k lowest states of H = −∇² + V on n^D points of a box, with ψ = 0 on its faces. The error of
// an energy falls as the square of the spacing where V is smooth; time and memory grow as n^D.
//
// V is [System.PotentialAt], or else Potential on the backend, which may otherwise be nil. It returns an error if box,
// n or k is out of range.
func (s System) Differences(b compute.Backend, box net.Box, n, k int) (Numerical, error) {
	if err := box.Validate(); err != nil {
		return Numerical{}, err
	}
	if len(box.Lower) != s.Dim || n < 1 || s.PotentialAt == nil && s.Potential == nil {
		return Numerical{}, fmt.Errorf("schrodinger: differences of the %s: dimension %d, %d points per axis, box of "+
			"dimension %d; want a potential, equal dimensions and at least 1 point", s.Name, s.Dim, n, len(box.Lower))
	}
	size, strides := 1, make([]int, s.Dim)
	for d := range slices.Backward(strides) {
		strides[d], size = size, size*n
	}
	h := floats.SubTo(make([]float64, s.Dim), box.Upper, box.Lower)
	floats.Scale(1/float64(n+1), h)
	points := mat.NewDense(size, s.Dim, nil)
	points.Apply(func(p, d int, _ float64) float64 { return box.Lower[d] + float64(p/strides[d]%n+1)*h[d] }, points)
	at, free := s.evaluator(b)
	defer free()
	diagonal, err := at(slices.Collect(slices.Chunk(points.RawMatrix().Data, s.Dim)))
	if err != nil {
		return Numerical{}, err
	}
	for _, h := range h {
		floats.AddConst(2/(h*h), diagonal)
	}
	floats.Scale(-1, diagonal) // the operator is −H
	pairs, err := spectral.Lanczos{K: k, Tolerance: residual}.Solve(size, func(dst, src []float64) {
		floats.MulTo(dst, diagonal, src)
		for d, stride := range slices.Backward(strides) {
			c, block := 1/(h[d]*h[d]), stride*n
			for first := 0; first < size; first += block {
				floats.AddScaled(dst[first:first+block-stride], c, src[first+stride:first+block])
				floats.AddScaled(dst[first+stride:first+block], c, src[first:first+block-stride])
			}
		}
	})
	floats.Scale(-1, pairs.Values)
	return Numerical{pairs, points}, err
}

// Extrapolated is [System.Differences] with energies extrapolated to zero spacing from lattices of n and 2n + 1 points
// per axis: their error falls as the fourth power of the spacing. Functions and residuals are on the coarser lattice.
func (s System) Extrapolated(b compute.Backend, box net.Box, n, k int) (Numerical, error) {
	wide, err := s.Differences(b, box, n, k)
	if err != nil {
		return Numerical{}, err
	}
	narrow, err := s.Differences(b, box, 2*n+1, k)
	if err != nil {
		return Numerical{}, err
	}
	for i, e := range narrow.Values {
		wide.Values[i] = e + (e-wide.Values[i])/3
	}
	return wide, nil
}
