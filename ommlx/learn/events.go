package learn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/say"
)

const (
	slow        = 0.5     // value of a function whose sign changes are counted
	fewEvents   = 4       // transitions that tell little about their rate
	fewLengths  = 10      // timescales in all frames, the same
	rareInBatch = 20      // sign changes in a sample of the pairs, below which all pairs are counted
	mostCounted = 500_000 // pairs
)

// crossings returns the number of training pairs in which each Ritz function changes sign, from its values on n pairs.
func crossings(start, end *mat.Dense, pairs int) (counts []float64) {
	n, k := start.Dims()
	var signs mat.Dense
	signs.MulElem(start, end)
	for i := range k {
		crossed := floats.Count(func(sign float64) bool { return sign < 0 }, mat.Col(nil, i, &signs))
		counts = append(counts, float64(crossed*pairs)/float64(n))
	}
	return counts
}

// countCrossings counts the sign changes in all pairs if the evaluation sample has few; among too many pairs they stay
// unknown.
func (l *Learned) countCrossings() error {
	few := false
	for i, count := range l.crossed {
		sampled := math.Min(1, float64(l.settings.EvalBatch)/float64(l.Task.Rows))
		few = few || i > 0 && l.Values[i] > slow && count*sampled < rareInBatch
	}
	if !few {
		return nil
	}
	n, _ := l.Task.Pairs.From.Dims()
	if n > mostCounted {
		l.crossed = nil
		return nil
	}
	start, err := l.At(l.Task.Pairs.From)
	if err != nil {
		return err
	}
	end, err := l.At(l.Task.Pairs.To)
	l.crossed = crossings(start, end, n)
	return err
}

// fewTransitions names slow functions whose values rest on a few transitions, or whose timescales are not short against
// the trajectories.
func (l *Learned) fewTransitions() string {
	made := l.Task.Pairs.made
	lag, all := made.lag, made.pairs()+len(made.parts)*made.lag // frames
	for i, crossed := range l.crossed {
		if i == 0 || !(l.Values[i] > slow) || !(crossed/float64(max(1, lag)) < fewEvents) {
			continue
		}
		if crossed == 0 {
			return fmt.Sprintf("function %d changes sign in no pair, so the data are two sets that no pair joins, and "+
				"value %d, %.4g, is no rate; use data with such transitions, or learn each set separately", i+1, i+1,
				l.Values[i])
		}
		return fmt.Sprintf("function %d changes sign in only %s, so its value rests on about %s; use longer "+
			"trajectories", i+1, say.Count(int(crossed), "pair"),
			say.Count(int(math.Ceil(crossed/float64(max(1, lag)))), "transition"))
	}
	for i, v := range l.Values {
		time := math.Abs(float64(lag) / math.Log(math.Min(v, 1)))
		if i > 0 && all > 0 && time*fewLengths > float64(all) {
			return fmt.Sprintf("function %d has a timescale of %.3g frames, which the trajectories, %d frames in all, "+
				"are too short to measure; use longer ones", i+1, time, all)
		}
	}
	return ""
}
