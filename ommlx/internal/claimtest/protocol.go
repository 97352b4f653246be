package claimtest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/papertest"
)

// Protocol records how many of the paper's sentences on a protocol our configuration does not follow, and fails the
// test if there is one. Where the paper's source is beside the checkout it has those words, but for line breaks.
func Protocol(t *testing.T, claim *claims.Record, follows map[string]bool) {
	t.Helper()
	source := strings.Join(strings.Fields(papertest.SourceIfThere(t)), " ")
	not := 0
	for _, words := range slices.Sorted(maps.Keys(follows)) {
		if source != "" {
			require.Contains(t, source, words)
		}
		if !follows[words] {
			not++
			t.Errorf("the configuration of the paper profile is not %q", words)
		}
	}
	claim.Corrected("sentences of the printed protocol that the configuration does not follow", float64(not), 0)
	claim.Note("%d sentences of the paper", len(follows))
}
