package schrodinger

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/train"
)

// evaluator returns a function that evaluates V at points, one per row: on the host if there is PotentialAt, otherwise
// on the backend, by a program that is compiled once for each number of points. The function returns an error if V has
// a wrong shape or is not finite at a point. Do not call it after free.
func (s System) evaluator(b compute.Backend) (at func(points [][]float64) ([]float64, error), free func()) {
	var program train.Evaluator
	if free = func() {}; s.PotentialAt == nil {
		program, free = train.Problem{Seeds: []int64{1}}.Evaluator(b, func(in train.Inputs) []*Node {
			return []*Node{checked(s.Potential, InsertAxes(in.Data[0], 0))}
		})
	}
	return func(points [][]float64) (v []float64, err error) {
		if program == nil {
			v = xslices.Map(points, s.PotentialAt)
		} else {
			table := train.Table(mat.NewDense(len(points), s.Dim, slices.Concat(points...)))
			out, err := program(train.Snapshot{}, table)
			if err != nil {
				return nil, fmt.Errorf("schrodinger: potential of the %s: %w", s.Name, err)
			}
			v = mat.Col(nil, 0, out[0][0])
		}
		if i := slices.IndexFunc(v, linalg.IsInfinite); i >= 0 {
			return v, fmt.Errorf("schrodinger: the potential is %v at x = %s of the %s; make it finite there, or "+
				"choose another box", v[i], show(points[i]), s.Name)
		}
		return v, nil
	}, free
}
