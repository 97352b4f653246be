package learn

import (
	"fmt"
	"math"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/spectral"
)

const (
	heldOutShare = 0.1
	heldOutMost  = 1. / 3 // of a small sample, to hold out the next two
	heldOutPairs = 50
	heldOutParts = 20 // blocks or halves of blocks, from whose spread the errors follow
	// pairBlocks of consecutive pairs are held out or trained on: enough for both parts to cover the data, and few
	// enough that most pairs of a trajectory are in the same part as their neighbours.
	pairBlocks = 100
	// A block of a trajectory is at least lagsPerBlock lags long, because pairs that overlap are not independent, and
	// at most the longestBlock share of the data.
	lagsPerBlock, longestBlock = 4, 1. / 12
	// Training pairs that share frames with held-out pairs are dropped, at most this share of them.
	purged = 0.25
)

// split separates the training pairs from the held-out pairs, whole blocks of consecutive pairs. Training pairs of a
// trajectory within a lag of a held-out block are in neither.
func (o Pairs) split() (trained, heldOut Pairs) {
	n, _ := o.From.Dims()
	parts, lag := o.made.parts, o.made.lag
	if parts == nil {
		parts, lag = []part{{pairs: n}}, 0
	}
	longest := max(1, int(longestBlock*float64(n)))
	size := max(1, n/pairBlocks, min(lagsPerBlock*lag, longest))
	type block struct{ start, end, run int }
	var all []block
	start := 0
	for r, run := range parts {
		count := max(1, run.pairs/size)
		for b := range count {
			all = append(all, block{start + b*run.pairs/count, start + (b+1)*run.pairs/count, r})
		}
		start += run.pairs
	}
	halves := 1
	if size >= 2*max(1, lagsPerBlock*lag) {
		halves = 2
	}
	share := o.HeldOut
	if share == 0 {
		least := math.Max(heldOutPairs/float64(n), heldOutParts/float64(halves*len(all)))
		share = math.Max(heldOutShare, math.Min(heldOutMost, least))
	} else if share > 0 {
		share = math.Max(share, 1/float64(len(all)))
	}
	apart := func(b int) bool { // never if the share is negative
		return math.Floor(float64(b+1)*share+1e-9) > math.Floor(float64(b)*share+1e-9)
	}
	gap := min(lag, int(purged/2*float64(size)*(1/math.Max(share, 1e-9)-1)))
	var in, out, blocks []int
	for b, of := range all {
		if apart(b) {
			for p := of.start; p < of.end; p++ {
				out, blocks = append(out, p), append(blocks, halves*b+halves*(p-of.start)/(of.end-of.start))
			}
			continue
		}
		if b > 0 && all[b-1].run == of.run && apart(b-1) {
			of.start += gap
		}
		if b+1 < len(all) && all[b+1].run == of.run && apart(b+1) {
			of.end -= gap
		}
		in = append(in, xslices.Iota(of.start, max(0, of.end-of.start))...)
	}
	if len(out) == 0 || len(in) == 0 {
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
	_, d := o.From.Dims()
	from, to := mat.NewDense(len(which), d, nil), mat.NewDense(len(which), d, nil)
	some := Pairs{From: from, To: to, Functions: o.Functions}
	for i, p := range which {
		from.SetRow(i, mat.Row(nil, p, o.From))
		to.SetRow(i, mat.Row(nil, p, o.To))
		if o.Weights != nil {
			some.Weights = append(some.Weights, o.Weights[p])
		}
	}
	return some
}

// score scores functions by their values at both ends of the pairs, in order. The spread of blocks without a
// transition is too small: with e sign changes in n independent pairs, the rate of a function is known to √(e + 1)/n,
// and its value to twice that.
func (o Pairs) score(start, end *mat.Dense) (*spectral.PairScores, error) {
	n, _ := start.Dims()
	blocks := o.blocks
	if blocks == nil { // the caller's
		for p := range n {
			blocks = append(blocks, p/max(1, n/heldOutParts))
		}
	}
	scores, err := spectral.ScorePairs(start, end, o.Weights, blocks)
	if err != nil {
		return nil, err
	}
	lag := float64(max(1, o.made.lag))
	independent := float64(n) / lag
	for i, crossed := range crossings(start, end, n) {
		if events := crossed / lag; i > 0 && events < fewEvents {
			scores.Errors[i] = math.Max(scores.Errors[i], 2*math.Sqrt(events+1)/independent)
		}
	}
	return scores, nil
}

const (
	established = 3    // errors above zero of a value that is more than noise
	overfit     = 0.05 // drop from the training pairs to the held-out pairs that matters, if it is
	parted      = 4    // errors
)

// overfitted compares the values on the training pairs with those on the held-out pairs.
func (l *Learned) overfitted() string {
	t := l.Task
	if l.HeldOut == nil {
		if t.Pairs.From == nil || len(l.Values) == 0 {
			return ""
		}
		return "no pairs were held out, so nothing shows whether the functions are overfitted and the values too " +
			"high; leave HeldOut at 0, use more pairs, or spread Weights over more of them"
	}
	held := l.HeldOut
	k, holds := len(l.Values), 1 // the constant
	for holds < k && held.Values[holds] > established*held.Errors[holds] {
		holds++
	}
	i := -1 // the first that is lower
	for j := 1; j < k && i < 0; j++ {
		if drop := l.Values[j] - held.Values[j]; j >= holds && !(drop <= overfit) ||
			drop > math.Max(overfit, parted*held.Errors[j]) {
			i = j
		}
	}
	if i < 0 {
		return ""
	}
	if math.IsNaN(held.Score()) {
		return fmt.Sprintf("%s held out: too few to judge %d functions; use more pairs", say.Count(held.Pairs, "pair"),
			k)
	}
	hold := fmt.Sprintf("only %d hold", holds)
	switch holds {
	case 1:
		hold = "only the constant holds"
	case k:
		hold = "not all values hold"
	}
	cause := ""
	if parameters, n := l.parameters(), t.Rows; parameters > n {
		cause = fmt.Sprintf("; %d parameters were fitted to %d pairs", parameters, n)
	}
	return fmt.Sprintf("the functions are overfitted: of %d functions %s on the %d held-out pairs, with a score of "+
		"%.3g of %d; value %d is %.3g on the training pairs and %.2g ± %.1g on held-out pairs%s; use more pairs, a "+
		"smaller network or fewer steps", k, hold, held.Pairs, held.Score(), k, i+1, l.Values[i], held.Values[i],
		held.Errors[i], cause)
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
