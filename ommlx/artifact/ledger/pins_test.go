package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
)

// Evidence that shrinks is named: a source, a measurement and a tolerance. What grows, or is narrower, is welcome.
func TestEvidenceThatShrinksIsNamed(t *testing.T) {
	from := func(source string, m ...claims.Measurement) claims.Evidence {
		return claims.Evidence{Source: source, Outcome: claims.Done, Record: claims.Record{Measured: m}}
	}
	loss := claims.Measurement{What: "loss", Tolerance: 1e-9}
	wide, narrow, printed := loss, loss, loss
	wide.Tolerance, narrow.Tolerance, printed.Printed = 1e-3, 1e-12, true
	before := []Row{row("a", claims.Holds, from("T1", loss), from("T2"))}
	for want, now := range map[string]Row{
		"nothing comes from T2 any more":              row("a", claims.Holds, from("T1", loss)),
		`T1 does not measure "loss" any more`:         row("a", claims.Holds, from("T1", printed), from("T2")),
		`the tolerance of "loss" is 1e-03, was 1e-09`: row("a", claims.Holds, from("T1", wide), from("T2")),
	} {
		lost := shrunk(before, []Row{now})
		require.Len(t, lost, 1)
		require.Contains(t, lost[0], want)
	}
	require.Empty(t, shrunk(before, []Row{row("a", claims.Holds, from("T1", narrow, printed), from("T2"), from("T3"))}))
	absent := from("T1")
	absent.Outcome, absent.Reason = claims.Skipped, "no mazes"
	require.Empty(t, shrunk(before, []Row{row("a", claims.NotRun, absent)}), "what is missing here is told elsewhere")
}

// A result rests on the trainings that are planned for it, and says which were made with uncommitted changes.
func TestResultsRestOnWhatIsPlanned(t *testing.T) {
	entry := report.Entry{Name: "fig", Plan: func(lab.Profile) ([]lab.Job, error) {
		return []lab.Job{{Key: "k1", Seeds: []int64{1}}}, nil
	}}
	n, err := planned(entry, lab.Quick, []report.Trained{{Key: "k1", Commit: "abc"}, {Key: "k1", Commit: "abc+"}})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	_, err = planned(entry, lab.Quick, []report.Trained{{Key: "k2", Label: "GridRoom-4", Seeds: []int64{7}}})
	require.ErrorContains(t, err, "GridRoom-4, seeds [7], which is not among the trainings of fig in the quick profile")
}
