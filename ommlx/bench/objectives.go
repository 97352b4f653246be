package bench

import (
	"fmt"
	"strings"
	"time"

	"operator-omm/ommlx"
)

// objectives measures loss and gradient alone, which a small network does not hide: how they grow with samples,
// functions and order, what nesting adds, and what it saves to send no gradient through Tf (paper, section 2.3.1 and
// appendix B.3).
func (s *session) objectives() error {
	sizes := objectiveSizes{batches: []int{512, 1024, 2048, 4096}, modes: []int{64, 128, 256, 512},
		orders: []int{1, 2, 4, 8}}
	return s.objectivesOf(sizes.scaled(s.options.scale))
}

// objectiveSizes are the sizes along each axis, ascending. An axis is measured at fixed values of the others, the
// largest there are but for the batch, which is the smallest for the orders, so that the k³ are seen.
type objectiveSizes struct{ batches, modes, orders []int }

// scaled makes tests short.
func (z objectiveSizes) scaled(by float64) objectiveSizes {
	if by >= 1 {
		return z
	}
	return objectiveSizes{batches: []int{32, 64}, modes: []int{8, 16}, orders: []int{1, 2, 3}}
}

// axis is a list of evaluations of OMM that differ in one size.
type axis struct {
	name, fixed string
	sizes       []int
	evaluations []Evaluation
}

func (z objectiveSizes) axes() []axis {
	last := func(x []int) int { return x[len(x)-1] }
	order := func(p int) ommlx.OMM {
		if p == 1 {
			return ommlx.OMM{}
		}
		return ommlx.OMM{Orders: ommlx.Order(p)}
	}
	most, least, k := last(z.batches), z.batches[0], last(z.modes)
	axes := []axis{
		{name: "B", fixed: fmt.Sprintf("k = %d, p = 1", k), sizes: z.batches},
		{name: "k", fixed: fmt.Sprintf("B = %d, p = 1", most), sizes: z.modes},
		{name: "p", fixed: fmt.Sprintf("B = %d, k = %d", least, k), sizes: z.orders},
	}
	for _, n := range z.batches {
		axes[0].evaluations = append(axes[0].evaluations, Evaluation{Objective: ommlx.OMM{}, B: n, K: k})
	}
	for _, n := range z.modes {
		axes[1].evaluations = append(axes[1].evaluations, Evaluation{Objective: ommlx.OMM{}, B: most, K: n})
	}
	for _, n := range z.orders {
		axes[2].evaluations = append(axes[2].evaluations, Evaluation{Objective: order(n), B: least, K: k})
	}
	return axes
}

func (s *session) objectivesOf(z objectiveSizes) error {
	var all []Evaluation
	for _, a := range z.axes() {
		all = append(all, a.evaluations...)
	}
	laps, err := s.evaluate(all)
	if err != nil {
		return err
	}
	wall, cpu := least(laps, wallOf), least(laps, cpuOf)
	at := 0
	for _, a := range z.axes() {
		for i, n := range a.sizes {
			s.alone(fmt.Sprintf("%s = %d", a.name, n), laps[at+i])
		}
		next := at + len(a.sizes)
		fmt.Fprintf(s.out, "loss and gradient grow as %s^%.2f (processor time: ^%.2f) for %s; least times\n", a.name,
			exponent(a.sizes, seconds(wall[at:next])), exponent(a.sizes, seconds(cpu[at:next])), a.fixed)
		at = next
	}
	for _, of := range []struct {
		name  string
		times []time.Duration
	}{{"time", wall}, {"processor time", cpu}} {
		cost, residuals, err := FitCost(all, of.times)
		if err != nil {
			return err
		}
		fmt.Fprintf(s.out, "%s: %s, wrong by %.0f %% at most\n", of.name, cost, 100*largest(residuals))
	}
	return s.nestings(z)
}

// nestings compares objectives with OMM-1 without nesting, in the middle of the sizes.
func (s *session) nestings(z objectiveSizes) error {
	b, k := z.batches[len(z.batches)-1], z.modes[len(z.modes)/2]
	others := []Evaluation{
		{Objective: ommlx.OMM{Nesting: ommlx.Sequential}, B: b, K: k},
		{Objective: ommlx.OMM{Nesting: ommlx.Joint}, B: b, K: k},
		{Objective: ommlx.OMM{}, B: b, K: k, OneSided: true},
		{Objective: ommlx.OMM{Nesting: ommlx.Sequential}, B: b, K: k, OneSided: true},
		{Objective: ommlx.Sanger{}, B: b, K: k},
		{Objective: ommlx.LoRA{}, B: b, K: k},
		{Objective: ommlx.LoRA{Nesting: ommlx.Sequential}, B: b, K: k},
	}
	plain := Evaluation{Objective: ommlx.OMM{}, B: b, K: k}
	laps, err := s.evaluate(append([]Evaluation{plain}, others...))
	if err != nil {
		return err
	}
	for i, e := range others {
		label := e.Objective.Name()
		if e.OneSided {
			label = "one-sided" + strings.TrimPrefix(label, "omm")
		}
		s.line(label, laps[i+1], contender{label: fmt.Sprintf("omm, B=%d k=%d", b, k)}, laps[0], nil)
	}
	return nil
}

// evaluate measures in rounds of 50 ms.
func (s *session) evaluate(evaluations []Evaluation) ([][]lap, error) {
	length := time.Duration(s.options.scale * float64(50*time.Millisecond))
	return takeTurns(s.ctx, s.options.Engine, evaluations, s.options.Rounds, length)
}

func seconds(times []time.Duration) []float64 {
	s := make([]float64, len(times))
	for i, t := range times {
		s[i] = t.Seconds()
	}
	return s
}
