package representation

import (
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
func onTheHost(t *testing.T, l Probe, f Features, seed int64, w, b []float64) (loss float64) {
	m := Minibatches{Samples: len(f.Labels), Batch: l.Batch}
	order := taken(t, m, []int64{seed}, l.Epochs*m.PerEpoch())
	theta := [][]float64{w, b}
	v := [][]float64{make([]float64, len(w)), make([]float64, len(b))}
	for step := range l.Epochs * m.PerEpoch() {
		if step%m.PerEpoch() == 0 {
			loss = 0
		}
		grad := [][]float64{make([]float64, len(w)), make([]float64, len(b))}
		for _, number := range order[step].Data {
			sample := int(number)
			scores, sum := logitsOf(f, sample, w, b), 0.0
			for _, z := range scores {
				sum += math.Exp(z)
			}
			for c, z := range scores {
				target := l.Smoothing / float64(len(b))
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
				v[i][j] = l.SGD.Momentum*v[i][j] + grad[i][j] + l.SGD.WeightDecay*theta[i][j]
				theta[i][j] -= l.SGD.LearningRate * v[i][j]
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
			z[c] += w[c*f.Dim+j] * float64(f.X[int(sample)*f.Dim+j])
		}
	}
	return z
}

// task returns a training and a test set around one centre for each class; distance scales the centres.
func task(seed uint64, n, tests, dim, classes int, distance float64) (training, test Features) {
	rng, all := testkit.NewRand(seed), Features{Dim: dim}
	centres := testkit.Gaussian(rng, classes, dim).Scaled(distance)
	for range n + tests {
		label := rng.IntN(classes)
		all.Labels = append(all.Labels, label)
		for _, mean := range centres.Run(label).Data {
			all.X = append(all.X, float32(mean+rng.NormFloat64()))
		}
	}
	return Features{all.X[:n*dim], dim, all.Labels[:n]}, Features{all.X[n*dim:], dim, all.Labels[n:]}
}

// Two sets of features and two seeds in one program have the parameters, losses and accuracies of separate runs in
// float64.
func TestProbeAgainstTheHost(t *testing.T) {
	const classes, dim, tests = 7, 5, 103
	o := optim.SGD{LearningRate: 0.1, Momentum: 0.9, WeightDecay: 1e-3}
	var training, test []Features
	for set := range uint64(2) {
		a, b := task(set, 90, tests, dim, classes, 0.7)
		training, test = append(training, a), append(test, b)
	}
	seeds, b := []int64{3, 8}, testkit.Backend(t)
	for _, smoothing := range []float64{0, 0.1} {
		l := Probe{Batch: 20, Epochs: 6, SGD: o, Smoothing: smoothing}
		p, config := testkit.Must2(l.Problem(training, classes, seeds))
		require.Equal(t, []int64{3, 8, 3, 8}, p.Seeds)
		got := testkit.Must(train.Run(t.Context(), p, config, train.Options{Backend: b}))
		require.Len(t, got.History, l.Epochs+1)
		accuracies := Accuracies(got.Snapshot, test)
		for run := range 4 {
			set, seed := run/2, run%2
			w := testkit.FromTensor(p.Params[0]).Run(run)
			bias := testkit.FromTensor(p.Params[1]).Run(run)
			for _, x := range w.Data {
				require.LessOrEqual(t, math.Abs(x), 1/math.Sqrt(dim), "initial W")
			}
			loss := onTheHost(t, l, training[set], seeds[seed], w.Data, bias.Data)
			testkit.RequireClose(t, w, testkit.FromTensor(got.Params[0]).Run(run), 1e-5, "W")
			testkit.RequireClose(t, bias, testkit.FromTensor(got.Params[1]).Run(run), 1e-5, "b")
			assert.InEpsilon(t, loss, got.History[l.Epochs].Loss[run], 1e-5)

			var logits []float64
			for sample := range test[set].Labels {
				logits = append(logits, logitsOf(test[set], sample, w.Data, bias.Data)...)
			}
			want := AccuracyOf(logits, test[set].Labels)
			assert.Equal(t, want, accuracies[set][seed])
			assert.Less(t, want.Top1, 1.0, "the task is too easy to show errors")
		}
	}
}

// A run that diverges does not change the others. If all diverge, Train returns an error.
func TestProbeDiverges(t *testing.T) {
	training, test := task(7, 100, 50, 6, 3, 3)
	huge := training
	huge.X = make([]float32, len(training.X))
	for i, x := range training.X {
		huge.X[i] = 1e25 * x
	}
	l := Probe{Batch: 25, Epochs: 5, SGD: optim.SGD{LearningRate: 0.1, Momentum: 0.9}}
	learn := func(sets ...Features) (*train.Result, error) {
		return l.Train(t.Context(), sets, 3, []int64{1}, train.Options{Backend: testkit.PureGo(t)})
	}
	alone, both := testkit.Must(learn(training)), testkit.Must(learn(training, huge))
	require.Equal(t, Accuracies(alone.Snapshot, []Features{test})[0],
		Accuracies(both.Snapshot, []Features{test, test})[0])
	_, err := learn(huge)
	require.ErrorIs(t, err, train.ErrDiverged)
}

func TestProbeReturnsErrors(t *testing.T) {
	training, _ := task(8, 40, 30, 4, 3, 1)
	sgd := optim.SGD{LearningRate: 0.1}
	for _, l := range []Probe{{0, 1, sgd, 0}, {1, 0, sgd, 0}, {1, 1, sgd, 1}, {1, 1, optim.SGD{LearningRate: -1}, 0}} {
		require.Error(t, l.Validate())
	}
	_, _, err := Probe{41, 1, sgd, 0}.Problem([]Features{training}, 3, []int64{1})
	require.ErrorContains(t, err, "41")
}
