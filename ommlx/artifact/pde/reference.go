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

// symmetric is how far the potential may be from the required form, relative to its largest value: some digits of
// float32.
const symmetric = 1e-5

// Radial returns the k lowest energies, ascending, of a potential that depends only on |x|, on the disc |x| ≤ radius in
// the plane with ψ = 0 on its edge: of
//
//	−(1/r)(r u')' + (ℓ²/r² + V)u = Eu,   ψ = u(r) cos ℓθ, u(r) sin ℓθ,   ℓ = 0, 1, …,
//
// by differences at 400 radii. Their error falls as the square of the spacing where V is smooth.
func Radial(b compute.Backend, s schrodinger.System, radius float64, k int) ([]float64, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Dim != 2 || k < 1 || k > radii || !(radius > 0) || math.IsInf(radius, 0) {
		return nil, fmt.Errorf("radial equation: k is %d, the radius %g and the dimension of the %s %d; give 1 to %d, "+
			"a positive radius and dimension 2", k, radius, s.Name, s.Dim, radii)
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
	if !floats.EqualApprox(v[:radii], v[radii:], symmetric*floats.Norm(v, math.Inf(1))) {
		return nil, fmt.Errorf("radial equation: the potential of the %s depends on the direction", s.Name)
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
			return nil, fmt.Errorf("solving the radial equation of the %s: %w", s.Name, err)
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
// faces: sums of energies in one dimension, by differences at 255 points of each axis.
func Separable(b compute.Backend, s schrodinger.System, box net.Box, k int) ([]float64, error) {
	if k < 1 {
		return nil, fmt.Errorf("separable potential: %d energies; ask for at least 1", k)
	}
	scales, err := s.Scales(b, box, k)
	if err != nil {
		return nil, err
	}
	// A point anywhere in the box, and others with all of their coordinates and with one of them.
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
	if off > symmetric*floats.Norm(v, math.Inf(1)) {
		return nil, fmt.Errorf("separable potential: the potential of the %s is no sum of functions of one coordinate",
			s.Name)
	}
	return scales.Energies, nil
}
