package notebook

import (
	"fmt"
	"time"

	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
)

// Cost is how the time of an [Evaluation] of OMM follows from its sizes, in seconds (paper, appendix B.3):
//
//	t = Call + PerBk2·Bk² + PerK3·(p − 1)k³.
//
// The paper's O(Bk² + pk³) counts powers of M[f]; Horner's rule takes 2p − 2 products of k×k matrices, none for p = 1.
type Cost struct{ Call, PerBk2, PerK3 float64 }

// Time returns t for an evaluation of OMM-p.
func (c Cost) Time(e Evaluation) time.Duration {
	size := terms(e)
	t := c.Call*size[0] + c.PerBk2*size[1] + c.PerK3*size[2]
	return time.Duration(t * float64(time.Second))
}

// String writes the formula with its coefficients.
func (c Cost) String() string {
	return fmt.Sprintf("%.3g ms + %.3g ns·Bk² + %.3g ns·(p − 1)k³", c.Call*1e3, c.PerBk2*1e9, c.PerK3*1e9)
}

// terms are what the coefficients of a cost are of.
func terms(e Evaluation) [3]float64 {
	omm, _ := e.Objective.(ommlx.OMM)
	b, k, p := float64(e.B), float64(e.K), float64(max(1, len(omm.Orders)))
	return [3]float64{1, b * k * k, (p - 1) * k * k * k}
}

// fitCost fits the cost of evaluations of OMM to their times, with the least sum of squares of the relative errors.
// residuals are t/Time − 1. The error says that there are too few sizes to tell the terms apart.
func fitCost(evaluations []Evaluation, times []time.Duration) (c Cost, residuals []float64, err error) {
	const columns = 3
	if len(times) < columns {
		return Cost{}, nil, fmt.Errorf("fitting the cost: %d sizes for %d terms; give more of them",
			len(times), columns)
	}
	sizes, ones := mat.NewDense(len(times), columns, nil), mat.NewVecDense(len(times), nil)
	for i, e := range evaluations {
		for j, term := range terms(e) {
			sizes.Set(i, j, term/times[i].Seconds())
		}
		ones.SetVec(i, 1)
	}
	var norms [columns]float64 // the columns differ by powers of ten
	for j := range norms {
		norms[j] = mat.Norm(sizes.ColView(j), 2)
		for i := range times {
			sizes.Set(i, j, sizes.At(i, j)/norms[j])
		}
	}
	var fit mat.VecDense
	if err := fit.SolveVec(sizes, ones); err != nil {
		return Cost{}, nil, fmt.Errorf("fitting the cost: the sizes do not tell its three terms apart; "+
			"give more of them: %w", err)
	}
	c = Cost{fit.AtVec(0) / norms[0], fit.AtVec(1) / norms[1], fit.AtVec(2) / norms[2]}
	for i, e := range evaluations {
		residuals = append(residuals, float64(times[i])/float64(c.Time(e))-1)
	}
	return c, residuals, nil
}
