package notebook

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/claims"
)

func TestErrataTellTheLedger(t *testing.T) {
	record := claims.Record{Measured: []claims.Measurement{{What: "a | b", Value: 2, Tolerance: 1, Printed: true},
		{What: "c", Value: 0, Tolerance: 1}}}
	rows := []ledger.Row{
		{Number: 1, Claim: claims.Claim{ID: "wrong", Where: "§2", Statement: "x", Instead: "y", Use: "z"},
			Verdict: claims.NotAsPrinted, Evidence: []claims.Evidence{{Record: record}}},
		{Number: 2, Claim: claims.Claim{ID: "open", Where: "§3", Statement: "s", Note: "n"}, Verdict: claims.NotRun},
		{Number: 3, Claim: claims.Claim{ID: "later", Instead: "i"}, Verdict: claims.NotAtScale},
	}
	table, err := corrections(rows, []string{"wrong"}, inFull)
	require.NoError(t, err)
	require.Equal(t, [][]string{{"1 <br>§2", "x", "y <br>**Here:** z.",
		"as printed, a &#124; b: 2 > 1; <br>1 other checks within their tolerance", "does not hold as printed"}}, table)
	table, err = corrections(rows, []string{"wrong"}, inShort)
	require.NoError(t, err)
	require.Equal(t, [][]string{{"1 <br>§2", "x", "y", string(claims.NotAsPrinted)}}, table)
	_, err = corrections(rows, []string{"open"}, inFull)
	require.EqualError(t, err, "the ledger has no correction \"open\"; run `make check`")
	require.Equal(t, [][]string{{"2", "§3", "n", string(claims.NotRun)}}, notes(rows))
	require.Equal(t, [][]string{{"2", "§3", "s", string(claims.NotRun)}, {"3", "", "", string(claims.NotAtScale)}},
		unsettled(rows))

	count, err := allCorrected(rows, []string{"wrong"})
	require.NoError(t, err)
	require.Equal(t, 1, count)
	_, err = allCorrected(rows, nil)
	require.ErrorContains(t, err, "\"wrong\" of the ledger is in no chapter")
}
