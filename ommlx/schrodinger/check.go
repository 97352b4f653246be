package schrodinger

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// Sampled is what samples show of H = −∇² + V on ℝ^D.
type Sampled struct {
	Points, Potential *mat.Dense // n×D, and V there, n×1
	Box               net.Box    // of all points
	Deviation         float64    // of a coordinate, root mean square
}

// Samples draws n samples as training does, in float32 from a fixed seed. It returns an error if training could not
// work: the sampler is invalid, V has a wrong shape or no lower bound ([System.Bounded]), or V, a coordinate, the
// log-density or a derivative of it is not finite. The error contains the first such sample.
func Samples(b compute.Backend, sampler Sampler, potential func(x *Node) *Node, n int) (s Sampled, err error) {
	if err := sampler.Validate(); err != nil {
		return s, err
	}
	dim := 0
	seen, err := train.Compute(b, nil, func(in train.Inputs) *Node {
		x := sampler.Sample(in.Random, dtypes.Float32, n)
		dim = x.Shape().Dim(-1)
		u := sampler.LogDensity(jet.Inputs(x))
		return Concatenate(slices.Concat([]*Node{x, checked(potential, x), u.Value, u.Laplacian}, u.Gradient), -1)
	})
	if err != nil {
		return s, fmt.Errorf("schrodinger: samples: %w", err)
	}
	if i, j, found := linalg.Find(seen, linalg.IsInfinite); found {
		what := "the log-density or a derivative"
		if j < dim {
			what = "a coordinate"
		} else if j == dim {
			what = "the potential"
		}
		return s, fmt.Errorf("schrodinger: %s is %v at sample %d of %d, x = %s; make it finite there", what,
			seen.At(i, j), i+1, n, show(seen.RawRowView(i)[:dim]))
	}
	s.Points, s.Potential = linalg.Columns(seen, 0, dim), linalg.Columns(seen, dim, dim+1)
	variance := 0.
	for d := range dim {
		x := mat.Col(nil, d, s.Points)
		variance += stat.PopVariance(x, nil) / float64(dim)
		s.Box.Lower, s.Box.Upper = append(s.Box.Lower, slices.Min(x)), append(s.Box.Upper, slices.Max(x))
	}
	s.Deviation = math.Sqrt(variance)
	if err := resolved(s.Box); err != nil {
		return s, err
	}
	return s, System{Name: "Schrödinger operator", Dim: dim, Potential: potential}.Bounded(b, s.Box)
}

// checked evaluates a potential at points [1, N, D]. It panics if the potential dropped an axis, for example by a sum.
func checked(potential func(x *Node) *Node, x *Node) *Node {
	v, n := potential(x), x.Shape().Dim(1)
	if want := shapes.Make(x.DType(), 1, n, 1); !v.Shape().Equal(want) {
		panic(fmt.Errorf("the potential returned %s for %d points, want %s", v.Shape(), n, want))
	}
	return v
}

func show(x []float64) string {
	return "(" + strings.Join(xslices.Map(x, func(c float64) string { return fmt.Sprintf("%.3g", c) }), ", ") + ")"
}
