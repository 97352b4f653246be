package artifact_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact"
	"operator-omm/ommlx/internal/testkit"
)

// TestAChangedScoreIsFound changes one number of a committed figure or table after the other.
func TestAChangedScoreIsFound(t *testing.T) {
	root := testkit.Committed(t, "figures/*.json", "tables/*.json")
	read := func(file string) string {
		return string(testkit.Must(os.ReadFile(filepath.Join(root, file))))
	}
	// first replaces the first match of a pattern behind a text.
	first := func(text, behind, pattern, by string) string {
		at := strings.Index(text, behind)
		require.NotEqual(t, -1, at, behind)
		found := regexp.MustCompile(pattern).FindStringIndex(text[at:])
		require.NotNil(t, found, pattern)
		return text[:at+found[0]] + by + text[at+found[1]:]
	}
	compare := func(before, now string) artifact.Comparison {
		return testkit.Must(artifact.Compare([]byte(before), []byte(now)))
	}
	const average, number = `"average_cosine_similarity": `, `0\.\d+`
	fig1 := read("figures/fig1_laplacian_rl.json")
	whole := compare(fig1, fig1)
	require.True(t, whole.Same)
	require.Positive(t, whole.Runs)
	require.Zero(t, whole.Added+whole.Gone)

	c := compare(fig1, first(fig1, `"environment": "GridRoom-4"`, average+number, average+"0.25"))
	require.False(t, c.Same)
	require.Equal(t, whole.Runs, c.Runs)
	require.Regexp(t, `^\d+ runs, the largest change: GridRoom-4 omm_seq\S+public .* seed 1: 0\.2500, was 0\.\d{4}$`,
		c.String())
	c = compare(fig1, first(fig1, `"environment": "GridMaze-7"`, average+number, average+"0.25"))
	require.Regexp(t, `^\d+ runs, .* seed 1: 0\.2500, was 0\.\d{4}; 2 runs have 0\.\d{4} ± 0\.\d{4}$`, c.String())
	c = compare(fig1, first(fig1, `"environment": "GridRoom-4"`, average+number,
		`"diverged_at_step": 7, `+average+"0.5"))
	require.Regexp(t, `GridRoom-4 omm_seq\S+public .* k=11 ×1 seed 1: diverged, was 0\.`, c.String())
	c = compare(fig1, first(fig1, `"environment": "GridMaze-17"`, `"generated": false`, `"generated": true`))
	require.Equal(t, [3]int{whole.Runs - 1, 1, 1}, [3]int{c.Runs, c.Added, c.Gone})
	require.Contains(t, c.String(), "; 1 are of other configurations (another plan, or stand-ins), and 1 are not there")
	require.True(t, compare(fig1, first(fig1, `"provenance"`, `"commit": "[^"]*"`, `"commit": "other"`)).Same)

	sweep := read("figures/fig_allo_sweep.json")
	c = compare(sweep, first(sweep, `"cells"`, average+number, average+"0.25"))
	require.Regexp(t, `^13 runs, the largest change: b = 0\.5, α = 0\.01 seed 1: 0\.2500, was 0\.\d{4}$`, c.String())
	curves := read("figures/fig_learning_curves.json")
	c = compare(curves, first(curves, `"points"`, `"mean": `+number, `"mean": 0.25`))
	require.Equal(t, "it differs, and has no runs of its own", c.String())
	for _, file := range []string{"fig4_hydrogen_numerical", "fig8_well_numerical"} {
		text := read("figures/" + file + ".json")
		require.Positive(t, compare(text, text).Runs, file)
	}
	for _, file := range []string{"tab1_cifar100", "tab3_ogbn_products", "well_variants", "choices_k50"} {
		text := read("tables/" + file + ".json")
		require.Positive(t, compare(text, text).Runs, file)
	}
	_, err := artifact.Compare([]byte("{"), []byte("{}"))
	require.ErrorContains(t, err, "the old one cannot be read")
	_, err = artifact.Compare([]byte("{}"), []byte("{"))
	require.ErrorContains(t, err, "the new one cannot be read")
}
