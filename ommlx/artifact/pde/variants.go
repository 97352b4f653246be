package pde

import (
	"math"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/optim"
)

// variant is a way to solve a Schrödinger equation that the paper mentions or that goes beyond it.
type variant struct {
	about   string
	figure  func(run.Profile) Experiment // the original
	changes []change
}

type change func(*Experiment)

func (v variant) under(p run.Profile) Experiment {
	e := v.figure(p)
	for _, change := range v.changes {
		change(&e)
	}
	return e
}

// Names of variants on hydrogen that claims refer to.
const (
	oneSidedLoRA  = "LoRA-seq, one-sided as in its published code (figures 2 and 4)"
	narrowSamples = "Sanger's variant, samples of variance 16, as printed"
	spin          = "SpIN"
	neuralEF      = "NeuralEF, which asks for a positive operator"
)

// variants lists the variants system by system, the experiment of the figure first. The last two for the well address
// level k+1, which may replace level k because the gap is 4 %.
func variants() []variant {
	sanger := func(p run.Profile) Experiment { return hydrogenExperiment(p, "sanger") }
	list := func(changes ...change) []change { return changes }
	wide, unmasked := change(func(e *Experiment) { e.Sigma = 4 }), change(func(e *Experiment) { e.Box = 0 })
	return []variant{
		{"Sanger's variant (figures 2 and 4)", sanger, nil},
		{oneSidedLoRA, sanger, list(lora)},
		{"LoRA-seq, also through Tf, as in the paper's formula", sanger, list(method("lora_seq"))},
		{narrowSamples, sanger, list(func(e *Experiment) { e.Sigma = 4 })},
		{"OMM-seq, no shift", sanger, list(method("omm_seq"))},
		{"OMM-seq, shift κ = a tenth of the scale", sanger, list(method("omm_seq"), shift(0.1))},
		{"Sanger's variant, weak form", sanger, list(func(e *Experiment) { e.Weak = true })},
		{spin, sanger, list(method("spin"))},
		{neuralEF, sanger, list(method("neuralef"))},
		{"OMM-seq, no shift, finite differences", sanger, list(method("omm_seq"), differences(publishedStep))},
		{"Sanger's variant, finite differences", sanger, list(differences(publishedStep))},
		{"Sanger's variant, RMSProp with α = 0.99", sanger, list(byRMSProp)},
		{"LoRA-seq, one-sided, RMSProp with α = 0.99", sanger, list(lora, byRMSProp)},
		{"Sanger's variant, RMSProp with α = 0.999, as in published code", sanger, list(byPublishedRMSProp)},
		{"the same, with a warm-up over a tenth of the steps", sanger, list(warmedUp)},
		{"first steps of the paper's protocol, Sanger's variant", firstSteps, nil},
		{"the same, LoRA-seq", firstSteps, list(lora)},
		{"the same, OMM-seq, no shift", firstSteps, list(method("omm_seq"))},
		{"the same, OMM-seq, shift κ = the scale", firstSteps, list(method("omm_seq"), shift(1))},

		{"OMM-seq (figures 5 and 6)", oscillatorExperiment, nil},
		{"operator not scaled", oscillatorExperiment, list(func(e *Experiment) { e.Scale = 1 })},
		{"samples of standard deviation 4", oscillatorExperiment, list(wide)},
		{"samples of standard deviation 4, no mask", oscillatorExperiment, list(wide, unmasked)},
		{"a quarter of the batch", oscillatorExperiment, list(func(e *Experiment) { e.Batch /= 4 })},
		{"no mask", oscillatorExperiment, list(unmasked)},
		{"no mask, but its value at the centre as a factor", oscillatorExperiment, list(maskAsFactor)},
		{"RMSProp with α = 0.99", oscillatorExperiment, list(byRMSProp)},
		{"RMSProp with α = 0.999, as in published code", oscillatorExperiment, list(byPublishedRMSProp)},

		{"OMM-seq (figures 7 and 8)", wellExperiment, nil},
		{"finite differences, h = 0.01", wellExperiment, list(differences(publishedStep))},
		{"finite differences, h = 0.1", wellExperiment, list(differences(0.1))},
		{"RMSProp with α = 0.99", wellExperiment, list(byRMSProp)},
		{"RMSProp with α = 0.999, as in published code", wellExperiment, list(byPublishedRMSProp)},
		{"a rate that falls to 0", wellExperiment, list(halfCosine)},
		{"two spare functions, first Ritz functions", wellExperiment, list(func(e *Experiment) { e.Spare = 2 })},
	}
}

// firstSteps is the paper's protocol for hydrogen, stopped after 200 steps.
func firstSteps(run.Profile) Experiment {
	e := PaperHydrogen("sanger")
	e.Seeds = run.Seeds(1)
	return e.withSteps(200)
}

func method(name string) change { return func(e *Experiment) { e.Method = name } }

func lora(e *Experiment) { e.Method, e.OneSided = "lora_seq", true }

// shift sets κ to a share of the scale.
func shift(share float64) change { return func(e *Experiment) { e.Shift = share * e.Scale } }

func differences(step float64) change { return func(e *Experiment) { e.Difference = step } }

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
