package claims

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// row is a claim with a verdict.
func row(id string, v Verdict, evidence ...Evidence) Row {
	return Row{Claim: Claim{Number: 1, ID: id}, Evidence: evidence, Verdict: v}
}

func TestChangedVerdictsAreListed(t *testing.T) {
	notHere := Evidence{Outcome: Skipped, Reason: "no maze files"}
	printed, code := row("f", Holds), row("f", Holds)
	printed.Protocol, code.Protocol = AsPrinted, AsCode
	before := []Row{row("a", Holds), row("b", Holds), row("c", NotTested),
		row("d", Holds), row("e", Holds), printed, code}
	printed.Verdict = NotReproduced
	now := []Row{row("a", Holds), row("b", NotTested, notHere), row("c", Holds),
		row("d", Undecided), printed, code}
	changed, elsewhere := compare(before, now)
	require.Equal(t, []string{"claim 1 (c): holds, was not tested", "claim 1 (d): undecided, was holds",
		"claim 1 (e): gone, was holds", "claim 1 (f) as printed: not reproduced, was holds"}, changed)
	require.Equal(t, []string{"claim 1 (b) (committed: holds): no maze files"}, elsewhere)
}

// The committed ledger belongs to the list of claims as it is now: whoever changes a claim runs `make check`.
func TestTheCommittedLedgerIsOfTheseClaims(t *testing.T) {
	rows := testkit.Must(Committed(testkit.Committed(t, "tables/*.json")))
	var committed []Claim
	for i, r := range rows {
		require.NotEqual(t, CheckFailed, r.Verdict, r.ID)
		require.Equal(t, r.Judge(r.Evidence), r.Verdict, "%s: the verdict is that of its evidence", r.ID)
		if i == 0 || r.ID != rows[i-1].ID {
			committed = append(committed, r.Claim)
		}
	}
	require.True(t, reflect.DeepEqual(All(), committed),
		"claims.json has changed: run `make check` and commit tables/claims.*")
}

func TestRowsListMeasurements(t *testing.T) {
	evidence := []Evidence{
		{Command: "go test ./a", Seconds: 0.5, Outcome: Done, Record: Record{
			Measured: []Measurement{{What: "difference", Value: 2.4e-13, Tolerance: 1e-12},
				{What: "loss", Value: 1.5e9, Printed: true}}}},
		{Command: "go test ./a", Seconds: 0.7, Outcome: Done, Runs: "1 run of 10",
			Record: Record{Notes: []string{"3 runs"}}},
	}
	a := row("a", WrongAsPrinted, evidence...)
	a.Statement, a.Quotation = "The claim.", `$\Vm^\star=\Wm_{1:k}$`
	a.Correction, a.Check = "k ≤ d. Not above", "a test"
	b := Row{Claim: Claim{Number: 2, ID: "b", NotTested: "a GPU", Statement: "B"}, Verdict: NotTested}
	require.Equal(t, "difference: 2e-13 ≤ 1e-12; as printed, loss: 2e+09 > 0; 3 runs", a.Measured())
	open := row("a", Undecided, Evidence{Record: Record{
		Measured: []Measurement{{What: "lead", Value: 0.09, Tolerance: 0.05, Printed: true, Open: true}}}})
	require.Equal(t, "lead: 0.09 > 0.05 (undecided)", open.Measured())
	text := page([]Row{a, b})
	for _, want := range []string{"| [1](#claim-1) | The claim. | wrong as printed (1 run of 10) | k ≤ d. |",
		`<a id="claim-1"></a>`, "> V^⋆=W_{1:k}\n", "**Wrong as printed (1 run of 10).** k ≤ d. Not above.",
		"(1 s): `go test ./a`\n", "| [2](#claim-2) | B | not tested | a GPU. |"} {
		require.Contains(t, text, want)
	}
	table := index([]Row{a, b})
	for _, cells := range table.Rows {
		require.Len(t, cells, len(table.Header))
	}
	require.Len(t, table.Widths, len(table.Header))
}

// No quotation in the ledger shows a LaTeX macro.
func TestQuotationsArePlain(t *testing.T) {
	for _, c := range All() {
		require.NotRegexp(t, `[\\$\x01\x02]`, Plain(c.Quotation), c.ID)
	}
	for _, m := range Misprints() {
		require.NotRegexp(t, `[\\$\x01\x02]`, Plain(m.Quotation), m.Place)
	}
}

// A claim rests on what its measure says of the scale, and a file that is damaged or missing is told apart.
func TestSourcesSayTheirScale(t *testing.T) {
	root := t.TempDir()
	type data struct {
		Provenance report.Origin `json:"provenance"`
		Whole      bool          `json:"whole"`
	}
	entry := report.Entry{Kind: report.Table, Name: "a", Short: "a"}
	k := From("a", entry, func(d data, e *Evidence) error {
		e.AtScale(d.Whole)
		e.Note("read")
		return nil
	})
	e := testkit.Must(k.evidence(root))
	require.Equal(t, Skipped, e.Outcome)
	require.Equal(t, "tables/a.json has not been made", e.Reason)
	require.NoError(t, os.Mkdir(filepath.Join(root, "tables"), 0o755))
	path := filepath.Join(root, "tables", "a.json")
	for whole, want := range map[bool]Outcome{false: Small, true: Done} {
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

	fault := From("a", entry, func(_ data, e *Evidence) error {
		e.Notes[0] = "" // of which there is none
		return nil
	})
	require.Panics(t, func() { _, _ = fault.Measured([]byte("{}"), &Evidence{}) }, "a fault of the program")
}

// Each claim of the list has a row with what tests and results say of it; what they say of others is an error.
func TestAllClaimsAreJudged(t *testing.T) {
	last := All()[len(All())-1]
	good := Evidence{Outcome: Done}
	good.Printed("a", 0, 0)
	rows := testkit.Must(judge(t.TempDir(), map[string][]Evidence{last.ID: {good}}, nil))
	require.GreaterOrEqual(t, len(rows), len(All()))
	require.Equal(t, NotTested, rows[0].Verdict)
	require.Equal(t, []Evidence{good}, rows[len(rows)-1].Evidence)
	_, err := judge(t.TempDir(), map[string][]Evidence{"other": {good}}, nil)
	require.ErrorContains(t, err, `"other"`)

	paper, ours := report.Spread{Mean: 0.9, Std: 0.01, Runs: 5}, report.SpreadOf([]float64{0.9, 0.901, 0.899})
	good.Compare("same", ours, paper, true)
	good.Compare("other", report.SpreadOf(nil), paper, true)
	require.True(t, good.Measured[1].Within())
	require.False(t, good.Measured[2].Within())
	good.Compare("small", ours, paper, false)
	require.Equal(t, Small, good.Outcome)
}

func TestTheSummaryCounts(t *testing.T) {
	var out bytes.Buffer
	rows := []Row{row("a", Holds), row("b", Holds), row("c", NotTested)}
	summary(&run.Lab{Out: &out}, rows, 61*time.Second)
	require.Equal(t, "3 verdicts in 1m1s:\n    2  holds\n    1  not tested\n", out.String())
}
