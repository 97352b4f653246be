package artifact

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// TestCompareFindsChangedScores changes single numbers of committed figures and tables.
func TestCompareFindsChangedScores(t *testing.T) {
	root := testkit.Committed(t, "figures/*.json", "tables/*.json")
	read := func(file string) string {
		return string(testkit.Must(os.ReadFile(filepath.Join(root, file))))
	}
	// first replaces the first match of a pattern that follows a text.
	first := func(text, after, pattern, by string) string {
		at := strings.Index(text, after)
		require.NotEqual(t, -1, at, after)
		found := regexp.MustCompile(pattern).FindStringIndex(text[at:])
		require.NotNil(t, found, pattern)
		return text[:at+found[0]] + by + text[at+found[1]:]
	}
	compare := func(before, now string) string { return testkit.Must(Compare([]byte(before), []byte(now))) }
	const average, number = `"average_cosine_similarity": `, `0\.\d+`
	fig1 := read("figures/quick/fig1_laplacian_rl.json")
	sweep := read("figures/quick/fig_allo_sweep.json")
	require.Empty(t, compare(fig1, fig1))
	require.Empty(t, compare(fig1, first(fig1, `"provenance"`, `"commit": "[^"]*"`, `"commit": "other"`)))
	for pattern, text := range map[string]string{
		`GridMaze-7 .* seed 1: 0\.2500, was 0\.\d{4}; .* 0\.\d{4} ± 0\.\d{4}$`: compare(fig1,
			first(fig1, `"environment": "GridMaze-7"`, average+number, average+"0.25")),
		`GridRoom-4 .* seed 1: diverged, was 0\.`: compare(fig1,
			first(fig1, `"environment": "GridRoom-4"`, average+number, `"diverged_at_step": 7, `+average+"0.5")),
		`, 1 new, 1 missing`: compare(fig1,
			first(fig1, `"environment": "GridMaze-17"`, `"batch": \d+`, `"batch": 7`)),
		`b = 0\.5, α = 0\.01 seed 1: 0\.2500, was 0\.\d{4}`: compare(sweep,
			first(sweep, `"cells"`, average+number, average+"0.25")),
	} {
		require.Regexp(t, pattern, text)
	}
	for _, file := range []string{"figures/quick/fig4_hydrogen_numerical", "figures/fig8_well_numerical",
		"tables/quick/tab1_glyphs", "tables/quick/tab3_debian_packages", "tables/beyond_laplacian_rl"} {
		_, all := testkit.Must2(scores([]byte(read(file + ".json"))))
		require.NotEmpty(t, all, file)
	}
}
