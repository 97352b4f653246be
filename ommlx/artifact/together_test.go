package artifact_test

import (
	"context"
	"encoding/json"
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
	judged func() // when all is trained
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

func (m meddled) Start(b compute.Backend) (lab.Task[*found], error) {
	task, err := m.madeUp.Start(b)
	judge := task.Judge
	task.Judge = func(ctx context.Context, trained *train.Result) ([]*found, error) {
		once(&m.others.judged)
		return judge(ctx, trained)
	}
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
