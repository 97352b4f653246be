package artifact

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// Every committed figure and table that claims rest on can be measured.
func TestCommittedResultsAreEvidence(t *testing.T) {
	root := testkit.Committed(t, "figures/*.json", "tables/*.json")
	for _, k := range Evidence() {
		_, ok := claims.Find(k.Claim)
		require.True(t, ok, k.Claim)
		measured := 0
		for _, p := range k.Exhibit.Profiles() {
			text, err := os.ReadFile(filepath.Join(root, k.Exhibit.File(p)))
			if p == run.Paper && errors.Is(err, fs.ErrNotExist) {
				continue // no result at that scale yet
			}
			require.NoError(t, err, k.Claim)
			if k.Exhibit.Suffices != nil && !k.Exhibit.Suffices(text) {
				continue // the evidence is in the file of the other profile
			}
			var e claims.Evidence
			_, err = k.Measured(text, &e)
			require.NoError(t, err, k.Claim)
			if p == run.Quick && e.Outcome == claims.Skipped { // the quick table contains only one protocol
				continue
			}
			measured++
			require.NotEmpty(t, e.Notes, k.Claim)
			for _, note := range e.Notes {
				require.NotContains(t, note, "NaN", k.Claim)
				require.NotContains(t, note, "%!", k.Claim)
			}
		}
		require.Positive(t, measured, k.Claim)
	}
}
