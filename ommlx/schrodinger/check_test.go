package schrodinger_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

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
		{good, schrodinger.Gaussian{Dim: 3, Sigma: 1}, nil, "sampler returned"},
		{good, gauss, box(1e-3), "mask is zero"},
		{good, gauss, func(x *Node) *Node { return Log(Slice(x, AxisRange().Spacer(), AxisElem(0))) }, "mask is NaN"},
		{schrodinger.System{Name: "empty", Dim: 2}, gauss, nil, "no potential"},
		{good, schrodinger.Gaussian{Dim: 2, Sigma: -1}, nil, "deviation"},
	} {
		assert.ErrorContains(t, check(c.system, c.sampler, c.mask), c.want)
	}
}

// The error names the only sample, the greatest, at which the potential is NaN.
func TestCheckSamplesFindsOneBadSample(t *testing.T) {
	system := schrodinger.System{Name: "trial", Dim: 1, Potential: func(x *Node) *Node {
		greatest := Equal(x, BroadcastToShape(ReduceAndKeep(x, ReduceMax, -2), x.Shape()))
		return Where(greatest, AddScalar(ZerosLike(x), math.NaN()), x)
	}}
	err := schrodinger.CheckSamples(testkit.PureGo(t), system, schrodinger.Gaussian{Dim: 1, Sigma: 1}, nil, 50)
	require.ErrorContains(t, err, "the potential is NaN at sample ")
	var at float64
	_ = testkit.Must(fmt.Sscanf(err.Error()[strings.Index(err.Error(), "x = ("):], "x = (%g)", &at))
	assert.Greater(t, at, 1.5, "the greatest of 50 samples")
}
