package claims

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/testkit"
)

// measured returns the evidence of a check with an outcome.
func measured(outcome Outcome, m ...Measurement) Evidence {
	return Evidence{Outcome: outcome, Record: Record{Measured: m}}
}

func TestJudge(t *testing.T) {
	small := Measurement{What: "difference", Value: 1e-13, Tolerance: 1e-12}
	printed, fails := small, small
	printed.Printed, fails.Printed = true, true
	fails.Value = 1
	notANumber := small
	notANumber.Value = math.NaN()
	plain := Claim{Kind: Theorem}
	number := Claim{Kind: Number}
	condition := Claim{Kind: Theorem, Condition: "k ≤ rank A"}
	other := Claim{Kind: Theorem, Correction: "the other way round"}
	noted := Claim{Kind: Theorem, Caveat: "true for complex matrices, too"}
	untested := Claim{Kind: Number, NotTested: "a setting"}
	open := fails
	open.Open = true
	read := func(contradictions float64) Evidence {
		return Reading{How: Read, What: "settings", Value: contradictions}.evidence("id")
	}
	for _, c := range []struct {
		name     string
		claim    Claim
		evidence []Evidence
		want     Verdict
	}{
		{"read and confirmed", number, []Evidence{read(0)}, Holds},
		{"read and contradicted", number, []Evidence{read(2)}, NotReproduced},
		{"read and corrected", other, []Evidence{read(2)}, WrongAsPrinted},
		{"read and confirmed, although corrected", other, []Evidence{read(0)}, CheckFailed},
		{"nothing", plain, nil, NotTested},
		{"as printed", plain, []Evidence{measured(Done, printed)}, Holds},
		{"nothing measured", plain, []Evidence{measured(Done)}, CheckFailed},
		{"only an amended statement measured", plain, []Evidence{measured(Done, small)}, CheckFailed},
		{"the same with a caveat", noted, []Evidence{measured(Done, small)}, CheckFailed},
		{"one of two skipped", plain, []Evidence{measured(Done, printed), measured(Skipped)}, NotTested},
		{"one of two failed", plain, []Evidence{measured(Done, printed), measured(Failed)}, CheckFailed},
		{"fails without an explanation", plain, []Evidence{measured(Done, fails)}, CheckFailed},
		{"a number that differs", number, []Evidence{measured(Done, fails)}, NotReproduced},
		{"a number at a smaller scale", number, []Evidence{measured(Small, fails)}, NotTested},
		{"a setting", untested, []Evidence{measured(Done, printed)}, NotTested},
		{"needs a condition", condition, []Evidence{measured(Done, fails, small)}, HoldsCaveat},
		{"a condition that is not needed", condition, []Evidence{measured(Done, printed, small)}, CheckFailed},
		{"a condition that was not measured", condition, []Evidence{measured(Done, fails)}, CheckFailed},
		{"a caveat", noted, []Evidence{measured(Done, printed)}, HoldsCaveat},
		{"a caveat excuses nothing", noted, []Evidence{measured(Done, fails)}, CheckFailed},
		{"the only one open", number, []Evidence{measured(Done, open)}, Undecided},
		{"one of two open", number, []Evidence{measured(Done, printed, open)}, Undecided},
		{"one open, one fails", number, []Evidence{measured(Done, open, fails)}, NotReproduced},
		{"in two checks", number, []Evidence{measured(Done, open), measured(Done, fails)}, NotReproduced},
		{"of a theorem", plain, []Evidence{measured(Done, open), measured(Done, fails)}, CheckFailed},
		{"a caveat and an open one", noted, []Evidence{measured(Done, open)}, Undecided},
		{"a condition and an open one", condition, []Evidence{measured(Done, open, small)}, Undecided},
		{"the amended statement fails", condition, []Evidence{measured(Done, fails, notANumber)}, CheckFailed},
		{"false", other, []Evidence{measured(Done, fails, small)}, WrongAsPrinted},
		{"corrected, but not measured to be false", other, []Evidence{measured(Done, printed, small)}, CheckFailed},
	} {
		require.Equal(t, c.want, c.claim.Decide(c.evidence), c.name)
	}
}

func TestTheIntervalForThePapersEnvironmentsDecides(t *testing.T) {
	for _, c := range []struct {
		half, over  float64
		now, before Verdict
	}{
		{0.031, 0.033, NotReproduced, Undecided},
		{0.031, 0.031, NotReproduced, NotReproduced},
		{0.033, 0.033, Undecided, Undecided},
		{0.033, 0.031, Undecided, NotReproduced}, // runs vary more than environments
	} {
		e := Evidence{Outcome: Done}
		e.Between("distance", 0.082, 0.05, c.half, c.over)
		r := Row{Claim: Claim{Kind: Number}, Evidence: []Evidence{e}}
		r.Verdict = r.Decide(r.Evidence)
		require.Equal(t, c.now, r.Verdict, c)
		require.Equal(t, c.before, r.Before(), c)
		require.Equal(t, c.now != c.before, strings.Contains(r.Words(), RuleChanged), c)
	}
}

// TestEveryClaimIsComplete: IDs are unique, and every claim has the required fields.
func TestEveryClaimIsComplete(t *testing.T) {
	ids, numbers := map[string]bool{}, map[int]bool{}
	for _, c := range All() {
		require.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, c.ID)
		require.False(t, ids[c.ID] || numbers[c.Number] || c.Number < 1, "%s, number %d", c.ID, c.Number)
		ids[c.ID], numbers[c.Number] = true, true
		require.NotEmpty(t, c.Place, c.ID)
		require.NotEmpty(t, c.Statement, c.ID)
		require.Contains(t, []Kind{Identity, Theorem, Behaviour, Number}, c.Kind, c.ID)
		require.True(t, c.Check != "" || c.NotTested != "", "%s: a check, or the reason for its absence", c.ID)
		require.False(t, c.Correction != "" && c.Condition != "", "%s: one of the two", c.ID)
		require.NotEmpty(t, c.Quotation, c.ID)
		require.LessOrEqual(t, len(c.Quotation), 260, "%s: short enough for a table", c.ID)
	}
}

// Every quotation starts at its line of the paper, apart from line breaks.
func TestQuotationsAreInThePaper(t *testing.T) {
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
		stands("misprint in "+m.Place, m.Quotation, m.Line)
		require.GreaterOrEqual(t, m.Line, last, "in the order of the paper")
		last = m.Line
	}
}

func TestAgreement(t *testing.T) {
	paper := report.Spread{Mean: 0.9, Std: 0.01, Runs: 5}
	one := func(mean float64) report.Spread { return report.SpreadOf([]float64{mean}) }
	for _, c := range []struct {
		why  string
		ours report.Spread
		want Verdict
	}{
		{"ν = 4.9, ±0.036", report.Spread{Mean: 0.93, Std: 0.03, Runs: 5}, Holds},
		{"ν = 4.9, ±0.036", report.Spread{Mean: 0.94, Std: 0.03, Runs: 5}, NotReproduced},
		{"ν = 8, ±0.0146", report.Spread{Mean: 0.88, Std: 0.01, Runs: 5}, NotReproduced},
		{"ν = 1.0, ±0.27: two runs that differ much", report.Spread{Mean: 0.93, Std: 0.03, Runs: 2}, Undecided},
		{"as wide, with all of the paper's runs: ±0.099", report.Spread{Mean: 0.93, Std: 0.08, Runs: 5}, Undecided},
		{"beyond it, however wide", report.Spread{Mean: 0.7, Std: 0.08, Runs: 5}, NotReproduced},
		{"a hundredth counts as agreement", report.Spread{Mean: 0.905, Std: 0, Runs: 5}, Holds},
		{"a single run inside its prediction interval, 2.776·0.01·√1.2 = 0.0304", one(0.92), Undecided},
		{"outside it, if our runs scatter as the paper's do", one(0.99), Undecided},
		{"more than a tenth away", one(1.001), NotReproduced},
		{"on the other side", one(0.799), NotReproduced},
		{"a deviation of NaN", report.Spread{Mean: 0.9, Std: math.NaN(), Runs: 3}, Undecided},
		{"every run diverged", report.SpreadOf(nil), NotReproduced},
	} {
		assert.Equal(t, c.want, Agreement(c.ours, paper, true), "%s: %s", c.ours, c.why)
		assert.Equal(t, NotTested, Agreement(c.ours, paper, false), "a quick run is never a reproduction")
	}
	assert.Equal(t, Undecided, Agreement(one(0.9), one(0.9), true), "neither side has a deviation")
	for _, paper := range []report.Spread{{Mean: 0.9, Std: math.NaN(), Runs: 5},
		{Mean: math.NaN(), Std: 0.01, Runs: 5}} {
		ours := report.Spread{Mean: 0.9, Std: 0.01, Runs: 3}
		assert.Equal(t, Undecided, Agreement(ours, paper, true), "no number was printed")
	}
}
