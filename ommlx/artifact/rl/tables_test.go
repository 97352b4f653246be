package rl

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/ledgertest"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/internal/papertest"
)

// of is a result of an experiment whose runs have these averages; NaN is a run that diverged.
func of(e Experiment, averages ...float64) *Result {
	r := &Result{Config: e}
	r.Config.Seeds = lab.Seeds(len(averages))
	for i, x := range averages {
		run := Run{Seed: r.Config.Seeds[i], Average: x, PerMode: make([]float64, e.K)}
		if math.IsNaN(x) {
			run.Average, run.Diverged = 0, 5
		}
		r.Runs = append(r.Runs, run)
	}
	return r
}

// lost are the averages of runs that all diverged.
func lost(runs int) (all []float64) {
	for range runs {
		all = append(all, math.NaN())
	}
	return all
}

// measured is the evidence that an entry's data are for a claim of the list.
func measured(t *testing.T, claim string, entry report.Entry, data any) []claims.Evidence {
	t.Helper()
	return ledgertest.Measured(t, Evidence(), claim, entry, data)
}

// tab2Evidence is what the table says of its three parts.
func tab2Evidence(t *testing.T, d Tab2Data) (all []claims.Evidence) {
	t.Helper()
	for _, part := range []string{"a", "b", "c"} {
		all = append(all, measured(t, "tab2-"+part, Table2(), d)...)
	}
	require.Len(t, all, 3)
	return all
}

// tab2Of fills Table 2 with the same averages in every cell.
func tab2Of(t *testing.T, p lab.Profile, averages func(runs int) []float64) Tab2Data {
	t.Helper()
	cells, list, err := tab2Plan(p)
	require.NoError(t, err)
	for i := range cells {
		e := list[cells[i].place]
		cells[i].fill(of(e, averages(len(e.Seeds))...))
	}
	return Tab2Data{Cells: cells}
}

func TestTable2HasThePapersShape(t *testing.T) {
	for _, part := range tab2Parts() {
		assert.Len(t, part.mean, len(tab2Environments()))
		assert.Len(t, part.std, len(tab2Environments()))
	}
}

// The printed numbers are found in the paper, in its order.
func TestTable2HasThePrintedNumbers(t *testing.T) {
	_, rest, found := strings.Cut(papertest.Source(t), `Ablation study results with ALLO and OMM`)
	require.True(t, found)
	var theirs []float64
	for _, line := range strings.Split(rest, `\\`) {
		cells := strings.Split(line, "&")
		if head := strings.TrimSpace(cells[0]); len(cells) != 6 || !strings.HasSuffix(head, "Mean") && head != "Std" {
			continue
		}
		for _, cell := range cells[1:] {
			x, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
			require.NoError(t, err)
			theirs = append(theirs, x)
		}
	}
	var ours []float64
	for _, part := range tab2Parts()[:3] {
		ours = append(ours, slices.Concat(part.mean[:5], part.std[:5], part.mean[5:], part.std[5:])...)
	}
	require.Len(t, ours, 60)
	require.Equal(t, ours, theirs)
}

// What the text says of Table 2 is measured on averages over environments in which both parts were run.
func TestTheTextOfTable2IsMeasured(t *testing.T) {
	d := tab2Of(t, lab.Paper, func(runs int) []float64 { return slices.Repeat([]float64{0.5}, runs) })
	for i, c := range d.Cells {
		if c.Part == "b" {
			d.Cells[i].fill(of(c.Result.Config, 0.7))
		}
	}
	jump := measured(t, "tab2-retuning-jump", Table2(), d)[0]
	require.Equal(t, claims.Done, jump.Outcome)
	require.InDelta(t, -0.2, jump.Measured[0].Value, 1e-12)
	require.True(t, jump.Measured[0].Within(), "more than 0.05")
	require.Contains(t, jump.Notes[0], "over 10 environments: (a) 0.500, (b) 0.700; printed 0.592, 0.845")
	behind := measured(t, "tab2-omm-comparable", Table2(), d)[0]
	require.InDelta(t, 0.2, behind.Measured[0].Value, 1e-12)
	require.False(t, behind.Measured[0].Within())

	require.False(t, behind.Measured[0].Open)
	for i, c := range d.Cells {
		if c.Part == "c" {
			d.Cells[i].fill(of(c.Result.Config, 0.7-0.02*float64(i%10)))
		}
	}
	behind = measured(t, "tab2-omm-comparable", Table2(), d)[0]
	require.InDelta(t, 0.09, behind.Measured[0].Value, 1e-12)
	require.True(t, behind.Measured[0].Open, "0.09 ± 0.04 but for rounding: the limit is inside, the mean beyond it")

	d.Cells[0].fill(of(d.Cells[0].Result.Config, lost(1)...))
	jump = measured(t, "tab2-retuning-jump", Table2(), d)[0]
	require.Equal(t, claims.Done, jump.Outcome)
	require.Contains(t, jump.Notes[0], "over 10 environments: (a) 0.450", "a part that diverged has learned nothing")

	d.Cells[0].Mean, d.Cells[0].Result = nil, nil
	jump = measured(t, "tab2-retuning-jump", Table2(), d)[0]
	require.Equal(t, claims.Small, jump.Outcome)
	require.Contains(t, jump.Notes[0], "over 9 environments")
	require.Equal(t, claims.Skipped, measured(t, "tab2-retuning-jump", Table2(), Tab2Data{})[0].Outcome)
}

// Another reading of a part stands beside the part's printed numbers, at the paper's scale alone, and says so in the
// evidence of the part.
func TestOtherReadingsStandBesideTheirPart(t *testing.T) {
	parts := tab2Parts()
	evidence := tab2Evidence(t, tab2Of(t, lab.Paper, func(runs int) []float64 { return make([]float64, runs) }))
	for _, c := range []struct {
		other, of int // of the parts
		as        func(Experiment) Experiment
		note      int // of the evidence
		texts     []string
	}{
		{3, 0, func(e Experiment) Experiment { e.BarrierRate = 1; return e }, 1,
			[]string{"ALLO with α = 1, the default of its code, 1 run(s) of 80,000 steps: ours against",
				"GridRoom-4 0.000 against 0.641 ± 0.019 (worse)"}},
		{4, 2, func(e Experiment) Experiment { e.Shift = 0; return e }, 1,
			[]string{"OMM-seq without the shift, 2 run(s) of 80,000 steps: ours against",
				"GridRoom-4 0.000 ± 0.000 against 0.870 ± 0.004 (worse)"}},
		{5, 2, func(e Experiment) Experiment { e.Batch = 4096; return e }, 2,
			[]string{"OMM-seq with a larger batch, 1 run(s) of 80,000 steps: ours against",
				"GridRoom-4 0.000 against 0.870 ± 0.004 (worse)"}},
	} {
		other, part := parts[c.other], parts[c.of]
		require.Equal(t, part.mean, other.mean)
		for _, p := range lab.Profiles() {
			cells, list, err := tab2Plan(p)
			require.NoError(t, err)
			experiments := map[string]map[string]Experiment{other.part: {}, part.part: {}}
			for _, cell := range cells {
				if at := experiments[cell.Part]; at != nil && cell.place >= 0 {
					at[cell.Environment] = list[cell.place]
					require.Equal(t, part.runs, cell.paperRuns())
				}
			}
			require.Len(t, experiments[other.part], map[bool]int{true: len(tab2Environments())}[p == lab.Paper], p)
			for name, e := range experiments[other.part] {
				want := c.as(experiments[part.part][name])
				want.Seeds = lab.Seeds(other.ours)
				require.Equal(t, want, e)
			}
		}
		notes := evidence[c.of].Notes
		require.Len(t, notes, map[string]int{"a": 2, "c": 3}[part.part])
		for _, text := range c.texts {
			require.Contains(t, notes[c.note], text)
		}
	}
}

// A cell whose runs all diverged is no agreement, and the claim is not within its tolerance.
func TestTotalDivergenceIsNoAgreement(t *testing.T) {
	d := tab2Of(t, lab.Paper, lost)
	for _, c := range d.Cells {
		require.Equal(t, report.Diverged, c.Verdict, "%s %s", c.Part, c.Environment)
	}
	require.Contains(t, d.Text().Rows[0], "all runs diverged")
	for _, e := range tab2Evidence(t, d) {
		require.Equal(t, claims.Done, e.Outcome)
		require.Equal(t, map[claims.Verdict]int{claims.Differs: 10}, e.Comparisons)
	}
	claim, ok := claims.Find("tab2-a")
	require.True(t, ok)
	require.Equal(t, claims.Differs, claim.Judge(measured(t, "tab2-a", Table2(), d)))

	some := tab2Of(t, lab.Paper, func(int) []float64 { return []float64{0.8151, 0.8149, 0.815, math.NaN()} })
	require.Equal(t, report.Worse, some.Cells[0].Verdict, "the paper tells of no run that diverged")
	require.Contains(t, some.Text().Rows[0], "4, 1 diverged")

	missing := tab2Of(t, lab.Paper, lost)
	missing.Cells[3].Result, missing.Cells[3].Mean, missing.Cells[3].Verdict = nil, nil, report.NotAtScale
	require.Equal(t, claims.Small, tab2Evidence(t, missing)[0].Outcome, "a cell of part (a) has not been run")
	require.Equal(t, claims.Done, tab2Evidence(t, missing)[1].Outcome)

	list, _ := readings().plan(lab.Paper)
	var rows ReadingsData
	for _, e := range list {
		rows.Rows = append(rows.Rows, newReadingRow(of(e, lost(3)...)))
	}
	require.NotContains(t, rows.Text().Rows[0], "0.0000")
	require.Contains(t, rows.Text().Rows[0], "all runs diverged")
	for _, m := range measured(t, "pair-law", Readings(), rows)[0].Measured {
		require.False(t, m.Within(), m.What)
	}
}

func TestNotesTellTheRunsAndStepsOfTheirTable(t *testing.T) {
	_, list, err := tab2Plan(lab.Quick)
	require.NoError(t, err)
	require.Equal(t, "1 run(s) of 500 to 1,500 steps", extent(list))
	_, list, err = tab2Plan(lab.Paper)
	require.NoError(t, err)
	require.Equal(t, "1 to 5 run(s) of 80,000 steps", extent(list))
	bars, err := fig1Plan(lab.Paper)
	require.NoError(t, err)
	require.Equal(t, "4 to 10 run(s) of 80,000 steps", extent(experimentsOf(bars)))
}

// Which scale a number has follows from the configurations, whatever the profile is called.
func TestTheScaleFollowsFromTheConfigurations(t *testing.T) {
	perfect := func(runs int) []float64 { return make([]float64, runs) }
	for _, e := range tab2Evidence(t, tab2Of(t, lab.Paper, perfect)) {
		require.Equal(t, claims.Done, e.Outcome)
	}
	for _, e := range tab2Evidence(t, tab2Of(t, lab.Quick, perfect)) {
		require.Equal(t, claims.Small, e.Outcome)
		require.Empty(t, e.Measured)
	}
	for p, want := range map[lab.Profile]claims.Outcome{lab.Paper: claims.Done, lab.Quick: claims.Small} {
		d := fig1Of(t, p)
		require.Equal(t, want, measured(t, "fig1-comparable", Figure1(), d)[0].Outcome, p)
		require.Equal(t, want, measured(t, "seq-vs-joint", Figure1(), d)[0].Outcome, p)
	}
}

// fig1Of is figure 1 with the average 0.5 for every run.
func fig1Of(t *testing.T, p lab.Profile) (d Fig1Data) {
	t.Helper()
	for _, name := range gridworld.Names() {
		g, err := gridworld.Load(name)
		require.NoError(t, err)
		env := Fig1Environment{Name: name}
		for _, m := range fig1Methods() {
			bar := fig1Experiment(p, g, m)
			value := Fig1Value{Label: m.label, Beyond: m.beyond}
			averages := make([]float64, len(bar.experiment.Seeds))
			for i := range averages {
				averages[i] = 0.5
			}
			value.fill(of(bar.experiment, averages...))
			env.Bars = append(env.Bars, value)
		}
		d.Environments = append(d.Environments, env)
	}
	return d
}

func TestMissingNumbersAreSaid(t *testing.T) {
	d := Tab2Data{Cells: []Tab2Cell{
		{Part: "c", Environment: "GridRoom-4", PaperMean: 0.8697, PaperStd: 0.0045, Verdict: report.NotAtScale},
	}}
	want := []string{"(c) OMM-seq", "GridRoom-4", "0.8697 ± 0.0045", "not run", "", "", string(report.NotAtScale),
		"", "", ""}
	require.Equal(t, want, d.Text().Rows[0])
}
