package pde

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
)

// radii is the number of points along the radius.
const radii = 400

// formTolerance is the largest deviation of a potential from the required form, relative to its largest value.
const formTolerance = 1e-5

// Radial returns the k lowest energies, ascending, of a potential that depends only on |x|, on the disc |x| ≤ radius in
// the plane with ψ = 0 on its edge. It solves
//
//	−(1/r)(r u')' + (ℓ²/r² + V)u = Eu,   ψ = u(r) cos ℓθ, u(r) sin ℓθ,   ℓ = 0, 1, …,
//
// by finite differences at 400 radii. The error is of second order in the spacing where V is smooth.
func Radial(b compute.Backend, s schrodinger.System, radius float64, k int) ([]float64, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Dim != 2 || k < 1 || k > radii || !(radius > 0) || math.IsInf(radius, 0) {
		return nil, fmt.Errorf("pde.Radial: %s: k is %d, radius %g, dimension %d; want k in [1, %d], radius > 0 and "+
			"dimension 2", s.Name, k, radius, s.Dim, radii)
	}
	h := radius / radii
	r := make([]float64, radii)
	var points, turned [][]float64
	for i := range r {
		r[i] = (float64(i) + 0.5) * h
		points, turned = append(points, []float64{r[i], 0}), append(turned, []float64{-0.6 * r[i], 0.8 * r[i]})
	}
	v, err := s.PotentialOn(b, append(points, turned...))
	if err != nil {
		return nil, err
	}
	if !floats.EqualApprox(v[:radii], v[radii:], formTolerance*floats.Norm(v, math.Inf(1))) {
		return nil, fmt.Errorf("pde.Radial: %s: the potential depends on the direction", s.Name)
	}
	var all []float64
	for l := range k/2 + 1 { // every ℓ > 0 gives pairs
		line := mat.NewSymDense(radii, nil) // for √r u, which makes it symmetric
		for i := range r {
			line.SetSym(i, i, 2/(h*h)+float64(l*l)/(r[i]*r[i])+v[i])
			if i > 0 {
				line.SetSym(i-1, i, -(r[i]-h/2)/(h*h*math.Sqrt(r[i-1]*r[i])))
			}
		}
		truth, err := spectral.SymEigen(line)
		if err != nil {
			return nil, fmt.Errorf("pde.Radial: %s: %w", s.Name, err)
		}
		lowest := truth.Values[radii-k:]
		all = append(all, lowest...)
		if l > 0 {
			all = append(all, lowest...)
		}
	}
	slices.Sort(all)
	return all[:k], nil
}

// Separable returns the k lowest energies, ascending, of a potential V(x) = Σ_d V_d(x_d) in a box with ψ = 0 on its
// faces: sums of one-dimensional energies, by finite differences at 255 points of each axis.
func Separable(b compute.Backend, s schrodinger.System, box net.Box, k int) ([]float64, error) {
	if k < 1 {
		return nil, fmt.Errorf("pde.Separable: %d energies, want at least 1", k)
	}
	scales, err := s.Scales(b, box, k)
	if err != nil {
		return nil, err
	}
	// V on points, and on copies of the first point with one coordinate of another.
	points := schrodinger.Lattice{Box: box}.Points(4096)
	lines := slices.Clone(points)
	for _, x := range points {
		for d, c := range x {
			one := slices.Clone(points[0])
			one[d] = c
			lines = append(lines, one)
		}
	}
	v, err := s.PotentialOn(b, lines)
	if err != nil {
		return nil, err
	}
	off := 0.0
	for i := range points {
		sum := floats.Sum(v[len(points)+i*s.Dim:][:s.Dim]) - float64(s.Dim-1)*v[0]
		off = max(off, math.Abs(v[i]-sum))
	}
	if off > formTolerance*floats.Norm(v, math.Inf(1)) {
		return nil, fmt.Errorf("pde.Separable: %s: the potential is not a sum of functions of one coordinate", s.Name)
	}
	return scales.Energies, nil
}
