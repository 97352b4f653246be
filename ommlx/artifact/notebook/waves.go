package notebook

import (
	"fmt"
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Waves evaluates the wavefunctions that an [pde.Ansatz] has learned and compares them with the exact states. Its
// methods end the cell with an error.
type Waves struct {
	Exact schrodinger.Spectrum // at least as many states as functions; none without a closed form

	on     pde.Wavefunctions
	energy func(tau float64) float64 // from a Rayleigh quotient of T
}

// Wave is k wavefunctions of a run on the N points of a quadrature.
type Wave struct {
	Psi      *mat.Dense // N×k
	Energies []float64  // [k], from Rayleigh quotients
	Errors   []float64  // [k], relative errors of the energies; nil without exact states
	Norms    []float64  // [k], roots of ∫ψ²
}

// Direct is for learned functions f, with frequencies from [pde.Ansatz.Init]. An energy is ∫ψHψ/∫ψ².
func Direct(w pde.Ansatz, frequencies *tensors.Tensor) Waves {
	batch := func(f jet.Jet, x *graph.Node) ommlx.Batch { return w.Hamiltonian(x).Direct(f, 1) }
	return newWaves(w, frequencies, batch, func(tau float64) float64 { return -tau })
}

// Inverse is for learned functions g with f = s(H + ε)g. An energy is 1/(sτ) − ε for the Rayleigh quotient τ of
// T = 1/(s(H + ε)).
func Inverse(w pde.Ansatz, s, epsilon float64, frequencies *tensors.Tensor) Waves {
	batch := func(g jet.Jet, x *graph.Node) ommlx.Batch { return w.Hamiltonian(x).Inverse(g, s, epsilon) }
	return newWaves(w, frequencies, batch, func(tau float64) float64 { return 1/(s*tau) - epsilon })
}

func newWaves(w pde.Ansatz, frequencies *tensors.Tensor, batch func(f jet.Jet, x *graph.Node) ommlx.Batch,
	energy func(tau float64) float64) Waves {
	exact, err := w.System.Lowest(w.Count)
	if err != nil { // no closed form
		exact = schrodinger.Spectrum{}
	}
	on, _ := w.Wavefunctions(Engine(), frequencies, batch)
	return Waves{exact, on, energy}
}

// Lowest is [schrodinger.System.Lowest].
func Lowest(s schrodinger.System, k int) schrodinger.Spectrum { return Must(s.Lowest(k)) }

// On evaluates every run of trained parameters on the points of a quadrature.
func (v Waves) On(params []*tensors.Tensor, q pde.Quadrature) (runs []Wave) {
	for _, of := range Must(v.on(params, q.Points)) {
		wave := Wave{Psi: of.Psi, Norms: Must(spectral.Norms(of.Psi, q.Weights))}
		for _, tau := range Must(spectral.RayleighQuotients(of.Psi, of.TPsi, q.Weights)) {
			wave.Energies = append(wave.Energies, v.energy(tau))
		}
		if v.Exact.States != nil {
			wave.Errors = Must(pde.RelativeErrors(wave.Energies, v.Exact.Energies()))
		}
		runs = append(runs, wave)
	}
	return runs
}

// Live is [Live] for the functions of the first run on [−a, a]², rotated within eigenspaces onto the exact ones, with
// their cosines. It compiles before the training, from its initial parameters.
func (v Waves) Live(label string, initial []*tensors.Tensor, a float64) func(train.Status) {
	const side = 40
	square, points := Square(side, a), mat.NewDense(side*side, 2, nil)
	for i := range side * side { // from the top left, along rows
		points.SetRow(i, square.Points.RawRowView(i%side*side+side-1-i/side))
	}
	exact := Must(v.Exact.OnPoints(points))
	turned := func(now train.Snapshot) ([]*mat.Dense, error) {
		runs, err := v.on(now.Best(), points)
		if err != nil {
			return nil, err
		}
		f, _, err := spectral.Align(exact, runs[0].Psi, square.Weights, v.Exact.Spaces)
		return []*mat.Dense{f}, err
	}
	_, k := Must(turned(train.Snapshot{Params: initial}))[0].Dims()
	return Live(label, learnedMaps(blank("", side, side), turned, exact, []string{"learned"}, xslices.Iota(1, k)...))
}

// Distances returns the subspace distance of each exact eigenspace, see [spectral.SubspaceDistances].
func (v Waves) Distances(w Wave, q pde.Quadrature) []float64 {
	exact := Must(v.Exact.OnPoints(q.Points))
	return Must(spectral.SubspaceDistances(exact, w.Psi, q.Weights, v.Exact.Spaces))
}

// Parts returns the sums of squared coefficients of function j, from 0, over the exact states of each energy, and what
// is left of its squared norm.
func (v Waves) Parts(w Wave, j int, q pde.Quadrature) []float64 {
	exact, f := Must(v.Exact.OnPoints(q.Points)), mat.Col(nil, j, w.Psi)
	weighted := floats.MulTo(make([]float64, len(f)), f, q.Weights)
	parts := make([]float64, len(v.Exact.Spaces)+1)
	for i, space := range v.Exact.Spaces {
		for m := space.First; m < space.End; m++ {
			parts[i] += math.Pow(floats.Dot(mat.Col(nil, m, exact), weighted), 2)
		}
	}
	parts[len(v.Exact.Spaces)] = floats.Dot(f, weighted) - floats.Sum(parts)
	return parts
}

// Show tabulates the energies and norms of the first run, by a quadrature, and draws its functions on [−a, a]² as
// learned, aligned and exact, or without exact states as learned.
func (v Waves) Show(label string, params []*tensors.Tensor, q pde.Quadrature, a float64) {
	wave, square := v.On(params, q)[0], Square(48, a)
	rows := [][]string{Cells("energy", "%.4f", wave.Energies...), Cells("norm", "%.3f", wave.Norms...)}
	psi := v.On(params, square)[0].Psi
	panels := draw.Panels{Note: fmt.Sprintf("Below maps: energies. On [−%g, %g]².", a, a),
		Rows: []draw.PanelRow{titled(label+", learned", psi, wave.Energies)}}
	if k := len(wave.Energies); v.Exact.States != nil {
		energies := v.Exact.Energies()[:k]
		rows = append([][]string{Cells("exact energy", "%.4f", energies...)}, rows...)
		truth := Must(v.Exact.OnPoints(square.Points))
		aligned, target, err := spectral.Align(truth, psi, square.Weights, v.Exact.Spaces)
		Check(err)
		panels.Rows = append(panels.Rows, Panels("aligned", aligned), titled("exact", target, energies))
	}
	Table(Numbered("function", len(wave.Energies)), rows)
	Check(Show(panels))
}

// ExactStates draws the lowest k states of a system on [−a, a]² with their energies.
func ExactStates(s schrodinger.System, k int, a float64) draw.Panels {
	lowest := Lowest(s, k)
	return draw.Panels{Note: fmt.Sprintf("Energies and eigenfunctions on [−%g, %g]².", a, a), Rows: []draw.PanelRow{
		titled("exact", Must(lowest.OnPoints(Square(48, a).Points)), lowest.Energies())}}
}

// titled is [Panels] with energies.
func titled(label string, f mat.Matrix, energies []float64) draw.PanelRow {
	row := Panels(label, f)
	row.Titles = Cells("", "%.4f", energies...)[1:]
	return row
}
