package pde

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/spectral"
)

func TestWellProtocol(t *testing.T) {
	s := Well(run.Paper)
	papertest.Protocol(t, papertest.Claim{}, map[string]bool{
		`$\Omega=[-L,L]^2$ where $L=5$`:                                    s.Box == 5,
		`We used a uniform distribution for sampling with batch size 512.`: s.Sigma == 0 && s.Batch == 512,
		`We used $k=15$ disjoint neural networks without random Fourier features, but with the Dirichlet boundary ` +
			`mask.`: s.K == 15 && s.Frequencies == 0 && s.Box > 0,
		`We trained for $5\times 10^3$ iterations.`: s.Train.Steps == 5_000,
		`with learning rate $10^{-3}$ without any learning rate scheduler.`: s.Train.Adam.LearningRate == 1e-3 &&
			assert.ObjectsAreEqual(optim.Schedule{}, s.Train.Adam.Schedule),
		`3 hidden layers of 128 units with the softplus activation`: slices.Equal(s.Hidden, []int{128, 128, 128}),
	})
}

func TestHydrogenProtocol(t *testing.T) {
	list := hydrogen.experiments(run.Paper)
	require.Len(t, list, 2)
	sanger, lora := list[0], list[1]
	require.Equal(t, []string{"sanger", "lora_seq"}, []string{sanger.Method, lora.Method})
	require.True(t, lora.OneSided)
	require.Equal(t, 1024, sanger.Frequencies)
	papertest.Protocol(t, papertest.Of(t, "hydrogen-protocol"), map[string]bool{
		`We used 16 separate fully connected neural networks with 3 hidden layers of 128 units with the softplus ` +
			`activation.`: sanger.K == 16 && slices.Equal(sanger.Hidden, []int{128, 128, 128}),
		`We also used the multi-scale Fourier features`:         sanger.Frequencies > 0,
		`generated new minibatch sample of size 512`:            sanger.Batch == 512,
		`We trained the neural networks for $10^5$ iterations.`: sanger.Train.Steps == 100_000,
		`learning rate $10^{-4}$ with the cosine learning rate scheduler`: sanger.Train.Adam.LearningRate == 1e-4 &&
			sanger.Train.Adam.Schedule.Decay == optim.Cosine,
		`We multiplied the operator by $100$, but did not shift it by a multiple of identity.`: sanger.Scale == 100 &&
			sanger.Shift == 0 && !sanger.Inverse,
		`We ran 10 different training runs for each method`: len(sanger.Seeds) == 10,
	})
	lora.Method, lora.OneSided = sanger.Method, sanger.OneSided
	papertest.Protocol(t, papertest.Of(t, "hydrogen-same-configuration"), map[string]bool{
		`Exactly same configurations were used for both the Sanger variant and`: assert.ObjectsAreEqual(sanger, lora),
	})
}

func TestOscillatorProtocol(t *testing.T) {
	s := Oscillator(run.Paper)
	papertest.Protocol(t, papertest.Claim{}, map[string]bool{
		`$\Nc(0,4\Imat_2)$ as a sampling distribution with batch size 512.`: s.Sigma == 2 && s.Batch == 512,
		`We used $k=28$ disjoint neural networks`:                           s.K == 28,
		`over the bounded box $[-10,10]^2$`:                                 s.Box == 10,
		`We trained for $5\times 10^4$ iterations.`:                         s.Train.Steps == 50_000,
		`with learning rate $10^{-4}$ and the cosine learning rate scheduler.`: s.Train.Adam.LearningRate == 1e-4 &&
			assert.ObjectsAreEqual(optim.Schedule{Decay: optim.Cosine, Steps: 50_000}, s.Train.Adam.Schedule),
	})
}

func TestValidateNamesTheField(t *testing.T) {
	for word, change := range map[string]func(*Experiment){
		"helium":      func(e *Experiment) { e.System = "helium" },
		"401 states":  func(e *Experiment) { e.K = 401 },
		"scale -1":    func(e *Experiment) { e.Scale = -1 },
		"batch 0":     func(e *Experiment) { e.Batch = 0 },
		"weak true":   func(e *Experiment) { e.Weak = true },
		"deviation":   func(e *Experiment) { e.Sigma = -1 },
		"frequencies": func(e *Experiment) { e.Frequencies = -1 },
		"scales":      func(e *Experiment) { e.Frequencies = 8 },
		"width":       func(e *Experiment) { e.Hidden = []int{0} },
		"spare -3":    func(e *Experiment) { e.Spare = -3 },
		"nosuch":      func(e *Experiment) { e.Method = "nosuch" },
		"Steps":       func(e *Experiment) { e.Train.Steps = 0 },
	} {
		e := Well(run.Smoke)
		change(&e)
		assert.ErrorContains(t, e.Validate(), word)
	}
}

// Small networks learn the lowest energies, π²/50·{1, 5/2, 5/2}, in order, and errors fall.
func TestWellIsLearned(t *testing.T) {
	place := &run.Lab{Root: t.TempDir(), Profile: run.Smoke}
	s := Well(run.Smoke)
	s.Hidden, s.Batch, s.Train.Adam.LearningRate, s.Train.EMA.Decay = []int{64, 64}, 128, 3e-3, 0
	s = s.withSteps(500)
	r := papertest.Trained[Experiment, Run](t, place, s)
	require.Len(t, r.Runs, 2)
	ground := math.Pi * math.Pi / 50
	for i, run := range r.Runs {
		assert.InEpsilon(t, ground, run.Energies[0], 0.2)
		for _, e := range run.Energies[1:] {
			assert.InEpsilon(t, 2.5*ground, e, 0.25)
		}
		assert.Less(t, run.Subspaces[0], 0.1)
		assert.Less(t, run.Angles[0], 0.35)
		assert.Less(t, r.History[len(r.History)-1].Value[i], r.History[0].Value[i]/4)
	}
	for i, seed := range s.Seeds {
		alone := testkit.Must(run.Run(t.Context(), place, s.With([]int64{seed})))
		assert.Equal(t, i == 0, assert.ObjectsAreEqual(r.Picture, alone.Picture), "the picture is the first seed's")
		assert.Equal(t, i == 0, len(alone.Picture) > 0, "other seeds keep no picture")
	}
}

// untrained returns the scored functions of the first run before training, and their evaluator.
func untrained(t *testing.T, e Experiment) (j *evaluator, f Sampled, energies []float64) {
	t.Helper()
	b, _ := testkit.Must2(backend.Open())
	p := testkit.Must(e.Problem())
	j = testkit.Must(newEvaluator(b, e, p.Data[0]))
	t.Cleanup(j.free)
	f = testkit.Must(j.functions(p.Params, j.Points))[0]
	energies, _ = testkit.Must2(j.energies(f))
	return j, f, energies
}

// The scored functions are orthonormal, T is diagonal in them, and their energies ascend. Untrained networks have none
// of these properties.
func TestSpareFunctionsGiveRitzFunctions(t *testing.T) {
	e := Well(run.Smoke)
	e.Spare = 2
	j, f, energies := untrained(t, e)
	d := testkit.Must(spectral.Diagnose(f.Psi, f.TPsi, j.Weights))
	assert.InDeltaSlice(t, []float64{1, 1, 1}, d.Norms, 1e-9)
	assert.Less(t, max(d.Cosine, d.Coupling), 1e-4)
	assert.True(t, slices.IsSorted(energies))
}

// Energies follow from the Rayleigh quotients of T = −Scale·H + Shift or of (Scale·H)⁻¹ + Shift.
func TestEnergiesOfExactFunctions(t *testing.T) {
	for _, e := range []Experiment{Hydrogen(run.Smoke, "sanger"), Well(run.Smoke)} {
		e.Shift = 0.3
		j, _, _ := untrained(t, e)
		exact := j.spectrum.Energies()[:e.K]
		n, _ := j.truth.Dims()
		truth := mat.DenseCopyOf(j.truth.Slice(0, n, 0, e.K))
		f := Sampled{Psi: truth, TPsi: mat.DenseCopyOf(truth)}
		f.TPsi.Apply(func(_, i int, psi float64) float64 {
			if e.Inverse {
				return (1/(e.Scale*exact[i]) + e.Shift) * psi
			}
			return (-e.Scale*exact[i] + e.Shift) * psi
		}, f.TPsi)
		energies, relative := testkit.Must2(j.energies(f))
		assert.InDeltaSlice(t, exact, energies, 1e-9, e.System)
		assert.Less(t, floats.Max(relative), 1e-9, e.System)
	}
}

// The figures and the table share trainings.
func TestFiguresAndVariantsOfASmokeRun(t *testing.T) {
	files := papertest.Made(t, &run.Lab{Root: t.TempDir(), Profile: run.Smoke, PureGo: true}, Beyond(), Figure2(),
		Figure4(), Figure5(), Figure6(), Figure7(), Figure8())
	require.Len(t, variantsUnder(run.Smoke), 6)
	for _, v := range variantsUnder(run.Smoke) {
		assert.Contains(t, files[Beyond().Name+".md"], v.about)
	}
}

// Variants are read from the quick table while the one at the paper's scale lacks some of them.
func TestBeyondOfReadsACompleteTable(t *testing.T) {
	root := t.TempDir()
	for p, systems := range map[run.Profile][]string{run.Paper: {"well"}, run.Quick: {"well", "oscillator"}} {
		var d VariantsData
		d.Provenance.Drawn.Profile = p
		for _, v := range variantsUnder(p) {
			if slices.Contains(systems, v.experiment.System) || v.about == sanger || v.about == oscillatorOMM {
				d.Rows = append(d.Rows, newVariantRow(v.about, Result{Config: v.experiment}))
			}
		}
		file := filepath.Join(root, Beyond().File(p))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, testkit.Must(json.Marshal(d)), 0o644))
	}
	for system, want := range map[string]run.Profile{"well": run.Paper, "oscillator": run.Quick, "hydrogen": ""} {
		p, _ := testkit.Must2(BeyondOf(system).Read(root))
		require.Equal(t, want, p, system)
	}
	p, _ := testkit.Must2(BeyondOf("hydrogen", sanger).Read(root))
	require.Equal(t, run.Paper, p, "this row is there")
}

// A network smooths the cusp of hydrogen's ground state e^(−r), like e^(−√(r²+a²)). The quadrature has its energy to
// 1e-4 for every a, so it is never below −1.
func TestEnergyOfASmoothedCusp(t *testing.T) {
	known, _ := testkit.Must2(Hydrogen(run.Paper, "sanger").lowest(1))
	energy := func(q Quadrature, a float64) float64 {
		var with, norm float64
		for p, weight := range q.Weights {
			r := math.Hypot(q.Points.At(p, 0), q.Points.At(p, 1))
			s := math.Hypot(r, a)
			laplacian := r*r/(s*s) - a*a/(s*s*s) - 1/s // of e^(−s), divided by e^(−s)
			psi2 := weight * math.Exp(-2*s)
			with, norm = with-psi2*(laplacian+1/r), norm+psi2
		}
		return with / norm
	}
	q, fine := testkit.Must(known.quadrature()), testkit.Must(Disc(3_200, 1, 200))
	for _, a := range []float64{0.5, 0.2, 0.1, 0.05, 0.02} {
		assert.InDelta(t, energy(fine, a), energy(q, a), 1e-4, "a = %g", a)
		assert.Greater(t, energy(q, a), -1.0)
	}
}
