package inspect

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

const (
	zooms, zoom  = 10, 3 // on the lowest point, and the factor of each
	nearest      = 1e-4  // distance from the lowest point at which V is examined, relative to the width of the box
	minSharpness = 0.8   // strength of −c/r² at a distance, relative to twice the distance: 1/2 for −1/r, 1 for −1/r²
	minStrength  = 0.05  // least c that is told from a smooth potential
)

// Bounded returns an error if V falls around its lowest point at least as fast as −c/r² down to 10⁻⁴ of the width of
// the box, with c above (D − 2)²/4, or 0 in one dimension: H then has no lowest energy (Hardy's inequality; Reed and
// Simon, Methods of Modern Mathematical Physics II, section X.2). V may have any values nearer than that. It returns
// nil if V cannot be evaluated.
func Bounded(b compute.Backend, s schrodinger.System, box net.Box) error {
	width := floats.SubTo(make([]float64, s.Dim), box.Upper, box.Lower)
	unit := net.Box{Lower: slices.Repeat([]float64{-0.5}, s.Dim), Upper: slices.Repeat([]float64{0.5}, s.Dim)}
	lattice := append(schrodinger.Lattice{Box: unit}.Points(scalePoints), make([]float64, s.Dim)) // with the centre
	offsets := mat.NewDense(len(lattice), s.Dim, slices.Concat(lattice...))
	offsets.Apply(func(_, d int, x float64) float64 { return x * width[d] }, offsets)
	axes := mat.NewDense(2*s.Dim, s.Dim, nil) // unit vectors along both directions of the axes
	for d := range s.Dim {
		axes.Set(2*d, d, 1)
		axes.Set(2*d+1, d, -1)
	}
	r := nearest * slices.Min(width)
	corners := mat.NewDense(2, s.Dim, slices.Concat(box.Lower, box.Upper))
	out, err := ExecOnceN(b, func(offsets, axes, corners *Node) []*Node {
		low, high := Slice(corners, AxisElem(0)), Slice(corners, AxisElem(1))
		at := DivScalar(Add(low, high), 2) // [1, D]
		potential := func(points *Node) *Node { return Reshape(s.Potential(InsertAxes(points, 0)), -1) }
		for j := range zooms {
			points := Add(at, DivScalar(offsets, math.Pow(zoom, float64(j))))
			points = Min(Max(points, low), high)
			at = Gather(points, Reshape(ArgMin(potential(points), 0), 1, 1))
		}
		rings := make([]*Node, 3)
		for i := range rings {
			rings[i] = ReduceAllMean(potential(Add(at, MulScalar(axes, r*float64(int(1)<<i)))))
		}
		return []*Node{Reshape(at, -1), Stack(rings, 0)}
	}, train.Table(offsets), train.Table(axes), train.Table(corners))
	if err != nil {
		return nil // Estimate says why
	}
	at, v := tensorx.Numbers(out[0]), tensorx.Numbers(out[1])
	for d, x := range at {
		if min(x-box.Lower[d], box.Upper[d]-x) < 8*r { // the faces may change the strength that is allowed
			return nil
		}
	}
	strength := func(i int) float64 { // of −c/r² with this difference
		return (v[i+1] - v[i]) * 4 / 3 * math.Pow(r*float64(int(1)<<i), 2)
	}
	critical := max(minStrength, 1.05*math.Pow(float64(max(2, s.Dim)-2)/2, 2))
	if c := strength(0); c > critical && c > minSharpness*strength(1) && !math.IsInf(c, 0) {
		return fmt.Errorf("schrödinger: the potential falls like -%.2g/r² or faster around x = %.3g, so there is no "+
			"lowest energy: smooth it there", c, at)
	}
	return nil
}
