package notebook

import (
	"fmt"

	"omm-go/ommlx/artifact/rl"
)

// Protocols returns the rows of a [Table] that compares the paper's text on section 3.1 with the three protocols of
// package rl. Each row has the name of a setting, the text, [rl.Paper], [rl.May] and [rl.July].
func Protocols() (rows [][]string) {
	add := func(name, text, method string, of func(e rl.Experiment) string) {
		rows = append(rows, []string{name, text, of(rl.Paper("", method, 11, 1)), of(rl.May("", method)),
			of(rl.July("", method))})
	}
	const omm = "omm_seq"
	add("pairs", "transitions", omm, func(e rl.Experiment) string { return fmt.Sprintf("lags, $\\gamma=%v$", e.Gamma) })
	add("episodes, batch", "not given", omm, func(e rl.Experiment) string {
		return fmt.Sprintf("%d, %d", e.Length, e.Batch)
	})
	add("data", "random runs", omm, func(e rl.Experiment) string {
		if e.DataSeed == 0 {
			return "one set for each run"
		}
		return fmt.Sprintf("seed %d in all runs", e.DataSeed)
	})
	add("$M[f]$", "not given", omm, func(e rl.Experiment) string {
		return map[rl.Overlap]string{rl.OverlapState: "one batch of states",
			rl.OverlapStates: "two batches of states"}[e.Overlap]
	})
	add("shift $\\kappa$", "1, as $P+I$", omm, func(e rl.Experiment) string {
		forms := map[rl.PenaltyForm]string{"": "as $P+\\kappa I$", rl.NestedPenalty: "as a penalty",
			rl.ReversedPenalty: "as a penalty on the earlier function of a pair"}
		return fmt.Sprintf("%v, %s", e.Shift, forms[e.Penalty])
	})
	add("weights of OMM-seq", "1", omm, func(e rl.Experiment) string { return weights(e, "1") })
	rows = append(rows, []string{"weights of OMM-joint", "$1/k$", weights(rl.Paper("", "omm_jnt", 11, 1), "$1/k$"),
		weights(rl.May("", "omm_jnt"), ""), ""})
	add("rate of OMM", "0.001", omm, func(e rl.Experiment) string { return fmt.Sprint(e.Train.Adam.LearningRate) })
	add("warm-up", "a tenth of the steps", omm, func(e rl.Experiment) string {
		if e.Train.Adam.Schedule.Warmup == 0 {
			return "none"
		}
		return fmt.Sprintf("%d of %d steps", e.Train.Adam.Schedule.Warmup, e.Train.Steps)
	})
	add("ALLO's $(b,\\alpha_\\text{barrier})$", "(2, 0.01)", "allo", func(e rl.Experiment) string {
		return fmt.Sprint(rl.BarrierPair{Barrier: e.Barrier, Rate: e.BarrierRate})
	})
	return rows
}

// weights returns the weights of the losses of an experiment; plain are those of the text.
func weights(e rl.Experiment, plain string) string {
	return map[rl.Weighting]string{"": plain, rl.LinearWeights: "$k-i+1$", rl.SquaredWeights: "$(k-i+1)^2$"}[e.Weights]
}
