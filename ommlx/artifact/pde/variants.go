package pde

import (
	"math"
	"slices"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/optim"
)

// variant is a way to solve a Schrödinger equation that the paper mentions or that goes beyond it.
type variant struct {
	about   string
	figure  func(run.Profile) Experiment // the original
	changes changes
}

// changes are made to an experiment in order.
type changes []func(*Experiment)

func (v variant) under(p run.Profile) Experiment {
	e := v.figure(p)
	for _, change := range v.changes {
		change(&e)
	}
	return e
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

// variedSystems lists the systems of the table in order.
var variedSystems = []string{"hydrogen", "oscillator", "well"}

// variants lists a system's variants under a profile, the experiment of the figure first: two in the smoke profile.
// Only the paper profile has [slowRMSProp] and those of [shortened]; its oscillator has the factor 1, so it lacks
// [notScaled]. The last two for the well address level k+1, which may replace level k because the gap is 4 %.
func variants(system string, p run.Profile) []variant {
	hydrogen := func(p run.Profile) Experiment { return Hydrogen(p, "sanger") }
	all := map[string][]variant{
		"hydrogen": {
			{sanger, hydrogen, nil},
			{oneSidedLoRA, hydrogen, changes{lora}},
			{"LoRA-seq, also through Tf, as in the paper's formula", hydrogen, changes{method("lora_seq")}},
			{narrowSamples, hydrogen, changes{sigma4}},
			{hydrogenOMM, hydrogen, changes{method("omm_seq")}},
			{"OMM-seq, shift κ = a tenth of the scale", hydrogen, changes{method("omm_seq"), shift(0.1)}},
			{"Sanger's variant, weak form", hydrogen, changes{func(e *Experiment) { e.Weak = true }}},
			{spin, hydrogen, changes{method("spin")}},
			{neuralEF, hydrogen, changes{method("neuralef")}},
			{hydrogenOMM + ", finite differences", hydrogen, changes{method("omm_seq"), differences(publishedStep)}},
			{"Sanger's variant, finite differences", hydrogen, changes{differences(publishedStep)}},
			{"Sanger's variant, " + rmsProp99, hydrogen, changes{byRMSProp}},
			{"LoRA-seq, one-sided, " + rmsProp99, hydrogen, changes{lora, byRMSProp}},
			{"Sanger's variant, " + rmsProp999, hydrogen, changes{byPublishedRMSProp}},
			{"the same, with a warm-up over a tenth of the steps", hydrogen, changes{warmedUp}},
			{firstSanger, firstSteps, nil},
			{"the same, LoRA-seq", firstSteps, changes{lora}},
			{firstOMM, firstSteps, changes{method("omm_seq")}},
			{firstShifted, firstSteps, changes{method("omm_seq"), shift(1)}},
		},
		"oscillator": {
			{oscillatorOMM, Oscillator, nil},
			{notScaled, Oscillator, changes{func(e *Experiment) { e.Scale = 1 }}},
			{wideSamples, Oscillator, changes{sigma4}},
			{wideSamples + ", no mask", Oscillator, changes{sigma4, unmasked}},
			{"a quarter of the batch", Oscillator, changes{func(e *Experiment) { e.Batch /= 4 }}},
			{"no mask", Oscillator, changes{unmasked}},
			{"no mask, but its value at the centre as a factor", Oscillator, changes{maskAsFactor}},
			{rmsProp99, Oscillator, changes{byRMSProp}},
			{rmsProp999, Oscillator, changes{byPublishedRMSProp}},
		},
		"well": {
			{wellOMM, Well, nil},
			{wellDifferences[0], Well, changes{differences(publishedStep)}},
			{wellDifferences[1], Well, changes{differences(0.1)}},
			{rmsProp99, Well, changes{byRMSProp}},
			{rmsProp999, Well, changes{byPublishedRMSProp}},
			{slowRMSProp, Well, changes{byPublishedRMSProp, slowly}},
			{fallingRate, Well, changes{halfCosine}},
			{"two spare functions, first Ritz functions", Well, changes{func(e *Experiment) { e.Spare = 2 }}},
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

// warmedUp is [byPublishedRMSProp] with a warm-up; without it the first steps are 1/√(1−α) ≈ 32 times the learning
// rate.
func warmedUp(e *Experiment) {
	byPublishedRMSProp(e)
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
	for _, system := range variedSystems {
		list = append(list, variants(system, p)...)
	}
	return list
}
