package images

import (
	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/optim"
)

// Training images and sides in pixels of CIFAR-100 and of [Glyphs]. The numbers of images set the schedules.
const (
	cifarImages, cifarSide = 50_000, 32
	glyphImages, glyphSide = 12 * len(letters) * glyphDraws, 12
	colours                = 3
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
	e.Probe = representation.Probe{Batch: 256, Epochs: 100, SGD: optim.SGD{LearningRate: 0.1, Momentum: 0.9}}
	return e.scheduled(cifarImages)
}

// Quick returns an experiment that two cores train in about three minutes: [Glyphs], a ResNet-10 of an eighth of the
// width, 19 epochs (1,482 steps) and four runs.
func Quick(method string, encoding Encoding) Experiment {
	e := Paper(method, encoding, 4)
	e.Data, e.Recipe, e.BFloat16 = GlyphsName, Recipe{}, false
	e.Recipe.Mean, e.Recipe.Std = []float64{0.5, 0.5, 0.5}, []float64{0.29, 0.29, 0.29} // uniform in [0, 1]
	e.Width, e.Blocks, e.K, e.Batch, e.Epochs = 8, 1, 32, 64, 19
	if encoding == Projected {
		e.Hidden = 128
	}
	e.Probe.Batch, e.Probe.Epochs = 64, 30
	return e.rated()
}

// rated sets LARS's rate for [Glyphs]. Of 0.01, 0.03, 0.1, 0.3 and 1 for features of norm 1, and 0.001, 0.0025, 0.005
// and 0.01 for features of any norm, it had the best linear probe with seed 1 on letters in four faces of Go Mono,
// which no table uses, in per cent:
//
//	                    0.001  0.0025  0.005   0.01   0.03    0.1    0.3      1
//	OMM, p = 1                                          50.8   62.7   67.8   40.2
//	OMM, p = 2                                   59.7   71.9   58.2
//	OMM, p = 1 and 2                             60.4   76.9   66.0
//	SimCLR                                              77.0   83.7   85.1   70.7
//	OMM, p = 1, any norm  70.0    87.5   81.0   80.5
//
// Nesting shares the rate of OMM, p = 1, and features without a projector the rate with one.
func (e Experiment) rated() Experiment {
	switch {
	case e.Norm == Free:
		e.LARS.LearningRate = 0.0025
	case e.Method == "omm2" || e.Method == "omm12":
		e.LARS.LearningRate = 0.03
	default:
		e.LARS.LearningRate = 0.3
	}
	return e.scheduled(glyphImages)
}

// quickRuns returns the number of runs of one of the paper's rows in the quick profile, all of them kept in the
// repository: the 95 % interval of a difference of two rows with sixteen runs is ± 3 to 8 points.
func quickRuns(method string, encoding Encoding) int {
	switch nested := method == "omm_jnt" || method == "omm_seq"; {
	case encoding == Top:
		return 4
	case nested:
		return 8
	}
	return 16
}

// free returns the experiment with features of any norm and a matching learning rate: at the paper's scale, where no
// rate was tried, 0.16/k.
func (e Experiment) free() Experiment {
	if e.Norm = Free; e.Data == GlyphsName {
		return e.rated()
	}
	e.LARS.LearningRate = 0.16 / float64(e.K)
	return e
}

// baselineRuns is the number of runs of what is not learned.
const baselineRuns = 4

// frozen returns the untrained network, with running statistics from two epochs.
func (e Experiment) frozen() Experiment {
	e.Frozen, e.Epochs, e.Seeds = true, min(e.Epochs, 2), e.Seeds[:min(len(e.Seeds), baselineRuns)]
	return e
}

// plain drops what only learning needs.
func (e Experiment) plain() Experiment {
	return Experiment{Data: e.Data, Method: e.Method, Recipe: e.Recipe, Probe: e.Probe,
		Seeds: e.Seeds[:min(len(e.Seeds), baselineRuns)]}
}

func (e Experiment) smoke() Experiment {
	e.Seeds, e.Width, e.K, e.Epochs = run.Seeds(2), 2, 8, 1
	if e.Encoding == Projected {
		e.Hidden = 16
	}
	e.Probe.Epochs = 5
	return e.scheduled(glyphImages)
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

// atPaperScale reports whether a planned experiment has the paper's data, network and training.
func (e Experiment) atPaperScale() bool { return e.Data == CIFAR100Name }
