package pde

import (
	"math"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/optim"
)

// variant is one way to solve a Schrödinger equation, beside that of a figure.
type variant struct {
	about  string
	change func(*Experiment)
}

func unchanged(*Experiment) {}

// variantGroup are the variants of one experiment; the first is the experiment itself.
type variantGroup struct {
	base func(lab.Profile) Experiment
	list []variant
}

// hydrogenVariants are what the paper says about alternatives on hydrogen, and what we found to matter. The first of
// a list is the experiment of the figure, as in the lists of the other systems.
func hydrogenVariants() []variantGroup {
	method := func(name string) func(*Experiment) { return func(e *Experiment) { e.Method = name } }
	lora := func(e *Experiment) { e.Method, e.OneSided = "lora_seq", true }
	return []variantGroup{
		{func(p lab.Profile) Experiment { return hydrogenExperiment(p, "sanger") }, []variant{
			{"Sanger's variant (figures 2 and 4)", unchanged},
			{"LoRA-seq, one-sided as in its published code (figures 2 and 4)", lora},
			{"LoRA-seq, also through Tf, as in the paper's formula", method("lora_seq")},
			{"Sanger's variant, samples of variance 16, as printed", func(e *Experiment) { e.Sigma = 4 }},
			{"OMM-seq, no shift", method("omm_seq")},
			{"OMM-seq, shift κ = a tenth of the scale",
				func(e *Experiment) { e.Method, e.Shift = "omm_seq", e.Scale/10 }},
			{"Sanger's variant, weak form", func(e *Experiment) { e.Weak = true }},
			{"SpIN", method("spin")},
			{"NeuralEF, which asks for a positive operator", method("neuralef")},
			{"OMM-seq, no shift, finite differences",
				func(e *Experiment) { e.Method, e.Difference = "omm_seq", publishedStep }},
			{"Sanger's variant, finite differences", func(e *Experiment) { e.Difference = publishedStep }},
			{"Sanger's variant, RMSProp with α = 0.99", byRMSProp},
			{"LoRA-seq, one-sided, RMSProp with α = 0.99", func(e *Experiment) { lora(e); byRMSProp(e) }},
			{"Sanger's variant, RMSProp with α = 0.999, as in published code", ofLongMemory},
			{"the same, with a warm-up over a tenth of the steps", warmedUp},
		}},
		{firstSteps, []variant{
			{"first steps of the paper's protocol, Sanger's variant", unchanged},
			{"the same, LoRA-seq", lora},
			{"the same, OMM-seq, no shift", method("omm_seq")},
			{"the same, OMM-seq, shift κ = the scale", func(e *Experiment) { e.Method, e.Shift = "omm_seq", e.Scale }},
		}},
	}
}

// oscillatorVariants are those on the harmonic oscillator.
func oscillatorVariants() variantGroup {
	return variantGroup{oscillatorExperiment, []variant{
		{"OMM-seq (figures 5 and 6)", unchanged},
		{"operator not scaled", func(e *Experiment) { e.Scale = 1 }},
		{"samples of standard deviation 4", func(e *Experiment) { e.Sigma = 4 }},
		{"samples of standard deviation 4, no mask", func(e *Experiment) { e.Sigma, e.Box = 4, 0 }},
		{"a quarter of the batch", func(e *Experiment) { e.Batch /= 4 }},
		{"no mask", func(e *Experiment) { e.Box = 0 }},
		{"no mask, but its value at the centre as a factor", maskAsFactor},
		{"RMSProp with α = 0.99", byRMSProp},
		{"RMSProp with α = 0.999, as in published code", ofLongMemory},
	}}
}

// wellVariants are those in the infinite well. The last two are beyond the paper: the level after the last one, at a
// gap of 4 %, may take its place.
func wellVariants() variantGroup {
	return variantGroup{wellExperiment, []variant{
		{"OMM-seq (figures 7 and 8)", unchanged},
		{"finite differences, h = 0.01", func(e *Experiment) { e.Difference = publishedStep }},
		{"finite differences, h = 0.1", func(e *Experiment) { e.Difference = 0.1 }},
		{"RMSProp with α = 0.99", byRMSProp},
		{"RMSProp with α = 0.999, as in published code", ofLongMemory},
		{"a rate that falls to 0", fallingRate},
		{"two spare functions, first Ritz functions", func(e *Experiment) { e.Spare = 2 }},
	}}
}

// fallingRate lets Adam's rate fall to zero with half a cosine.
func fallingRate(e *Experiment) {
	e.Train.Adam.Schedule = optim.Schedule{Decay: optim.Cosine, Steps: e.Train.Steps}
}

// firstSteps is the beginning of the paper's own protocol for hydrogen: few steps, but with its networks, features and
// batches, and so with its functions at the start.
func firstSteps(p lab.Profile) Experiment {
	if p == lab.Smoke {
		return hydrogenExperiment(p, "sanger")
	}
	e := PaperHydrogen("sanger")
	e.Seeds = lab.Seeds(1)
	return e.withSteps(200)
}

// byRMSProp puts PyTorch's RMSProp in the place of Adam, at Adam's rate. The paper prints no rate for it; in the
// scripts that it builds on (Ryu et al. 2024, scripts/exps/pde) RMSProp has the 10⁻⁴ that the paper gives to Adam.
func byRMSProp(e *Experiment) {
	r := optim.RMSProp{LearningRate: e.Train.Adam.LearningRate, Schedule: e.Train.Adam.Schedule}.WithDefaults()
	e.Train.RMSProp, e.Train.Adam = &r, optim.Adam{}
}

// ofLongMemory is [byRMSProp] with the constants of those scripts (examples/operator/pde/main_pde.py,
// examples/utils.py).
func ofLongMemory(e *Experiment) {
	byRMSProp(e)
	e.Train.RMSProp.Decay, e.Train.RMSProp.Epsilon = 0.999, 1e-10
}

// warmedUp is [ofLongMemory] with small first steps, which without a warm-up are 1/√(1−α) ≈ 32 times the learning rate.
func warmedUp(e *Experiment) {
	ofLongMemory(e)
	e.Train.RMSProp.Schedule.Warmup = e.Train.Steps / 10
}

// maskAsFactor puts the mask's greatest value c = (√2 − 1)² in its place. The loss of c·f is that of f with the
// operator times c but for a factor, which Adam divides out.
func maskAsFactor(e *Experiment) {
	e.Box = 0
	e.Scale *= math.Pow(math.Sqrt2-1, 2)
}

// publishedStep is the step of finite differences in the scripts that the paper builds on (Ryu et al. 2024,
// scripts/exps/pde).
const publishedStep = 0.01
