package images

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/operator"
	"operator-omm/ommlx/train"
)

// tiny is an experiment of seconds.
func tiny() Experiment {
	e := Quick("simclr", Top)
	e.Seeds, e.Width, e.K, e.Batch, e.Epochs = lab.Seeds(2), 1, 4, 512, 4
	e.Probe.Batch, e.Probe.Epochs = 256, 5
	return e.scheduled(digitsImages)
}

func newLab(t *testing.T) *lab.Lab { return &lab.Lab{Root: t.TempDir(), Profile: lab.Smoke} }

// A training that is cut off, with its running statistics, its place in the shuffled images and half of a batch, ends
// as one that is not.
func TestAnInterruptedTrainingGoesOnToTheSameResult(t *testing.T) {
	e, b := tiny(), graphtest.PureGo(t)
	e.Parts, e.Epochs = 2, 2
	e = e.scheduled(digitsImages)
	require.NoError(t, e.Validate())
	require.Equal(t, 12, e.config(digitsImages).Steps, "two for one of LARS")
	require.Equal(t, 6, e.LARS.Schedule.Steps)
	require.Equal(t, 256, e.parts(digitsImages).Batch)
	run := func(ctx context.Context, dir string) ([]Run, error) {
		task, err := e.Start(b)
		require.NoError(t, err)
		defer task.Close()
		task.Config.EvalEvery = 12 // each look encodes blocks of images
		trained, err := train.Run(ctx, task.Problem, task.Config, train.Options{Backend: b, Dir: dir, Eval: task.Score})
		if err != nil {
			return nil, err
		}
		return task.Judge(context.Background(), trained)
	}
	whole, err := run(context.Background(), t.TempDir())
	require.NoError(t, err)
	require.Len(t, whole, 2)
	assert.NotEqual(t, whole[0].Spectrum, whole[1].Spectrum, "other seeds must give other numbers")
	for _, one := range whole {
		assert.Equal(t, 252, one.Linear.N)
		assert.Positive(t, one.Linear.Top5)
	}

	dir := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	stop() // ends at the first checkpoint
	_, err = run(ctx, dir)
	require.ErrorIs(t, err, train.ErrInterrupted)
	require.ErrorContains(t, err, "at step 1 of 12", "within a batch")
	resumed, err := run(context.Background(), dir)
	require.NoError(t, err)
	assert.Equal(t, whole, resumed)
}

// A checkpoint of another network is refused, and stays.
func TestACheckpointOfAnotherNetworkIsNotUsed(t *testing.T) {
	e, b := tiny(), graphtest.PureGo(t)
	d, err := e.read()
	require.NoError(t, err)
	run := func(ctx context.Context, e Experiment, dir string) error {
		p, err := e.problem(d)
		require.NoError(t, err)
		_, err = train.Run(ctx, p, e.config(digitsImages), train.Options{Backend: b, Dir: dir})
		return err
	}
	dir := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	stop()
	require.ErrorIs(t, run(ctx, e, dir), train.ErrInterrupted)
	wider := e
	wider.Width = 2
	before, err := filepath.Glob(filepath.Join(dir, "*.ckpt"))
	require.NoError(t, err)
	require.NotEmpty(t, before)
	require.ErrorContains(t, run(context.Background(), wider, dir), dir)
	after, err := filepath.Glob(filepath.Join(dir, "*.ckpt"))
	require.NoError(t, err)
	require.Equal(t, before, after)
}

// The spectrum is that of the features that the loss sees: the judge's norm is [operator.CDK]'s.
func TestTheJudgeHasTheNormOfTheLoss(t *testing.T) {
	rng := graphtest.NewRand(4)
	f := graphtest.Gaussian(rng, 1, 6, 5)
	flat := make([]float32, len(f.Data))
	for i, x := range f.Data {
		flat[i] = float32(x)
		f.Data[i] = float64(flat[i])
	}
	for _, n := range []Norm{Unit, Root, Free} {
		norm, err := n.of()
		require.NoError(t, err)
		want := graphtest.NewProgram(t, func(in []*Node) []*Node {
			return []*Node{Slice(operator.CDK(in[0], in[0], norm).F, AxisRange(), AxisRange(0, 6))}
		}).Call(t, f)[0]
		got := (&judge{experiment: Experiment{Norm: n}}).normalised(flat, 6).RawMatrix().Data
		require.InDeltaSlice(t, want.Data, got, 1e-9, n)
	}
}

// A run that is not finite is judged as nothing; the others are judged as without it.
func TestADivergedRunIsSilent(t *testing.T) {
	e := encoded{{1, 2}, {3, float32(math.Inf(1))}}
	e.silence()
	require.Equal(t, encoded{{1, 2}, {0, 0}}, e)
}

// Table 1 in the smoke profile is made of real trainings on the digits and their negatives, and is drawn again from
// what was kept.
func TestTable1IsWritten(t *testing.T) {
	place := newLab(t)
	require.NoError(t, report.Make(context.Background(), place, []report.Entry{Table1()}))
	path := filepath.Join(place.Root, ".omm", "smoke", "tables", "tab1_cifar100")
	text, err := os.ReadFile(path + ".md")
	require.NoError(t, err)
	for _, word := range []string{"# Table 1: linear probe on digits and negatives", "| SimCLR | projector | 66.50 | ",
		"| N/A |",
		"| OMM-seq, p = 1 | DirectCLR | 52.96 | not run |", "Smoke profile",
		"digits and negatives, ResNet-10 of width 2", "| pixels | none |",
		"best baseline by the linear probe (pixels, "} {
		assert.Contains(t, string(text), word)
	}
	for _, ending := range []string{".csv", ".tex", ".json"} {
		assert.FileExists(t, path+ending)
	}
}
