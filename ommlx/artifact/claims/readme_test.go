package claims_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/internal/testkit"
)

// here is this checkout.
func here(t *testing.T) string {
	return testkit.Must(filepath.Abs(filepath.Join("..", "..", "..")))
}

func readmeOf(root string) string {
	return string(testkit.Must(os.ReadFile(filepath.Join(root, "README.md"))))
}

// TestTheREADMEIsOfTheCommittedLedger fails where a ledger, a figure or a table was committed without `make check`.
func TestTheREADMEIsOfTheCommittedLedger(t *testing.T) {
	root := committed(t)
	before := readmeOf(root)
	require.NoError(t, claims.WriteREADME(root, artifact.Findings(), artifact.Headlines()))
	require.Equal(t, before, readmeOf(root), "run `make check`, which writes a part of README.md, and commit it")
}

// edit replaces what a pattern finds in a file.
func edit(t *testing.T, path, pattern, replacement string) {
	text := testkit.Must(os.ReadFile(path))
	require.Regexp(t, pattern, string(text))
	text = regexp.MustCompile(pattern).ReplaceAll(text, []byte(replacement))
	require.NoError(t, os.WriteFile(path, text, 0o644))
}

// judged is README.md after the verdict on hydrogen was set in the ledger.
func judged(t *testing.T, root, verdict string) string {
	edit(t, filepath.Join(root, "tables", "claims.json"),
		`(?s)("id": "sanger-on-par-with-lora".*?"verdict": )"[^"]*"`, `${1}"`+verdict+`"`)
	require.NoError(t, claims.WriteREADME(root, artifact.Findings(), artifact.Headlines()))
	return readmeOf(root)
}

// TestAnotherVerdictIsAnotherREADME changes one verdict in the ledger: the first sentence, two rows of counts and the
// experiment's own row change, and nothing else.
func TestAnotherVerdictIsAnotherREADME(t *testing.T) {
	root := committed(t)
	before, after := judged(t, root, "holds"), judged(t, root, "not tested")
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	require.Len(t, now, len(old))
	var changed []string
	for i := range old {
		if old[i] != now[i] {
			changed = append(changed, old[i], now[i])
		}
	}
	require.Len(t, changed, 8)
	require.Equal(t, count(t, changed[2], "holds")-1, count(t, changed[3], "holds"))
	require.Equal(t, count(t, changed[4], "not tested")+1, count(t, changed[5], "not tested"))
	require.Regexp(t, `^\| \[Figures 2, 4[^|]*\|.*\[holds\]`, changed[6])
	require.Regexp(t, `^\| \[Figures 2, 4[^|]*\|.*\[not tested\]`, changed[7])
}

// count is the number in a row of verdicts.
func count(t *testing.T, line, verdict string) int {
	cells := strings.Split(line, " | ")
	require.Equal(t, "| "+verdict, cells[0])
	return testkit.Must(strconv.Atoi(cells[1]))
}

// TestWhatREADMELacksIsNamed holds that README.md stays as it was where a part cannot be written.
func TestWhatREADMELacksIsNamed(t *testing.T) {
	root := committed(t)
	for _, c := range []struct{ file, old, new, want string }{
		{"tables/claims.json", `"id": "tab3-omm"`, `"id": "tab4-omm"`, `no claim "tab3-omm"`},
		{"tables/claims.json", `"verdict": "holds"`, `"verdict": "perfect"`, `"perfect"`},
		{"tables/claims.json", `"rows"`, `rows`, "restore it with git"},
		{"tables/quick/tab1_digits.json", `"method": "simclr"`, `"method": "simsiam"`, `no numbers of "simclr"`},
		{"tables/tab2_ablation_k50.json", `"part": "b"`, `"part": "z"`, "part (b)"},
		{"figures/fig1_laplacian_rl.json", `"label": "ALLO"`, `"label": "OLLA"`, "a run of each method"},
		{"figures/fig8_well_numerical.json", `"results"`, `"outcome"`, "no results"},
		{"README.md", "<!-- /reproduced -->", "", "must have the lines"},
		{"README.md", "<!-- /reproduced -->", "<!-- /reproduced -->\n<!-- /reproduced -->", "once"},
	} {
		t.Run(c.want, func(t *testing.T) {
			path := filepath.Join(root, c.file)
			whole := testkit.Must(os.ReadFile(path))
			edit(t, path, c.old, c.new)
			before := readmeOf(root)
			require.ErrorContains(t, claims.WriteREADME(root, artifact.Findings(), artifact.Headlines()), c.want)
			require.Equal(t, before, readmeOf(root))
			require.NoError(t, os.WriteFile(path, whole, 0o644))
		})
	}
	require.NoError(t, os.Remove(filepath.Join(root, "tables", "quick", "tab3_generated_graph.json")))
	err := claims.WriteREADME(root, artifact.Findings(), artifact.Headlines())
	require.ErrorContains(t, err, "there is no tab3_ogbn_products")
}
