package rl

import (
	"operator-omm/ommlx/artifact/report"
)

// Beyond tries what the paper does not: a learning rate that falls to 0, a larger batch, more steps, no shift, all
// pairs in every step.
func Beyond() report.Entry {
	return comparison{
		name: "beyond_k50", short: "beyond",
		about: "k = 50, beyond the paper: a falling learning rate, a larger batch, more steps, no shift, all pairs",
		title: "Beyond the paper: what was tried with OMM-seq at k = 50 (average cosine similarity)",
		k:     tab2Modes, list: beyondCompared(),
		few: []string{"GridRoom-4", "GridRoom-16", "GridMaze-19"},
	}.entry()
}

// hardInstances are the environments of figure 1 that its caption calls hard.
var hardInstances = []string{"GridMaze-26", "GridMaze-32", "GridRoom-32", "GridRoom-64"}

// BeyondHard tries OMM-seq without a shift where figure 1 is hard.
func BeyondHard() report.Entry {
	return comparison{
		name: "beyond_k11", short: "hard",
		about: "k = 11, beyond the paper: OMM-seq without a shift in figure 1's hard environments",
		title: "Beyond the paper: OMM-seq without a shift in figure 1's hard environments, k = 11 " +
			"(average cosine similarity)",
		k: spectrumModes, list: []variant{nearest, unshifted()}, few: hardInstances, first: fig1Methods()[0].paperRuns,
	}.entry()
}

// beyondCompared lists the variants, the reproduction first.
func beyondCompared() []variant {
	decay, unshiftedDecay := nearest, unshifted()
	decay.Decay, unshiftedDecay.Decay = true, true
	pairs := variant{Reading: Reading{0.9, 1, OverlapPairs}, Expectation: AllPairs}
	pairsDecay, exact, exactDecay := pairs, pairs, pairs
	pairsDecay.Decay = true
	exact.Expectation, exactDecay.Expectation, exactDecay.Decay = Exact, Exact, true
	return []variant{nearest, decay, large(), longer(), unshifted(), unshiftedDecay, pairs, pairsDecay, exact,
		exactDecay}
}
