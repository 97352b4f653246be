package theory

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/claimtest"
)

// Section 3.3 on the numbers of Table 1, top-1 with the projector and without. "No improvement, with a slight
// degradation" by nesting is not what it shows: joint nesting gains 1.28 points with the projector, and sequential
// nesting loses 6.87 without. Higher order does help: by 3.90 (p = 2) and 4.75 points (mixture). "Comparable even
// without a projector" holds for p = 1, joint nesting and the mixture (less than 1.5 points), not for p = 2 (2.65) and
// sequential nesting (6.95).
func TestPrintedTable1AgainstTheText(t *testing.T) {
	nesting := claims.Of(t, "ssl-nesting-no-improvement")
	mixed, below := claims.Of(t, "ssl-mixture-best"), claims.Of(t, "ssl-below-simclr")
	order, projector := claims.Of(t, "ssl-higher-order-helps"), claims.Of(t, "ssl-projector-not-needed")
	type row struct{ projector, without float64 } // top-1
	plain, joint, sequential := row{60.02, 59.83}, row{61.30, 59.92}, row{59.91, 52.96}
	second, mixture := row{63.92, 61.27}, row{64.77, 63.99}
	require.InDelta(t, 1.28, joint.projector-plain.projector, 1e-9)
	require.InDelta(t, -6.87, sequential.without-plain.without, 1e-9)
	require.InDelta(t, 3.90, second.projector-plain.projector, 1e-9)
	require.InDelta(t, 4.75, mixture.projector-plain.projector, 1e-9)
	claimtest.Beyond(t, nesting.Printed, "points of top-1 that joint nesting gains with the projector",
		joint.projector-plain.projector, 0)
	claimtest.Beyond(t, nesting.Printed, "points of top-1 that sequential nesting loses without the projector "+
		"(slight: 1)", plain.without-sequential.without, 1)
	const plainTop5, jointTop5 = 87.13, 85.22 // with the projector
	claimtest.Within(t, nesting.Corrected, "points of top-5 that joint nesting gains with the projector",
		jointTop5-plainTop5, 0)
	claimtest.Within(t, order.Printed, "top-1 of p = 2 and of the mixture with the projector, largest distance from 64",
		max(math.Abs(second.projector-64), math.Abs(mixture.projector-64)), 1)
	order.Note("with the projector p = 2 gains %.2f points and the mixture %.2f, without it %.2f and %.2f",
		second.projector-plain.projector,
		mixture.projector-plain.projector, second.without-plain.without, mixture.without-plain.without)
	mixed.Printed("points of top-1 by which p = 2 is ahead of the mixture, with the projector and without",
		max(second.projector-mixture.projector, second.without-mixture.without), 0)
	const simclr = 66.50
	for _, r := range []row{plain, joint, sequential, second, mixture} {
		below.Printed("points of top-1 above SimCLR", max(r.projector, r.without)-simclr, 0)
	}
	for _, r := range []row{plain, joint, mixture} {
		claimtest.Within(t, projector.Corrected, "points of top-1 lost by p = 1, joint nesting and the mixture",
			r.projector-r.without, 1.5)
	}
	for _, r := range []row{second, sequential} {
		claimtest.Beyond(t, projector.Printed, "points of top-1 that p = 2 and sequential nesting lose without the "+
			"projector", r.projector-r.without, 1.5)
	}
}

// Appendix C.3 on the numbers of Table 3: OMM's embedding is ahead of its representation, and of the others after
// Correct & Smooth. The ± is over probes of one training. The density printed for the graph, 2.06·10⁻⁵, is that of the
// printed numbers of nodes and of undirected edges.
func TestPrintedTable3AgainstTheText(t *testing.T) {
	better, density := claims.Of(t, "tab3-embedding-better"), claims.Of(t, "ogbn-numbers")
	closer := claims.Of(t, "tab3-smoothed-close")
	var before, after []float64
	for _, c := range [][2]float64{{74.05, 82.40}, {50.76, 80.90}, {73.66, 82.06}, {74.17, 84.11}} {
		before, after = append(before, c[0]), append(after, c[1])
		closer.Printed("points lost by Correct & Smooth", c[0]-c[1], 0)
	}
	spread := func(all []float64) float64 { return slices.Max(all) - slices.Min(all) }
	closer.Printed("distance of the largest from the smallest after it over that before",
		spread(after)/spread(before), 0.5)
	closer.Note("the largest is %.1f points above the smallest before it, and %.1f after",
		spread(before), spread(after))
	embedding, representation := printed{74.17, 0.19}, printed{73.66, 1.88}
	require.InDelta(t, 0.3, embedding.sigmas(representation), 0.05)
	smoothed, smoothedRepresentation, eigenmaps := printed{84.11, 0.12}, printed{82.06, 1.03}, printed{82.40, 0.91}
	require.InDelta(t, 2.0, smoothed.sigmas(smoothedRepresentation), 0.05)
	require.InDelta(t, 1.9, smoothed.sigmas(eigenmaps), 0.05)

	better.Printed("points by which the representation is ahead of the embedding",
		representation.mean-embedding.mean, 0)
	better.Printed("points by which another one is ahead of it after Correct & Smooth",
		max(smoothedRepresentation.mean, eigenmaps.mean)-smoothed.mean, 0)

	const nodes, edges = 2_449_029.0, 61_859_140.0
	claimtest.Within(t, density.Printed, "difference from 2.06·10⁻⁵",
		math.Abs(edges/(nodes*(nodes-1)/2)-2.06e-5), 0.005e-5)
}
