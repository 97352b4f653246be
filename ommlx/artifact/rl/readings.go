package rl

import (
	"cmp"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/optim"
)

// variant is one way to read the paper's protocol, where the text is silent or the code that it builds on does
// otherwise.
type variant struct {
	Reading
	Expectation Expectation
	Transitions int  // 0: the paper's
	Length      int  // transitions of an episode; 0: those of the code that the paper builds on
	Batch       int  // 0: that of the code that the paper builds on
	Steps       int  // 0: the paper's
	Decay       bool // the learning rate falls to 0 by half a cosine
}

// textual is what the paper's text says: transitions, and a shift by I.
var textual = variant{Reading: Reading{0, 1, OverlapPairs}, Expectation: Minibatch}

// nearest is the variant that the bars of figure 1 and Table 2 have.
var nearest = variant{Reading: Reproduces, Expectation: Minibatch}

// large is the nearest variant with four times the batch of the code that the paper builds on. The paper prints none.
func large() variant {
	v := nearest
	v.Batch = 4096
	return v
}

// longer is the nearest variant with two and a half times the paper's steps.
func longer() variant {
	v := nearest
	v.Steps = 200_000
	return v
}

// unshifted is the nearest variant without a shift.
func unshifted() variant {
	v := nearest
	v.Shift = 0
	return v
}

// readingsCompared lists the variants. The first is tried in more environments than the others.
func readingsCompared() []variant {
	list := []variant{nearest}
	for _, overlap := range []Overlap{OverlapPairs, OverlapStates} {
		for _, gamma := range []float64{0, 0.9} {
			for _, shift := range []float64{1, 0} {
				v := variant{Reading: Reading{gamma, shift, overlap}, Expectation: Minibatch}
				if v != nearest {
					list = append(list, v)
				}
			}
		}
	}
	fewer, episodes := nearest, nearest
	fewer.Transitions, episodes.Length = 1_000_000, 1_000
	return append(list,
		fewer, episodes, large(),
		variant{Reading: Reading{0.9, 1, OverlapState}, Expectation: Minibatch},
		variant{Reading: Reading{0.9, 1, OverlapEnds}, Expectation: Minibatch},
		variant{Reading: Reading{0.9, 1, OverlapPairs}, Expectation: AllPairs},
		variant{Reading: Reading{0.9, 0, OverlapPairs}, Expectation: AllPairs},
		variant{Reading: Reading{0, 1, OverlapPairs}, Expectation: Exact}, // the text with the exact P in every step
	)
}

// in returns OMM-seq with k functions in an environment, so read.
func (v variant) in(environment string, k, runs int) Experiment {
	e := Paper(environment, "omm_seq", k, runs).As(v.Reading).Expecting(v.Expectation)
	e.Transitions, e.Length = cmp.Or(v.Transitions, e.Transitions), cmp.Or(v.Length, e.Length)
	e.Batch = cmp.Or(v.Batch, e.Batch)
	if v.Steps != 0 {
		e = e.WithSteps(v.Steps)
	}
	if v.Decay {
		e.Train.Adam.Schedule.Decay, e.Train.Adam.Schedule.Steps = optim.Cosine, e.Train.Steps
	}
	return e
}

// Readings compares readings of the protocol by Table 2 (c).
func Readings() report.Entry { return readings().entry() }

func readings() comparison {
	return comparison{
		name: "choices_k50", short: "choices",
		about: "k = 50: which pair law, shift, batch for M[f], expectation and data come nearest to Table 2",
		title: "Which reading of the protocol comes nearest to Table 2 (c): average cosine similarity of a k = 50 run",
		k:     tab2Modes, list: readingsCompared(),
		few:  []string{"GridRoom-4", "GridMaze-17", "GridRoom-16"},
		more: []string{"GridRoom-1", "GridMaze-19", "GridRoomSym-4"},
	}
}

// Nearest is the part of [Readings] that is tried in more environments than the others: the reading that comes nearest.
func Nearest() report.Entry {
	e := Readings()
	all := e.Plan
	e.Plan = func(p lab.Profile) ([]lab.Job, error) {
		jobs, err := all(p)
		if err != nil {
			return nil, err
		}
		few, more, _ := readings().scale(p)
		return jobs[:len(few)+len(more)], nil
	}
	return e
}
