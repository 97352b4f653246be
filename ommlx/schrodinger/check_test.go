package schrodinger_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

// box is the mask of training.
func box(a float64) func(x *Node) *Node {
	return func(x *Node) *Node { return net.BoxMask(jet.Inputs(x), a).Value }
}

// halfSpace has a density that is zero at negative x₀ but samples there too.
type halfSpace struct{ schrodinger.Gaussian }

func (h halfSpace) LogDensity(x jet.Jet) jet.Jet {
	first := x.Column(0)
	return jet.Chain(first, Log(first.Value), Inverse(first.Value), Neg(Square(Inverse(first.Value))))
}

// runaway draws samples beyond the largest float32.
type runaway struct{ schrodinger.Gaussian }

func (r runaway) Sample(random schrodinger.Random, dtype dtypes.DType, batch int) *Node {
	return MulScalar(MulScalar(r.Gaussian.Sample(random, dtype, batch), 1e30), 1e30)
}

// withPotential returns a system whose potential is a function of |x|².
func withPotential(of func(r2 *Node) *Node) schrodinger.System {
	return schrodinger.System{Name: "trial", Dim: 2, Potential: func(x *Node) *Node {
		return of(ReduceAndKeep(Square(x), ReduceSum, -1))
	}}
}

func TestCheckSamples(t *testing.T) {
	b := testkit.PureGo(t)
	check := func(system schrodinger.System, sampler schrodinger.Sampler, mask func(x *Node) *Node) error {
		return schrodinger.CheckSamples(b, system, sampler, mask, 64)
	}
	gauss := schrodinger.Gaussian{Dim: 2, Sigma: 1}
	good := withPotential(func(r2 *Node) *Node { return r2 })

	for _, s := range everySystem {
		var sampler schrodinger.Sampler = schrodinger.Gaussian{Dim: s.Dim, Sigma: s.reach}
		if s.HalfWidth > 0 {
			sampler = schrodinger.Uniform{Dim: s.Dim, HalfWidth: s.HalfWidth}
		}
		assert.NoError(t, check(s.System, sampler, nil), s.Name)
		assert.NoError(t, check(s.System, sampler, box(s.reach)), s.Name)
	}

	for _, c := range []struct {
		system  schrodinger.System
		sampler schrodinger.Sampler
		mask    func(x *Node) *Node
		want    string
	}{
		// Outside of the disc |x| < 2 lies one sample in seven.
		{withPotential(func(r2 *Node) *Node { return Sqrt(AddScalar(Neg(r2), 4)) }), gauss, nil, "potential is NaN"},
		{withPotential(func(r2 *Node) *Node { return Inverse(Sub(r2, r2)) }), gauss, nil, "potential is +Inf"},
		{withPotential(func(r2 *Node) *Node { return ReduceSum(r2, -1) }), gauss, nil, "potential returned"},
		{good, halfSpace{gauss}, nil, "log-density"},
		{good, runaway{gauss}, nil, "coordinate"},
		{good, schrodinger.Gaussian{Dim: 3, Sigma: 1}, nil, "sampler returned"},
		{good, gauss, box(1e-3), "mask is zero"},
		{good, gauss, func(x *Node) *Node { return Log(Slice(x, AxisRange().Spacer(), AxisElem(0))) }, "mask is NaN"},
		{schrodinger.System{Name: "empty", Dim: 2}, gauss, nil, "no potential"},
		{good, schrodinger.Gaussian{Dim: 2, Sigma: -1}, nil, "deviation"},
	} {
		assert.ErrorContains(t, check(c.system, c.sampler, c.mask), c.want)
	}
}

// TestCheckSamplesFindsOneBadSample: the potential is NaN only at the greatest sample, and the error names that sample.
func TestCheckSamplesFindsOneBadSample(t *testing.T) {
	b := testkit.PureGo(t)
	check := func(isNaN func(x *Node) *Node) error {
		system := schrodinger.System{Name: "trial", Dim: 1, Potential: func(x *Node) *Node {
			return Where(isNaN(x), AddScalar(ZerosLike(x), math.NaN()), x)
		}}
		return schrodinger.CheckSamples(b, system, schrodinger.Gaussian{Dim: 1, Sigma: 1}, nil, 50)
	}
	beyond := func(c float64) func(x *Node) *Node {
		return func(x *Node) *Node { return GreaterThan(x, AddScalar(ZerosLike(x), c)) }
	}
	found := check(func(x *Node) *Node {
		return Equal(x, BroadcastToShape(ReduceAndKeep(x, ReduceMax, -2), x.Shape()))
	})
	require.ErrorContains(t, found, "the potential is NaN at sample ")
	var at float64
	_ = testkit.Must(fmt.Sscanf(found.Error()[strings.Index(found.Error(), "x = ("):], "x = (%g)", &at))
	assert.NoError(t, check(beyond(at+0.01)))
	assert.Equal(t, found, check(beyond(at-0.01)))
}
