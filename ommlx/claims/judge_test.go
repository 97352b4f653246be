package claims

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
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
	other := Claim{Kind: Theorem, Instead: "the other way round"}
	noted := Claim{Kind: Theorem, Note: "true for complex matrices, too"}
	open := fails
	open.Open = true
	compared := func(all ...Verdict) Evidence {
		e := measured(Done)
		for _, v := range all {
			e.Compared(v)
		}
		return e
	}
	for _, c := range []struct {
		name     string
		claim    Claim
		evidence []Evidence
		want     Verdict
	}{
		{"nothing", plain, nil, NotRun},
		{"as printed", plain, []Evidence{measured(Done, printed)}, Holds},
		{"a note alone", plain, []Evidence{measured(Done)}, Contradictory},
		{"one of two skipped", plain, []Evidence{measured(Done, printed), measured(Skipped)}, NotRun},
		{"one of two failed", plain, []Evidence{measured(Done, printed), measured(Failed)}, Contradictory},
		{"fails, and nothing explains it", plain, []Evidence{measured(Done, fails)}, Contradictory},
		{"a number that differs", number, []Evidence{measured(Done, fails)}, Differs},
		{"a number at a smaller scale", number, []Evidence{measured(Small, fails)}, NotAtScale},
		{"needs a condition", condition, []Evidence{measured(Done, fails, small)}, HoldsWith},
		{"a correction of what does not fail", condition, []Evidence{measured(Done, printed, small)}, Contradictory},
		{"a correction without a measurement", condition, []Evidence{measured(Done, fails)}, Contradictory},
		{"a note", noted, []Evidence{measured(Done, printed)}, HoldsNote},
		{"a note decides nothing", noted, []Evidence{measured(Done, fails)}, Contradictory},
		{"all reproduced", number, []Evidence{compared(Reproduced, Reproduced)}, Reproduced},
		{"one better", number, []Evidence{compared(Reproduced, Better)}, Better},
		{"one worse", number, []Evidence{compared(Worse), compared(CannotTell)}, Worse},
		{"one better, one worse", number, []Evidence{compared(Better, Worse)}, Differs},
		{"one runs on", number, []Evidence{compared(Reproduced, CannotTell)}, CannotTell},
		{"one diverged", number, []Evidence{compared(Reproduced, "all runs diverged")}, Differs},
		{"nobody can tell of the only one", number, []Evidence{measured(Done, open)}, CannotTell},
		{"nor of one of two", number, []Evidence{measured(Done, printed, open)}, CannotTell},
		{"one certainly fails beside it", number, []Evidence{measured(Done, open, fails)}, Differs},
		{"in another check", number, []Evidence{measured(Done, open), measured(Done, fails)}, Differs},
		{"of a theorem", plain, []Evidence{measured(Done, open), measured(Done, fails)}, Contradictory},
		{"one fails beside numbers", number, []Evidence{compared(Better, CannotTell), measured(Done, fails)}, Differs},
		{"one within beside numbers", number, []Evidence{compared(Better), measured(Done, printed)}, Better},
		{"a note beside what is open", noted, []Evidence{measured(Done, open)}, CannotTell},
		{"a correction of what is open", condition, []Evidence{measured(Done, open, small)}, CannotTell},
		{"numbers and a correction without a measurement", other,
			[]Evidence{compared(CannotTell), measured(Done, fails)}, Contradictory},
		{"a correction of what does not fail, and numbers", condition,
			[]Evidence{compared(Reproduced), measured(Done, printed, small)}, Contradictory},
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
		require.False(t, c.Instead != "" && c.Correction != "", "%s: one of the two", c.ID)
		require.NotEmpty(t, c.Quotation, c.ID)
		require.LessOrEqual(t, len(c.Quotation), 260, "%s: short enough for a table", c.ID)
	}
}

// Every quotation stands in the paper, from its line on, but for line breaks.
func TestQuotationsStandInThePaper(t *testing.T) {
	lines := strings.Split(testkit.Paper(t), "\n")
	stands := func(what, quotation string, line int) {
		first := strings.Join(strings.Fields(lines[line-1]), " ")
		rest := strings.Join(strings.Fields(strings.Join(lines[line-1:min(line+11, len(lines))], " ")), " ")
		at := strings.Index(rest, quotation)
		require.GreaterOrEqual(t, at, 0, "%s: line %d does not have %q", what, line, quotation)
		require.LessOrEqual(t, at, len(first), "%s: the quotation begins after line %d", what, line)
	}
	for _, c := range All() {
		stands(c.ID, c.Quotation, c.Line)
	}
	last := 0
	for _, m := range Misprints() {
		stands("misprint in "+m.Where, m.Quotation, m.Line)
		require.GreaterOrEqual(t, m.Line, last, "in the order of the paper")
		last = m.Line
	}
}
