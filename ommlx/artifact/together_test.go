package artifact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/train"
)

// meddled is madeUp, with the same keys, during whose run another process is at work.
type meddled struct {
	madeUp
	others *others
}

// others is what another process does while a run is at a place. It does each once.
type others struct {
	valid, started, judged func()   // after the first look at what is kept; with the data there; when all is trained
	trained                []string // the seeds of each training that began
}

func once(do *func()) {
	if now := *do; now != nil {
		*do = nil
		now()
	}
}

// MarshalJSON leaves out the others.
func (m meddled) MarshalJSON() ([]byte, error) { return json.Marshal(m.madeUp) }

func (m meddled) With(seeds []int64) lab.Experiment[*found] {
	return meddled{m.with(seeds...), m.others}
}

func (m meddled) Validate() error {
	once(&m.others.valid)
	return m.madeUp.Validate()
}

func (m meddled) Start(b compute.Backend) (lab.Task[*found], error) {
	task, err := m.madeUp.Start(b)
	score, judge := task.Score, task.Judge
	task.Score = func(now train.Snapshot) ([]float64, error) {
		if now.Step == 0 {
			m.others.trained = append(m.others.trained, fmt.Sprint(m.Seeds))
		}
		return score(now)
	}
	task.Judge = func(ctx context.Context, trained *train.Result) ([]*found, error) {
		once(&m.others.judged)
		return judge(ctx, trained)
	}
	once(&m.others.started)
	return task, err
}

// run trains seeds as another process does.
func (e madeUp) run(t *testing.T, l *lab.Lab, seeds ...int64) func() {
	return func() {
		_, err := lab.Run(t.Context(), l, e.with(seeds...))
		require.NoError(t, err)
	}
}

// A seed that is kept while it is trained together with another stays as it is: a kept result never changes.
func TestAKeptSeedStaysAsItIs(t *testing.T) {
	l, e := worker(t.TempDir(), nil), newMadeUp(300)
	var before map[string]string
	_, err := lab.Run(t.Context(), l, meddled{e, &others{judged: func() {
		e.run(t, l, 1)()
		before = results(t, l)
	}}})
	require.NoError(t, err)
	require.Len(t, before, 1)
	after := results(t, l)
	require.Len(t, after, 2)
	for name, text := range before {
		require.True(t, text == after[name], "the file of seed 1")
	}
	alone, _, err := lab.Load(l, e.with(1))
	require.NoError(t, err)
	require.Empty(t, alone.Provenance.Together)
}

// What another process keeps while the data is collected is not trained again.
func TestWhatIsKeptWhileDataIsCollectedIsNotTrained(t *testing.T) {
	for _, c := range []struct {
		kept []int64
		want []string
	}{{[]int64{1, 2}, nil}, {[]int64{1}, []string{"[2]"}}} {
		l, e := worker(t.TempDir(), nil), newMadeUp(300)
		o := &others{started: e.run(t, l, c.kept...)}
		both, err := lab.Run(t.Context(), l, meddled{e, o})
		require.NoError(t, err)
		require.Len(t, both.Values, 2)
		require.Equal(t, c.want, o.trained)
		requireNoCheckpoints(t, l.Root)
	}
}

// No seeds are an error, not all of them kept.
func TestNoSeedsAreAnError(t *testing.T) {
	_, err := lab.Run(t.Context(), worker(t.TempDir(), nil), newMadeUp(300).with())
	require.ErrorContains(t, err, "no seeds")
}

// What another process keeps between two looks at what is kept is read.
func TestWhatIsKeptBetweenTwoLooksIsRead(t *testing.T) {
	for _, kept := range [][]int64{{1, 2}, {1}} {
		l, e := worker(t.TempDir(), nil), newMadeUp(300)
		both, err := lab.Run(t.Context(), l, meddled{e, &others{valid: e.run(t, l, kept...)}})
		require.NoError(t, err)
		require.Len(t, both.Values, 2)
	}
}

func requireNoCheckpoints(t *testing.T, root string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(root, ".omm", "runs", "*", "*.ckpt"))
	require.NoError(t, err)
	require.Empty(t, left, "checkpoints of finished trainings must be gone")
}
