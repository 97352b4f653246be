package notebook

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/claims"
)

func TestPointsLinkPaperLedgerAndCode(t *testing.T) {
	rows := []ledger.Row{
		{Number: 1, Claim: claims.Claim{ID: "wrong", Where: "§2.3.1, Theorem 1", Instead: "y"},
			Verdict: claims.NotAsPrinted},
		{Number: 2, Claim: claims.Claim{ID: "short", Where: "App. D, §3.3; App. B.2", Correction: "z"},
			Verdict: claims.Holds},
		{Number: 3, Claim: claims.Claim{ID: "open"}},
	}
	const paper = "https://arxiv.org/html/2510.21952v1#"
	table, err := linked(rows, []Point{{"so", "ommlx.OMM", "omm.go", []string{"wrong", "short"}}})
	require.NoError(t, err)
	require.Equal(t, [][]string{{"so", "[§2.3.1](" + paper + "S2.SS3.SSS1), Theorem 1; " +
		"[App. D](" + paper + "A4), [§3.3](" + paper + "S3.SS3); [App. B.2](" + paper + "A2.SS2)",
		"[1](../tables/claims.md): does not hold as printed; [2](../tables/claims.md): " + string(claims.Holds),
		"[`ommlx.OMM`](../ommlx/omm.go)"}}, table)
	_, err = linked(rows, []Point{{Claims: []string{"open"}}})
	require.EqualError(t, err, "the ledger has no correction \"open\"; run `make check`")
}
