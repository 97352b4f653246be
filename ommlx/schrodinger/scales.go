package schrodinger

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/net"
)

// Scales are estimates for the k lowest states of H = −∇² + V in a box, from which package learn chooses its settings.
type Scales struct {
	Minimum float64 // the lowest V at the points that were examined
	// Lowest and Highest are energies 1 and k above Minimum of Σ_d (−∂_d² + V along axis d through the lowest point):
	// exact for a potential that is a sum of functions of one coordinate each, otherwise of the right order.
	Lowest, Highest float64
	Axes            []float64 // along each axis, the energy of state k if it is in its lowest state along the others
	// Region is the part of the box with V − Minimum at most 4 Highest or, for narrow wells, half way from Highest to
	// Border, and a margin where states decay by e⁻⁴ or more.
	Region net.Box
	Border float64 // the lowest V on the faces of the box; +Inf if V varies so little that the box is the well
	Fall   float64 // how much lower V is there than at a hundredth of the box inside; negative if V rises
	// Fingerprint is a mean of V with unequal weights, which differs between potentials, for the key of a training.
	Fingerprint float64
}

const (
	scalePoints = 4096 // of the lattice in the box
	linePoints  = 255  // along an axis
	minNumbers  = 1000 // of float32 across the states: rounding of x then moves V = x² by less than 1e-5
	// A state of energy E decays as e^{−√(V−E) x} where V > E.
	forbidden, decays = 4, 4
	maxJump           = 360 // of V between neighbouring points of a line, in Highest, that a network can follow

	nearest      = 1e-4 // distance from the lowest point at which V is examined, relative to the width of the box
	minSharpness = 0.8  // strength of −c/r² at a distance, relative to twice the distance: 1/2 for −1/r, 1 for −1/r²
	minStrength  = 0.05 // least c that differs from a smooth potential
)

// Scales evaluates V on a lattice of 4,096 points and on lines through the lowest of them, until the box is at most
// twice as wide as Region. It returns an error with the point at which the potential is not finite or jumps to a wall,
// or with its wrong shape.
func (s System) Scales(b compute.Backend, box net.Box, k int) (Scales, error) {
	at, free := s.evaluator(b)
	defer free()
	return s.scales(at, box, k)
}

func (s System) scales(at func([][]float64) ([]float64, error), box net.Box, k int) (scales Scales, err error) {
	if err := resolved(box); err != nil {
		return scales, err
	}
	points := Lattice{Box: box}.Points(scalePoints)
	v, err := at(slices.Concat(points, faces(box, 0), faces(box, 0.01)))
	if err != nil {
		return scales, err
	}
	onFaces, within := v[scalePoints:2*scalePoints], v[2*scalePoints:]
	lowest := floats.MinIdx(onFaces)
	v, scales.Border, scales.Fall = v[:scalePoints:scalePoints], onFaces[lowest], within[lowest]-onFaces[lowest]
	lines := axes(points, v, box)
	onLines, err := at(lines)
	if err != nil {
		return scales, err
	}
	points, v = append(points, lines...), append(v, onLines...)
	scales.Minimum = slices.Min(v)
	floats.AddConst(-scales.Minimum, v)
	for i, above := range v {
		scales.Fingerprint += above * (2 + math.Cos(float64(i))) / float64(len(v))
	}
	energies, axes, err := separable(box, v[scalePoints:], k)
	if err != nil {
		return scales, err
	}
	if scales.Lowest, scales.Highest = energies[0], energies[k-1]; floats.Max(v) < scales.Lowest {
		scales.Border = math.Inf(1)
	}
	scales.Axes = axes
	floats.AddConst(scales.Highest-scales.Lowest, scales.Axes)
	scales.Region = scales.region(box, points, v, forbidden*scales.Highest)
	level := (scales.Highest + scales.Border - scales.Minimum) / 2
	if level > scales.Highest && level < forbidden*scales.Highest {
		if part := scales.region(box, points, v, level); narrow(part, box) {
			scales.Region = part
		}
	}
	if narrow(scales.Region, box) { // the lattice was coarse
		inner, err := s.scales(at, scales.Region, k)
		inner.Border, inner.Fall = scales.Border, scales.Fall
		return inner, err
	}
	return scales, s.jumps(lines, v[scalePoints:], scales)
}

// faces returns the points of the lattice in a box, each moved along one axis to a depth below a face. The depth is
// relative to the width of the box.
func faces(box net.Box, depth float64) [][]float64 {
	points := Lattice{Box: box}.Points(scalePoints)
	for i, x := range points {
		d := i % len(x)
		below := depth * (box.Upper[d] - box.Lower[d])
		x[d] = []float64{box.Lower[d] + below, box.Upper[d] - below}[i/len(x)%2]
	}
	return points
}

// jumps returns an error if V, above its minimum, jumps to a wall between neighbouring points of the lines along the
// axes.
func (s System) jumps(points [][]float64, above []float64, scales Scales) error {
	for d := range s.Dim {
		line, v := points[d*linePoints:][:linePoints], above[d*linePoints:][:linePoints]
		for i := 1; i < linePoints; i++ {
			low, high := min(v[i-1], v[i]), max(v[i-1], v[i])
			if low >= forbidden*scales.Highest || high-low <= maxJump*scales.Highest {
				continue
			}
			inside := slices.DeleteFunc(slices.Clone(v), func(v float64) bool { return v >= high })
			width := float64(len(inside)) * (line[1][d] - line[0][d])
			// ψ = 0 at both walls of a flat well makes it narrower by two decay lengths.
			return fmt.Errorf("schrodinger: the potential of the %s jumps to %.3g near x = %.2g, too sharply "+
				"for a network: use System.Differences, or put the face of the Box there, where ψ is 0, which raises "+
				"the energies by up to about %.2g %%", s.Name, scales.Minimum+high, line[i],
				400/(math.Sqrt(high)*width))
		}
	}
	return nil
}

// axes returns points on lines along the axes of a box through the lowest of a lattice's points or, if several are
// equally low, as in a well with walls, through the one nearest the centre.
func axes(lattice [][]float64, v []float64, box net.Box) (lines [][]float64) {
	centre := floats.AddTo(make([]float64, len(box.Lower)), box.Lower, box.Upper)
	floats.Scale(0.5, centre)
	lowest, least := 0, math.Inf(1)
	for i, x := range lattice {
		if away := floats.Distance(x, centre, 2); v[i] < v[lowest] || v[i] == v[lowest] && away < least {
			lowest, least = i, away
		}
	}
	for d, low := range box.Lower {
		for i := range linePoints {
			x := slices.Clone(lattice[lowest])
			x[d] = low + float64(i+1)*(box.Upper[d]-low)/(linePoints+1)
			lines = append(lines, x)
		}
	}
	return lines
}

// narrow reports whether a part of a box is narrower than half of it along an axis.
func narrow(part, box net.Box) bool {
	for d, low := range box.Lower {
		if part.Upper[d]-part.Lower[d] < (box.Upper[d]-low)/2 {
			return true
		}
	}
	return false
}

// region is the Region if its potential is at most a level, for V at points. V and the level are above the minimum.
func (s Scales) region(box net.Box, points [][]float64, v []float64, level float64) (r net.Box) {
	for d, low := range box.Lower {
		var inside []float64
		for i, x := range points {
			if v[i] <= level {
				inside = append(inside, x[d])
			}
		}
		spacing := math.Pow(scalePoints, -1/float64(len(box.Lower))) * (box.Upper[d] - low)
		margin := decays/math.Sqrt(level-s.Highest) + spacing
		r.Lower = append(r.Lower, max(low, slices.Min(inside)-margin))
		r.Upper = append(r.Upper, min(box.Upper[d], slices.Max(inside)+margin))
	}
	return r
}

// resolved returns an error if a box is so narrow and so far from the origin that few numbers of float32 are inside.
func resolved(box net.Box) error {
	for d, low := range box.Lower {
		width, spacing := box.Upper[d]-low, max(math.Abs(low), math.Abs(box.Upper[d]))/(1<<23)
		if width < minNumbers*spacing {
			return fmt.Errorf("schrodinger: x[%d] from %.9g to %.9g has about %.2g numbers in float32, want at least "+
				"%d: measure x[%d] from there in Potential, and move the Box or Sampler to 0", d, low, box.Upper[d],
				width/spacing, minNumbers, d)
		}
	}
	return nil
}

// separable returns the k lowest sums of energies along the lines on which V is v, and the lowest along each.
func separable(box net.Box, v []float64, k int) (sums, lowest []float64, err error) {
	sums = []float64{0}
	for d, low := range box.Lower {
		h := (box.Upper[d] - low) / (linePoints + 1)
		var diagonal []float64 // of −d²/dx² + V by central differences
		for _, v := range v[d*linePoints:][:linePoints] {
			diagonal = append(diagonal, 2/(h*h)+v)
		}
		energies, ok := linalg.Tridiagonal(diagonal, slices.Repeat([]float64{-1 / (h * h)}, linePoints-1))
		if !ok {
			return nil, nil, fmt.Errorf("schrodinger: energies along axis %d did not converge", d)
		}
		var next []float64
		for _, sum := range sums {
			for _, energy := range energies[:min(k, linePoints)] {
				next = append(next, sum+energy)
			}
		}
		slices.Sort(next)
		sums, lowest = next[:min(k, len(next))], append(lowest, energies[0])
	}
	if len(sums) < k {
		return nil, nil, fmt.Errorf("schrodinger: k is %d, want at most %d in a box", k, len(sums))
	}
	return sums, lowest, nil
}

// Bounded returns an error if V falls around its lowest point at least as fast as −c/r² down to 10⁻⁴ of the width of
// the box, with c above (D − 2)²/4, or 0 in one dimension: H then has no lowest energy (Hardy's inequality; Reed and
// Simon, Methods of Modern Mathematical Physics II, section X.2). V may have any values nearer than that. It returns
// nil if V cannot be evaluated, or if the point is near a face, which may change the strength that is allowed.
func (s System) Bounded(b compute.Backend, box net.Box) error {
	valuesAt, free := s.evaluator(b)
	defer free()
	width := floats.SubTo(make([]float64, s.Dim), box.Upper, box.Lower)
	at := floats.AddScaledTo(make([]float64, s.Dim), box.Lower, 0.5, width)
	r := nearest * floats.Min(width)
	for share := 0.5; share > nearest; share /= 2 { // of the box on each side of the lowest point
		around := net.Box{Lower: floats.AddScaledTo(make([]float64, s.Dim), at, -share, width),
			Upper: floats.AddScaledTo(make([]float64, s.Dim), at, share, width)}
		points := append(Lattice{Box: around}.Points(scalePoints), at)
		v, _ := valuesAt(points)
		if v == nil {
			return nil // Scales returns the error
		}
		at = points[floats.MinIdx(v)]
	}
	var points [][]float64
	for _, away := range []float64{r, 2 * r, 4 * r} { // along the axes
		for d := range s.Dim {
			if min(at[d]-box.Lower[d], box.Upper[d]-at[d]) < 8*r {
				return nil
			}
			below, over := slices.Clone(at), slices.Clone(at)
			below[d], over[d] = at[d]-away, at[d]+away
			points = append(points, below, over)
		}
	}
	v, _ := valuesAt(points)
	if v == nil {
		return nil
	}
	var means [3]float64
	for i := range means {
		means[i] = stat.Mean(v[2*s.Dim*i:][:2*s.Dim], nil)
	}
	c, farther := (means[1]-means[0])*4/3*r*r, (means[2]-means[1])*16/3*r*r // strengths of −c/r² with such differences
	critical := max(minStrength, 1.05*math.Pow(float64(max(2, s.Dim)-2)/2, 2))
	if c > critical && c > minSharpness*farther && !math.IsInf(c, 0) {
		return fmt.Errorf("schrödinger: the potential falls like -%.2g/r² or faster around x = %.3g, so there is no "+
			"lowest energy: smooth it there", c, at)
	}
	return nil
}
