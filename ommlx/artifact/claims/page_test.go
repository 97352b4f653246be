package claims_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/testkit"
)

// written is the report of a checkout.
func written(root string, entries []report.Entry) (*bytes.Buffer, error) {
	var out bytes.Buffer
	return &out, claims.Write(&out, root, "0123456789ab", artifact.Headlines(), entries)
}

// committed is a checkout with what package page reads and writes.
func committed(t *testing.T) string {
	return testkit.Committed(t, "README.md", "figures/*.json", "figures/*.png", "figures/*.md", "tables/*.json",
		"tables/*.csv")
}

// all returns what a pattern's group finds.
func all(text []byte, pattern string) (found []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(text, -1) {
		found = append(found, string(m[1]))
	}
	return found
}

// TestTheReportShowsEverything: each figure, table and claim is on the page once, links end on the page, nothing is
// fetched from elsewhere, and nobody waits for a large file.
func TestTheReportShowsEverything(t *testing.T) {
	root, entries := committed(t), slices.Concat(artifact.Figures(), artifact.Tables())
	out := testkit.Must(written(root, entries))
	ids := all(out.Bytes(), ` id="([^"]*)"`)
	unique := slices.Clone(ids)
	slices.Sort(unique)
	require.Len(t, slices.Compact(unique), len(ids), "an id stands twice")
	for _, target := range all(out.Bytes(), ` href="#([^"]*)"`) {
		require.Contains(t, ids, target)
	}
	for _, e := range entries {
		require.Contains(t, ids, e.Name)
	}
	rows := testkit.Must(claims.Committed(root))
	require.NotEmpty(t, rows)
	for _, r := range rows {
		require.Contains(t, ids, r.Anchor())
	}
	require.Len(t, all(out.Bytes(), `<img src="(data:image/png;base64,iVBOR)`), len(artifact.Figures()))
	require.NotContains(t, out.String(), `src="http`)
	require.NotContains(t, out.String(), `href="http`)
	require.Less(t, out.Len(), 8_000_000)
}

// TestWhatIsMissingIsNamed holds where a file of the page is not there.
func TestWhatIsMissingIsNamed(t *testing.T) {
	root := committed(t)
	require.NoError(t, os.Remove(filepath.Join(root, "tables", "beyond_schrodinger.csv")))
	_, err := written(root, artifact.Tables())
	require.ErrorContains(t, err, "tables/beyond_schrodinger.csv")
	_, err = written(root, []report.Entry{{Kind: report.Figure, Name: "fig9_not_drawn"}})
	require.NoError(t, err, "what was never made has no section")
	require.NoError(t, os.Remove(filepath.Join(root, "tables", "claims.json")))
	_, err = written(root, nil)
	require.ErrorContains(t, err, "the ledger is missing")
}

// TestTheGalleryIsUpToDate: the committed figures/README.md is what the committed figures and ledger give, and shows
// every picture there is, none of more than 150 kB.
func TestTheGalleryIsUpToDate(t *testing.T) {
	root := committed(t)
	gallery := func() string { return string(testkit.Must(os.ReadFile(filepath.Join(root, "figures", "README.md")))) }
	text := gallery()
	require.NoError(t, claims.WriteGallery(root, artifact.Figures()))
	require.Equal(t, gallery(), text, "run `omm figures --kept`, or `omm check`, and commit figures/README.md")
	for _, e := range artifact.Figures() {
		require.NotEmpty(t, e.Look, e.Name)
		require.True(t, strings.HasSuffix(e.Look, "."), e.Name)
		for _, p := range e.Profiles() {
			picture := strings.TrimSuffix(e.File(p), "json") + "png"
			info, err := os.Stat(filepath.Join(root, picture))
			if err == nil {
				require.Contains(t, text, "("+strings.TrimPrefix(picture, "figures/")+")")
				require.LessOrEqual(t, info.Size(), int64(150_000), picture)
			}
		}
	}
}
