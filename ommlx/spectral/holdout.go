package spectral

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
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

// HoldOut divides pairs (x, x') of trajectories, with these numbers of pairs and x' a lag after x, into pairs to train
// on and pairs for [ScorePairs] with their blocks. Pairs without such an order count as one trajectory with lag 0.
//
// Whole blocks of consecutive pairs are held out, drawn at random but the same in every run: a share of the pairs, or
// if it is 0 a tenth, and up to a third of a small sample. Training pairs within a lag of a held-out block, at most a
// quarter of a block, are in neither part.
func HoldOut(lengths []int, lag int, share float64) (trained, heldOut, blocks []int) {
	all, size, parts := cut(lengths, lag)
	least := 1 / float64(len(all))
	if share == 0 {
		n := float64(all[len(all)-1].end)
		share = math.Min(maxHeldOutShare, math.Max(minHeldOut/n, heldOutParts/float64(parts*len(all))))
		least = heldOutShare
	}
	isHeldOut := drawBlocks(all, math.Max(share, least))
	gap := min(lag, size/lagsPerBlock)
	for b, of := range all {
		if isHeldOut[b] {
			for p := of.start; p < of.end; p++ {
				heldOut, blocks = append(heldOut, p), append(blocks, parts*b+parts*(p-of.start)/(of.end-of.start))
			}
			continue
		}
		if b > 0 && all[b-1].trajectory == of.trajectory && isHeldOut[b-1] {
			of.start += gap
		}
		if b+1 < len(all) && all[b+1].trajectory == of.trajectory && isHeldOut[b+1] {
			of.end -= gap
		}
		trained = append(trained, xslices.Iota(of.start, max(0, of.end-of.start))...)
	}
	return trained, heldOut, blocks
}

// cut returns the pairs in blocks, the length of a block, and in how many parts a held-out block is evaluated.
func cut(lengths []int, lag int) (all []pairBlock, size, parts int) {
	n := 0
	for _, pairs := range lengths {
		n += pairs
	}
	size = max(1, n/pairBlocks, min(lagsPerBlock*lag, max(1, int(maxBlock*float64(n)))))
	start := 0
	for t, pairs := range lengths {
		count := max(1, pairs/size)
		for b := range count {
			all = append(all, pairBlock{start + b*pairs/count, start + (b+1)*pairs/count, t})
		}
		start += pairs
	}
	if parts = 1; size >= 2*max(1, lagsPerBlock*lag) {
		parts = 2
	}
	return all, size, parts
}

// drawBlocks chooses a share of the blocks at random, the same in every run: one of each group of consecutive blocks,
// with the trajectories in random order, because trajectories may alternate between conditions.
func drawBlocks(all []pairBlock, share float64) (chosen []bool) {
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
