package inspect

import (
	"cmp"
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

// Scales are estimates for the k lowest states of H = −∇² + V in a box, from which package learn chooses its settings.
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
	// Wells are points of two minima on an axis through the lowest point, if the barrier between them suppresses
	// tunnelling by e⁻²⁰ or more at the highest of Energies.
	Wells [][]float64
}

const (
	scalePoints = 4096 // of the lattice in the box
	linePoints  = 255  // along an axis
	minMissed   = 0.1  // difference of the minima of lattice and lines, relative to the lowest energy, that matters
	// A state of energy E above the minimum decays as e^{−√3√E x} where V is 4E above it.
	forbidden, decays = 4, 4
)

// Estimate evaluates V on a lattice of 4,096 points and on lines through the lowest of them. It returns an error with
// the point at which the potential is not finite or jumps to a wall, or with its wrong shape.
func Estimate(b compute.Backend, s schrodinger.System, box net.Box, k int) (Scales, error) {
	var faces [][]float64
	for i, x := range (schrodinger.Lattice{Box: box}).Points(scalePoints) {
		d := i % s.Dim
		x[d] = box.Lower[d]
		opposite := slices.Clone(x)
		opposite[d] = box.Upper[d]
		faces = append(faces, x, opposite)
	}
	border, err := s.PotentialOn(b, faces)
	for err == nil {
		var scales Scales
		if scales, err = estimate(b, s, box, k); err != nil {
			break
		}
		narrower := false // than half of the box: the lattice was coarse
		for d, low := range box.Lower {
			narrower = narrower || scales.Region.Upper[d]-scales.Region.Lower[d] < (box.Upper[d]-low)/2
		}
		if box = scales.Region; !narrower {
			scales.Border = slices.Min(border)
			return scales, nil
		}
	}
	return Scales{}, err
}

// estimate returns Scales from one lattice.
func estimate(b compute.Backend, s schrodinger.System, box net.Box, k int) (Scales, error) {
	points := schrodinger.Lattice{Box: box}.Points(scalePoints)
	v, err := s.PotentialOn(b, points)
	if err != nil {
		return Scales{}, err
	}
	var lines [][]float64 // points on the axes through the lowest point, axis by axis
	for d, low := range box.Lower {
		for i := range linePoints {
			x := slices.Clone(middle(points, v))
			x[d] = low + float64(i+1)*(box.Upper[d]-low)/(linePoints+1)
			lines = append(lines, x)
		}
	}
	onLines, err := s.PotentialOn(b, lines)
	if err != nil {
		return Scales{}, err
	}
	minimum, lower := slices.Min(v), slices.Min(onLines)
	sums, err := separable(box, onLines, minimum, k)
	if err == nil && minimum-lower > minMissed*sums[0] { // the lattice misses the minimum
		minimum, points, v = lower, slices.Concat(points, lines), slices.Concat(v, onLines)
		sums, err = separable(box, onLines, minimum, k)
	}
	if err != nil {
		return Scales{}, err
	}
	highest := sums[k-1]
	scales := Scales{Minimum: minimum, Region: region(box, points, v, minimum, highest)}
	for i, value := range v {
		scales.Fingerprint += (value - minimum) * (2 + math.Cos(float64(i))) / float64(len(v))
	}
	for _, e := range sums {
		scales.Energies = append(scales.Energies, minimum+e)
	}
	for d := range box.Lower {
		line := onLines[d*linePoints : (d+1)*linePoints]
		at := func(i int) []float64 { return lines[d*linePoints+i] }
		spacing := (box.Upper[d] - box.Lower[d]) / (linePoints + 1)
		if wall, found := wall(line, spacing, minimum, highest); found {
			return scales, fmt.Errorf("schrodinger: the potential of the %s jumps to %.3g near x[%d] = %.2g: put the "+
				"face of the Box there, where ψ is 0, or make the wall lower or smooth", s.Name, line[wall], d,
				at(wall)[d])
		}
		if first, second, found := wells(line, spacing, minimum, highest); found {
			scales.Wells = [][]float64{at(first), at(second)}
		}
	}
	return scales, nil
}

// middle returns the lowest point or, if several are equally low, as in a well with walls, the one nearest their mean.
func middle(points [][]float64, v []float64) []float64 {
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
		for d, c := range x {
			if v[i]-minimum <= forbidden*energy {
				r.Lower[d], r.Upper[d] = min(r.Lower[d], c), max(r.Upper[d], c)
			}
		}
	}
	spacing := math.Pow(float64(len(points)), -1/float64(len(box.Lower)))
	for d, low := range box.Lower {
		margin := decays/math.Sqrt((forbidden-1)*energy) + spacing*(box.Upper[d]-low)
		r.Lower[d], r.Upper[d] = max(low, r.Lower[d]-margin), min(box.Upper[d], r.Upper[d]+margin)
	}
	return r
}

// separable returns the k lowest sums of energies along the lines, relative to the minimum.
func separable(box net.Box, v []float64, minimum float64, k int) ([]float64, error) {
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
		truth, err := spectral.SymEigen(line)
		if err != nil {
			return nil, fmt.Errorf("schrodinger: energies along axis %d: %w", d, err)
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
		return nil, fmt.Errorf("schrodinger: k is %d, want at most %d in a box", k, len(sums))
	}
	return sums, nil
}
