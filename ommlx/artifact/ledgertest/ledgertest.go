// Package ledgertest has what tests of results, and of the evidence that they are, have in common.
package ledgertest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/testkit"
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

// FuzzResult decodes any text as the result that has key. The corpus is what, with these words of it changed; use gets
// every result that is taken for a whole one, which is the same after it was written and read again.
func FuzzResult[E lab.Experiment[E, R], R lab.Judged](f *testing.F, what *lab.Result[E, R], key string,
	changes map[string]string, use func(*testing.T, *lab.Result[E, R])) {
	text := testkit.Must(json.Marshal(what))
	for from, to := range changes {
		f.Add([]byte(strings.Replace(string(text), from, to, 1)))
	}
	for _, text := range []string{"", "{}", "null", "[", `{"config":{"k":1e9}}`, `{"runs":[{}]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := lab.Decode[E, R](text, key)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		use(t, r)
		first := testkit.Must(json.Marshal(r))
		second := testkit.Must(json.Marshal(testkit.Must(lab.Decode[E, R](first, key))))
		require.Equal(t, string(first), string(second))
	})
}
