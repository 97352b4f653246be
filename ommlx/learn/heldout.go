package learn

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/learn/inspect"
	"omm-go/ommlx/net"
	"omm-go/ommlx/spectral"
)

// split separates the training pairs from the held-out pairs: see [spectral.HoldOut].
func (o Pairs) split() (trained, heldOut Pairs) {
	n, _ := o.From.Dims()
	lengths, lag := []int{n}, 0
	if o.made.parts != nil {
		lag = o.made.lag
		lengths = xslices.Map(o.made.parts, func(p inspect.Part) int { return p.Pairs })
	}
	in, out, blocks := spectral.HoldOut(lengths, lag, o.HeldOut)
	if o.HeldOut == None || len(out) == 0 || len(in) == 0 {
		return o, Pairs{}
	}
	trained, heldOut = o.rows(in), o.rows(out)
	if o.Weights != nil && math.Min(floats.Sum(trained.Weights), floats.Sum(heldOut.Weights)) == 0 {
		return o, Pairs{}
	}
	heldOut.blocks, heldOut.made = blocks, o.made
	return trained, heldOut
}

// rows returns some of the pairs.
func (o Pairs) rows(which []int) Pairs {
	some := Pairs{From: linalg.Rows(o.From, which), To: linalg.Rows(o.To, which), Functions: o.Functions}
	if o.Weights != nil {
		some.Weights = xslices.Map(which, func(p int) float64 { return o.Weights[p] })
	}
	return some
}

// callersBlocks is the number of blocks of a caller's held-out pairs.
const callersBlocks = 20

// score scores functions by their values at both ends of the pairs, in order. The spread of blocks without a
// transition is too small: with e sign changes in n independent pairs, the rate of a function is known to √(e + 1)/n,
// and its value to twice that.
func (o Pairs) score(start, end *mat.Dense) (*spectral.PairScores, error) {
	n, _ := start.Dims()
	blocks := o.blocks
	if blocks == nil { // the caller's
		for p := range n {
			blocks = append(blocks, p/max(1, n/callersBlocks))
		}
	}
	scores, err := spectral.ScorePairs(start, end, o.Weights, blocks)
	if err != nil {
		return nil, err
	}
	lag := float64(max(1, o.made.lag))
	independent := float64(n) / lag
	for i, crossed := range spectral.SignChanges(start, end, n) {
		if events := crossed / lag; i > 0 && events < minEvents {
			scores.Errors[i] = math.Max(scores.Errors[i], 2*math.Sqrt(events+1)/independent)
		}
	}
	return scores, nil
}

const (
	minSignificance = 3    // errors above zero of a value that is more than noise
	maxDrop         = 0.05 // from the training pairs to the held-out pairs
	maxDropErrors   = 4    // the same in errors of the held-out value
	maxNoiseErrors  = 2    // the same for a value that may be noise
)

// overfitted compares the values on the training pairs with those on the held-out pairs.
func (l *Learned) overfitted() string {
	held, k := l.HeldOut, len(l.Values)
	switch {
	case held == nil && (l.Task.pairs.From == nil || k == 0):
		return ""
	case held == nil:
		return "no pairs were held out, so nothing shows whether the functions are overfitted and the values too " +
			"high; leave HeldOut at 0, use more pairs, or spread Weights over more of them"
	}
	holds, lower := 1, -1 // values that are more than noise, the constant first, and the first that is too low
	for holds < k && held.Values[holds] > minSignificance*held.Errors[holds] {
		holds++
	}
	for j := 1; j < k && lower < 0; j++ {
		errors := maxDropErrors * held.Errors[j]
		if j >= holds {
			errors = maxNoiseErrors * held.Errors[j]
		}
		if l.Values[j]-held.Values[j] > math.Max(maxDrop, errors) {
			lower = j
		}
	}
	determined := len(slices.DeleteFunc(slices.Clone(held.Values), math.IsNaN))
	switch {
	case holds == determined && determined < k && lower < 0 && !math.IsNaN(l.Values[determined]):
		return l.Task.HeldOut.tooFewFor(determined, l.Task.pairs)
	case holds < k && (lower >= holds && holds > 1 || lower < 0 && !(l.Values[holds] > maxDrop)):
		return fmt.Sprintf("only %d of %d values exceed the noise on the %d held-out pairs; value %d is %.2g on the "+
			"training pairs and %.2g ± %.1g on held-out pairs: lower k to %d, or use more pairs", holds, k, held.Pairs,
			holds+1, l.Values[holds], held.Values[holds], held.Errors[holds], holds)
	case lower < 0:
		return ""
	}
	hold, cause := "not all values hold", ""
	if holds == 1 {
		hold = "only the constant holds"
	}
	if parameters, n := l.parameters(), l.Task.rows; parameters > n {
		cause = fmt.Sprintf("; %d parameters were fitted to %d pairs", parameters, n)
	}
	return fmt.Sprintf("the functions are overfitted: of %d functions %s on the %d held-out pairs; value %d is %.3g "+
		"on the training pairs and %.2g ± %.1g on held-out pairs%s; use more pairs, a smaller network or fewer steps",
		k, hold, held.Pairs, lower+1, l.Values[lower], held.Values[lower], held.Errors[lower], cause)
}

// tooFewFor reports that the held-out pairs determine only some values, with the state that occurs least in all pairs.
func (o Pairs) tooFewFor(determined int, all Pairs) string {
	n, _ := o.From.Dims()
	text := fmt.Sprintf("%s held out determine only %d values", say.Count(n, "pair"), determined)
	if !net.IsDiscrete(all.Functions) {
		return text + "; use more pairs"
	}
	total, _ := all.From.Dims()
	counts := map[float64]int{}
	for _, state := range append(mat.Col(nil, 0, all.From), mat.Col(nil, 0, all.To)...) {
		counts[state]++
	}
	rare := slices.MinFunc(slices.Sorted(maps.Keys(counts)), func(a, b float64) int {
		return cmp.Compare(counts[a], counts[b])
	})
	return fmt.Sprintf("%s: state %g occurs only %s in %s; use more pairs, or leave out states that occur so rarely",
		text, rare, say.Count(counts[rare], "time"), say.Count(total, "pair"))
}

// parameters is the number of parameters of one run.
func (l *Learned) parameters() (count int) {
	if l.basis != nil {
		return len(l.rotation.RawMatrix().Data)
	}
	for _, p := range l.Result.Params {
		count += p.Size() / len(l.settings.Seeds)
	}
	return count
}

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
