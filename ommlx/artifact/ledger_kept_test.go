package artifact

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/train"
)

// says returns what a function of the ledger makes of data.
func says[T any](t *testing.T, measure func(T, *claims.Evidence) error, outcome claims.Outcome, data T) claims.Evidence {
	t.Helper()
	text, err := json.Marshal(data)
	require.NoError(t, err)
	e := claims.Evidence{Outcome: outcome}
	require.NoError(t, reading(measure)(text, &e))
	return e
}

func TestFigure1IsComparedWithALLO(t *testing.T) {
	environment := func(seq, joint, allo float64) Fig1Environment {
		result := func(runs int) *LaplacianResult {
			return &LaplacianResult{Config: Laplacian{}.withSteps(100), Runs: make([]LaplacianRun, runs)}
		}
		return Fig1Environment{Name: "E", Bars: []Fig1Value{{Label: "OMM-seq", Mean: &seq, Result: result(4)}, {Label: "OMM-joint", Mean: &joint, Result: result(4)},
			{Label: "ALLO", Mean: &allo, Result: result(10)}}}
	}
	e := says(t, comparable, claims.Done, Fig1Data{Environments: []Fig1Environment{environment(0.9, 0.5, 0.8), environment(0.7, 0.7, 0.8)}})
	require.Len(t, e.Measured, 2)
	require.InDelta(t, 0, e.Measured[0].Value, 1e-15, "sequential nesting")
	require.InDelta(t, 0.2, e.Measured[1].Value, 1e-15, "joint nesting")
	require.False(t, e.Measured[1].Within())
	require.Equal(t, []string{"OMM-seq 0.800, ALLO 0.800; OMM-seq ahead in 1 of 2 environments",
		"OMM-joint 0.600, ALLO 0.800; OMM-joint ahead in 0 of 2 environments", "4 to 10 runs of 100 steps; OMM-seq/OMM-joint/ALLO: E 0.90/0.50/0.80, E 0.70/0.70/0.80"}, e.Notes)
}

func TestTable2IsCountedAtThePapersScaleOnly(t *testing.T) {
	cell := func(part string, mean float64, v Verdict) Tab2Cell {
		return Tab2Cell{Part: part, Environment: "E", PaperMean: 0.8, PaperStd: 0.01, Mean: &mean, Verdict: v,
			Result: &LaplacianResult{Config: Laplacian{}.withSteps(100), Runs: make([]LaplacianRun, 1)}}
	}
	data := Tab2Data{Cells: []Tab2Cell{cell("a", 0.2, Differs), cell("b", 0.8, Reproduced), cell("a", 0.81, Reproduced)}}
	e := says(t, tab2PartOf("a"), claims.Done, data)
	require.Equal(t, 1.0, e.Measured[0].Value)
	require.Equal(t, []string{"(a), 1 run(s) of 100 steps; ours against the paper's: E 0.200 against 0.800 ± 0.010, E 0.810 against 0.800 ± 0.010"}, e.Notes)
	require.Empty(t, says(t, tab2PartOf("a"), claims.Small, data).Measured)
	require.Error(t, tab2PartOf("c")(data, &claims.Evidence{}))
}

func TestTheNearestReadingIsNamed(t *testing.T) {
	row := func(c Choice, of Expectation, all float64) ChoiceRow {
		return ChoiceRow{Environment: "E", Choice: c, Expectation: of, All: all, PaperMean: 0.87, PaperStd: 0.02, Result: &LaplacianResult{Runs: make([]LaplacianRun, 1)}}
	}
	e := says(t, readingsOfTheProtocol, claims.Small, ChoicesData{Rows: []ChoiceRow{
		row(Choice{0, 1}, Exact, 0.1), row(Choice{0, 1}, Minibatch, 0.77), row(Choice{0.9, 0}, AllPairs, 0.9)}})
	require.Len(t, e.Measured, 1, "the text's reading is that with sampled transitions")
	require.InDelta(t, 0.1, e.Measured[0].Value, 1e-12)
	require.InDelta(t, 0.04, e.Measured[0].Tolerance, 1e-12)
	require.Contains(t, e.Notes[0], "nearest to the printed mean: γ = 0.9, κ = 0 (all pairs in every step)")
}

// variantsOf is a table of variants of hydrogen.
func variantsOf(rows ...SchrodingerResult) (d VariantsData) {
	for _, r := range rows {
		row, err := variantRow("", r)
		if err != nil {
			panic(err)
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}

func TestRunsThatStayFiniteAreCounted(t *testing.T) {
	s := hydrogenExperiment(Quick, "omm_seq")
	run := func(diverged int, norm float64) SchrodingerRun {
		return SchrodingerRun{Diverged: diverged, Errors: []float64{0.1}, Subspaces: []float64{0.1}, Norms: []float64{norm}}
	}
	history := []train.Point{{Value: []float64{4, 4, 4}}, {Value: []float64{1, 9, 1}}, {Value: []float64{2, 9, 2}}}
	lost := SchrodingerResult{Config: s, Runs: []SchrodingerRun{run(0, 1), run(70, 300), run(0, 1)}, History: history}
	s.Shift = 1
	kept := SchrodingerResult{Config: s, Runs: []SchrodingerRun{run(0, 1), run(0, 1)}, History: history}
	without := says(t, staysFinite(false), claims.Small, variantsOf(lost, kept))
	require.InDelta(t, 2./3, without.Measured[0].Value, 1e-12)
	require.Contains(t, without.Notes[0], "2 of 3 finite (the others lost from step 70), largest norm 300, relative error of the energies 4 at the start, 1 at the least, 2 at the end")
	with := says(t, staysFinite(true), claims.Small, variantsOf(lost, kept))
	require.Zero(t, with.Measured[0].Value)
	require.True(t, with.Measured[0].Within())
	require.Contains(t, with.Notes[0], "κ = 1")
	require.Error(t, staysFinite(true)(variantsOf(lost), &claims.Evidence{}), "a variant is missing")
}

// waves is a result with the errors of its runs; a run without is one that diverged.
func waves(s Schrodinger, errors ...float64) SchrodingerResult {
	r := SchrodingerResult{Config: s}
	for _, x := range errors {
		run := SchrodingerRun{Errors: []float64{x, x}, Subspaces: []float64{x}, Norms: []float64{1}}
		if math.IsNaN(x) {
			run = SchrodingerRun{Diverged: 5}
		}
		r.Runs = append(r.Runs, run)
	}
	return r
}

func TestRMSPropIsComparedWithAdam(t *testing.T) {
	hydrogen, well := hydrogenExperiment(Quick, "sanger"), wellExperiment(Quick)
	weak, slow, warm, lost := hydrogen, hydrogen, hydrogen, well
	weak.Weak = true
	warmedUp(&warm)
	byRMSProp(&slow)
	ofLongMemory(&lost)
	data := variantsOf(waves(weak, 9, 9), waves(hydrogen, 0.1, 0.3), waves(slow, 0.4, 0.6), waves(warm, 7, 7), waves(well, 0.1, 0.1), waves(lost, math.NaN(), math.NaN()))
	e := says(t, adamAgainstRMSProp, claims.Small, data)
	require.Len(t, e.Measured, 2)
	require.InDelta(t, 0.4, e.Measured[0].Value, 1e-12)
	require.InDelta(t, 1, e.Measured[0].Tolerance, 0)
	require.Contains(t, e.Measured[0].What, "Adam's error of the energies 0.2000 ± 0.1414 over RMSProp's 0.5000 ± 0.1414")
	require.Zero(t, e.Measured[1].Value, "no run with RMSProp stayed finite")
	require.Contains(t, e.Measured[1].What, "RMSProp's all runs diverged")
	require.Contains(t, e.Notes[0], "with a warm-up: 7.0000", "which the paper does not speak of")
	require.Error(t, adamAgainstRMSProp(variantsOf(waves(weak, 1), waves(slow, 1)), &claims.Evidence{}), "there is none with Adam")
	require.Error(t, adamAgainstRMSProp(variantsOf(waves(hydrogen, 1)), &claims.Evidence{}), "there is none with RMSProp")
}

func TestTheMaskIsComparedWithNone(t *testing.T) {
	with := oscillatorExperiment(Quick)
	bare, constant, other := with, with, with
	bare.Box, other.Batch = 0, 7
	maskAsFactor(&constant)
	data := variantsOf(waves(other, 9, 9), waves(with, 0.1, 0.1), waves(bare, 0.2, math.NaN()), waves(constant, 0.05, 0.05))
	e := says(t, maskIsEssential, claims.Small, data)
	require.Len(t, e.Measured, 2)
	require.InDelta(t, 0.5, e.Measured[0].Value, 1e-12)
	require.InDelta(t, 0.25, e.Measured[1].Value, 1e-12)
	require.False(t, e.Measured[1].Printed)
	require.Contains(t, e.Notes[0], "1 of 2 runs finite")
	require.Contains(t, e.Notes[1], "outside the box is 1e-06")
	data.Rows = data.Rows[:3]
	require.ErrorContains(t, maskIsEssential(data, &claims.Evidence{}), "1 variants without the mask")
	require.Error(t, maskIsEssential(variantsOf(waves(with, 1), waves(other, 1)), &claims.Evidence{}))
}

func TestSangerAndLoRAAreComparedByTheirSpread(t *testing.T) {
	result := func(method string, errors ...float64) *SchrodingerResult {
		r := &SchrodingerResult{Config: hydrogenExperiment(Quick, method)}
		for _, x := range errors {
			r.Runs = append(r.Runs, SchrodingerRun{Errors: []float64{x, x}, Angles: []float64{x}, Subspaces: []float64{x}})
		}
		return r
	}
	data := WaveNumbers{Results: []*SchrodingerResult{result("sanger", 0.5, 0.7), result("lora_seq", 0.2, 0.2)}}
	e := says(t, onPar, claims.Done, data)
	require.Len(t, e.Measured, 3)
	for _, m := range e.Measured {
		require.InDelta(t, 0.4, m.Value, 1e-12)
		require.InDelta(t, 2*0.1414, m.Tolerance, 1e-4)
		require.False(t, m.Within())
	}
	require.Error(t, onPar(WaveNumbers{Results: data.Results[:1]}, &claims.Evidence{}))
}

func TestPicturesAreComparedPointByPoint(t *testing.T) {
	data := WavePictures{Methods: []WaveMethod{{Result: &SchrodingerResult{Config: hydrogenExperiment(Quick, "sanger")},
		Aligned: [][]float64{{1, 0}, {1, 1}}, Truth: [][]float64{{2, 0}, {1, 0}}}}}
	e := says(t, picturesMatch, claims.Done, data)
	require.InDelta(t, (1-0.70711)/2, e.Measured[0].Value, 1e-4)
	require.Equal(t, []string{"Sanger, first run: cosine at least 0.707"}, e.Notes)
}

// Every function that reads the committed tables and figures finds what it looks for, and says how much there is.
func TestKeptResultsAreMeasured(t *testing.T) {
	for _, k := range allKept() {
		e, err := k.evidence("../..")
		require.NoError(t, err, k.claim)
		require.NotEmpty(t, e.Notes, k.claim)
		for _, note := range e.Notes {
			require.NotContains(t, note, "NaN", k.claim)
			require.False(t, strings.Contains(note, "%!"), note)
		}
	}
}
