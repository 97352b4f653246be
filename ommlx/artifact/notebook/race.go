package notebook

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/linalg"
)

// Adam replaces the gradient of a loss by the direction of Adam, with its usual constants. It keeps the moments of
// earlier gradients, so each descent needs its own.
func Adam(l verify.Loss) verify.Loss {
	var first, second []float64
	n := 0.0
	return func(v, a *mat.Dense) (float64, *mat.Dense) {
		loss, gradient := l(v, a)
		g := gradient.RawMatrix().Data
		if n++; first == nil {
			first, second = make([]float64, len(g)), make([]float64, len(g))
		}
		for i, x := range g {
			first[i], second[i] = 0.9*first[i]+0.1*x, 0.999*second[i]+0.001*x*x
			g[i] = first[i] / (1 - math.Pow(0.9, n)) / (math.Sqrt(second[i]/(1-math.Pow(0.999, n))) + 1e-8)
		}
		return loss, gradient
	}
}

// Steps descends from V and returns after how many steps each goal first holds, checked every five steps. A goal that
// does not hold within most steps, or before V runs away, has +Inf.
func Steps(l verify.Loss, v, a *mat.Dense, eta float64, most int, goals ...func(v *mat.Dense) bool) []float64 {
	reached := slices.Repeat([]float64{math.Inf(1)}, len(goals))
	verify.Descend(l, v, a, eta, most, func(step int, v *mat.Dense) bool {
		if step%5 > 0 {
			return true
		}
		for i, holds := range goals {
			if math.IsInf(reached[i], 1) && holds(v) {
				reached[i] = float64(step)
			}
		}
		return mat.Norm(v, 2) < 100 && math.IsInf(slices.Max(reached), 1)
	})
	return reached
}

// Fastest returns, for each goal of a trial, the least number of steps over all step sizes and that step size. The
// number of a step size is the median over the starts 0, 1 and 2. Trials run in parallel.
func Fastest(sizes []float64, trial func(eta float64, start int) []float64) (least, best []float64) {
	results := make([][3][]float64, len(sizes))
	var group sync.WaitGroup
	for i, eta := range sizes {
		for start := range results[i] {
			group.Go(func() { results[i][start] = trial(eta, start) })
		}
	}
	group.Wait()
	for goal := range results[0][0] {
		fewest, at := math.Inf(1), math.NaN()
		for i, eta := range sizes {
			of := results[i]
			if steps := linalg.Median([]float64{of[0][goal], of[1][goal], of[2][goal]}); steps < fewest {
				fewest, at = steps, eta
			}
		}
		least, best = append(least, fewest), append(best, at)
	}
	return least, best
}
