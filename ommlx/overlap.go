package ommlx

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
)

// validateOverlap reports batches for M[f] that do not fit F.
func (b Batch) validateOverlap() error {
	if n := len(b.Overlap); n > 2 {
		return fmt.Errorf("Overlap has %d batches, but at most 2 have a use: give one, two or none", n)
	}
	for i, f := range b.Overlap {
		if f == nil {
			return fmt.Errorf("batch %d of Overlap is nil: give f on it, or leave Overlap empty", i)
		}
		if !equalButForSamples(f.Shape(), b.F.Shape()) {
			return fmt.Errorf("batch %d of Overlap is %s, but must have the shape of F, %s, in all but the number of "+
				"samples", i, f.Shape(), b.F.Shape())
		}
	}
	return nil
}

// overlapBatches returns the two batches that M[f] comes from, or one of them twice.
func (b Batch) overlapBatches() (first, second *Node) {
	if len(b.Overlap) == 0 {
		return b.F, b.F
	}
	return b.Overlap[0], b.Overlap[len(b.Overlap)-1]
}

// overlap returns M[f], where moment makes it of one batch: the mean over the batches.
func (b Batch) overlap(moment func(f *Node) *Node) *Node {
	m1, m2 := b.overlapFactors(moment)
	if m1 == m2 {
		return m1
	}
	return MulScalar(Add(m1, m2), 0.5)
}

// overlapFactors returns the two factors of M[f] M[f]: of two batches one each, of one batch the same node twice.
func (b Batch) overlapFactors(moment func(f *Node) *Node) (m1, m2 *Node) {
	first, second := b.overlapBatches()
	m1 = moment(first)
	if first == second {
		return m1, m1
	}
	return m1, moment(second)
}

// ownMoment returns M[f] of one batch.
func ownMoment(f *Node) *Node { return SecondMoment(f, f) }

// ownSeqMoment returns M^seq[f] of one batch.
func ownSeqMoment(f *Node) *Node { return SeqSecondMoment(f, f) }
