package ogb

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes/float16"
)

// FeaturesOf reads the features of node i into dst, [d], as float32, whether they are stored as that or as float16.
func (g *Graph) FeaturesOf(i int, dst []float32) {
	first, end := i*g.Features, (i+1)*g.Features
	if g.Half == nil {
		copy(dst, g.X[first:end])
		return
	}
	for j, x := range g.Half[first:end] {
		dst[j] = x.Float32()
	}
}

// half rounds to the nearest float16, of two to the even one. [float16.FromFloat32] does so from 2⁻¹⁴ on, and makes
// 0 of what is smaller.
func half(x float32) float16.Float16 {
	size := math.Abs(float64(x))
	if size >= 0x1p-14 {
		return float16.FromFloat32(x)
	}
	bits := uint16(math.RoundToEven(size * 0x1p24))
	if math.Signbit(float64(x)) {
		bits |= 1 << 15
	}
	return float16.FromBits(bits)
}

// halves rounds rows of numbers, the first of them in a line of a file; the error names what no float16 can hold.
func halves(x []float32, width int, path string, line int) ([]float16.Float16, error) {
	all := make([]float16.Float16, len(x))
	for i, x := range x {
		all[i] = half(x)
		if all[i]&0x7fff == 0x7c00 { // infinite
			return nil, fmt.Errorf("%s, line %d: %g is too large for float16, which ends at 65504; convert the graph "+
				"with features in float32", path, line+i/width, x)
		}
	}
	return all, nil
}
