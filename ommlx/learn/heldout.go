package learn

import (
	"fmt"
	"math"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/learn/inspect"
	"omm-go/ommlx/spectral"
)

const (
	heldOutShare    = 0.1    // of the pairs
	maxHeldOutShare = 1. / 3 // of a small sample, to hold out the next two
	minHeldOut      = 50     // pairs
	heldOutParts    = 20     // blocks or halves of blocks, from whose spread the errors follow
	// pairBlocks of consecutive pairs are held out or trained on: enough for both parts to cover the data, and few
	// enough that most pairs of a trajectory are in the same part as their neighbours.
	pairBlocks = 100
	// A block of a trajectory is at least lagsPerBlock lags long, because pairs that overlap are not independent, and
	// at most the maxBlock share of the data.
	lagsPerBlock, maxBlock = 4, 1. / 12
)

// pairBlock is a run of consecutive pairs of one trajectory, from start to before end.
type pairBlock struct{ start, end, trajectory int }

// cut returns the pairs in blocks, the length of a block, and in how many parts a held-out block is evaluated.
func (o Pairs) cut() (all []pairBlock, size, parts int) {
	n, _ := o.From.Dims()
	trajectories, lag := o.made.parts, o.made.lag
	if trajectories == nil {
		trajectories, lag = []inspect.Part{{Pairs: n}}, 0
	}
	size = max(1, n/pairBlocks, min(lagsPerBlock*lag, max(1, int(maxBlock*float64(n)))))
	start := 0
	for t, pairs := range trajectories {
		count := max(1, pairs.Pairs/size)
		for b := range count {
			all = append(all, pairBlock{start + b*pairs.Pairs/count, start + (b+1)*pairs.Pairs/count, t})
		}
		start += pairs.Pairs
	}
	if parts = 1; size >= 2*max(1, lagsPerBlock*lag) {
		parts = 2
	}
	return all, size, parts
}

// split separates the training pairs from the held-out pairs, whole blocks of consecutive pairs. Training pairs of a
// trajectory within a lag of a held-out block, at most a quarter of a block, are in neither.
func (o Pairs) split() (trained, heldOut Pairs) {
	n, _ := o.From.Dims()
	all, size, parts := o.cut()
	share := o.HeldOut
	switch {
	case share == None:
		return o, Pairs{}
	case share == 0:
		least := math.Max(minHeldOut/float64(n), heldOutParts/float64(parts*len(all)))
		share = math.Max(heldOutShare, math.Min(maxHeldOutShare, least))
	default:
		share = math.Max(share, 1/float64(len(all)))
	}
	isHeldOut := func(b int) bool {
		return math.Floor(float64(b+1)*share+1e-9) > math.Floor(float64(b)*share+1e-9)
	}
	gap := 0
	if o.made.parts != nil {
		gap = min(o.made.lag, size/lagsPerBlock)
	}
	var in, out, blocks []int
	for b, of := range all {
		if isHeldOut(b) {
			for p := of.start; p < of.end; p++ {
				out, blocks = append(out, p), append(blocks, parts*b+parts*(p-of.start)/(of.end-of.start))
			}
			continue
		}
		if b > 0 && all[b-1].trajectory == of.trajectory && isHeldOut(b-1) {
			of.start += gap
		}
		if b+1 < len(all) && all[b+1].trajectory == of.trajectory && isHeldOut(b+1) {
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
		if events := crossed / lag; i > 0 && events < inspect.MinEvents {
			scores.Errors[i] = math.Max(scores.Errors[i], 2*math.Sqrt(events+1)/independent)
		}
	}
	return scores, nil
}

const (
	minSignificance = 3    // errors above zero of a value that is more than noise
	maxDrop         = 0.05 // from the training pairs to the held-out pairs
	maxDropErrors   = 4    // the same in errors of the held-out value
)

// overfitted compares the values on the training pairs with those on the held-out pairs.
func (l *Learned) overfitted() string {
	t := l.Task
	if l.HeldOut == nil {
		if t.pairs.From == nil || len(l.Values) == 0 {
			return ""
		}
		return "no pairs were held out, so nothing shows whether the functions are overfitted and the values too " +
			"high; leave HeldOut at 0, use more pairs, or spread Weights over more of them"
	}
	held := l.HeldOut
	k, holds := len(l.Values), 1 // the constant
	for holds < k && held.Values[holds] > minSignificance*held.Errors[holds] {
		holds++
	}
	i := -1 // the first that is lower
	for j := 1; j < k && i < 0; j++ {
		if drop := l.Values[j] - held.Values[j]; j >= holds && !(drop <= maxDrop) ||
			drop > math.Max(maxDrop, maxDropErrors*held.Errors[j]) {
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
	if parameters, n := l.parameters(), t.rows; parameters > n {
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
