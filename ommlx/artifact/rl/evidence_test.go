package rl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/claims"
)

// bars is an environment with one average for each of the paper's methods.
func bars(seq, joint, allo float64) Fig1Environment {
	env := Fig1Environment{Name: "E"}
	for label, mean := range map[string]float64{labelSequential: seq, labelJoint: joint, labelALLO: allo} {
		v := Fig1Value{Label: label}
		v.fill(of(Experiment{}.WithSteps(100), mean, mean))
		env.Bars = append(env.Bars, v)
	}
	return env
}

func TestFigure1IsComparedWithALLO(t *testing.T) {
	e := measured(t, "fig1-comparable", Figure1(),
		Fig1Data{Environments: []Fig1Environment{bars(0.9, 0.5, 0.8), bars(0.7, 0.7, 0.8)}})[0]
	require.Len(t, e.Measured, 2)
	require.InDelta(t, 0.1, e.Measured[0].Value, 1e-15, "sequential nesting, in the second environment")
	require.InDelta(t, 0.3, e.Measured[1].Value, 1e-15, "joint nesting")
	require.False(t, e.Measured[1].Within())
	require.False(t, e.Measured[1].Open)
	require.Equal(t, []string{"OMM-seq 0.800, ALLO 0.800; OMM-seq ahead in 1 of 2 environments",
		"OMM-joint 0.600, ALLO 0.800; OMM-joint ahead in 0 of 2 environments",
		"2 run(s) of 100 steps; OMM-seq/OMM-joint/ALLO: E 0.90/0.50/0.80, E 0.70/0.70/0.80"}, e.Notes)
}

// A lead within the spread of the runs tells nothing; one beyond it decides, whatever else is open.
func TestLeadsWithinTheSpreadTellNothing(t *testing.T) {
	spread := bars(0.7, 0.8, 0.9)
	for i := range spread.Bars {
		r := spread.Bars[i].Result
		r.Runs[0].Average, r.Runs[1].Average = r.Runs[0].Average-0.05, r.Runs[1].Average+0.05
		spread.Bars[i].fill(r)
	}
	e := measured(t, "fig1-comparable", Figure1(), Fig1Data{Environments: []Fig1Environment{spread}})[0]
	require.True(t, e.Measured[0].Within())
	require.True(t, e.Measured[0].Open)
	require.True(t, e.Measured[1].Open)
	verdict := func() claims.Verdict {
		claim, ok := claims.Find("fig1-comparable")
		require.True(t, ok)
		e.Outcome = claims.Done // as at the paper's scale
		return claim.Judge([]claims.Evidence{e})
	}
	require.Equal(t, claims.CannotTell, verdict())
	both := Fig1Data{Environments: []Fig1Environment{spread, bars(0.7, 0.7, 0.8)}}
	e = measured(t, "fig1-comparable", Figure1(), both)[0]
	require.False(t, e.Measured[0].Within())
	require.False(t, e.Measured[0].Open)
	require.Equal(t, claims.Differs, verdict())

	oneCertain := bars(0.7, 0.8, 0.9) // of joint nesting nobody can tell, sequential nesting is certainly behind
	for i := range oneCertain.Bars {
		if v := &oneCertain.Bars[i]; v.Label == labelJoint {
			v.Result.Runs[0].Average, v.Result.Runs[1].Average = 0.7, 0.9
			v.fill(v.Result)
		}
	}
	e = measured(t, "fig1-comparable", Figure1(), Fig1Data{Environments: []Fig1Environment{oneCertain}})[0]
	require.Equal(t, []bool{false, true}, []bool{e.Measured[0].Open, e.Measured[1].Open})
	require.Equal(t, claims.Differs, verdict())
}

func TestNestingsAreCompared(t *testing.T) {
	e := measured(t, "seq-vs-joint", Figure1(),
		Fig1Data{Environments: []Fig1Environment{bars(0.9, 0.5, 1), bars(0.6, 0.8, 1)}})[0]
	require.Len(t, e.Measured, 1)
	require.InDelta(t, -0.1, e.Measured[0].Value, 1e-15)
	want := "sequential 0.750, joint 0.650; sequential ahead in 1 of 2 environments, at worst behind by 0.200"
	require.Len(t, e.Notes, 2)
	require.Contains(t, e.Notes[0], "-0.100 ± 3.812, the 95% interval over the environments")
	require.Equal(t, want, e.Notes[1])
	require.True(t, e.Measured[0].Open)
	e = measured(t, "seq-vs-joint", Figure1(), Fig1Data{Environments: []Fig1Environment{bars(0.7, 0.8, 1)}})[0]
	require.False(t, e.Measured[0].Within())
}

func TestTheNearestReadingIsNamed(t *testing.T) {
	row := func(v variant, averages ...float64) ReadingRow {
		return newReadingRow(of(v.in("GridRoom-4", tab2Modes, 1), averages...))
	}
	pairs, exact := nearest, variant{Reading: Reading{0, 1, OverlapPairs}, Expectation: Exact}
	pairs.Overlap, pairs.Expectation = OverlapPairs, AllPairs
	fewer := nearest
	fewer.Transitions, fewer.Length = 1_000_000, 1_000
	d := ReadingsData{Rows: []ReadingRow{row(exact, 0.1), row(textual, 0.77, 0.771), row(pairs, 0.9), row(fewer, 0.8)}}
	e := measured(t, "pair-law", Readings(), d)[0]
	require.Equal(t, claims.Done, e.Outcome, "fewer transitions than the paper's are what is looked at")
	require.Len(t, e.Measured, 1, "the text's reading is that with sampled transitions")
	require.Contains(t, e.Measured[0].What, "environments, of 1,")
	require.InDelta(t, 1, e.Measured[0].Value, 0)
	require.Contains(t, e.Notes[0], "GridRoom-4, 1 run(s) of 80000 steps, printed 0.870 ± 0.004: 0.100 with γ = 0, "+
		"κ = 1, exact P; 0.770 ± 0.001 with γ = 0, κ = 1, M[f] from the pairs' first ends; ")
	require.Contains(t, e.Notes[0], "0.800 with γ = 0.9, κ = 1, M[f] from two batches of states of its own, "+
		"1,000,000 transitions, episodes of 1,000")
	require.Contains(t, e.Notes[0], "nearest: γ = 0.9, κ = 1, all pairs in every step")

	e = measured(t, "pair-law", Readings(), ReadingsData{Rows: []ReadingRow{row(nearest, 0.9)}})[0]
	require.Equal(t, claims.Small, e.Outcome, "the text's reading has not been run")

	d = ReadingsData{Rows: []ReadingRow{row(textual, 0.868, 0.871)}}
	require.True(t, measured(t, "pair-law", Readings(), d)[0].Measured[0].Within())
	for i := range d.Rows {
		d.Rows[i].Result.Config = d.Rows[i].Result.Config.WithSteps(100)
	}
	e = measured(t, "pair-law", Readings(), d)[0]
	require.Equal(t, claims.Small, e.Outcome)
	require.Empty(t, e.Measured)
	d.Rows[0].Result = nil
	require.ErrorContains(t, nearestReading(d, &claims.Evidence{}), "a row of GridRoom-4 without a result")
}

// No reading is listed twice, and all are valid in the environments where they are run.
func TestReadingsAreDistinctAndValid(t *testing.T) {
	list, _ := readings().plan(lab.Paper)
	seen := map[string]bool{}
	for _, e := range list {
		require.NoError(t, e.Validate())
		key, err := lab.Key(e)
		require.NoError(t, err)
		require.False(t, seen[key], e.Label())
		seen[key] = true
	}
	require.Len(t, list, 3*len(readingsCompared())+3)
}
