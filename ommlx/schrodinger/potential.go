package schrodinger

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/train"
)

// potentialOn evaluates V at points, one per row: on the host if there is PotentialAt, otherwise on the backend. It
// returns an error if V has a wrong shape or is not finite at a point.
func (s System) potentialOn(b compute.Backend, points [][]float64) (v []float64, err error) {
	if s.PotentialAt != nil {
		v = xslices.Map(points, s.PotentialAt)
	} else {
		table := train.Table(mat.NewDense(len(points), s.Dim, slices.Concat(points...)))
		out, err := train.Compute(b, []*tensors.Tensor{table}, func(in train.Inputs) *Node {
			return checked(s.Potential, InsertAxes(in.Data[0], 0))
		})
		if err != nil {
			return nil, fmt.Errorf("schrodinger: potential of the %s: %w", s.Name, err)
		}
		v = mat.Col(nil, 0, out)
	}
	for i, value := range v {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return v, fmt.Errorf("schrodinger: the potential is %v at x = %s of the %s; make it finite there, or "+
				"choose another box", value, show(points[i]), s.Name)
		}
	}
	return v, nil
}
