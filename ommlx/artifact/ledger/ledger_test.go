package ledger

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/lab"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/claims"
	"omm-go/ommlx/internal/testkit"
)

// row is a claim with a verdict.
func row(id string, v claims.Verdict, evidence ...claims.Evidence) Row {
	return Row{Number: 1, Claim: claims.Claim{ID: id}, Evidence: evidence, Verdict: v}
}

func TestWorseVerdictsAreNamed(t *testing.T) {
	notHere := claims.Evidence{Outcome: claims.Skipped, Reason: "no maze files"}
	before := []Row{row("a", claims.Holds), row("b", claims.Holds), row("c", claims.NotRun),
		row("d", claims.Holds), row("e", claims.Holds)}
	now := []Row{row("a", claims.Holds), row("b", claims.NotRun, notHere), row("c", claims.Holds),
		row("d", claims.NotRun)}
	worse, elsewhere := compare(before, now)
	require.Equal(t, []string{"1 d: not run, was holds", "e (holds) is not in the list any more"}, worse)
	require.Equal(t, []string{"1 b (committed: holds): no maze files"}, elsewhere)
}

// The committed ledger belongs to the list of claims as it is now: whoever changes a claim runs `make check`.
func TestTheCommittedLedgerIsOfTheseClaims(t *testing.T) {
	rows := testkit.Must(Committed(testkit.Committed(t, "tables/*.json")))
	var committed []claims.Claim
	for i, r := range rows {
		require.Equal(t, i+1, r.Number)
		require.NotEqual(t, claims.Contradictory, r.Verdict, r.ID)
		require.Equal(t, r.Judge(r.Evidence), r.Verdict, "%s: the verdict is that of the evidence beside it", r.ID)
		committed = append(committed, r.Claim)
	}
	require.True(t, reflect.DeepEqual(claims.All(), committed),
		"the list of claims has changed: run `make check` and commit tables/claims.*")
}

func TestALedgerRowSaysWhatWasMeasured(t *testing.T) {
	evidence := []claims.Evidence{
		{Command: "go test ./a", Seconds: 0.5, Outcome: claims.Done, Record: claims.Record{
			Measured: []claims.Measurement{{What: "difference", Value: 2.4e-13, Tolerance: 1e-12},
				{What: "loss", Value: 1.5e9, Printed: true}}}},
		{Command: "go test ./a", Seconds: 0.7, Outcome: claims.Done, Record: claims.Record{Notes: []string{"3 runs"}}},
	}
	table := text([]Row{row("a", claims.HoldsWith, evidence...),
		{Claim: claims.Claim{ID: "b", Missing: "a GPU"}, Verdict: claims.NotRun}})
	require.Equal(t, "difference: 2e-13 ≤ 1e-12; loss: 2e+09 > 0; 3 runs", table.Rows[0][6])
	corrected := row("a", claims.HoldsWith, evidence...)
	corrected.Correction = "k ≤ d"
	require.Equal(t, "difference: 2e-13 ≤ 1e-12; as printed, loss: 2e+09 > 0; 3 runs", corrected.Measured())
	open := row("a", claims.CannotTell, claims.Evidence{Record: claims.Record{
		Measured: []claims.Measurement{{What: "lead", Value: 0.09, Tolerance: 0.05, Printed: true, Open: true}}}})
	require.Equal(t, "lead: 0.09 > 0.05 (cannot tell yet)", open.Measured())
	require.Equal(t, "`go test ./a`", table.Rows[0][9])
	require.Equal(t, "1 s", table.Rows[0][11])
	require.Equal(t, []string{"a GPU", "not run"}, table.Rows[1][6:8])
	for _, cells := range table.Rows {
		require.Len(t, cells, len(table.Header))
	}
	require.Len(t, table.Widths, len(table.Header))
}

// A claim rests on what its measure says of the scale, and a file that is damaged or missing is told apart.
func TestSourcesSayTheirScale(t *testing.T) {
	root := t.TempDir()
	type data struct {
		Provenance report.Origin `json:"provenance"`
		Whole      bool          `json:"whole"`
	}
	entry := report.Entry{Kind: report.Table, Name: "a", Short: "a"}
	k := From("a", entry, func(d data, e *claims.Evidence) error {
		Small(e, d.Whole)
		e.Note("read")
		return nil
	})
	e := testkit.Must(k.evidence(root))
	require.Equal(t, claims.Skipped, e.Outcome)
	require.Equal(t, "tables/a.json has not been made", e.Reason)
	require.NoError(t, os.Mkdir(filepath.Join(root, "tables"), 0o755))
	path := filepath.Join(root, "tables", "a.json")
	for whole, want := range map[bool]claims.Outcome{false: claims.Small, true: claims.Done} {
		origin := report.Origin{Trained: []report.Trained{{Seconds: 1}, {Seconds: 2}}}
		text := testkit.Must(json.Marshal(data{origin, whole}))
		require.NoError(t, os.WriteFile(path, text, 0o644))
		e = testkit.Must(k.evidence(root))
		require.Equal(t, want, e.Outcome)
		require.Equal(t, 3.0, e.Seconds)
		require.Equal(t, "make tables PROFILE=paper ONLY=a", e.Command)
		require.Equal(t, []string{"read"}, e.Notes)
	}
	require.NoError(t, os.WriteFile(path, []byte("{"), 0o644))
	_, err := k.evidence(root)
	require.ErrorContains(t, err, "make it again")

	fault := From("a", entry, func(_ data, e *claims.Evidence) error {
		e.Notes[0] = "" // of which there is none
		return nil
	})
	require.Panics(t, func() { _, _ = fault.Measured([]byte("{}"), &claims.Evidence{}) }, "a fault of the program")
}

// Each claim of the list has a row with what tests and results say of it; what they say of others is an error.
func TestAllClaimsAreJudged(t *testing.T) {
	last := claims.All()[len(claims.All())-1]
	good := claims.Evidence{Outcome: claims.Done, Record: claims.Record{Measured: []claims.Measurement{{What: "a"}}}}
	rows := testkit.Must(judge(t.TempDir(), map[string][]claims.Evidence{last.ID: {good}}, nil))
	require.Len(t, rows, len(claims.All()))
	require.Equal(t, claims.NotRun, rows[0].Verdict)
	require.Equal(t, Row{len(rows), last, []claims.Evidence{good}, claims.Holds}, rows[len(rows)-1])
	_, err := judge(t.TempDir(), map[string][]claims.Evidence{"other": {good}}, nil)
	require.ErrorContains(t, err, `"other"`)

	Compare(&good, claims.Better)
	Compare(&good, claims.AllDiverged)
	require.Equal(t, map[claims.Verdict]int{claims.Better: 1, claims.Differs: 1}, good.Comparisons)
	Compare(&good, claims.NotAtScale)
	require.Equal(t, claims.Small, good.Outcome)
}

func TestTheSummaryCounts(t *testing.T) {
	var out bytes.Buffer
	rows := []Row{row("a", claims.Holds), row("b", claims.Holds), row("c", claims.NotRun)}
	summary(&lab.Lab{Out: &out}, rows, 61*time.Second)
	require.Equal(t, "3 claims of the paper, checked in 1m1s:\n    2  holds\n    1  not run\n", out.String())
}
