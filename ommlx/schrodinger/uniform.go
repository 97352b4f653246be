package schrodinger

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"operator-omm/ommlx/jet"
	"operator-omm/ommlx/net"
)

// Uniform samples from the box [−L, L)^D, ρ = (2L)^{−D} with L = HalfWidth; the paper's infinite well (appendix C.2)
// has L = [WellHalfWidth]. With a Box it samples from that, ρ = Π_d 1/(Upper_d − Lower_d).
type Uniform struct {
	Dim       int     // D
	HalfWidth float64 // L > 0, a length; 0 where Box is given
	Box       net.Box // bounds for each axis, in place of HalfWidth
}

// bounded reports that Box takes the place of HalfWidth.
func (u Uniform) bounded() bool { return u.Box.Lower != nil || u.Box.Upper != nil }

// Validate returns an error when Dim or HalfWidth is not positive and finite, or Box is not valid or of another
// dimension.
func (u Uniform) Validate() error {
	if !u.bounded() {
		if u.Dim < 1 || !(u.HalfWidth > 0) || math.IsInf(u.HalfWidth, 0) {
			return fmt.Errorf("uniform samples were asked for in dimension %d with half-width %v; "+
				"both must be positive and finite", u.Dim, u.HalfWidth)
		}
		return nil
	}
	if err := u.Box.Validate(); err != nil {
		return fmt.Errorf("uniform samples: %w", err)
	}
	if u.HalfWidth != 0 {
		return fmt.Errorf("uniform samples were given both a half-width, %v, and a box; give one of them", u.HalfWidth)
	}
	if u.Dim != len(u.Box.Lower) {
		return fmt.Errorf("uniform samples in dimension %d were given a box in dimension %d; let the dimensions agree",
			u.Dim, len(u.Box.Lower))
	}
	return nil
}

// widths returns the length of Box along each axis.
func (u Uniform) widths() []float64 {
	widths := make([]float64, u.Dim)
	for d := range widths {
		widths[d] = u.Box.Upper[d] - u.Box.Lower[d]
	}
	return widths
}

// Sample draws points of the box, [R, batch, D].
func (u Uniform) Sample(random Random, dtype dtypes.DType, batch int) *Node {
	x := random.Uniform(dtype, batch, u.Dim)
	if u.bounded() {
		return Add(Mul(x, row(x, u.widths())), row(x, u.Box.Lower))
	}
	return AddScalar(MulScalar(x, 2*u.HalfWidth), -u.HalfWidth)
}

// LogDensity is the constant −D log(2L), or −Σ_d log(Upper_d − Lower_d), its value inside the box, also at points
// outside.
func (u Uniform) LogDensity(x jet.Jet) jet.Jet {
	requireDim("uniform", u.Dim, x)
	logarithm := -float64(u.Dim) * math.Log(2*u.HalfWidth)
	if u.bounded() {
		logarithm = 0
		for _, width := range u.widths() {
			logarithm -= math.Log(width)
		}
	}
	return jet.Constant(AddScalar(ZerosLike(x.Column(0).Value), logarithm), u.Dim)
}
