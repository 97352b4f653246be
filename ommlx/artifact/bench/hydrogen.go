package bench

import (
	_ "embed"

	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/optim"
)

//go:embed torch_hydrogen.py
var torchHydrogen string

// wave describes a step for torch_hydrogen.py: the experiment, and how to compute it.
type wave struct {
	pde.Experiment

	Way   string     `json:"way"`             // to the Laplacian: "differences", "autograd" or "forward"
	Check *givenWave `json:"check,omitempty"` // of tests: nothing is timed
}

// givenWave is where a script is to evaluate loss and gradients.
type givenWave struct {
	Params      [][]float64 `json:"params"` // as in [net.Disjoint], one run
	Frequencies []float64   `json:"frequencies"`
	Points      []float64   `json:"points"`
}

func waveOf(set pde.Experiment, way string) wave { return wave{Experiment: set, Way: way} }

// waves is the experiment of figures 2 and 4, one run; LoRA-seq in its two-sided form, whose gradient goes through the
// operator, since the one-sided form costs what Sanger's rule does. A small one is for tests.
func waves(method string, small bool) pde.Experiment {
	set := pde.PaperHydrogen(method)
	set.Seeds, set.OneSided = set.Seeds[:1], false
	if small {
		set.K, set.Frequencies, set.Hidden, set.Batch = 3, 5, []int{7, 6}, 64
	}
	return set
}

// hydrogen compares the step with PyTorch's ways to a Laplacian. With Sanger's rule no gradient goes through the
// operator, and PyTorch is spared recording what only that would need. Targets: 0.8 of finite differences, half of
// what is usual for exact Laplacians, and less than the best that can be written by hand.
func (s *session) hydrogen() error {
	torch := s.script("PyTorch", torchHydrogen)
	defer s.stop(torch)
	for _, method := range []string{"sanger", "lora_seq"} {
		set := waves(method, s.small)
		p, err := set.Problem()
		if err != nil {
			return err
		}
		way := func(label, name string, steps int, target float64) contender {
			return contender{label, target, torch.round(s.steps(steps), waveOf(set, name))}
		}
		if err := s.train(method, p, optim.Adam{}, 3,
			way("5 points", "differences", 2, 0.8),
			way("double autograd", "autograd", 1, 0.5),
			way("forward, by hand", "forward", 2, 1)); err != nil {
			return err
		}
	}
	return nil
}
