package pde

import "omm-go/ommlx/artifact/run"

// shortened lists a system's variants with the paper's networks and fewer steps, whose cosine decay ends with them.
// They are for claims whose whole trainings take days on two cores. Only the paper profile has them.
func shortened(system string) []variant {
	after := func(e Experiment, steps, runs int) func(run.Profile) Experiment {
		e = e.withCosine(e.Train.Adam.LearningRate, steps)
		e.Seeds = run.Seeds(runs)
		return func(run.Profile) Experiment { return e }
	}
	hydrogen := Hydrogen(run.Paper, "sanger")
	ten, tenOnce, five := after(hydrogen, 10_000, 2), after(hydrogen, 10_000, 1), after(hydrogen, 5_000, 1)
	nine, oscillator := hydrogen, Oscillator(run.Paper)
	nine.K, oscillator.K = 9, 15
	masked, oscillator5 := after(oscillator, 10_000, 1), after(oscillator, 5_000, 1)
	return map[string][]variant{
		"hydrogen": {
			{tenThousand + "Sanger's variant", ten, nil},
			{tenThousand + narrowSamples, ten, changes{sigma4}},
			{tenThousand + "Sanger's variant, " + rmsProp99, tenOnce, changes{byRMSProp}},
			{tenThousand + "Sanger's variant, " + rmsProp999, tenOnce, changes{byPublishedRMSProp}},
			{"5,000 steps, Sanger's variant", five, nil},
			{"5,000 steps, " + spin, five, changes{method("spin")}},
			{"5,000 steps, " + neuralEF, five, changes{method("neuralef")}},
			{"5,000 steps, Sanger's variant, finite differences", five, changes{differences(publishedStep)}},
			{"k = 9, 4,000 steps, Sanger's variant", after(nine, 4_000, 3), nil},
			{"k = 9, 20,000 steps, Sanger's variant", after(nine, 20_000, 3), nil},
			{"k = 9, 100,000 steps, Sanger's variant", after(nine, 100_000, 3), nil},
		},
		"oscillator": {
			{"k = 15, 10,000 steps, OMM-seq", masked, nil},
			{"k = 15, 10,000 steps, no mask", masked, changes{unmasked}},
			{"k = 15, 10,000 steps, a box of twice the width", masked, changes{func(e *Experiment) { e.Box *= 2 }}},
			{"k = 15, 10,000 steps, " + rmsProp99, masked, changes{byRMSProp}},
			{"k = 15, 10,000 steps, " + wideSamples, masked, changes{sigma4}},
			{"k = 15, 5,000 steps, OMM-seq", oscillator5, nil},
			{"k = 15, 5,000 steps, finite differences", oscillator5, changes{differences(publishedStep)}},
		},
	}[system]
}
