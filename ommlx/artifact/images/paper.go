package images

import (
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/optim"
)

// Numbers of training images of CIFAR-100 and of the digits, which set the schedules.
const (
	cifarImages, cifarSide, cifarColours    = 50_000, 32, 3
	digitsImages, digitsSide, digitsColours = 1_545, 8, 1
)

// Paper returns the paper's protocol (Section C.3) on CIFAR-100: ResNet-18, k = 256 after a projector of width 2,048 or
// the first 64 features, norm 1, LARS at 0.3 with a cosine schedule, batches of 256, 1,000 epochs; then a linear probe
// by SGD at 0.1 with batches of 256 for 100 epochs. The paper does not state the number of runs.
//
// The views, the warm-up, the momentum of LARS, and the milestones of the probe are from the code that the paper builds
// on (vturrisi/solo-learn at commit 9187ea3). Its public configuration has the rate 0.4 and weight decay 1e-4 where the
// paper has 0.3 and 0. It computes in float16; here products are in bfloat16.
func Paper(method string, encoding Encoding, runs int) Experiment {
	e := Experiment{
		Data: CIFAR100Name, Method: method, Encoding: encoding, Norm: Unit, Width: 64, Blocks: 2,
		BFloat16: true,
		Recipe:   SoloLearn(), Batch: 256, Epochs: 1_000, LARS: optim.LARS{LearningRate: 0.3}.WithDefaults(),
		Seeds: run.Seeds(runs),
	}
	e.K, e.Hidden = 256, 2_048
	if encoding == Top {
		e.K, e.Hidden = 64, 0
	}
	e.Probe = Probe{Batch: 256, Epochs: 100, SGD: optim.SGD{LearningRate: 0.1, Momentum: 0.9}}
	return e.scheduled(cifarImages)
}

// Quick returns an experiment that two cores train in less than half a minute: the digits of 8×8 pixels and their
// negatives, a ResNet-10 of an eighth of the width, and three runs.
func Quick(method string, encoding Encoding) Experiment {
	e := Paper(method, encoding, 3)
	e.Data, e.Recipe = NegativesName, DigitCrops()
	e.Recipe.Mean, e.Recipe.Std = []float64{0.5}, []float64{0.4224} // of the intensities
	e.BFloat16 = false
	e.Width, e.Blocks, e.K, e.Batch, e.Epochs = 8, 1, 32, 128, 16
	if encoding == Projected {
		e.Hidden = 128
	}
	e.Probe.Batch = 64
	return e.scheduled(digitsImages)
}

// normed returns the experiment with another norm of the features and a matching learning rate: divided by k² for norm
// √k and by k for free features. These are the best of the rates 0.3, 0.3/√k, 0.3/k, 0.3/k^(3/2) and 0.3/k² in two runs
// each on the digits: with norm √k a rate of 0.3/k leaves 2 modes of 32 and a rate of 0.3/k² leaves 20, and at 0.3 runs
// with free features diverge. Norm 1 is best at 0.3, with at most 5 modes at seven rates from 0.3/k to 0.3 k.
func (e Experiment) normed(n Norm) Experiment {
	switch e.Norm = n; n {
	case Root:
		e.LARS.LearningRate /= float64(e.K * e.K)
	case Free:
		e.LARS.LearningRate /= float64(e.K)
	}
	return e
}

// frozen returns the untrained network, with running statistics from a few epochs.
func (e Experiment) frozen() Experiment {
	e.Frozen, e.Epochs = true, min(e.Epochs, 5)
	return e
}

func (e Experiment) smoke() Experiment {
	e.Seeds, e.Width, e.K, e.Epochs = run.Seeds(2), 2, 8, 2
	if e.Encoding == Projected {
		e.Hidden = 16
	}
	e.Probe.Epochs = 5
	return e.scheduled(digitsImages)
}

// scheduled sets the schedules: solo-learn's warm-up from a rate of 3e-5 over at most 10 epochs and a tenth of all, and
// a cosine to the end; the probe's rate falls after 60 and 80 % of its epochs.
func (e Experiment) scheduled(images int) Experiment {
	perEpoch := e.minibatches(images).PerEpoch()
	e.LARS.Schedule = optim.Schedule{Warmup: min(10, e.Epochs/10) * perEpoch, Decay: optim.Cosine,
		Steps: e.Epochs * perEpoch}
	if e.LARS.Schedule.Warmup > 1 {
		e.LARS.Schedule.WarmupFrom = 3e-5 / e.LARS.LearningRate
	}
	probeSteps := images / e.Probe.Batch
	e.Probe.SGD.Schedule = optim.Schedule{Decay: optim.Tenths,
		Milestones: []int{e.Probe.Epochs * 6 / 10 * probeSteps, e.Probe.Epochs * 8 / 10 * probeSteps}}
	return e
}

func (e Experiment) atPaperScale() bool {
	p := Paper(e.Method, e.Encoding, 1)
	return e.Data == p.Data && e.Width >= p.Width && e.Blocks == p.Blocks && e.Batch >= p.Batch &&
		e.Epochs >= p.Epochs && e.K == p.K
}
