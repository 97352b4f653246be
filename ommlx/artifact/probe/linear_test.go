package probe

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// onTheHost trains the classifier of one run in float64, sample by sample. It updates w [C, d] and b [C] in place and
// returns the mean loss of the last epoch.
func onTheHost(l Linear, o optim.SGD, f Features, seed int64, w, b []float64) (loss float64) {
	m := train.Minibatches{Samples: len(f.Labels), Batch: l.Batch}
	theta := [][]float64{w, b}
	v := [][]float64{make([]float64, len(w)), make([]float64, len(b))}
	for step := range l.Epochs * m.PerEpoch() {
		if step%m.PerEpoch() == 0 {
			loss = 0
		}
		grad := [][]float64{make([]float64, len(w)), make([]float64, len(b))}
		for _, sample := range m.Of(seed, step) {
			scores, sum := logitsOf(f, sample, w, b), 0.0
			for _, z := range scores {
				sum += math.Exp(z)
			}
			for c, z := range scores {
				target := l.Smoothing / float64(l.Classes)
				if c == f.Labels[sample] {
					target += 1 - l.Smoothing
				}
				p := math.Exp(z) / sum
				loss -= target * math.Log(p) / float64(l.Batch*m.PerEpoch())
				grad[1][c] += (p - target) / float64(l.Batch)
				for j := range f.Dim {
					grad[0][c*f.Dim+j] += (p - target) / float64(l.Batch) * float64(f.X[sample*f.Dim+j])
				}
			}
		}
		for i := range theta {
			for j := range theta[i] {
				v[i][j] = o.Momentum*v[i][j] + grad[i][j] + o.WeightDecay*theta[i][j]
				theta[i][j] -= o.LearningRate * v[i][j]
			}
		}
	}
	return loss
}

// logitsOf is W x + b of one sample.
func logitsOf(f Features, sample int, w, b []float64) []float64 {
	z := make([]float64, len(b))
	for c := range z {
		z[c] = b[c]
		for j := range f.Dim {
			z[c] += w[c*f.Dim+j] * float64(f.X[sample*f.Dim+j])
		}
	}
	return z
}

// Two sets of features and two seeds in one program have the parameters, losses and accuracies of separate runs in
// float64, for any block size.
func TestLinearAgainstTheHost(t *testing.T) {
	const classes, dim, tests = 7, 5, 103
	o := optim.SGD{LearningRate: 0.1, Momentum: 0.9, WeightDecay: 1e-3}
	var training, test []Features
	for set := range uint64(2) {
		a, b := task(set, 90, tests, dim, classes, 0.7)
		training, test = append(training, a), append(test, b)
	}
	seeds := []int64{3, 8}
	for _, smoothing := range []float64{0, 0.1} {
		l := Linear{Classes: classes, Batch: 20, Epochs: 6, Optimiser: o, Smoothing: smoothing}
		p := testkit.Must(l.Problem(training, seeds))
		b := testkit.Backend(t)
		got := testkit.Must(l.Run(t.Context(), training, test, seeds, train.Options{Backend: b}))
		require.Len(t, got.Training.History, l.Epochs+1)
		for run := range 4 {
			set, seed := run/2, run%2
			w := testkit.FromTensor(p.Params[0]).Run(run)
			bias := testkit.FromTensor(p.Params[1]).Run(run)
			loss := onTheHost(l, o, training[set], seeds[seed], w.Data, bias.Data)
			testkit.RequireClose(t, w, testkit.FromTensor(got.Training.Params[0]).Run(run), 1e-5, "W")
			testkit.RequireClose(t, bias, testkit.FromTensor(got.Training.Params[1]).Run(run), 1e-5, "b")
			assert.InEpsilon(t, loss, got.Training.History[l.Epochs].Loss[run], 1e-5)

			var answers []int
			for sample, label := range test[set].Labels {
				answers = append(answers, ahead(logitsOf(test[set], sample, w.Data, bias.Data), label))
			}
			want := accuracyOf(answers)
			assert.Equal(t, want, got.Accuracy[set][seed])
			assert.Less(t, want.Top1, 1.0, "the task is too easy to show errors")
		}
		if smoothing > 0 {
			continue // smoothing affects only training
		}
		for _, most := range []int{1, 4 * classes * 10, 4 * classes * tests} {
			again := testkit.Must(l.score(b, got.Training.Snapshot, test, most))
			require.Equal(t, got.Accuracy, again, "blocks of %d logits", most)
		}
	}
}

func TestLinearInitialParameters(t *testing.T) {
	const classes, dim = 100, 25
	training, _ := task(6, 4, 4, dim, classes, 1)
	l := Linear{Classes: classes, Batch: 2}
	p := testkit.Must(l.Problem([]Features{training, training}, []int64{1, 2}))
	require.Equal(t, []int64{1, 2, 1, 2}, p.Seeds)
	w := testkit.FromTensor(p.Params[0])
	require.Equal(t, []int{4, classes, dim}, w.Dims)
	require.Equal(t, []int{4, classes}, p.Params[1].Shape().Dimensions)
	require.Equal(t, w.Run(0), w.Run(2))
	require.NotEqual(t, w.Run(0), w.Run(1))
	const n, bound = classes * dim, 1.0 / 5
	mean, square := 0.0, 0.0
	for _, x := range w.Run(0).Data {
		require.LessOrEqual(t, math.Abs(x), bound)
		mean, square = mean+x/n, square+x*x/n
	}
	deviation := bound / math.Sqrt(3)
	assert.InDelta(t, 0, mean, 5*deviation/math.Sqrt(n))
	// The variance of x² for a uniform x is 4/45 of the fourth power of the bound.
	assert.InDelta(t, deviation*deviation, square, 5*math.Sqrt(4.0/45/n)*bound*bound)
}

// On CIFAR-100 solo-learn has epochs of 195 steps, and a tenth of the rate from epochs 60 and 80 on.
func TestLinearConfigMatchesSoloLearn(t *testing.T) {
	sgd := optim.SGD{LearningRate: 0.1, Momentum: 0.9,
		Schedule: optim.Schedule{Decay: optim.Tenths, Milestones: []int{60 * 195, 80 * 195}}}
	want := train.Config{Steps: 19_500, EvalEvery: 195, Optimiser: sgd}
	assert.Equal(t, want, Linear{Classes: 100}.Config(50_000))
	for epochs := 1; epochs < 9; epochs++ { // too few for milestones, and a few more
		require.NoError(t, Linear{Classes: 100, Epochs: epochs}.Config(256).Validate())
	}
	given := optim.SGD{LearningRate: 0.01, WeightDecay: 1e-3}
	assert.Equal(t, given, Linear{Classes: 47, Optimiser: given}.Config(1000).Optimiser)
}

// A run that diverges does not change the others. If all diverge, Run returns an error.
func TestLinearDiverges(t *testing.T) {
	training, test := task(7, 100, 50, 6, 3, 3)
	huge := training
	huge.X = make([]float32, len(training.X))
	for i, x := range training.X {
		huge.X[i] = 1e25 * x
	}
	l := Linear{Classes: 3, Batch: 25, Epochs: 5}
	got := mustRun(t, l, []Features{training, huge}, []Features{test, test}, 1)
	assert.Zero(t, got.Training.Diverged[0])
	assert.Equal(t, 1, got.Training.Diverged[1])
	alone := mustRun(t, l, []Features{training}, []Features{test}, 1)
	assert.Equal(t, alone.Accuracy[0], got.Accuracy[0])

	o := train.Options{Backend: testkit.PureGo(t)}
	_, err := l.Run(context.Background(), []Features{huge}, []Features{test}, []int64{1}, o)
	require.ErrorIs(t, err, train.ErrDiverged)
}

func TestLinearReturnsErrors(t *testing.T) {
	training, test := task(8, 40, 30, 4, 3, 1)
	good := Linear{Classes: 3, Batch: 10, Epochs: 1}
	require.NoError(t, good.Validate())
	for _, l := range []Linear{{Classes: 1}, {Classes: 3, Batch: -1}, {Classes: 3, Epochs: -1},
		{Classes: 3, Smoothing: 1}, {Classes: 3, Optimiser: optim.SGD{LearningRate: -1}}} {
		require.Error(t, l.Validate())
	}
	labelled, short, narrow := copied(training), copied(training), copied(test)
	labelled.Labels[7], short.Labels, narrow.Dim = 3, short.Labels[1:], 2
	for _, c := range []struct{ training, test []Features }{
		{[]Features{labelled}, []Features{test}}, {[]Features{short}, []Features{test}},
		{[]Features{training, test}, []Features{test}}, {[]Features{training}, []Features{narrow}},
		{[]Features{training}, nil}, {[]Features{training, training}, []Features{test, test, test}},
	} {
		_, err := good.Run(t.Context(), c.training, c.test, []int64{1}, train.Options{Backend: testkit.PureGo(t)})
		require.ErrorContains(t, err, "probe")
	}
}
