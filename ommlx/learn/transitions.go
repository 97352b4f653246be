package learn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/spectral"
)

const (
	minSlow     = 0.5     // value above which the sign changes of a function are counted
	minEvents   = 4       // transitions, below which they tell little about their rate
	minInSample = 20      // sign changes in a sample of the pairs, below which all pairs are counted
	maxCounted  = 500_000 // pairs
)

// countCrossings counts the sign changes in all pairs if the evaluation sample has few; among too many pairs they stay
// unknown.
func (l *Learned) countCrossings() error {
	few := false
	for i, count := range l.crossed {
		sampled := math.Min(1, float64(l.settings.EvalBatch)/float64(l.Task.rows))
		few = few || i > 0 && l.Values[i] > minSlow && count*sampled < minInSample
	}
	if !few {
		return nil
	}
	n, _ := l.Task.pairs.From.Dims()
	if n > maxCounted {
		l.crossed = nil
		return nil
	}
	start, err := l.At(l.Task.pairs.From)
	if err != nil {
		return err
	}
	end, err := l.At(l.Task.pairs.To)
	l.crossed = spectral.SignChanges(start, end, n)
	return err
}

// fewTransitions remarks on slow functions whose values rest on few events.
func (l *Learned) fewTransitions() string {
	o := l.Task.pairs
	if o.From == nil || l.Task.side != nil || mat.Equal(o.From, o.To) {
		return ""
	}
	for i, pairs := range l.crossed {
		events := pairs / float64(max(1, o.made.lag))
		if i == 0 || !(l.Values[i] > minSlow) || !(events < minEvents) {
			continue
		}
		if pairs == 0 {
			return fmt.Sprintf("function %d changes sign in no pair, so the data are two sets that no pair joins, and "+
				"value %d, %.4g, is no rate; use data with such transitions, or learn each set separately", i+1, i+1,
				l.Values[i])
		}
		return fmt.Sprintf("function %d changes sign in only %s, so its value rests on about %s; use longer "+
			"trajectories", i+1, say.Count(int(pairs), "pair"), say.Count(int(math.Ceil(events)), "transition"))
	}
	return ""
}
