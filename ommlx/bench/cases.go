package bench

import (
	"slices"
	"time"

	"operator-omm/ommlx/artifact/rl"
	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"
)

// paper compares the step of the paper's setting, done as published code does it. Target: JAX jit.
func (s *session) paper() error {
	const steps = 20
	ours, err := s.train("paper", paper.problem(paper.anywhere(), everySample), s.steps(steps))
	if err != nil {
		return err
	}
	defer ours.close()
	_, err = s.compare("step", ours.round,
		s.framework("JAX jit", s.jax, paper, steps, false),
		s.framework("JAX scan", s.jax, paper, steps, true),
		s.framework("PyTorch eager", s.torch, paper, steps, false))
	return err
}

// tiny shows what a step costs beyond its arithmetic. Target: half of PyTorch eager, and JAX scan.
func (s *session) tiny() error {
	const steps = 200
	ours, err := s.train("tiny", tiny.problem(tiny.anywhere(), everySample), s.steps(steps))
	if err != nil {
		return err
	}
	defer ours.close()
	_, err = s.compare("step", ours.round,
		s.framework("PyTorch eager", s.torch, tiny, steps, false).atMost(0.5),
		s.framework("JAX scan", s.jax, tiny, steps, true),
		s.framework("JAX jit", s.jax, tiny, steps, false).atMost(0))
	return err
}

// environments compares the step as this project does it with the plain one. Target: a quarter of the time, summed.
func (s *session) environments() error {
	const steps = 40
	var sum, theirs time.Duration
	for _, name := range gridworld.Names() {
		p, err := rl.Paper(name, "omm_seq", outputs, 1).Here().As(reading).Problem()
		if err != nil {
			return err
		}
		plain := s.framework("JAX jit, plain", s.jax, paper, steps/2, false).atMost(0)
		results, err := s.compareWith(name, name, p, steps, plain)
		if err != nil {
			return err
		}
		sum += median(walls(results[0]))
		if len(results) > 1 {
			theirs += median(walls(results[1]))
		}
	}
	s.sum("all twelve", sum, theirs, "12 × JAX jit, plain", 0.25)
	return nil
}

// rows compares evaluating the functions once for each state with evaluating them on every sample of a batch.
func (s *session) rows() error {
	const steps = 20
	for _, name := range []string{"GridMaze-7", "GridRoom-64"} {
		grid, err := gridworld.Load(name)
		if err != nil {
			return err
		}
		set := paper
		set.rows = grid.N()
		every, err := s.train("every sample", set.problem(grid.Coordinates(), everySample), s.steps(steps))
		if err != nil {
			return err
		}
		defer every.close()
		plain := contender{label: "every sample", round: every.round}
		distinct := set.problem(grid.Coordinates(), distinctStates)
		if _, err := s.compareWith(name, name, distinct, steps, plain); err != nil {
			return err
		}
	}
	return nil
}

// runs compares eight runs in one program with one run. Target: eight times its time.
func (s *session) runs() error {
	const name, runs, steps = "GridRoom-16", 8, 10
	problem := func(runs int) (train.Problem, error) {
		return rl.Paper(name, "omm_seq", outputs, runs).Here().As(reading).Problem()
	}
	single, err := problem(1)
	if err != nil {
		return err
	}
	one, err := s.train("1 run", single, s.steps(steps*runs))
	if err != nil {
		return err
	}
	defer one.close()
	eight, err := problem(runs)
	if err != nil {
		return err
	}
	_, err = s.compareWith("8 runs", name+", 8 runs", eight, steps,
		contender{label: "8 × one run", target: 1, round: func() (lap, error) {
			l, err := one.round()
			return lap{runs * l.wall, runs * l.cpu}, err
		}})
	return err
}

// train starts a training by Adam and notes how long its program took to compile.
func (s *session) train(name string, p train.Problem, steps int) (*trainer, error) {
	return s.trainBy(optim.Adam{}, name, p, steps)
}

func (s *session) trainBy(o optim.Optimiser, name string, p train.Problem, steps int) (*trainer, error) {
	t, err := newTrainer(s.ctx, s.options.Engine, p, o, steps)
	if err == nil {
		s.compiled = append(s.compiled, compilation{name, t.compile})
	}
	return t, err
}

// compareWith trains p for the time of one comparison.
func (s *session) compareWith(name, label string, p train.Problem, steps int, others ...contender) ([][]lap, error) {
	t, err := s.train(name, p, s.steps(steps))
	if err != nil {
		return nil, err
	}
	defer t.close()
	return s.compare(label, t.round, others...)
}

// contender is an alternative.
type contender struct {
	label  string
	target float64 // the largest ratio of ours to this that we want; 0: none
	round  func() (lap, error)
}

func (c contender) atMost(ratio float64) contender {
	c.target = ratio
	return c
}

// framework returns the step of set in f, with the target 1.
func (s *session) framework(label string, f *framework, set setting, steps int, scan bool) contender {
	q := question{Batch: set.batch, Width: set.width, Rows: set.rows, Steps: s.steps(steps), Scan: scan}
	return contender{label, 1, func() (lap, error) { return f.ask(q) }}
}

// compare lets ours and the alternatives take turns and prints a line for each alternative. It returns the laps of ours
// and of the alternatives that could be measured.
func (s *session) compare(label string, ours func() (lap, error), others ...contender) ([][]lap, error) {
	missing := make([]error, len(others))
	for i, c := range others { // the first turn compiles
		_, missing[i] = c.round()
	}
	mine := make([]lap, 0, s.options.Rounds)
	theirs := make([][]lap, len(others))
	for range s.options.Rounds {
		l, err := ours()
		if err != nil {
			return nil, err
		}
		mine = append(mine, l)
		for i, c := range others {
			if missing[i] != nil {
				continue
			}
			l, err := c.round()
			if missing[i] = err; err == nil {
				theirs[i] = append(theirs[i], l)
			}
		}
	}
	if err := s.ctx.Err(); err != nil {
		return nil, train.ErrInterrupted
	}
	results := [][]lap{mine}
	for i, c := range others {
		s.line(label, mine, c, theirs[i], missing[i])
		if missing[i] == nil {
			results = append(results, theirs[i])
		}
	}
	return results, nil
}

func walls(laps []lap) []time.Duration {
	var w []time.Duration
	for _, l := range laps {
		w = append(w, l.wall)
	}
	return w
}

func median[T time.Duration | float64](x []T) T {
	x = slices.Clone(x)
	slices.Sort(x)
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}
