// Package schrodinger provides Schrödinger operators H = −∇² + V whose eigenpairs are known in closed form (paper,
// section 3.2 and appendix C.2), and tools to train on them: samplers that run on the device, and finite differences
// for potentials without a closed form.
//
// Units are the paper's, ħ²/2m = 1, so the Laplacian has no factor 1/2.
package schrodinger

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"

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
