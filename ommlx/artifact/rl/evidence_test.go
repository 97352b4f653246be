package rl

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/run"
)

// figure1 returns an environment for each triple of averages of OMM-seq, OMM-joint and ALLO by the authors' settings,
// and a row whose two runs are apart, the only source of noise.
func figure1(apart float64, averages ...[3]float64) (d Fig1Data) {
	for i, means := range averages {
		env := Fig1Environment{Name: fmt.Sprint("E", i)}
		var rows []row
		for method, label := range paperMethods {
			result := of(Experiment{Environment: env.Name}.WithSteps(100), means[method], means[method])
			rows = append(rows, row{label: label, protocol: PublicProtocol, result: result})
		}
		noisy := of(Experiment{Environment: env.Name}.WithSteps(100), 0.5, 0.5+apart)
		env.Bars = fig1Bars(append(rows, row{label: "noisy", result: noisy}))
		d.Environments = append(d.Environments, env)
	}
	return d
}

// Methods are compared in pairs, with an interval for the environments and a wider one over environments.
func TestFigure1ComparesWithALLO(t *testing.T) {
	d := figure1(0.12, [3]float64{0.9, 0.5, 0.8}, [3]float64{0.7, 0.7, 0.8}, [3]float64{0.8, 0.6, 0.8})
	e := measured(t, "fig1-comparable", Figure1(), d)
	require.Len(t, e.Measured, 4)
	require.InDelta(t, 0, e.Measured[0].Value, 1e-12, "sequential nesting: −0.1, 0.1 and 0")
	require.True(t, e.Measured[0].Within())
	require.True(t, e.Measured[0].Open, "0 ± 0.053: the interval contains the limit")
	require.InDelta(t, 1, e.Measured[1].Value, 0, "the second environment, by 0.1 in equal runs")
	require.InDelta(t, 0.2, e.Measured[2].Value, 1e-12, "joint nesting: 0.3, 0.1, 0.2")
	require.False(t, e.Measured[2].Within())
	require.InDelta(t, 3, e.Measured[3].Value, 0)
	require.Equal(t, "2 runs, the paper 4 and 10", e.Runs)
	require.Equal(t, claims.Done, e.Outcome)

	d = figure1(0.04, [3]float64{0.9, 0.5, 0.8}, [3]float64{0.7, 0.7, 0.8}, [3]float64{0.8, 0.6, 0.8})
	e = measured(t, "fig1-comparable", Figure1(), d)
	require.False(t, e.Measured[0].Open, "0 ± 0.018")
	require.True(t, *e.Measured[0].Before, "0 ± 0.25 over environments")

	d = figure1(0.04, [3]float64{0.8, 0.7, 0.82}, [3]float64{0.7, 0.6, 0.71}, [3]float64{0.9, 0.8, 0.9})
	e = measured(t, "fig1-comparable", Figure1(), d)
	require.True(t, e.Measured[0].Within())
	require.False(t, e.Measured[0].Open, "0.01 ± 0.018")
	require.False(t, e.Measured[2].Within())
	require.False(t, e.Measured[2].Open, "0.11 ± 0.018")
	require.InDelta(t, -0.1, measured(t, "seq-vs-joint", Figure1(), d).Measured[0].Value, 1e-12)
	d.Environments[0].Bars[0].Result = nil
	e = measured(t, "fig1-comparable", Figure1(), d)
	require.InDelta(t, 0, e.Measured[1].Value, 0, "environments in which OMM-seq was not run do not count")

	// The paper calls comparable what the authors' logged runs show.
	d = figure1(0.04, [3]float64{0.9, 0.98, 0.99})
	require.InDelta(t, 1, measured(t, "fig1-comparable", Figure1(), d).Measured[1].Value, 0)
	for theirs, want := range map[float64]float64{0.9: 1, 0.88: 0} {
		d.Environments[0].Bars[0].Theirs, d.Environments[0].Bars[2].Theirs = &theirs, new(0.98)
		require.InDelta(t, want, measured(t, "fig1-comparable", Figure1(), d).Measured[1].Value, 0, theirs)
	}

	d.Environments = append(d.Environments, Fig1Environment{Name: "not run", Bars: []Fig1Value{
		{Label: labelSequential, Protocol: PublicProtocol}, {Label: labelJoint, Protocol: PublicProtocol}}})
	require.Equal(t, claims.Small, measured(t, "seq-vs-joint", Figure1(), d).Outcome)
	d.Environments = d.Environments[1:]
	require.Equal(t, claims.Skipped, measured(t, "fig1-comparable", Figure1(), d).Outcome)
}

func TestTextAsItStandsIsMeasured(t *testing.T) {
	d := beyondOf([]string{"GridRoom-4"}, map[string][]float64{labelText: {0.77, 0.771}, labelTransitions: {0.85}})
	e := measured(t, "pair-law", Beyond(), d)
	require.Equal(t, claims.Done, e.Outcome)
	require.Len(t, e.Measured, 2)
	require.Contains(t, e.Measured[0].What, "environments, of 1,")
	require.InDelta(t, 1, e.Measured[0].Value, 0)
	require.InDelta(t, 0, e.Measured[1].Value, 0)
	e = measured(t, "pair-law", Beyond(), BeyondData{Rows: d.Rows[:1]})
	require.Equal(t, claims.Small, e.Outcome, "one of the readings has not been run")
	e = measured(t, "pair-law", Beyond(), BeyondData{})
	require.Equal(t, claims.Small, e.Outcome, "the text's protocol has not been run")
}

func TestEffectOfShiftIsMeasured(t *testing.T) {
	d := beyondOf(tab2Environments(), map[string][]float64{labelProducts: {0.69, 0.71}, labelNoShift: {0.8, 0.81}})
	e := measured(t, "omm-has-no-hyperparameters", Beyond(), d)
	require.InDelta(t, 0.105, e.Measured[0].Value, 1e-12)
	require.False(t, e.Measured[0].Open)
	d.Rows = d.Rows[:1]
	require.Equal(t, claims.Skipped, measured(t, "omm-has-no-hyperparameters", Beyond(), d).Outcome)
}

// A part of Table 2 is judged by one paired comparison over its ten environments. Its interval has the noise of runs,
// which cells with one run take from the others.
func TestPartOfTable2IsOneComparison(t *testing.T) {
	d := Tab2Data{}
	for i, name := range tab2Environments() {
		off := 0.02 * float64(i%2*2-1) // of both signs
		c := Tab2Cell{Part: "c", Protocol: PublicProtocol, Environment: name, PaperMean: 0.8}
		if c.fill(of(July(name, "omm_seq"), 0.8+off)); i < 2 {
			c.fill(of(July(name, "omm_seq"), 0.8+off-0.01, 0.8+off+0.01))
		}
		d.Cells = append(d.Cells, c)
	}
	a := d.Difference("c", PublicProtocol)
	require.Equal(t, 10, a.Environments)
	require.InDelta(t, 0, a.Difference, 1e-12)
	require.InDelta(t, 4.303*0.01414*0.3, a.Within, 1e-4, "t with ν = 2, s = 0.01·√2, √(8 + 2/2)/10")
	require.InDelta(t, 0.0151, a.Elsewhere, 1e-3, "2.262 · 0.0211/√10")
	e := measured(t, "tab2-c", Table2(), d)
	require.Equal(t, claims.Done, e.Outcome)
	require.True(t, e.Measured[0].Within())
	require.False(t, e.Measured[0].Open)
	require.Contains(t, e.Notes[0], "a single run")

	d.Cells[0].PaperStd = 0.5
	require.InDelta(t, math.Hypot(a.Within, 1.96*0.5/math.Sqrt(5)/10), d.Difference("c", PublicProtocol).Within, 1e-12)
	d.Cells[0].PaperStd = 0

	for i, c := range d.Cells {
		d.Cells[i].fill(of(c.Result.Config, *c.Mean-0.2))
	}
	e = measured(t, "tab2-c", Table2(), d)
	require.False(t, e.Measured[0].Within())
	require.True(t, e.Measured[0].Open, "no cell has several runs, so the noise is unknown")
	for i := range d.Cells[:9] {
		d.Cells[i].Result, d.Cells[i].Mean = nil, nil
	}
	require.Equal(t, claims.Small, measured(t, "tab2-c", Table2(), d).Outcome, "one environment is not the whole part")
}

// ALLO with the pair of k = 11 is compared with what the paper prints for the re-tuned one, on average 0.845.
func TestALLOWithoutTuningIsComparedWithTheTunedOne(t *testing.T) {
	for score, want := range map[float64]claims.Verdict{0.5: claims.Holds, 0.9: claims.NotReproduced} {
		d := tab2Of(run.Paper, func(r row) []float64 { return []float64{score, score} })
		e := measured(t, "allo-untuned-fails", Table2(), d)
		require.InDelta(t, score-0.8447, e.Measured[0].Value, 1e-4)
		require.Equal(t, want, claims.Claim{Kind: claims.Behaviour}.Decide([]claims.Evidence{e}))
	}
}
