package pde

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

// says returns what a measure makes of data, by way of its JSON.
func says[T any](t *testing.T, measure func(T, *claims.Evidence) error, want claims.Outcome, data T) claims.Evidence {
	t.Helper()
	text := testkit.Must(json.Marshal(data))
	e := claims.Evidence{Outcome: claims.Done}
	require.NoError(t, json.Unmarshal(text, &data))
	require.NoError(t, measure(data, &e))
	require.Equal(t, want, e.Outcome)
	return e
}

// variantsOf is a table of variants.
func variantsOf(rows ...Result) (d VariantsData) {
	for _, r := range rows {
		d.Rows = append(d.Rows, newVariantRow("", r))
	}
	return d
}

func TestRunsThatRunAwayAreCounted(t *testing.T) {
	s := hydrogenExperiment(run.Quick, "omm_seq")
	s.K = 1
	ended := func(diverged int, norm float64) Run {
		one := scoring(s, 0.1)
		one.Diverged, one.Norms = diverged, []float64{norm}
		return one
	}
	history := []train.Point{{Value: []float64{4, 4, 4}}, {Value: []float64{1, 9, 1}},
		{Value: []float64{2, 9, 2}, Loss: []float64{-1, -2, -1e7}}}
	lost := Result{Config: s, Runs: []Run{ended(0, 1), ended(70, 300), ended(0, 1)}, History: history}
	without := says(t, runsAway(false), claims.Small, variantsOf(lost))
	require.InDelta(t, 1./3, without.Measured[0].Value, 1e-12, "one diverged, one has a loss of −10⁷")
	require.Contains(t, without.Notes[0], "2 of 3 finite (the others lost from step 70), largest norm 300, "+
		"lowest loss -1e+07, relative error of the energies 4 at the start, 1 at the least, 2 at the end")
	lost.Runs[0].Norms[0] = 11
	require.Zero(t, says(t, runsAway(false), claims.Small, variantsOf(lost)).Measured[0].Value)

	first := PaperHydrogen("omm_seq").withSteps(200)
	first.K, first.Seeds = 16, run.Seeds(1)
	quick := wavesOf(first, 0.1)
	both := says(t, runsAway(false), claims.Done, variantsOf(lost, quick))
	require.InDelta(t, 1, both.Measured[0].Value, 0, "the first steps of the paper's experiment count, and they stay")
	require.Equal(t, "1 run, first 200 of 100,000 steps", both.Runs)
	quick.Config.Scale = 10
	require.False(t, quick.Config.firstSteps(), "another scale is another experiment")

	s.Shift = s.Scale
	kept := Result{Config: s, Runs: []Run{ended(0, 1), ended(0, 1), ended(0, 1)}, History: history[:2]}
	with := says(t, runsAway(true), claims.Small, variantsOf(kept))
	require.Zero(t, with.Measured[0].Value)
	require.Contains(t, with.Notes[0], "κ = 1 of the scale")
}

// scoring is a run all of whose scores are x; one that diverged for NaN.
func scoring(e Experiment, x float64) Run {
	if math.IsNaN(x) {
		return Run{Diverged: 5}
	}
	_, states := testkit.Must2(e.lowest(e.K))
	each := slices.Repeat([]float64{x}, e.K)
	return Run{Energies: each, Errors: each, Angles: each, Norms: slices.Repeat([]float64{1}, e.K),
		Subspaces: slices.Repeat([]float64{x}, len(states.Spaces))}
}

// wavesOf is a result with the errors of its runs, of which there may be fewer than planned, as where kept results are
// drawn; a run without is one that diverged.
func wavesOf(s Experiment, errors ...float64) Result {
	s.Seeds = run.Seeds(len(errors))
	r := Result{Config: s}
	for _, x := range errors {
		r.Runs = append(r.Runs, scoring(s, x))
	}
	return r
}

// What claims say of variants is measured on rows that are made up. Kept results at the paper's scale may have fewer
// runs of one than of another. A table without what is compared is an error.
func TestVariantsAreCompared(t *testing.T) {
	hydrogen, oscillator := hydrogenExperiment(run.Quick, "sanger"), oscillatorExperiment(run.Quick)
	well, paper := wellExperiment(run.Quick), wellExperiment(run.Paper)
	with := func(e Experiment, changes ...change) Experiment {
		for _, change := range changes {
			change(&e)
		}
		return e
	}
	bare, wide := func(e *Experiment) { e.Box = 0 }, func(e *Experiment) { e.Sigma = 4 }
	weak, smallBatch := func(e *Experiment) { e.Weak = true }, func(e *Experiment) { e.Batch = 7 }
	nan := math.NaN()
	for name, c := range map[string]struct {
		measure func(VariantsData, *claims.Evidence) error
		outcome claims.Outcome
		rows    []Result
		want    []float64 // what is measured, with words of it and of the notes
		words   []string
	}{
		"RMSProp on hydrogen": {adamAgainstRMSProp, claims.Small, []Result{wavesOf(hydrogen, 0.1, 0.3, 0.2),
			wavesOf(with(hydrogen, weak), 9), wavesOf(with(hydrogen, byRMSProp), 0.4, 0.6),
			wavesOf(with(hydrogen, warmedUp), 7, 7)}, []float64{0.4},
			[]string{"hydrogen, Sanger, α = 0.99: Adam's error of the energies over RMSProp's, to 1",
				"Adam's error of the energies 0.2000 ± 0.1000, RMSProp's 0.5000 ± 0.1414",
				"with a warm-up: 7.0000", "Adam 3 runs, RMSProp 2 runs"}},
		"RMSProp that diverges": {adamAgainstRMSProp, claims.Small, []Result{wavesOf(well, 0.1, 0.1),
			wavesOf(with(well, ofLongMemory), nan, nan)}, []float64{0}, []string{"RMSProp's all runs diverged"}},
		"the mask": {maskIsEssential, claims.Small, []Result{wavesOf(oscillator, 0.1, 0.1),
			wavesOf(with(oscillator, smallBatch), 9, 9), wavesOf(with(oscillator, bare), 0.2, nan),
			wavesOf(with(oscillator, maskAsFactor), 0.05, 0.05)}, []float64{0.5, 0.25},
			[]string{"standard deviation 2, of whose samples 1e-06 lie outside the box", "1 of 2 runs finite"}},
		"the mask and wide samples": {maskIsEssential, claims.Small, []Result{wavesOf(oscillator, 0.1),
			wavesOf(with(oscillator, wide), 0.4), wavesOf(with(oscillator, wide, bare), 0.2),
			wavesOf(with(oscillator, bare), 0.4), wavesOf(with(oscillator, maskAsFactor), 0.05)},
			[]float64{2, 0.25, 0.125}, // the constant beside the samples of its own deviation
			[]string{"samples of standard deviation 4: error of the energies with the mask over that without, to 0.5"}},
		"differences in the well": {differencesAreSlow, claims.Done, []Result{wavesOf(paper, 0.1, 0.3),
			wavesOf(with(paper, byRMSProp), 9), wavesOf(with(paper, differences(publishedStep)), 2),
			wavesOf(with(paper, differences(0.1)), 0.5)}, []float64{0.4}, // by the step that comes nearest
			[]string{"h = 0.01: mean relative error of the energies 2.0000 (1 run), exact derivatives " +
				"0.2000 ± 0.1414; 1 and 2 runs of 5000 steps"}},
		"differences on hydrogen": {differencesWork, claims.Small, []Result{wavesOf(hydrogen, 0.1),
			wavesOf(with(hydrogen, differences(publishedStep)), 0.2)}, []float64{2}, nil},
	} {
		e := says(t, c.measure, c.outcome, variantsOf(c.rows...))
		said := strings.Join(append(e.Notes, e.Runs), "\n")
		require.Len(t, e.Measured, len(c.want), name)
		for i, m := range e.Measured {
			require.InDelta(t, c.want[i], m.Value, 1e-12, name)
			said += fmt.Sprintf("\n%s, to %g", m.What, m.Tolerance)
		}
		for _, word := range c.words {
			require.Contains(t, said, word, name)
		}
	}
	none := &claims.Evidence{}
	slow, bareOne := wavesOf(with(hydrogen, byRMSProp), 1), wavesOf(with(oscillator, bare), 1)
	require.ErrorContains(t, adamAgainstRMSProp(variantsOf(wavesOf(well, 1), slow), none), "make it again", "no Adam")
	require.Error(t, adamAgainstRMSProp(variantsOf(wavesOf(hydrogen, 1)), none), "no RMSProp")
	require.Error(t, maskIsEssential(variantsOf(wavesOf(oscillator, 1), bareOne), none), "no constant")
}

// A variant with another optimiser or derivative differs from the first other row of its method in nothing else.
func TestVariantsAreComparedWithWhatTheyAreVariantsOf(t *testing.T) {
	plain := func(e Experiment) Experiment {
		e.Train.RMSProp, e.Train.Adam, e.Difference = nil, optim.Adam{}, 0
		return e
	}
	var list []Experiment
	for _, v := range variants() {
		list = append(list, v.under(run.Paper))
	}
	for _, e := range list {
		first := slices.IndexFunc(list, func(o Experiment) bool { return o.System == e.System && o.Method == e.Method })
		if e.Difference > 0 || e.Train.RMSProp != nil {
			require.Equal(t, plain(list[first]), plain(e), e.Label())
		}
	}
}

func TestSangerAndLoRAAreCompared(t *testing.T) {
	result := func(method string, errors ...float64) *Result {
		r := wavesOf(hydrogenExperiment(run.Quick, method), errors...)
		return &r
	}
	data := Numbers{Results: []*Result{result("sanger", 0.5, 0.51), result("lora_seq", 0.2, 0.21)}}
	e := says(t, onPar, claims.Small, data)
	require.Len(t, e.Measured, 2, "angles and subspaces")
	for _, m := range e.Measured {
		require.InDelta(t, 0.3, m.Value, 1e-12)
		require.InDelta(t, 0.25*0.205, m.Tolerance, 1e-12)
		require.False(t, m.Within() || m.Open)
	}
	data.Results[0] = result("sanger", 0.1, 0.5)
	require.True(t, says(t, onPar, claims.Small, data).Measured[0].Open)
	require.Error(t, onPar(Numbers{Results: data.Results[:1]}, &claims.Evidence{}))
}

// The functions of all runs count, by their angles to the exact eigenspaces; a run that diverged does not. The picture
// of the first run is told beside them.
func TestPicturedFunctionsAreComparedInAllRuns(t *testing.T) {
	config := hydrogenExperiment(run.Quick, "sanger")
	config.K = 3
	runs := []Run{scoring(config, 1), scoring(config, 1), {Angles: []float64{1, 1, 1}, Diverged: 5}}
	runs[0].Angles, runs[1].Angles = []float64{0, math.Pi / 3, 1}, []float64{0, 0, 1}
	known := testkit.Must(config.system())
	exact := testkit.Must(known.Lowest(3))
	q := testkit.Must(schrodinger.Grid(2, pictureSide, known.region(3)))
	truth := testkit.Must(exact.OnPoints(q.Points))
	r := &Result{Config: config, Runs: runs}
	for i := range 3 {
		r.Picture = append(r.Picture, mat.Col(nil, i, truth))
	}
	e := says(t, picturesMatch, claims.Small, Pictures{Numbers{Results: []*Result{r}}})
	require.InDelta(t, (0.5+2*(1-math.Cos(1)))/6, e.Measured[0].Value, 1e-12)
	require.Contains(t, e.Notes[0], "Sanger: average cosine 0.")
	require.Contains(t, e.Notes[0], "over 2 runs; of the pictures of the first run, aligned, at least ")
}

// A file from which something that is measured was taken says what that is.
func TestWhatIsNotWholeIsNoEvidence(t *testing.T) {
	config := wellExperiment(run.Quick)
	config.K = 1
	taken := func(take func(*Result)) *Result {
		r := &Result{Config: config, Runs: []Run{scoring(config, 0.1)}, History: []train.Point{{Value: []float64{0.1}}}}
		take(r)
		return r
	}
	full := taken(func(*Result) {})
	e := says(t, energiesAreAccurate, claims.Small, Numbers{Results: []*Result{full}})
	require.InDelta(t, 0.1, e.Measured[0].Value, 1e-12)
	diverged := taken(func(r *Result) { r.Runs[0] = Run{Diverged: 3} })
	_, err := from("", Figure8(), energiesAreAccurate).Measured(
		testkit.Must(json.Marshal(Numbers{Results: []*Result{diverged}})), &claims.Evidence{})
	require.NoError(t, err, "it may not have been judged")
	for want, r := range map[string]*Result{
		"a place without a result":      nil,
		"run 0 has 0 scores":            taken(func(r *Result) { r.Runs[0].Angles = nil }),
		"run 0 has 2 scores":            taken(func(r *Result) { r.Runs[0].Subspaces = []float64{1, 2} }),
		"the history has 0 values at s": taken(func(r *Result) { r.History[0].Value = nil }),
		"function 0 of its picture has": taken(func(r *Result) { r.Picture = [][]float64{{1}} }),
	} {
		list := []*Result{full, r}
		text := testkit.Must(json.Marshal(map[string]any{"results": list, "rows": []VariantRow{
			{Result: list[0]}, {Result: list[1]}}}))
		for _, k := range Evidence() {
			_, err := k.Measured(text, &claims.Evidence{})
			require.ErrorContains(t, err, want, k.Claim)
		}
	}
}

// ofVariants is what each claim that rests on variants measures of them, under a profile and with the same error for
// every run; NaN for runs that diverged.
func ofVariants(t *testing.T, p run.Profile, error float64) (all []claims.Evidence) {
	t.Helper()
	var d VariantsData
	for _, v := range variants() {
		x := v.under(p)
		d.Rows = append(d.Rows, newVariantRow(v.about, wavesOf(x, slices.Repeat([]float64{error}, len(x.Seeds))...)))
	}
	for _, k := range Evidence() {
		if k.Entry.Name == Beyond().Name {
			e := claims.Evidence{Outcome: claims.Done, Record: claims.Record{Claim: k.Claim}}
			_, err := k.Measured(testkit.Must(json.Marshal(d)), &e)
			require.NoError(t, err, "%s, %s", p, k.Claim)
			all = append(all, e)
		}
	}
	require.NotEmpty(t, all)
	return all
}

// Every claim that rests on a table of variants can be judged by that of the paper profile, as after
// `make tables PROFILE=paper`. Groups of that table have equally many modes.
func TestTheTablesOfThePaperProfileAreEvidence(t *testing.T) {
	for p, want := range map[run.Profile]claims.Outcome{run.Quick: claims.Small, run.Paper: claims.Done} {
		for _, e := range ofVariants(t, p, 0.01) {
			outcome := want
			if len(e.Measured) == 0 || e.Claim == "omm-seq-diverges-without-shift" { // a remark, and first steps
				outcome = claims.Done
			}
			require.Equal(t, outcome, e.Outcome, "%s, %s", p, e.Claim)
		}
	}
}

// Where all runs of both sides diverged nothing is within its tolerance.
func TestTotalDivergenceIsNoEvidence(t *testing.T) {
	for _, e := range ofVariants(t, run.Paper, math.NaN()) {
		for _, m := range e.Measured {
			divergence := e.Claim == "omm-seq-diverges-without-shift" // which is about it
			require.True(t, divergence || !m.Within(), "%s: %s", e.Claim, m.What)
		}
	}
}
