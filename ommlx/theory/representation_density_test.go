package theory

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/internal/testkit"
)

// Appendix C.3: the density printed for ogbn-products is that of the printed numbers of nodes and of undirected edges.
func TestPrintedDensity(t *testing.T) {
	claim := claims.Of(t, "ogbn-numbers")
	const nodes, edges, density = 2_449_029.0, 61_859_140.0, 2.06e-5
	source := strings.Join(strings.Fields(testkit.PaperIfThere(t)), " ")
	for _, words := range []string{`2,449,029 nodes and 61,859,140 edges`, `this graph is $2.06\times 10^{-5}$`} {
		require.True(t, source == "" || strings.Contains(source, words), words)
	}
	ommtest.Within(t, claim.Printed, "difference from 2.06·10⁻⁵",
		math.Abs(edges/(nodes*(nodes-1)/2)-density), 0.005e-5)
}
