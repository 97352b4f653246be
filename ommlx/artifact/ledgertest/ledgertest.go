// Package ledgertest has what tests of the ledger's evidence have in common.
package ledgertest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
)

// Measured is the evidence that data, as an entry's JSON, are for a claim by the sources that rest it on the entry. It
// fails the test where there are none.
func Measured(t testing.TB, sources []ledger.Source, claim string, entry report.Entry, data any) (
	all []claims.Evidence) {
	t.Helper()
	text, err := json.Marshal(data)
	require.NoError(t, err)
	for _, s := range sources {
		if s.Claim == claim && s.Entry.Name == entry.Name {
			e := claims.Evidence{Outcome: claims.Done, Record: claims.Record{Claim: claim}}
			_, err := s.Measured(text, &e)
			require.NoError(t, err)
			all = append(all, e)
		}
	}
	require.NotEmpty(t, all, "%s is no evidence for %q", entry.Name, claim)
	return all
}
