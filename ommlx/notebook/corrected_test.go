package notebook

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/claims"
)

func TestCorrectedIsShort(t *testing.T) {
	rows := []ledger.Row{
		{Number: 1, Claim: claims.Claim{ID: "wrong", Where: "§2", Statement: "x", Instead: "y", Use: "z"},
			Verdict: claims.NotAsPrinted},
		{Number: 2, Claim: claims.Claim{ID: "open", Note: "n"}, Verdict: claims.NotRun},
	}
	table, err := corrected(rows, []string{"wrong"})
	require.NoError(t, err)
	require.Equal(t, [][]string{{"1 <br>§2", "x", "y", string(claims.NotAsPrinted)}}, table)
	require.Equal(t, "z", rows[0].Use, "the ledger stays as it is")

	_, err = corrected(rows, []string{"open"})
	require.ErrorContains(t, err, "has no correction \"open\"")
}
