package schrodinger

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/jet"
)

// CheckSamples draws n points as training would, in float32 and always the same ones, and returns an error in one
// sentence when one of the following would spoil every step:
//
//   - the system or the sampler does not validate, or a function does not return one number for each point;
//   - a sample, or the potential at one, is NaN or infinite;
//   - the log-density, its gradient or its Laplacian is NaN or infinite at a sample;
//   - the mask is NaN or infinite at a sample, or zero at all of them.
//
// The first such sample is named with the value there. Call it before a training with n = its batch size; it takes one
// small compilation. mask may be nil; else it maps x [..., B, D] to [..., B, 1], as the value of net.BoxMask does.
func CheckSamples(backend compute.Backend, system System, sampler Sampler, mask func(x *Node) *Node, n int) error {
	if err := system.Validate(); err != nil {
		return err
	}
	if err := sampler.Validate(); err != nil {
		return err
	}
	seen, err := drawn(backend, system, sampler, mask, n)
	if err != nil {
		return fmt.Errorf("checking samples of the %s: %w", system.Name, short(err))
	}
	first := 0
	for _, check := range []struct {
		what, advice string
		columns      int // of what was seen
	}{
		{"a coordinate", "correct the sampler", system.Dim},
		{"the potential", "give it a finite value there, or draw no samples there", 1},
		{"the log-density, or a derivative of it,", "make it smooth wherever samples are drawn", 2 + system.Dim},
		{"the mask", "let it be zero outside and finite everywhere", 1},
	} {
		for i := range n {
			for _, v := range seen.RawRowView(i)[first : first+check.columns] {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return fmt.Errorf("%s is %v at sample %d of %d of the %s, x = %s; %s", check.what, v, i+1, n,
						system.Name, show(seen.RawRowView(i)[:system.Dim]), check.advice)
				}
			}
		}
		first += check.columns
	}
	innermost, least := []float64(nil), math.Inf(1) // the sample whose greatest coordinate is smallest
	for i := range n {
		row := seen.RawRowView(i)
		if row[first-1] != 0 {
			return nil
		}
		if greatest := floats.Norm(row[:system.Dim], math.Inf(1)); greatest < least {
			innermost, least = row[:system.Dim], greatest
		}
	}
	return fmt.Errorf("the mask is zero at all %d samples of the %s: its box and the sampler do not overlap; "+
		"let the box hold samples such as the innermost, x = %s, or draw samples inside of it", n, system.Name,
		show(innermost))
}

// drawn are n samples, a row each: the coordinates, the potential, the log-density with its Laplacian and gradient, and
// the mask, 1 where there is none.
func drawn(backend compute.Backend, system System, sampler Sampler, mask func(x *Node) *Node, n int) (*mat.Dense,
	error) {
	const seed = 1 // any will do
	state, err := RNGStateFromSeed(seed)
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

// oneRun is a [Random] for a single run.
type oneRun struct{ state *Node }

func (r *oneRun) Normal(dtype dtypes.DType, dims ...int) (x *Node) {
	r.state, x = RandomNormal(r.state, shapes.Make(dtype, append([]int{1}, dims...)...))
	return x
}

func (r *oneRun) Uniform(dtype dtypes.DType, dims ...int) (x *Node) {
	r.state, x = RandomUniform(r.state, shapes.Make(dtype, append([]int{1}, dims...)...))
	return x
}

// shapeError is a panic of [requireShape], to be told from those of GoMLX.
type shapeError string

func (e shapeError) Error() string { return string(e) }

// short returns a shapeError in place of the whole story of how the graph was built.
func short(err error) error {
	if wrong := shapeError(""); errors.As(err, &wrong) {
		return wrong
	}
	return err
}

// requireShape is for functions that users write: they may forget to keep the axis that they sum over.
func requireShape(what string, x *Node, points, width int) {
	if want := shapes.Make(dtypes.Float32, 1, points, width); !x.Shape().Equal(want) {
		panic(shapeError(fmt.Sprintf("%s returned %s for %d points; it must be %s, the points on the last axis but one",
			what, x.Shape(), points, want)))
	}
}

func show(x []float64) string {
	parts := make([]string, len(x))
	for i, c := range x {
		parts[i] = fmt.Sprintf("%.3g", c)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
