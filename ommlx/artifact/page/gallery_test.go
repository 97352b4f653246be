package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/page"
	"operator-omm/ommlx/internal/testkit"
)

// TestTheGalleryIsUpToDate: the committed figures/README.md is what the committed figures and ledger give, and shows
// every picture there is, none of more than 150 kB.
func TestTheGalleryIsUpToDate(t *testing.T) {
	root := testkit.Committed(t, "figures/*.json", "figures/*.png", "figures/*.md", "tables/*.json")
	text := testkit.Must(page.Gallery(root, artifact.Figures()))
	committed := testkit.Must(os.ReadFile(filepath.Join(root, "figures", "README.md")))
	require.Equal(t, text, string(committed), "run `omm figures --kept`, or `omm check`, and commit figures/README.md")
	for _, e := range artifact.Figures() {
		require.NotEmpty(t, e.Look, e.Name)
		require.True(t, strings.HasSuffix(e.Look, "."), e.Name)
		for _, p := range []lab.Profile{lab.Paper, lab.Quick} {
			picture := strings.TrimSuffix(e.File(p), "json") + "png"
			info, err := os.Stat(filepath.Join(root, picture))
			if err == nil {
				require.Contains(t, text, "("+strings.TrimPrefix(picture, "figures/")+")")
				require.LessOrEqual(t, info.Size(), int64(150_000), picture)
			}
		}
	}
}
