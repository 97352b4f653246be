package claims

import (
	"cmp"
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

// row returns a claim with a verdict.
func row(id string, v Verdict, evidence ...Evidence) Row {
	return Row{Claim: Claim{Number: 1, ID: id}, Evidence: evidence, Verdict: v}
}

func TestChangedVerdictsAreListed(t *testing.T) {
	skipped := Evidence{Outcome: Skipped, Reason: "no maze files"}
	printed, code := row("f", Holds), row("f", Holds)
	printed.Protocol, code.Protocol = AsPrinted, AsCode
	before := []Row{row("a", Holds), row("b", Holds), row("c", NotTested), row("d", Holds), row("e", Holds), printed,
		code}
	printed.Verdict = NotReproduced
	now := []Row{row("a", Holds), row("b", NotTested, skipped), row("c", Holds), row("d", Undecided), printed, code}
	require.Equal(t, []string{"claim 1 (b): not tested, was holds (no maze files)",
		"claim 1 (c): holds, was not tested", "claim 1 (d): undecided, was holds", "claim 1 (e): gone, was holds",
		"claim 1 (f) as printed: not reproduced, was holds"}, compare(before, now))
}

// A missing source, a missing measurement and a wider tolerance are lost evidence; new evidence and a narrower
// tolerance are not.
func TestLostEvidenceIsListed(t *testing.T) {
	from := func(source string, m ...Measurement) Evidence {
		return Evidence{Source: source, Outcome: Done, Record: Record{Measured: m}}
	}
	loss := Measurement{What: "loss", Tolerance: 1e-9}
	wide, narrow, printed := loss, loss, loss
	wide.Tolerance, narrow.Tolerance, printed.Printed = 1e-3, 1e-12, true
	before := []Row{row("a", Holds, from("T1", loss), from("T2"))}
	for want, now := range map[string]Row{
		"T2":     row("a", Holds, from("T1", loss)),
		`"loss"`: row("a", Holds, from("T1", printed), from("T2")),
		"1e-03":  row("a", Holds, from("T1", wide), from("T2")),
	} {
		lost := compare(before, []Row{now})
		require.Len(t, lost, 1)
		require.Contains(t, lost[0], want)
	}
	require.Empty(t, compare(before, []Row{row("a", Holds, from("T1", narrow, printed), from("T2"), from("T3"))}))
}

// TestCommittedLedgerMatchesClaims fails if claims.json was changed without `make check`.
func TestCommittedLedgerMatchesClaims(t *testing.T) {
	rows := testkit.Must(Committed(testkit.Committed(t, "tables/*.json")))
	var committed []Claim
	for i, r := range rows {
		require.NotEqual(t, CheckFailed, r.Verdict, r.ID)
		require.Equal(t, r.Decide(r.Evidence), r.Verdict, "%s: the verdict of its evidence", r.ID)
		if i == 0 || r.ID != rows[i-1].ID {
			committed = append(committed, r.Claim)
		}
	}
	require.True(t, reflect.DeepEqual(All(), committed),
		"claims.json has changed: run `make check` and commit tables/claims.*")
}

// No quotation is shown with a LaTeX macro.
func TestQuotationsArePlain(t *testing.T) {
	for _, c := range All() {
		require.NotRegexp(t, `[\\$]`, cmp.Or(c.Plain, c.Quotation), c.ID)
	}
	for _, m := range Misprints() {
		require.NotRegexp(t, `[\\$]`, cmp.Or(m.Plain, m.Quotation), m.Place)
	}
}

// Evidence is skipped if the file is missing, small if something has not been run, and refused if a training ran with
// uncommitted changes.
func TestSourcesAreMeasured(t *testing.T) {
	root := t.TempDir()
	type data struct {
		Provenance report.Origin `json:"provenance"`
		Whole      bool          `json:"whole"`
	}
	exhibit := report.Exhibit{Kind: report.Figure, Name: "fig", ShortName: "fig",
		Experiments: func(run.Profile) []run.Experiment { return nil }}
	source := From("a", exhibit, func(d data, e *Evidence) error {
		e.AtScale(d.Whole)
		e.Printed("error", 1, 2)
		return nil
	})
	path := filepath.Join(root, exhibit.File(run.Paper))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	day := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	whole := report.Trained{Commit: "abc", Finished: day, Seconds: 3}
	dirty := whole
	dirty.Commit = "def+"
	measured := func(d data) Evidence {
		d.Provenance.Drawn.Profile = run.Paper
		require.NoError(t, os.WriteFile(path, testkit.Must(json.Marshal(d)), 0o644))
		return testkit.Must(source.evidence(root))
	}
	require.Equal(t, Skipped, testkit.Must(source.evidence(root)).Outcome, "it has not been made")
	e := measured(data{report.Origin{Trained: []report.Trained{whole}}, true})
	require.Equal(t, Done, e.Outcome)
	require.Equal(t, 3.0, e.Seconds)
	require.Equal(t, "1 training, 2026-11-02", e.Results)
	require.Equal(t, Small, measured(data{}).Outcome)
	e = measured(data{report.Origin{Trained: []report.Trained{whole, dirty}}, true})
	require.Equal(t, Refused, e.Outcome)
	require.Contains(t, Row{Evidence: []Evidence{e}}.Measured(), "refused: 1 of 2 trainings")

	require.NoError(t, os.WriteFile(path, []byte("{"), 0o644))
	_, err := source.evidence(root)
	require.ErrorContains(t, err, exhibit.File(run.Paper))

	require.NoError(t, os.Remove(path))
	quick := filepath.Join(root, exhibit.File(run.Quick))
	require.NoError(t, os.MkdirAll(filepath.Dir(quick), 0o755))
	require.NoError(t, os.WriteFile(quick, []byte(`{"provenance":{}}`), 0o644))
	require.Equal(t, "make figures ONLY=fig", testkit.Must(source.evidence(root)).Command, "its time is the quick one")
}

// Every claim has a row.
func TestAllClaimsAreJudged(t *testing.T) {
	last := All()[len(All())-1]
	good := Evidence{Outcome: Done}
	good.Printed("a", 0, 0)
	rows := testkit.Must(judge(t.TempDir(), map[string][]Evidence{last.ID: {good}}, nil))
	require.GreaterOrEqual(t, len(rows), len(All()))
	require.Equal(t, NotTested, rows[0].Verdict)
	require.Equal(t, []Evidence{good}, rows[len(rows)-1].Evidence)
	require.Equal(t, "1 verdicts in 1m1s:\n    1  holds", summary([]Row{row("a", Holds)}, 61*time.Second))
}
