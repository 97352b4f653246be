package inspect

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/linalg"
)

const (
	minChange = 0.5 // change of the mean that matters, in standard deviations
	// minErrors is the size of a change, in its errors, above which trajectories are reported. Stationary processes of
	// any memory stay below: see TestStationaryProcessesDoNotDrift.
	minErrors     = 7
	blocks        = 20   // parts of each trajectory whose means are compared
	minMemories   = 40   // memories in all frames, below which a mean may wander that far
	maxRelated    = 0.5  // correlation of successive means, above which they wander
	minExcess     = 2.5  // distance of a start from the mean of the rest, relative to the largest of another block
	minRankExcess = 1.1  // the same for ranks
	minStartPart  = 0.05 // of the variance, that is due to the start
)

// drift remarks on trajectories whose mean changes with time.
func (p Pairs) drift() string {
	if p.Parts == nil || p.Weights != nil {
		return ""
	}
	_, d := p.From.Dims()
	for j := range min(d, maxColumns) {
		trajectories := p.coordinate(j)
		all := slices.Concat(trajectories...)
		if _, _, related := linalg.FitShape(all, line(len(all))); related > math.Exp(-minMemories/float64(len(all))) {
			continue // it may be chance
		}
		// A few large numbers change the mean by chance, but not the mean rank.
		change := changeOf(trajectories, minExcess, minStartPart)
		if change != 0 && changeOf(together(trajectories, linalg.Ranks), minRankExcess, 0) != 0 {
			return fmt.Sprintf("the trajectories are not stationary: the mean of coordinate %d changes by %.2g "+
				"standard deviations; leave out the frames that differ or, if this is a slow process, use longer "+
				"trajectories", j, change)
		}
	}
	return ""
}

// coordinate returns coordinate j of each trajectory, without gaps, with mean 0 and standard deviation 1 over all, or
// zeros if it is constant.
func (p Pairs) coordinate(j int) (all [][]float64) {
	from, to := mat.Col(nil, j, p.From), mat.Col(nil, j, p.To)
	for i, part := range p.Parts {
		if i == 0 || part.Trajectory != p.Parts[i-1].Trajectory {
			all = append(all, nil)
		}
		x, end := &all[len(all)-1], part.Pairs
		*x = slices.Concat(*x, from[:end], to[max(0, end-p.Lag):end])
		from, to = from[end:], to[end:]
	}
	return together(all, func(x []float64) []float64 { return linalg.Standardise(x, nil) })
}

// together applies f to the numbers of all trajectories.
func together(trajectories [][]float64, f func(x []float64) []float64) (all [][]float64) {
	numbers := f(slices.Concat(trajectories...))
	for _, x := range trajectories {
		all, numbers = append(all, numbers[:len(x)]), numbers[len(x):]
	}
	return all
}

// blockMeans returns the means over trajectories of each of a number of consecutive blocks of equal length.
func blockMeans(trajectories [][]float64, count int) []float64 {
	means := make([]float64, count)
	for b := range means {
		var block []float64
		for _, x := range trajectories {
			block = append(block, x[b*len(x)/count:(b+1)*len(x)/count]...)
		}
		means[b] = stat.Mean(block, nil)
	}
	return means
}

// start returns by how much the mean of the first frames differs from that of all others, or 0 if it may be chance, for
// the longest of several blocks that shows it. In a stationary process, the block that is furthest off is the first one
// of n once in n times, whatever the distribution, and hardly ever by far.
func start(trajectories [][]float64, excess, part float64) float64 {
	longest := len(slices.MaxFunc(trajectories, func(a, b []float64) int { return cmp.Compare(len(a), len(b)) }))
	for count := blocks; count <= longest; count *= 2 {
		means := blockMeans(trajectories, count)
		floats.AddConst(-stat.Mean(means[1:], nil), means)
		most := floats.Norm(means[1:], math.Inf(1))
		if first := means[0]; math.Abs(first) > excess*most && first*first > part*float64(count) {
			return -first
		}
	}
	return 0
}

// changeOf returns by how much the mean of trajectories changes from their starts to their ends, along the line, the
// step or the exponential that fits best, or at their starts; 0 if it may be chance.
func changeOf(trajectories [][]float64, excess, part float64) (change float64) {
	means := blockMeans(trajectories, blocks)
	shapes, most := [][]float64{line(blocks)}, float64(minErrors)
	for at := 1; at < blocks; at++ {
		shapes = append(shapes, slices.Concat(make([]float64, at), slices.Repeat([]float64{1}, blocks-at)))
	}
	for time := 1.; time < blocks; time *= 2 { // of a relaxation
		shapes = append(shapes, xslices.Map(line(blocks), func(t float64) float64 {
			return math.Expm1(-t*blocks/time) / math.Expm1(-blocks/time)
		}))
	}
	for _, shape := range shapes {
		if rise, errors, related := linalg.FitShape(means, shape); errors > most && related < maxRelated {
			change, most = rise, errors
		}
	}
	if math.Abs(change) > minChange {
		return change
	}
	return start(trajectories, excess, part)
}

func line(n int) []float64 { return floats.Span(make([]float64, n), 0, 1) }
