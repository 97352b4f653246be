package bench

import (
	_ "embed"

	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/run"
)

//go:embed torch_hydrogen.py
var torchHydrogen string

// hydrogenStep describes a step for torch_hydrogen.py: the experiment and the method.
type hydrogenStep struct {
	pde.Experiment

	Way string `json:"way"` // Laplacian: "differences", "autograd" or "forward"
}

// hydrogenExperiment returns the experiment of figures 2 and 4 with one run. LoRA-seq is in its two-sided form, whose
// gradient goes through the operator; the one-sided form costs the same as Sanger's rule. The small form is for tests.
func hydrogenExperiment(method string, small bool) pde.Experiment {
	e := pde.Hydrogen(run.Paper, method)
	e.Seeds, e.OneSided = e.Seeds[:1], false
	if small {
		e.K, e.Frequencies, e.Hidden, e.Batch = 3, 5, []int{7, 6}, 64
	}
	return e
}

// hydrogen compares the step with PyTorch's ways to compute a Laplacian. Sanger's rule needs no gradient through the
// operator, and PyTorch does not record one. Targets: 0.8 of finite differences, half of the usual exact Laplacian, and
// less than the best hand-written one.
//
// LoRA-seq misses 0.8 by a few per cent: its first layer takes four products forward and four backward, where five
// points take five and five. Each takes 26 ms in XLA and in PyTorch (AMD EPYC, two cores). The rest of the step, 65 ms,
// is not faster than PyTorch's. Values, gradients and Laplacians are separate arrays; as one array with a single
// product for each layer, Sanger's step takes 261 ms instead of 149 and LoRA-seq's 268 instead of 244. The softplus and
// its derivatives from one exponential of −|u| change neither (149 and 255 ms). Sines and cosines are computed once for
// all networks: XLA's program has one of each, of 1,024×512.
func (s *session) hydrogen() error {
	torch := s.script("PyTorch", torchHydrogen)
	for _, method := range []string{"sanger", "lora_seq"} {
		e := hydrogenExperiment(method, s.small)
		p, err := e.Problem()
		if err != nil {
			return err
		}
		way := func(label, name string, steps int, target float64) contender {
			return contender{label, target, torch.round(s.steps(steps), hydrogenStep{Experiment: e, Way: name})}
		}
		if err := s.train(method, p, 3,
			way("5 points", "differences", 2, 0.8),
			way("double autograd", "autograd", 1, 0.5),
			way("forward, by hand", "forward", 2, 1)); err != nil {
			return err
		}
	}
	return nil
}
