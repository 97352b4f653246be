package bench

import "operator-omm/ommlx/artifact/pde"

// wave is what torch_hydrogen.py is told of a step.
type wave struct {
	Way    string `json:"way"`    // to the Laplacian: "differences", "autograd", "hessian" or "forward"
	Method string `json:"method"` // "sanger" or "lora_seq"

	Batch          int     `json:"batch"`
	Modes          int     `json:"modes"`
	Hidden         []int   `json:"hidden"`
	Frequencies    int     `json:"frequencies"`
	FrequencyScale float64 `json:"frequency_scale"`
	Sigma          float64 `json:"sigma"`
	Factor         float64 `json:"factor"` // of the operator

	Check *given `json:"check,omitempty"` // of tests: nothing is timed
}

// given is where a script is to evaluate loss and gradients.
type given struct {
	Params      [][]float64 `json:"params"` // as in [net.Disjoint], one run
	Frequencies []float64   `json:"frequencies"`
	Points      []float64   `json:"points"`
}

func waveOf(set pde.Experiment, way string) *wave {
	return &wave{Way: way, Method: set.Method, Batch: set.Batch, Modes: set.K, Hidden: set.Hidden,
		Frequencies: set.Frequencies, FrequencyScale: set.Scales[0], Sigma: set.Sigma, Factor: set.Scale}
}

// paperHydrogen is the experiment of figures 2 and 4, one run; LoRA-seq in its two-sided form, whose gradient goes
// through the operator, since the one-sided form costs what Sanger's rule does.
func paperHydrogen(method string) pde.Experiment {
	set := pde.PaperHydrogen(method)
	set.Seeds, set.OneSided = set.Seeds[:1], false
	return set
}

// hydrogen compares the step with PyTorch's ways to a Laplacian. With Sanger's rule no gradient goes through the
// operator, and PyTorch is spared recording what only that would need. Targets: 0.8 of finite differences, half of what
// is usual for exact Laplacians, and less than the best that can be written by hand.
func (s *session) hydrogen() error {
	for _, method := range []string{"sanger", "lora_seq"} {
		set := paperHydrogen(method)
		way := func(label, name string, steps int, target float64) contender {
			q := question{Steps: s.steps(steps), Wave: waveOf(set, name)}
			return contender{label, target, func() (lap, error) { return s.waves.ask(q) }}
		}
		p, err := set.Problem()
		if err != nil {
			return err
		}
		if _, err := s.compareWith("hydrogen", method, p, 3,
			way("5 points", "differences", 2, 0.8),
			way("double autograd", "autograd", 1, 0.5),
			way("vmap of hessian", "hessian", 1, 0.5),
			way("forward, by hand", "forward", 2, 1)); err != nil {
			return err
		}
	}
	return nil
}
