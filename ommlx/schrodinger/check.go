package schrodinger

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/jet"
)

// CheckSamples draws n points as training does, in float32 from a fixed seed, and returns an error if training could
// not work: the system or the sampler is invalid; a function does not return one number for each point; a coordinate,
// the potential, the log-density or its derivatives, or the mask is not finite at a sample; or the mask is zero at all
// of them. The error contains the first such sample and the value.
//
// n is the batch size of the training. mask may be nil; otherwise it maps x [..., B, D] to [..., B, 1], as net.BoxMask
// does.
func CheckSamples(backend compute.Backend, system System, sampler Sampler, mask func(x *Node) *Node, n int) error {
	if err := cmp.Or(system.Validate(), sampler.Validate()); err != nil {
		return err
	}
	seen, err := drawn(backend, system, sampler, mask, n)
	if err != nil {
		return fmt.Errorf("schrodinger: samples of the %s: %w", system.Name, short(err))
	}
	last := 2*system.Dim + 3
	for i := range n {
		for j, v := range seen.RawRowView(i) {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				continue
			}
			what := "the log-density or a derivative"
			switch {
			case j < system.Dim:
				what = "a coordinate"
			case j == system.Dim:
				what = "the potential"
			case j == last:
				what = "the mask"
			}
			return fmt.Errorf("schrodinger: %s is %v at sample %d of %d of the %s, x = %s; make it finite there", what,
				v, i+1, n, system.Name, show(seen.RawRowView(i)[:system.Dim]))
		}
	}
	if mat.Norm(seen.ColView(last), 1) == 0 {
		return fmt.Errorf("schrodinger: the mask is zero at all %d samples of the %s, such as x = %s; let its box and "+
			"the sampler overlap", n, system.Name, show(seen.RawRowView(0)[:system.Dim]))
	}
	return nil
}

// drawn returns n samples, one per row: the coordinates, the potential, the log-density with its Laplacian and
// gradient, and the mask, 1 without one.
func drawn(backend compute.Backend, system System, sampler Sampler, mask func(x *Node) *Node, n int) (*mat.Dense,
	error) {
	state, err := RNGStateFromSeed(1)
	if err != nil {
		return nil, err
	}
	out, err := ExecOnce(backend, func(state *Node) *Node {
		x := sampler.Sample(&oneRun{state}, dtypes.Float32, n)
		requireShape("the sampler", x, n, system.Dim)
		potential := system.Potential(x)
		requireShape("the potential", potential, n, 1)
		u := sampler.LogDensity(jet.Inputs(x))
		streams := append([]*Node{u.Value, u.Laplacian}, u.Gradient...)
		for _, stream := range streams {
			requireShape("the log-density", stream, n, 1)
		}
		m := OnesLike(potential)
		if mask != nil {
			m = mask(x)
			requireShape("the mask", m, n, 1)
		}
		return Concatenate(slices.Concat([]*Node{x, potential}, streams, []*Node{m}), -1)
	}, state)
	if err != nil {
		return nil, err
	}
	return tensorx.Matrices(out)[0], nil
}

// oneRun is a [Random] of a single run.
type oneRun struct{ state *Node }

func (r *oneRun) Normal(dtype dtypes.DType, dims ...int) (x *Node) {
	r.state, x = RandomNormal(r.state, shapes.Make(dtype, append([]int{1}, dims...)...))
	return x
}

func (r *oneRun) Uniform(dtype dtypes.DType, dims ...int) (x *Node) {
	r.state, x = RandomUniform(r.state, shapes.Make(dtype, append([]int{1}, dims...)...))
	return x
}

// shapeError is what [requireShape] panics with.
type shapeError string

func (e shapeError) Error() string { return string(e) }

// short unwraps a shapeError from GoMLX's stack trace.
func short(err error) error {
	if wrong := shapeError(""); errors.As(err, &wrong) {
		return wrong
	}
	return err
}

// requireShape panics if a function of the user dropped an axis, for example by a sum.
func requireShape(what string, x *Node, points, width int) {
	if want := shapes.Make(dtypes.Float32, 1, points, width); !x.Shape().Equal(want) {
		panic(shapeError(fmt.Sprintf("%s returned %s for %d points, want %s", what, x.Shape(), points, want)))
	}
}

func show(x []float64) string {
	parts := make([]string, len(x))
	for i, c := range x {
		parts[i] = fmt.Sprintf("%.3g", c)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
