package pde

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// resultWithErrors returns a result with a run for each number: all its errors, or NaN for a run that diverged.
func resultWithErrors(e Experiment, errors ...float64) *Result {
	_, states := testkit.Must2(e.lowest(e.K))
	e.Seeds = run.Seeds(len(errors))
	r := &Result{Config: e}
	for i, x := range errors {
		each := slices.Repeat([]float64{x}, e.K)
		one := Run{Seed: e.Seeds[i], Energies: each, Errors: each, Angles: each,
			Subspaces: slices.Repeat([]float64{x}, len(states.Spaces)), Norms: slices.Repeat([]float64{1}, e.K)}
		if math.IsNaN(x) {
			one = Run{Seed: e.Seeds[i], Diverged: 5}
		}
		r.Runs = append(r.Runs, one)
	}
	return r
}

// evidence returns the evidence of each claim on variants, for a whole table in which rows have the given errors.
func evidence(t *testing.T, p run.Profile, errorOf func(about string) float64) map[string]claims.Evidence {
	t.Helper()
	all, d := map[string]claims.Evidence{}, VariantsData{}
	for _, v := range variantsUnder(run.Paper) {
		d.Rows = append(d.Rows, newVariantRow(v.about, *resultWithErrors(v.experiment, errorOf(v.about))))
	}
	for _, s := range variantSources() {
		all[s.Claim] = papertest.Measured(t, variantSources(), s.Claim, Beyond(), p, d)
	}
	return all
}

func TestVariantsAreCompared(t *testing.T) {
	errors := map[string]float64{sanger: 0.1, "Sanger's variant, " + rmsProp99: 0.2, "no mask": 0.5, wideSamples: 2,
		spin: 4, neuralEF: 0.5, wellDifferences[0]: 4, slowRMSProp: 2}
	all := evidence(t, run.Quick, func(about string) float64 {
		if x, there := errors[about]; there {
			return x
		}
		return 1
	})
	for claim, want := range map[string][]float64{
		"adam-beats-rmsprop":       {0.5, 1, 0.1},
		"lora-beats-spin-neuralef": {2},
		"inverse-unstable":         {0.25, 0.5},
		"dirichlet-mask-essential": {2, 2, 2},
		"well-finite-differences":  {1},
		"omm-seq-shift-repairs":    {0},
	} {
		require.Len(t, all[claim].Measured, len(want), claim)
		for i, m := range all[claim].Measured {
			require.InDelta(t, want[i], m.Value, 1e-12, m.What)
		}
	}
	require.False(t, all["dirichlet-mask-essential"].Measured[2].Printed)

	// For the claim on first steps these are the paper's scale; a remark has no scale.
	for p, want := range map[run.Profile]claims.Outcome{run.Quick: claims.Small, run.Paper: claims.Done} {
		for claim, e := range evidence(t, p, func(string) float64 { return 0.01 }) {
			if len(e.Measured) > 0 && claim != "omm-seq-diverges-without-shift" {
				require.Equal(t, want, e.Outcome, claim)
			} else {
				require.Equal(t, claims.Done, e.Outcome, claim)
			}
		}
	}

	// If all runs diverge, only the claim on divergence is within its tolerance.
	for claim, e := range evidence(t, run.Paper, func(string) float64 { return math.NaN() }) {
		for _, m := range e.Measured {
			require.Equal(t, claim == "omm-seq-diverges-without-shift", m.Within(), "%s: %s", claim, m.What)
		}
	}
}

func TestRanAway(t *testing.T) {
	ended := func(diverged int, norm float64) Run { return Run{Diverged: diverged, Norms: []float64{norm}} }
	r := VariantRow{Result: &Result{Runs: []Run{ended(0, 1), ended(70, 1), ended(0, 11), ended(0, 1)},
		History: []train.Point{{Loss: []float64{-1e7, -1, -1, -1}}, {Loss: []float64{-1, -1, -1, -1e7}}}}}
	for i, want := range []bool{false, true, true, true} {
		require.Equal(t, want, r.ranAway(i), i)
	}
}

// At the paper's scale no two rows are the same training. Rows that are compared for their optimisers or derivatives
// differ in nothing else.
func TestComparedVariantsDifferInOneSetting(t *testing.T) {
	plain := func(e Experiment) Experiment {
		e.Train.RMSProp, e.Train.Adam, e.Difference = nil, optim.Adam{}, 0
		return e
	}
	all, keys := map[string]Experiment{}, map[string]string{}
	for _, v := range variantsUnder(run.Paper) {
		e, key := v.experiment, run.Key(v.experiment)
		all[e.System+v.about] = e
		require.Empty(t, keys[key], v.about)
		keys[key] = v.about
	}
	for _, c := range comparisons {
		for _, r := range c.ratios {
			for _, other := range r.over {
				a, b := all[c.system+r.row], all[c.system+other]
				require.NotEmpty(t, a.System, r.row)
				require.NotEmpty(t, b.System, other)
				if a.Difference+b.Difference > 0 || a.Train.RMSProp != nil || b.Train.RMSProp != nil {
					require.Equal(t, plain(a), plain(b), other)
				}
			}
		}
	}
}

func TestSangerAndLoRAAreCompared(t *testing.T) {
	result := func(method string, errors ...float64) *Result {
		return resultWithErrors(Hydrogen(run.Quick, method), errors...)
	}
	var e claims.Evidence
	data := Numbers{Results: []*Result{result("sanger", 0.5, 0.51), result("lora_seq", 0.2, 0.21)}}
	require.NoError(t, onPar(data, &e))
	require.Len(t, e.Measured, 4, "energies, angles and subspaces, and diverged runs")
	require.Equal(t, "Sanger 2 runs of 10, LoRA-seq 2 runs of 10", e.Runs)
	require.Contains(t, e.Notes, "energy of mode 1: Sanger's 0.5050 ± 0.0071, LoRA's 0.2050 ± 0.0071")
	for _, m := range e.Measured[:3] {
		require.InDelta(t, 0.3, m.Value, 1e-12)
		require.InDelta(t, 0.25*0.205, m.Tolerance, 1e-12)
		require.False(t, m.Within() || m.Open)
	}
	data.Results[0], e = result("sanger", 0.1, 0.5), claims.Evidence{}
	require.NoError(t, onPar(data, &e))
	require.True(t, e.Measured[0].Open)
}

// The comparison is by the angles to the exact eigenspaces and leaves out runs that diverged.
func TestPicturedFunctionsAreComparedInAllRuns(t *testing.T) {
	config := Hydrogen(run.Quick, "sanger")
	config.K = 3
	r := resultWithErrors(config, 1, 1, math.NaN())
	r.Runs[0].Angles, r.Runs[1].Angles = []float64{0, math.Pi / 3, 1}, []float64{0, 0, 1}
	r.Runs[2].Angles, r.Picture = []float64{1, 1, 1}, make([][]float64, 3)
	var e claims.Evidence
	require.NoError(t, picturesMatch(Pictures{Numbers: Numbers{Results: []*Result{r}}}, &e))
	require.InDelta(t, (0.5+2*(1-math.Cos(1)))/6, e.Measured[0].Value, 1e-12)
}

// README.md has the errors of the energies, the worst energy and lost functions next to the distances of eigenspaces,
// and does not call hydrogen's runs printed ones.
func TestReadmeHasEnergiesAndWorstStates(t *testing.T) {
	root := t.TempDir()
	two := func(e Experiment) *Result {
		r := resultWithErrors(e, 0.01, 0.03)
		r.Runs[1].Errors, r.Runs[1].Subspaces = slices.Clone(r.Runs[1].Errors), slices.Clone(r.Runs[1].Subspaces)
		r.Runs[1].Errors[3], r.Runs[1].Subspaces[2] = 0.13, 0.6
		return r
	}
	for exhibit, e := range map[*report.Exhibit]Experiment{new(Figure4()): Hydrogen(run.Paper, "sanger"),
		new(Figure6()): Oscillator(run.Paper), new(Figure8()): Well(run.Paper)} {
		file := filepath.Join(root, exhibit.File(run.Paper))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, testkit.Must(json.Marshal(Numbers{Results: []*Result{two(e)}})), 0o644))
	}
	text := strings.Join(testkit.Must(Findings(root)).Details, " ")
	for _, want := range []string{"well 0.023 and 0.052 (2 runs)", "7.0 % (hydrogen, mode 4)",
		"in 1 of 2 runs of the well"} {
		require.Contains(t, text, want)
	}
	rows := testkit.Must(Overview(root)).Rows
	require.Equal(t, []string{BaseCode, "as printed", "as printed"}, []string{rows[0].Kind, rows[1].Kind, rows[2].Kind})
	file := testkit.Must(os.ReadFile(filepath.Join(root, Figure8().File(run.Paper))))
	_, ours := testkit.Must2(Headlines()[2].Numbers(file))
	require.Equal(t, "OMM-seq 0.0233 and 0.0517; 2 runs each", ours)
}
