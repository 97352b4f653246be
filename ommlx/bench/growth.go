package bench

import (
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/pde"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"
)

// growth shows how the cost of the step follows from the number of points and of networks. It should be a constant, for
// the features, the parameters and their update, and a part in proportion: less than the first power, and twice as long
// for twice the size in the end.
func (s *session) growth() error {
	for _, axis := range []struct {
		name  string
		sizes []int
		of    func(set *pde.Experiment) *int
	}{
		{"batch", []int{128, 256, 512, 1024}, func(set *pde.Experiment) *int { return &set.Batch }},
		{"modes", []int{4, 8, 16, 32}, func(set *pde.Experiment) *int { return &set.K }},
	} {
		problem := func(n int) (train.Problem, error) {
			set := paperHydrogen("lora_seq")
			*axis.of(&set) = n
			return set.Problem()
		}
		const steps = 2
		if err := s.grow(optim.Adam{}, axis.name, axis.sizes, steps, problem); err != nil {
			return err
		}
	}
	return nil
}

// grow measures the step of the problem with each of the sizes in turn and fits cost ∝ sizeᵖ.
func (s *session) grow(o optim.Optimiser, name string, sizes []int, steps int,
	problem func(n int) (train.Problem, error)) error {
	laps := make([][]lap, len(sizes))
	trainers := make([]*trainer, len(sizes))
	for i, n := range sizes {
		p, err := problem(n)
		if err != nil {
			return err
		}
		if trainers[i], err = s.trainBy(o, fmt.Sprintf("%s %d", name, n), p, s.steps(steps)); err != nil {
			return err
		}
		defer trainers[i].close()
	}
	for range s.options.Rounds {
		for i, t := range trainers {
			l, err := t.round()
			if err != nil {
				return err
			}
			laps[i] = append(laps[i], l)
		}
	}
	if s.ctx.Err() != nil {
		return train.ErrInterrupted
	}
	for i, n := range sizes {
		s.alone(fmt.Sprintf("%s %d", name, n), laps[i])
	}
	wall := medians(laps, func(l lap) time.Duration { return l.wall })
	cpu := medians(laps, func(l lap) time.Duration { return l.cpu })
	last := len(sizes) - 1
	fmt.Fprintf(s.out, "the step grows as %s^%.2f (processor time: ^%.2f); from %d to %d it takes %.2f times as long\n",
		name, exponent(sizes, wall), exponent(sizes, cpu), sizes[last-1], sizes[last], wall[last]/wall[last-1])
	return nil
}

// medians returns the median cost of each size, in seconds.
func medians(laps [][]lap, cost func(lap) time.Duration) []float64 {
	m := make([]float64, len(laps))
	for i := range laps {
		var costs []time.Duration
		for _, l := range laps[i] {
			costs = append(costs, cost(l))
		}
		m[i] = median(costs).Seconds()
	}
	return m
}

// exponent is the slope of the logarithm of the cost over that of the size, by least squares.
func exponent(sizes []int, costs []float64) float64 {
	x, y := make([]float64, len(sizes)), make([]float64, len(sizes))
	for i := range sizes {
		x[i], y[i] = math.Log(float64(sizes[i])), math.Log(costs[i])
	}
	_, slope := stat.LinearRegression(x, y, nil, false)
	return slope
}
