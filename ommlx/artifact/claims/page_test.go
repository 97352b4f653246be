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
	"omm-go/ommlx/internal/testkit"
)

// committed returns a checkout with the files that the report and the READMEs need.
func committed(t *testing.T) string {
	return testkit.Committed(t, "README.md", "figures/*.json", "figures/*.png", "figures/*.gif", "figures/*.md",
		"tables/*.json", "tables/*.csv", "tables/*.md")
}

func read(t *testing.T, path ...string) string {
	return string(testkit.Must(os.ReadFile(filepath.Join(path...))))
}

// TestReportIsComplete: each figure, table and claim is on the page once, and no link leaves the page.
func TestReportIsComplete(t *testing.T) {
	root, exhibits := committed(t), slices.Concat(artifact.Figures(), artifact.Tables())
	var out bytes.Buffer
	require.NoError(t, claims.Write(&out, root, "0123456789ab", artifact.Headlines(), exhibits))
	all := func(pattern string) (found []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(out.Bytes(), -1) {
			found = append(found, string(m[1]))
		}
		return found
	}
	ids := all(` id="([^"]*)"`)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(ids))), len(ids), "an id is there twice")
	for _, target := range all(` href="#([^"]*)"`) {
		require.Contains(t, ids, target)
	}
	for _, e := range exhibits {
		require.Contains(t, ids, e.Name)
	}
	rows := testkit.Must(claims.Committed(root))
	require.NotEmpty(t, rows)
	for _, r := range rows {
		require.Contains(t, ids, r.Anchor())
	}
	require.Len(t, all(`<img src="(data:image/png;base64,iVBOR)`), len(artifact.Figures()))
	require.NotRegexp(t, `(src|href)="http`, out.String())
	require.Less(t, out.Len(), 8_000_000)
}

// TestPagesAreUpToDate: the pages match the committed figures, tables and ledger, and figures/README.md shows every
// picture. No picture is larger than 500 kB.
func TestPagesAreUpToDate(t *testing.T) {
	root := committed(t)
	names := []string{"README.md", "figures/README.md", "tables/README.md"}
	var before []string
	for _, name := range names {
		before = append(before, read(t, root, name))
	}
	require.NoError(t, artifact.WritePages(root))
	for i, name := range names {
		require.Equal(t, read(t, root, name), before[i], "run `make check` and commit "+name)
	}
	for _, e := range artifact.Figures() {
		require.NotEmpty(t, e.Caption, e.Name)
		for _, p := range e.Profiles() {
			picture := strings.TrimSuffix(e.File(p), "json") + "png"
			info, err := os.Stat(filepath.Join(root, picture))
			if err == nil {
				require.Contains(t, before[1], "]("+strings.TrimSuffix(strings.TrimPrefix(picture, "figures/"), "png"))
				require.LessOrEqual(t, info.Size(), int64(600_000), picture)
			}
		}
	}
}

// TestREADMEStaysIfAPartFails: the error names the missing part and README.md is not changed.
func TestREADMEStaysIfAPartFails(t *testing.T) {
	root := committed(t)
	for _, c := range []struct{ file, old, new, want string }{
		{"tables/claims.json", `"id": "tab3-omm"`, `"id": "tab4-omm"`, "tab3-omm"},
		{"tables/claims.json", `"rows"`, `rows`, "claims.json"},
		{"tables/quick/tab1_glyphs.json", `"method": "simclr"`, `"method": "simsiam"`, "simclr"},
		{"tables/tab2_ablation_k50.json", `"part": "b"`, `"part": "z"`, "(b)"},
		{"figures/fig8_well_numerical.json", `"results"`, `"outcome"`, "fig8_well_numerical.json"},
		{"README.md", "<!-- /reproduced -->", "", "README.md"},
	} {
		whole := read(t, root, c.file)
		require.Contains(t, whole, c.old)
		write := func(text string) {
			require.NoError(t, os.WriteFile(filepath.Join(root, c.file), []byte(text), 0o644))
		}
		write(strings.ReplaceAll(whole, c.old, c.new))
		before := read(t, root, "README.md")
		require.ErrorContains(t, artifact.WritePages(root), c.want)
		require.Equal(t, before, read(t, root, "README.md"))
		write(whole)
	}
}
