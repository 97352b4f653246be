package claims

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// measured is evidence of a check that ended as outcome.
func measured(outcome Outcome, m ...Measurement) Evidence {
	return Evidence{Outcome: outcome, Record: Record{Measured: m}}
}

func TestVerdictFollowsFromTheEvidence(t *testing.T) {
	small := Measurement{What: "difference", Value: 1e-13, Tolerance: 1e-12}
	printed, fails := small, small
	printed.Printed, fails.Printed = true, true
	fails.Value = 1
	notANumber := small
	notANumber.Value = math.NaN()
	plain := Claim{Kind: Theorem}
	number := Claim{Kind: Number}
	condition := Claim{Kind: Theorem, Correction: "k ≤ rank A"}
	other := Claim{Kind: Theorem, Correction: "the other way round", Replaced: true}
	for _, c := range []struct {
		name     string
		claim    Claim
		evidence []Evidence
		want     Verdict
	}{
		{"nothing", plain, nil, NotRun},
		{"as printed", plain, []Evidence{measured(Done, printed)}, Holds},
		{"a note alone", plain, []Evidence{measured(Done)}, Holds},
		{"one of two skipped", plain, []Evidence{measured(Done, printed), measured(Skipped)}, NotRun},
		{"one of two failed", plain, []Evidence{measured(Done, printed), measured(Failed)}, Contradictory},
		{"fails, and nothing explains it", plain, []Evidence{measured(Done, fails)}, Contradictory},
		{"a number that differs", number, []Evidence{measured(Done, fails)}, Differs},
		{"a number at a smaller scale", number, []Evidence{measured(Small, fails)}, NotAtScale},
		{"needs a condition", condition, []Evidence{measured(Done, fails, small)}, HoldsWith},
		{"a matter of words", condition, []Evidence{measured(Done, printed)}, HoldsWith},
		{"the correction is wrong", condition, []Evidence{measured(Done, fails, notANumber)}, Contradictory},
		{"false", other, []Evidence{measured(Done, fails, small)}, NotAsPrinted},
		{"said to be false, but nothing shows it", other, []Evidence{measured(Done, printed, small)}, Contradictory},
	} {
		require.Equal(t, c.want, c.claim.Judge(c.evidence), c.name)
	}
}

func TestVerdictsAreOrdered(t *testing.T) {
	require.True(t, NotRun.WorseThan(Holds))
	require.True(t, Contradictory.WorseThan(NotRun))
	require.True(t, Verdict("proved").WorseThan(Contradictory), "an unknown verdict says nothing")
	require.False(t, Holds.WorseThan(Holds))
}

// The catalogue is read by people and by programs: IDs name one claim each, and a row says what it must.
func TestEveryClaimIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range All() {
		require.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, c.ID)
		require.False(t, seen[c.ID], "%s is there twice", c.ID)
		seen[c.ID] = true
		require.NotEmpty(t, c.Where, c.ID)
		require.NotEmpty(t, c.Statement, c.ID)
		require.Contains(t, []Kind{Identity, Theorem, Behaviour, Number}, c.Kind, c.ID)
		require.True(t, c.Check != "" || c.Missing != "", "%s: how it is checked, or what is missing", c.ID)
		require.False(t, c.Replaced && c.Correction == "", "%s: what is so instead", c.ID)
	}
}
