package bench

import (
	"fmt"
	"math"
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

// Time returns t for B samples, k functions and order p.
func (c Cost) Time(b, k, p int) time.Duration {
	t := 0.0
	for i, size := range terms(b, k, p) {
		t += []float64{c.Call, c.PerBk2, c.PerK3}[i] * size
	}
	return time.Duration(t * float64(time.Second))
}

// String writes the formula with its coefficients.
func (c Cost) String() string {
	return fmt.Sprintf("%.3g ms + %.3g ns·Bk² + %.3g ns·(p − 1)k³", c.Call*1e3, c.PerBk2*1e9, c.PerK3*1e9)
}

func terms(b, k, p int) [3]float64 {
	n := float64(k)
	return [3]float64{1, float64(b) * n * n, float64(p-1) * n * n * n}
}

// FitCost fits the cost of evaluations of OMM to their times, with the least sum of squares of the relative errors.
// residuals are t/Time − 1. The error says that an evaluation is not one of OMM, or that there are too few sizes to
// tell the terms apart.
func FitCost(evaluations []Evaluation, times []time.Duration) (c Cost, residuals []float64, err error) {
	if len(times) != len(evaluations) {
		return Cost{}, nil, fmt.Errorf("fitting the cost: %d evaluations and %d times: give one time for each",
			len(evaluations), len(times))
	}
	sizes, ones := mat.NewDense(max(1, len(times)), 3, nil), mat.NewVecDense(max(1, len(times)), nil)
	orders := make([]int, len(times))
	for i, e := range evaluations {
		omm, ok := e.Objective.(ommlx.OMM)
		if !ok {
			return Cost{}, nil, fmt.Errorf("fitting the cost: %s is not OMM", e)
		}
		orders[i] = max(1, len(omm.Orders))
		row := terms(e.B, e.K, orders[i])
		for j := range row {
			row[j] /= times[i].Seconds()
		}
		sizes.SetRow(i, row[:])
		ones.SetVec(i, 1)
	}
	var fit mat.VecDense
	if err := solve(&fit, sizes, ones); err != nil {
		return Cost{}, nil, fmt.Errorf("fitting the cost: the sizes do not tell its three terms apart; "+
			"give more of them: %w", err)
	}
	c = Cost{fit.AtVec(0), fit.AtVec(1), fit.AtVec(2)}
	for i, e := range evaluations {
		residuals = append(residuals, float64(times[i])/float64(c.Time(e.B, e.K, orders[i]))-1)
	}
	return c, residuals, nil
}

// solve is least squares with columns scaled to the same norm, since those of a cost differ by powers of ten.
func solve(x *mat.VecDense, a *mat.Dense, b *mat.VecDense) error {
	rows, columns := a.Dims()
	if rows < columns {
		return fmt.Errorf("%d sizes for %d terms", rows, columns)
	}
	norms := make([]float64, columns)
	scaled := mat.DenseCopyOf(a)
	for j := range norms {
		if norms[j] = mat.Norm(a.ColView(j), 2); norms[j] == 0 {
			return fmt.Errorf("term %d is zero for all of them", j+1)
		}
		for i := range rows {
			scaled.Set(i, j, a.At(i, j)/norms[j])
		}
	}
	if err := x.SolveVec(scaled, b); err != nil {
		return err
	}
	for j, norm := range norms {
		x.SetVec(j, x.AtVec(j)/norm)
	}
	return nil
}

// largest returns the largest absolute value.
func largest(x []float64) float64 {
	most := 0.0
	for _, v := range x {
		most = math.Max(most, math.Abs(v))
	}
	return most
}
