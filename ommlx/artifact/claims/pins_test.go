package claims

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// Evidence that shrinks is named: a source, a measurement and a tolerance. What grows, or is narrower, is welcome.
func TestEvidenceThatShrinksIsNamed(t *testing.T) {
	from := func(source string, m ...Measurement) Evidence {
		return Evidence{Source: source, Outcome: Done, Record: Record{Measured: m}}
	}
	loss := Measurement{What: "loss", Tolerance: 1e-9}
	wide, narrow, printed := loss, loss, loss
	wide.Tolerance, narrow.Tolerance, printed.Printed = 1e-3, 1e-12, true
	before := []Row{row("a", Holds, from("T1", loss), from("T2"))}
	for want, now := range map[string]Row{
		"no evidence from T2, which it had":        row("a", Holds, from("T1", loss)),
		`T1 does not measure "loss", which it did`: row("a", Holds, from("T1", printed), from("T2")),
		`tolerance of "loss" is 1e-03, was 1e-09`:  row("a", Holds, from("T1", wide), from("T2")),
	} {
		lost, _ := compare(before, []Row{now})
		require.Len(t, lost, 1)
		require.Contains(t, lost[0], want)
	}
	require.Empty(t, shrunk(before[0], row("a", Holds, from("T1", narrow, printed), from("T2"), from("T3"))))
	absent := from("T1")
	absent.Outcome, absent.Reason = Skipped, "no mazes"
	lost, notHere := compare(before, []Row{row("a", NotTested, absent)})
	require.Empty(t, lost)
	require.Equal(t, []string{"claim 1 (a) (committed: holds): no mazes"}, notHere)
}

// A result rests on the trainings that are planned for it.
func TestResultsRestOnWhatIsPlanned(t *testing.T) {
	entry := report.Entry{Kind: report.Figure, Name: "fig", Short: "fig", Plan: func(run.Profile) ([]run.Job, error) {
		return []run.Job{{Key: "k1", Seeds: []int64{1}}}, nil
	}}
	other := testkit.Must(unplanned(entry, run.Quick, []report.Trained{{Key: "k1"}}))
	require.Empty(t, other)
	foreign := report.Trained{Key: "k2", Label: "GridRoom-4", Seeds: []int64{7}}
	other = testkit.Must(unplanned(entry, run.Quick, []report.Trained{foreign}))
	require.Equal(t, "rests on GridRoom-4, seeds [7], which is not among the trainings of the quick profile here; "+
		"`make figures ONLY=fig` makes it again", other)

	// What it says of a claim does not count then, and the claim was not checked.
	root := t.TempDir()
	text := testkit.Must(json.Marshal(map[string]any{"provenance": report.Origin{Trained: []report.Trained{foreign}}}))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "figures", "quick"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, entry.File(run.Quick)), text, 0o644))
	e, err := From("a", entry, func(_ struct{}, e *Evidence) error {
		e.Printed("a", 1, 2)
		return nil
	}).evidence(root)
	require.NoError(t, err)
	require.Equal(t, Skipped, e.Outcome)
	require.Equal(t, "figures/quick/fig.json "+other, e.Reason)
	require.Empty(t, e.Measured)
}

// What was made with uncommitted changes is refused by name, and gives no verdict whatever it measured.
func TestUncommittedResultsAreRefused(t *testing.T) {
	day := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	clean := []report.Trained{{Commit: "abc", Finished: day}, {Commit: "abc", Finished: day.AddDate(0, 0, 3)}}
	e := Evidence{Outcome: Done, Record: Record{Measured: []Measurement{{What: "error"}}}}
	refuse(&e, clean)
	require.Equal(t, Done, e.Outcome)
	require.Equal(t, "2 trainings, 2026-11-02 to 2026-11-05, abc", origin(clean))

	dirty := append(clean, report.Trained{Label: "GridRoom-4", Seeds: []int64{7}, Commit: "def+", Finished: day})
	refuse(&e, dirty)
	require.Equal(t, "1 of 3 trainings were made with changes that were not committed (the first: GridRoom-4, "+
		"seeds [7], commit def+) and must be made again", e.Reason)
	claim := Claim{ID: "a", Kind: Number}
	require.Equal(t, NotTested, claim.Judge([]Evidence{e}))
	refused := Row{Claim: claim, Evidence: []Evidence{e}}
	require.Contains(t, refused.Measured(), "refused: 1 of 3 trainings")
	require.Contains(t, refused.Measured(), "error: 0 ≤ 0")
	require.Equal(t, "3 trainings, 2026-11-02 to 2026-11-05, abc and def+", origin(dirty))
}
