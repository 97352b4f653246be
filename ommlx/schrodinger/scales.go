package schrodinger

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/net"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Scales are estimates for the k lowest states of H = −∇² + V in a box, from which learn chooses its settings.
type Scales struct {
	Minimum float64 // the lowest V of a lattice of points
	// Energies are the k lowest of Σ_d (−∂_d² + V along axis d through the lowest point), ascending from Minimum:
	// exact for a potential that is a sum of functions of one coordinate each, otherwise of the right order.
	Energies []float64
	// Region is the part of the box where the states are concentrated: it contains all points where V − Minimum is at
	// most four times the highest of Energies − Minimum, and a margin over which states decay by e⁻⁴ or more.
	Region net.Box
	Border float64 // the lowest V on a lattice of points of the box's faces
	// Fingerprint is the mean of (V_i − Minimum)(2 + cos i) over the points at which V was last evaluated, which
	// differs between potentials.
	Fingerprint float64
	// Wells are points of separate minima on the axes through the lowest point, if the barriers between them suppress
	// tunnelling by e⁻²⁰ or more at the highest of Energies; otherwise there is only one.
	Wells [][]float64
}

const (
	scalePoints = 4096 // of the lattice in the box
	linePoints  = 255  // along an axis
	coarse      = 0.1  // difference of the minima of lattice and lines, relative to the lowest energy, that matters
	// A state of energy E above the minimum decays as e^{−√3√E x} where V is 4E above it.
	forbidden, decays = 4, 4
)

// Scales evaluates V on a lattice of 4,096 points and on lines through the lowest of them. If the box is periodic, with
// opposite faces joined, Region is the box and Border +Inf. The error names the point at which the potential is not
// finite, or its wrong shape.
func (s System) Scales(b compute.Backend, box net.Box, k int, periodic bool) (Scales, error) {
	if err := cmp.Or(s.Validate(), box.Validate()); err != nil {
		return Scales{}, err
	}
	if len(box.Lower) != s.Dim {
		return Scales{}, fmt.Errorf("schrodinger: system %q: the box has dimension %d, want %d", s.Name, len(box.Lower),
			s.Dim)
	}
	if periodic {
		return s.scales(b, box, k, true)
	}
	border, err := s.border(b, box)
	if err != nil {
		return Scales{}, err
	}
	for {
		scales, err := s.scales(b, box, k, false)
		if err != nil {
			return Scales{}, err
		}
		scales.Border = border
		narrower := false // than half of the box: the lattice was coarse
		for d, low := range box.Lower {
			narrower = narrower || scales.Region.Upper[d]-scales.Region.Lower[d] < (box.Upper[d]-low)/2
		}
		if box = scales.Region; !narrower {
			return scales, nil
		}
	}
}

// border is the lowest potential on the faces.
func (s System) border(b compute.Backend, box net.Box) (float64, error) {
	var points [][]float64
	for i, x := range (Lattice{box}).Points(scalePoints) {
		d := i % s.Dim
		x[d] = box.Lower[d]
		opposite := slices.Clone(x)
		opposite[d] = box.Upper[d]
		points = append(points, x, opposite)
	}
	v, err := s.potentialOn(b, points)
	if err != nil {
		return 0, err
	}
	return slices.Min(v), nil
}

// scales returns Scales from one lattice.
func (s System) scales(b compute.Backend, box net.Box, k int, periodic bool) (Scales, error) {
	points := Lattice{box}.Points(scalePoints)
	v, err := s.potentialOn(b, points)
	if err != nil {
		return Scales{}, err
	}
	lines, onLines, err := s.lines(b, box, middle(points, v))
	if err != nil {
		return Scales{}, err
	}
	minimum, lower := slices.Min(v), slices.Min(onLines)
	if periodic {
		minimum = min(minimum, lower)
	}
	sums, err := s.separable(box, onLines, minimum, k, periodic)
	if err == nil && minimum-lower > coarse*sums[0] { // the lattice misses the minimum
		minimum, points, v = lower, slices.Concat(points, lines), slices.Concat(v, onLines)
		sums, err = s.separable(box, onLines, minimum, k, periodic)
	}
	if err != nil {
		return Scales{}, err
	}
	scales := Scales{Minimum: minimum, Region: box, Border: math.Inf(1)}
	for i, value := range v {
		scales.Fingerprint += (value - minimum) * (2 + math.Cos(float64(i))) / float64(len(v))
	}
	for _, e := range sums {
		scales.Energies = append(scales.Energies, minimum+e)
	}
	if periodic {
		return scales, nil
	}
	highest := sums[k-1]
	scales.Region = region(box, points, v, minimum, highest)
	scales.Wells = s.wells(lines, onLines, minimum, highest)
	return scales, s.noWalls(b, lines, onLines, minimum, highest)
}

// middle returns the lowest point or, if several are equally low, as in a well with walls, the one nearest their mean.
func middle(points [][]float64, v []float64) (nearest []float64) {
	least := slices.Min(v)
	var lowest [][]float64
	mean := make([]float64, len(points[0]))
	for i, x := range points {
		if v[i] == least {
			lowest = append(lowest, x)
			floats.Add(mean, x)
		}
	}
	floats.Scale(1/float64(len(lowest)), mean)
	return slices.MinFunc(lowest, func(a, b []float64) int {
		return cmp.Compare(floats.Distance(a, mean, 2), floats.Distance(b, mean, 2))
	})
}

// region is the Region of states up to an energy above the minimum.
func region(box net.Box, points [][]float64, v []float64, minimum, energy float64) net.Box {
	r := net.Box{Lower: slices.Clone(box.Upper), Upper: slices.Clone(box.Lower)}
	for i, x := range points {
		if v[i]-minimum > forbidden*energy {
			continue
		}
		for d, c := range x {
			r.Lower[d], r.Upper[d] = min(r.Lower[d], c), max(r.Upper[d], c)
		}
	}
	spacing := math.Pow(float64(len(points)), -1/float64(len(box.Lower)))
	for d, low := range box.Lower {
		margin := decays/math.Sqrt((forbidden-1)*energy) + spacing*(box.Upper[d]-low)
		r.Lower[d], r.Upper[d] = max(low, r.Lower[d]-margin), min(box.Upper[d], r.Upper[d]+margin)
	}
	return r
}

// lines returns points on the axes through a point, axis by axis, and the potential there.
func (s System) lines(b compute.Backend, box net.Box, through []float64) (lines [][]float64, v []float64, err error) {
	for d, low := range box.Lower {
		for i := range linePoints {
			x := slices.Clone(through)
			x[d] = low + float64(i+1)*(box.Upper[d]-low)/(linePoints+1)
			lines = append(lines, x)
		}
	}
	v, err = s.potentialOn(b, lines)
	return lines, v, err
}

// separable returns the k lowest sums of energies along the lines, relative to the minimum.
func (s System) separable(box net.Box, v []float64, minimum float64, k int, periodic bool) ([]float64, error) {
	sums := []float64{0}
	for d, low := range box.Lower {
		h := (box.Upper[d] - low) / (linePoints + 1)
		line := mat.NewSymDense(linePoints, nil) // −d²/dx² + V by central differences
		for i, v := range v[d*linePoints : (d+1)*linePoints] {
			line.SetSym(i, i, 2/(h*h)+v-minimum)
			if i > 0 {
				line.SetSym(i, i-1, -1/(h*h))
			}
		}
		if periodic {
			line.SetSym(0, linePoints-1, -1/(h*h))
		}
		truth, err := spectral.SymEigen(line)
		if err != nil {
			return nil, fmt.Errorf("schrodinger: energies of the %s: %w", s.Name, err)
		}
		var next []float64
		for _, sum := range sums {
			for i := range min(k, linePoints) {
				next = append(next, sum+truth.Values[linePoints-1-i])
			}
		}
		slices.Sort(next)
		sums = next[:min(k, len(next))]
	}
	if len(sums) < k {
		return nil, fmt.Errorf("schrodinger: %s: %d states, want at most %d", s.Name, k, len(sums))
	}
	return sums, nil
}

// potentialOn evaluates V at points, one per row, on the backend. It returns an error if V is not finite at a point.
func (s System) potentialOn(b compute.Backend, points [][]float64) ([]float64, error) {
	table := train.Table(mat.NewDense(len(points), s.Dim, slices.Concat(points...)))
	out, err := train.Compute(b, []*tensors.Tensor{table}, func(in train.Inputs) *Node {
		return checked(s.Potential, InsertAxes(in.Data[0], 0))
	})
	if err != nil {
		return nil, fmt.Errorf("schrodinger: potential of the %s: %w", s.Name, err)
	}
	v := mat.Col(nil, 0, out)
	return v, s.finite(v, points)
}

// finite returns an error if V is not finite at a point.
func (s System) finite(v []float64, points [][]float64) error {
	for i, value := range v {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return fmt.Errorf("schrodinger: the potential is %v at x = %s of the %s; make it finite there, or "+
				"choose another box", value, show(points[i]), s.Name)
		}
	}
	return nil
}
