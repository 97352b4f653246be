package notebook

import (
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/schrodinger"
	"operator-omm/ommlx/spectral"
)

// Rotated returns three rows of pictures: learned wavefunctions ψ (N×k) on the points of a square, the same after the
// best rotation within eigenspaces onto the exact ones, and these ([spectral.Align]). The label says what was learned.
// An error says what does not fit.
func Rotated(label string, truth schrodinger.Spectrum, psi *mat.Dense, q schrodinger.Quadrature) (
	rows []draw.PanelRow, err error) {
	exact, err := truth.OnPoints(q.Points)
	if err != nil {
		return nil, err
	}
	aligned, target, err := spectral.Align(exact, psi, q.Weights, truth.Spaces)
	if err != nil {
		return nil, err
	}
	return []draw.PanelRow{Panels(label+", as learned", psi),
		Panels(label+", rotated within eigenspaces onto the exact ones", aligned), Panels("exact", target)}, nil
}
