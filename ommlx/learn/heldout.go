package learn

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

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
	isHeldOut := draw(all, share)
	gap := 0
	if o.made.parts != nil {
		gap = min(o.made.lag, size/lagsPerBlock)
	}
	var in, out, blocks []int
	for b, of := range all {
		if isHeldOut[b] {
			for p := of.start; p < of.end; p++ {
				out, blocks = append(out, p), append(blocks, parts*b+parts*(p-of.start)/(of.end-of.start))
			}
			continue
		}
		if b > 0 && all[b-1].trajectory == of.trajectory && isHeldOut[b-1] {
			of.start += gap
		}
		if b+1 < len(all) && all[b+1].trajectory == of.trajectory && isHeldOut[b+1] {
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

// draw chooses a share of the blocks at random, the same in every run: one of each group of consecutive blocks, with
// the trajectories in random order, because trajectories may alternate between conditions.
func draw(all []pairBlock, share float64) (chosen []bool) {
	rng := rand.New(rand.NewPCG(1, 0))
	rank, order := rng.Perm(len(all)), xslices.Iota(0, len(all))
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(rank[all[a].trajectory], rank[all[b].trajectory])
	})
	chosen = make([]bool, len(all))
	groups := int(share*float64(len(all)) + 1e-9)
	for g := range groups {
		from, to := g*len(all)/groups, (g+1)*len(all)/groups
		chosen[order[from+rng.IntN(to-from)]] = true
	}
	return chosen
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
	found := len(slices.DeleteFunc(mat.Row(nil, 0, start), math.IsNaN)) // functions; there may be fewer than k
	scores, err := spectral.ScorePairs(start.Slice(0, n, 0, found).(*mat.Dense), end.Slice(0, n, 0, found).(*mat.Dense),
		o.Weights, blocks)
	if err != nil {
		return nil, err
	}
	_, k := start.Dims()
	scores.Values, scores.Errors = first(k, scores.Values), first(k, scores.Errors)
	lag := float64(max(1, o.made.lag))
	independent := float64(n) / lag
	for i, crossed := range crossings(start, end, n) {
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
	judged := len(slices.DeleteFunc(slices.Clone(held.Values), math.IsNaN))
	switch {
	case holds == judged && judged < k && lower < 0 && !math.IsNaN(l.Values[judged]):
		return l.Task.HeldOut.tooFewFor(judged, l.Task.pairs)
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
func (o Pairs) tooFewFor(judged int, all Pairs) string {
	n, _ := o.From.Dims()
	text := fmt.Sprintf("%s held out determine only %d values", say.Count(n, "pair"), judged)
	if !isDiscrete(all.Functions) {
		return text + "; use more pairs"
	}
	total, _ := all.From.Dims()
	counts := map[float64]int{}
	for p := range total {
		counts[all.From.At(p, 0)]++
		counts[all.To.At(p, 0)]++
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
