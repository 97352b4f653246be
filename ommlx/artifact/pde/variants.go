package pde

import (
	"math"
	"slices"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/optim"
)

// variant is a training that the paper mentions or that goes beyond it.
type variant struct {
	about      string
	experiment Experiment
}

// varied returns a variant of an experiment, with changes in order.
func varied(about string, e Experiment, changes ...func(*Experiment)) variant {
	for _, change := range changes {
		change(&e)
	}
	return variant{about, e}
}

// Names of variants that claims refer to.
const (
	sanger, hydrogenOMM    = "Sanger's variant (figures 2 and 4)", "OMM-seq, no shift"
	oneSidedLoRA           = "LoRA-seq, one-sided as in its published code (figures 2 and 4)"
	narrowSamples          = "Sanger's variant, samples of standard deviation 4, as printed"
	spin, neuralEF         = "SpIN", "NeuralEF, which asks for a positive operator"
	oscillatorOMM, wellOMM = "OMM-seq (figures 5 and 6)", "OMM-seq (figures 7 and 8)"
	rmsProp99, rmsProp999  = "RMSProp with α = 0.99", "RMSProp with α = 0.999, as in published code"
	notScaled, wideSamples = "operator not scaled", "samples of standard deviation 4"
	slowRMSProp            = rmsProp999 + ", at a tenth of the rate"
	fallingRate            = "a rate that falls to 0"
	tenThousand            = "10,000 steps, "
	firstSanger            = "first steps at full size, Sanger's variant"
	firstOMM, firstShifted = "the same, OMM-seq, no shift", "the same, OMM-seq, shift κ = the scale"
)

var wellDifferences = []string{"finite differences, h = 0.01", "finite differences, h = 0.1"}

// variants lists a system's variants under a profile, the experiment of the figure first: two in the smoke profile.
// Only the paper profile has [slowRMSProp] and those of [shortened]; its oscillator has the factor 1, so it lacks
// [notScaled]. The last two for the well address level k+1, which may replace level k because the gap is 4 %.
func variants(system string, p run.Profile) []variant {
	hydrogen, first, oscillator, well := Hydrogen(p, "sanger"), firstSteps(p), Oscillator(p), Well(p)
	all := map[string][]variant{
		"hydrogen": {
			varied(sanger, hydrogen),
			varied(oneSidedLoRA, hydrogen, lora),
			varied("LoRA-seq, also through Tf, as in the paper's formula", hydrogen, method("lora_seq")),
			varied(narrowSamples, hydrogen, sigma4),
			varied(hydrogenOMM, hydrogen, method("omm_seq")),
			varied("OMM-seq, shift κ = a tenth of the scale", hydrogen, method("omm_seq"), shift(0.1)),
			varied("Sanger's variant, weak form", hydrogen, func(e *Experiment) { e.Weak = true }),
			varied(spin, hydrogen, method("spin")),
			varied(neuralEF, hydrogen, method("neuralef")),
			varied(hydrogenOMM+", finite differences", hydrogen, method("omm_seq"), differences(publishedStep)),
			varied("Sanger's variant, finite differences", hydrogen, differences(publishedStep)),
			varied("Sanger's variant, "+rmsProp99, hydrogen, byRMSProp),
			varied("LoRA-seq, one-sided, "+rmsProp99, hydrogen, lora, byRMSProp),
			varied("Sanger's variant, "+rmsProp999, hydrogen, byPublishedRMSProp),
			varied("the same, with a warm-up over a tenth of the steps", hydrogen, byPublishedRMSProp, warmedUp),
			varied(firstSanger, first),
			varied("the same, LoRA-seq", first, lora),
			varied(firstOMM, first, method("omm_seq")),
			varied(firstShifted, first, method("omm_seq"), shift(1)),
		},
		"oscillator": {
			varied(oscillatorOMM, oscillator),
			varied(notScaled, oscillator, func(e *Experiment) { e.Scale = 1 }),
			varied(wideSamples, oscillator, sigma4),
			varied(wideSamples+", no mask", oscillator, sigma4, unmasked),
			varied("a quarter of the batch", oscillator, func(e *Experiment) { e.Batch /= 4 }),
			varied("no mask", oscillator, unmasked),
			varied("no mask, but its value at the centre as a factor", oscillator, maskAsFactor),
			varied(rmsProp99, oscillator, byRMSProp),
			varied(rmsProp999, oscillator, byPublishedRMSProp),
		},
		"well": {
			varied(wellOMM, well),
			varied(wellDifferences[0], well, differences(publishedStep)),
			varied(wellDifferences[1], well, differences(0.1)),
			varied(rmsProp99, well, byRMSProp),
			varied(rmsProp999, well, byPublishedRMSProp),
			varied(slowRMSProp, well, byPublishedRMSProp, slowly),
			varied(fallingRate, well, halfCosine),
			varied("two spare functions, first Ritz functions", well, func(e *Experiment) { e.Spare = 2 }),
		},
	}[system]
	switch p {
	case run.Smoke:
		return all[:2]
	case run.Paper:
		all = append(all, shortened(system)...)
	}
	return slices.DeleteFunc(all, func(v variant) bool {
		return v.about == slowRMSProp && p != run.Paper || v.about == notScaled && p == run.Paper
	})
}

// shortened lists a system's variants with the paper's networks and fewer steps, whose cosine decay ends with them.
// They are for claims whose whole trainings take days on two cores.
func shortened(system string) []variant {
	hydrogen, nine, oscillator := Hydrogen(run.Paper, "sanger"), Hydrogen(run.Paper, "sanger"), Oscillator(run.Paper)
	nine.K, oscillator.K = 9, 15
	const ten, five, k15 = tenThousand, "5,000 steps, ", "k = 15, 10,000 steps, "
	return map[string][]variant{
		"hydrogen": {
			varied(ten+"Sanger's variant", hydrogen, stopped(10_000, 2)),
			varied(ten+narrowSamples, hydrogen, stopped(10_000, 2), sigma4),
			varied(ten+"Sanger's variant, "+rmsProp99, hydrogen, stopped(10_000, 1), byRMSProp),
			varied(ten+"Sanger's variant, "+rmsProp999, hydrogen, stopped(10_000, 1), byPublishedRMSProp),
			varied(five+"Sanger's variant", hydrogen, stopped(5_000, 1)),
			varied(five+spin, hydrogen, stopped(5_000, 1), method("spin")),
			varied(five+neuralEF, hydrogen, stopped(5_000, 1), method("neuralef")),
			varied(five+"Sanger's variant, finite differences", hydrogen, stopped(5_000, 1),
				differences(publishedStep)),
			varied("k = 9, 4,000 steps, Sanger's variant", nine, stopped(4_000, 3)),
			varied("k = 9, 20,000 steps, Sanger's variant", nine, stopped(20_000, 3)),
			varied("k = 9, 100,000 steps, Sanger's variant", nine, stopped(100_000, 3)),
		},
		"oscillator": {
			varied(k15+"OMM-seq", oscillator, stopped(10_000, 1)),
			varied(k15+"no mask", oscillator, stopped(10_000, 1), unmasked),
			varied(k15+"a box of twice the width", oscillator, stopped(10_000, 1),
				func(e *Experiment) { e.Box *= 2 }),
			varied(k15+rmsProp99, oscillator, stopped(10_000, 1), byRMSProp),
			varied(k15+wideSamples, oscillator, stopped(10_000, 1), sigma4),
			varied("k = 15, 5,000 steps, OMM-seq", oscillator, stopped(5_000, 1)),
			varied("k = 15, 5,000 steps, finite differences", oscillator, stopped(5_000, 1),
				differences(publishedStep)),
		},
	}[system]
}

// stopped lets a training with a cosine decay end after a number of steps.
func stopped(steps, runs int) func(*Experiment) {
	return func(e *Experiment) {
		*e = e.withCosine(e.Train.Adam.LearningRate, steps)
		e.Seeds = run.Seeds(runs)
	}
}

// firstSteps is [Hydrogen] at the paper's scale, stopped after 2,000 steps; in smaller profiles after 200, one run.
func firstSteps(p run.Profile) Experiment {
	e := Hydrogen(run.Paper, "sanger")
	if p == run.Paper {
		e.Seeds = run.Seeds(3)
		return e.withSteps(2_000)
	}
	e.Seeds = run.Seeds(1)
	return e.withSteps(200)
}

func method(name string) func(*Experiment) { return func(e *Experiment) { e.Method = name } }

func lora(e *Experiment) { e.Method, e.OneSided = "lora_seq", true }

// sigma4 sets the standard deviation of the samples to 4.
func sigma4(e *Experiment) { e.Sigma = 4 }

func unmasked(e *Experiment) { e.Box = 0 }

// shift sets κ to a share of the scale.
func shift(share float64) func(*Experiment) { return func(e *Experiment) { e.Shift = share * e.Scale } }

func differences(step float64) func(*Experiment) { return func(e *Experiment) { e.Difference = step } }

// publishedStep is the step of finite differences in the scripts that the paper builds on (Ryu et al. 2024,
// scripts/exps/pde).
const publishedStep = 0.01

// byRMSProp replaces Adam with PyTorch's RMSProp at Adam's rate. The paper prints no rate for RMSProp; the scripts that
// it builds on (Ryu et al. 2024, scripts/exps/pde) give it the 10⁻⁴ of the paper's Adam.
func byRMSProp(e *Experiment) {
	r := optim.RMSProp{LearningRate: e.Train.Adam.LearningRate, Schedule: e.Train.Adam.Schedule}.WithDefaults()
	e.Train.RMSProp, e.Train.Adam = &r, optim.Adam{}
}

// byPublishedRMSProp is [byRMSProp] with the constants of those scripts (examples/operator/pde/main_pde.py,
// examples/utils.py).
func byPublishedRMSProp(e *Experiment) {
	byRMSProp(e)
	e.Train.RMSProp.Decay, e.Train.RMSProp.Epsilon = 0.999, 1e-10
}

// slowly divides RMSProp's rate by 10.
func slowly(e *Experiment) { e.Train.RMSProp.LearningRate /= 10 }

// warmedUp adds a warm-up to [byPublishedRMSProp], whose first steps are 1/√(1−α) ≈ 32 times the learning rate.
func warmedUp(e *Experiment) {
	e.Train.RMSProp.Schedule.Warmup = e.Train.Steps / 10
}

// halfCosine lets the learning rate fall to 0 along half a cosine.
func halfCosine(e *Experiment) {
	e.Train.Adam.Schedule = optim.Schedule{Decay: optim.Cosine, Steps: e.Train.Steps}
}

// maskAsFactor replaces the mask with its greatest value, c = (√2 − 1)². Up to a factor, which Adam divides out, the
// loss of c·f is the loss of f with the operator times c.
func maskAsFactor(e *Experiment) {
	e.Box = 0
	e.Scale *= math.Pow(math.Sqrt2-1, 2)
}

// variantsUnder lists the variants of all systems under a profile.
func variantsUnder(p run.Profile) (list []variant) {
	for _, system := range systems {
		list = append(list, variants(system.name, p)...)
	}
	return list
}
