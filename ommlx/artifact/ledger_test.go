package artifact

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/claims"
)

// row is a claim with a verdict.
func row(id string, v claims.Verdict, evidence ...claims.Evidence) Row {
	return Row{Number: 1, Claim: claims.Claim{ID: id}, Evidence: evidence, Verdict: v}
}

func TestWorseVerdictsAreNamed(t *testing.T) {
	notHere := claims.Evidence{Outcome: claims.Skipped, Reason: "no maze files"}
	before := []Row{row("a", claims.Holds), row("b", claims.Holds), row("c", claims.NotRun), row("d", claims.Holds), row("e", claims.Holds)}
	now := []Row{row("a", claims.Holds), row("b", claims.NotRun, notHere), row("c", claims.Holds), row("d", claims.NotRun)}
	worse, elsewhere := compareRows(before, now)
	require.Equal(t, []string{"1 d: not run, was holds", "e (holds) is not in the list any more"}, worse)
	require.Equal(t, []string{"1 b (committed: holds): no maze files"}, elsewhere)
}

// The committed ledger is of the list of claims as it is now: whoever changes a claim runs `make check`.
func TestTheCommittedLedgerIsOfTheseClaims(t *testing.T) {
	rows, err := (&Lab{Root: filepath.Join("..", "..")}).committed()
	require.NoError(t, err)
	var committed []claims.Claim
	for i, r := range rows {
		require.Equal(t, i+1, r.Number)
		require.NotEqual(t, claims.Contradictory, r.Verdict, r.ID)
		require.Equal(t, r.Judge(r.Evidence), r.Verdict, "%s: the verdict is that of the evidence beside it", r.ID)
		committed = append(committed, r.Claim)
	}
	require.True(t, reflect.DeepEqual(claims.All(), committed), "the list of claims has changed: run `make check` and commit tables/claims.*")
}

// Every sign that a claim or a measurement uses is one that the LaTeX form of the ledger can write.
func TestTheLedgerCanBeTypeset(t *testing.T) {
	rows, err := (&Lab{Root: filepath.Join("..", "..")}).committed()
	require.NoError(t, err)
	for _, cells := range ledgerText(rows).Rows {
		for _, text := range cells {
			for _, r := range latexText(text) {
				require.Less(t, r, rune(0x250), "row %s: %q in %q", cells[0], r, text)
			}
		}
	}
	require.Equal(t, `5 \% of $\hat{M}$[f], $\lambda$\_1 $\ge$ 0: \texttt{go test -run \textquotesingle{}\^{}T\$\textquotesingle{}}`,
		latexText("5 % of M\u0302[f], λ_1 ≥ 0: `go test -run '^T$'`"))
}

func TestALedgerRowSaysWhatWasMeasured(t *testing.T) {
	evidence := []claims.Evidence{
		{Command: "go test ./a", Seconds: 0.5, Outcome: claims.Done, Record: claims.Record{
			Measured: []claims.Measurement{{What: "difference", Value: 2.4e-13, Tolerance: 1e-12}, {What: "loss", Value: 1.5e9, Printed: true}}}},
		{Command: "go test ./a", Seconds: 0.7, Outcome: claims.Done, Record: claims.Record{Notes: []string{"3 runs"}}},
	}
	text := ledgerText([]Row{row("a", claims.HoldsWith, evidence...), {Claim: claims.Claim{ID: "b", Missing: "a GPU"}, Verdict: claims.NotRun}})
	require.Equal(t, "difference: 2e-13 ≤ 1e-12; loss: 2e+09 > 0; 3 runs", text.Rows[0][5])
	corrected := row("a", claims.HoldsWith, evidence...)
	corrected.Correction = "k ≤ d"
	require.Equal(t, "difference: 2e-13 ≤ 1e-12; as printed, loss: 2e+09 > 0; 3 runs", corrected.Measured())
	require.Equal(t, "`go test ./a`", text.Rows[0][8])
	require.Equal(t, "1 s", text.Rows[0][9])
	require.Equal(t, []string{"a GPU", "not run"}, text.Rows[1][5:7])
	for _, cells := range text.Rows {
		require.Len(t, cells, len(text.Header))
	}
	require.Len(t, text.Widths, len(text.Header))
}

// A claim rests on results of the paper profile only where they are that.
func TestKeptResultsSayTheirScale(t *testing.T) {
	root := t.TempDir()
	k := kept{claim: "a", file: "tables/a.json", measure: func(_ []byte, e *claims.Evidence) error {
		e.Note("read")
		return nil
	}}
	e, err := k.evidence(root)
	require.NoError(t, err)
	require.Equal(t, claims.Skipped, e.Outcome)
	for profile, want := range map[Profile]claims.Outcome{Quick: claims.Small, Paper: claims.Done} {
		require.NoError(t, writeJSON(filepath.Join(root, k.file), map[string]any{"provenance": Provenance{Profile: profile, Seconds: 3}}))
		e, err = k.evidence(root)
		require.NoError(t, err)
		require.Equal(t, want, e.Outcome)
		require.Equal(t, 3.0, e.Seconds)
		require.Equal(t, []string{"read"}, e.Notes)
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, k.file), []byte("{"), 0o644))
	_, err = k.evidence(root)
	require.ErrorContains(t, err, "make it again")
}

// Every result that claims name is there and can be judged, as in the checkout that these tests belong to.
func TestCommittedResultsAreEvidence(t *testing.T) {
	for _, k := range allKept() {
		_, ok := claims.Find(k.claim)
		require.True(t, ok, k.claim)
		e, err := k.evidence(filepath.Join("..", ".."))
		require.NoError(t, err, k.claim)
		require.NotEqual(t, claims.Skipped, e.Outcome, k.file)
	}
}

func TestTheSummaryCounts(t *testing.T) {
	var out bytes.Buffer
	(&Lab{Out: &out}).summary([]Row{row("a", claims.Holds), row("b", claims.Holds), row("c", claims.NotRun)}, 61*time.Second)
	require.Equal(t, "3 claims of the paper, checked in 1m1s:\n    2  holds\n    1  not run\n", out.String())
}

func TestADamagedLedgerIsNamed(t *testing.T) {
	lab := &Lab{Root: t.TempDir()}
	rows, err := lab.committed()
	require.NoError(t, err)
	require.Empty(t, rows)
	text, err := json.Marshal("no ledger")
	require.NoError(t, err)
	require.NoError(t, writeFile(filepath.Join(lab.Root, "tables", "claims.json"), text))
	_, err = lab.committed()
	require.ErrorContains(t, err, "restore it with git")
}
